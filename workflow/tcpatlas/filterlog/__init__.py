"""What a filter log (pcap) of a bulk TCP transfer says about it: report C-2002-13, section 7.2.

It belongs to the package and not to the Linux engine, because any tcpdump of a bulk transfer can be read by
it, and what it finds (an RTT sample, a loss estimate) is the input of models.
"""
