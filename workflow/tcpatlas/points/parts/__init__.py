"""Parts of a point that every network shares: sources, TCP, workloads, stop rules, probes."""
