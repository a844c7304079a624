# Columns that data.table and ggplot2 find in their tables: declared, so that the linter reports every other name that
# is not defined.
utils::globalVariables(c(
  ".", ".x", "alike", "amplitude", "appendix", "band", "basis", "block", "border", "buffer", "buffer_packets",
  "burst", "case", "cell", "changes", "chosen_on", "ci_high", "ci_low", "claim", "colour", "column", "count",
  "counted", "cpu_s", "cpu_s_high", "cpu_s_low", "criterion_slow_starts", "cross_loss_ratio", "cross_throughput",
  "cross_traffic.rate", "curve", "distribution", "engine", "error", "facet", "formula", "from", "goodput",
  "goodput_per_connection", "goodput_per_connection_error", "guess", "heading", "height", "high", "highest",
  "is_model", "item", "kernel", "kind", "label", "large", "layer", "letter", "limit", "link", "links.bottleneck.buffer",
  "links.bottleneck.loss", "links.bottleneck.loss_growth", "links.bottleneck.rate", "links.egress.rate", "loss",
  "loss_ratio", "low", "lowest", "mark", "mean_count", "metric", "middle", "model", "name", "network", "note",
  "number", "of", "off", "open_loop_load", "ours_from", "paced", "pacing", "packet_size", "packets",
  "packets_per_core_second", "pair", "panel", "paper", "parameter", "part", "peak_memory_bytes", "phase", "place",
  "point", "points", "printed", "printed_round_trip", "printed_throughput", "probability", "product", "program",
  "propagation", "published", "quantity", "queue", "ratio", "reading", "reason", "reference", "relative_error",
  "round_trip", "round_trip_error", "rounding", "row_note", "rtt", "rtt_distribution.standard_deviation",
  "rtt_path_mean", "rule", "rwnd", "same", "sampled_set", "score", "sent_rate", "setting", "settings", "shade",
  "shape", "share", "size", "slow_starts", "slow_starts_per_cycle", "slow_starts_per_cycle_highest",
  "slow_starts_per_cycle_lowest", "small", "sources", "sources.count", "statistic", "step", "study", "tau",
  "tcp.damping", "tcp.gamma", "tcp.recovery", "tcp.rwnd", "tcp.variant", "threshold", "throughput",
  "throughput_error", "time_s", "together", "told", "transfer", "trusted", "two", "upto", "value", "variable",
  "verdict", "version", "way", "what", "where", "width", "wrong", "x", "y"
))
