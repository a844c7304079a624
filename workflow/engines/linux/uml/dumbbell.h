/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * What the guest's kernel and its first process say to one another: the options of the queue discipline "link" (link.c)
 * and the calls of the device /dev/sources (sources.c). All times are the guest's CLOCK_MONOTONIC in nanoseconds.
 */
#ifndef TCP_ATLAS_DUMBBELL_H
#define TCP_ATLAS_DUMBBELL_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define LINK_GROUPS 32

/* Source k of group g has the address 10.(g + 1).0.2 + k. */
#define SOURCE_NETWORK(group) (0x0a010000U + ((__u32)(group) << 16))
#define SOURCE_ADDRESS(group, number) (SOURCE_NETWORK(group) + 2 + (__u32)(number))

/* The options of "link", as its TCA_OPTIONS. */
struct link_options {
	__u64 rate_bit_per_s;		/* 0: packets take no time to send, and none is dropped */
	__u64 delay_ns;			/* of each packet, behind its transmission */
	__u64 egress_rate_bit_per_s;	/* of the link to each receiver behind it, where packets wait; 0: none */
	__u64 egress_delay_ns;
	__u64 loss_seed;		/* of the generator, xoshiro256++ by way of splitmix64 */
	__u64 loss_threshold;		/* lost: a draw of 53 bits below it */
	__u32 buffer_packets;		/* with the one in service; 0: the child discipline decides */
	__u32 bytes_each;		/* of every packet in transmission; 0: its own */
	__u32 levels;			/* of the histograms */
	__u32 read_as;			/* what LINK_READ calls it, from 1: LINK_BOTTLENECK, LINK_RETURN; 0: it reads others */
	__u32 one_line;			/* whether the child discipline has one queue for all */
	__u32 reorders;			/* whether packets of LINK_DELAYS overtake one another */
	__u32 log;			/* which end's log it writes: LINK_LOG_NONE, _SENT, _RECEIVED */
	__u32 groups;
	struct link_group {
		__u64 access_rate_bit_per_s;	/* of each source's own link; 0: no such link */
		__u64 access_delay_ns;
		__u32 count;			/* sources */
		__u32 reserved;
	} group[LINK_GROUPS];
};

enum { LINK_BOTTLENECK = 1, LINK_RETURN, LINK_NAMES };

enum { LINK_LOG_NONE, LINK_LOG_SENT, LINK_LOG_RECEIVED };

struct link_log_record {
	__u64 time_ns;
	__u32 from_sender;
	__u32 bytes;	/* of the IP packet */
	__u32 payload;
	__u32 seq;
	__u32 ack;
	__u16 window;
	__u16 flags;	/* as in the header, with the data offset */
	__u16 from_port;
	__u16 to_port;
};

struct link_counters {
	__u64 sent;		/* by the sources */
	__u64 arrived;		/* at the queue */
	__u64 started;		/* their transmission */
	__u64 dropped;
	__u64 lost;
	__u64 delivered;
	__u64 marked;		/* congestion experienced, as they left */
	__u64 full_size;	/* as large as the largest packet seen */
	__u64 largest_bytes;
	__u64 waited_ns;	/* in the queue and transmission, of those that a drop-tail queue took and nothing lost */
	struct {
		__u64 arrived;	/* at their receivers, or on the way behind the queue */
		__u64 way_ns;	/* of these, from source to receiver */
	} group[LINK_GROUPS];
};

struct sources_group {
	__s32 sender_net;	/* a file of its namespace */
	__s32 listener;		/* a listening socket */
	__u32 receiver_address;
	__u16 port;
	__u16 reserved;
	__u32 count;
	__u32 mss_bytes;
};

struct sources_transfer {
	__u32 source;		/* numbered from 0, group after group */
	__u32 reserved;
	__u64 bytes;		/* of data; ~0: without end */
	__u64 open_ns;		/* when the SYN of its connection is sent */
	__u64 at_ns;		/* when it begins, if the connection is there */
};

struct sources_completion {
	__u32 source;
	__u32 srtt_us;
	__u64 begun_ns;		/* its first data was written */
	__u64 ended_ns;		/* the acknowledgement of its last byte arrived */
};

/* Of all transfers of a source. */
struct sources_state {
	__u64 acknowledged_bytes;
	__u64 sent_packets;
	__u64 resent_packets;
	__u32 cwnd;
	__u32 ssthresh;
	__u32 srtt_us;
	__u32 active;
};

/* Takes transfers, then waits until some have ended, or a time. */
struct sources_exchange {
	__u64 transfers;	/* an array of sources_transfer */
	__u64 completions;	/* an array of sources_completion, in the order in which they ended */
	__u64 until_ns;
	__u32 transfer_count;
	__u32 completion_room;
	__u32 completion_count;	/* out; 0: it is the time */
	__s32 error;		/* out: of a connection, if one has failed */
};

struct link_read {
	__u64 counters;		/* a link_counters */
	__u64 time_at;		/* arrays of as many __u64 as there are levels: nanoseconds */
	__u64 arrivals_at;
	__u32 which;		/* LINK_BOTTLENECK or LINK_RETURN */
	__u32 reserved;
};

/*
 * The bottleneck's delay for each packet with data, from the first, over and over again: nanoseconds times LINK_DELAY_UNIT,
 * with the bit LINK_OVERTAKEN if others pass it, by `late_ns`.
 */
struct link_delays {
	__u64 data;		/* an array of __u64 */
	__u64 late_ns;
	__u32 count;
	__u32 reserved;
};
enum { LINK_OVERTAKEN = 1, LINK_DELAY_UNIT };

struct sources_array {
	__u64 data;
	__u32 room;
	__u32 count;		/* out */
};

#define SOURCES_ADD _IOW('t', 1, struct sources_group)
#define SOURCES_EXCHANGE _IOWR('t', 2, struct sources_exchange)
#define SOURCES_STATE _IOWR('t', 3, struct sources_array)
#define LINK_READ _IOW('t', 4, struct link_read)
#define LINK_LOG _IOWR('t', 5, struct sources_array)
#define LINK_DELAYS _IOW('t', 6, struct link_delays)

#endif
