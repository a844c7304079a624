# Columns that data.table and ggplot2 find in their tables: those of the results, and those made of them. Declared, so
# that the linter reports every other name that is not defined.
utils::globalVariables(unlist(result_columns, use.names = FALSE))
utils::globalVariables(c(
  ".", ".x", "about", "alike", "amplitude", "band", "basis", "block", "border", "buffer", "burst", "cell", "changes",
  "chosen_on", "colour", "column", "count", "criterion_slow_starts", "cross_loss_ratio", "cross_throughput",
  "cross_traffic.rate", "curve", "error", "facet", "formula", "from", "goodput", "goodput_per_connection",
  "goodput_per_connection_error", "guess", "heading", "height", "high", "highest", "is_model", "kernel", "label",
  "large", "layer", "letter", "limit", "links.bottleneck.buffer", "links.bottleneck.loss",
  "links.bottleneck.loss_growth", "links.bottleneck.rate", "links.egress.rate", "loss", "loss_ratio", "low",
  "lowest", "mark", "mean_count", "middle", "model", "network", "number", "of", "off", "open_loop_load", "ours",
  "ours_from", "paced", "pacing", "packet_size", "pair", "panel", "PANEL", "part", "phase", "place", "plain_title",
  "points", "printed", "printed_round_trip", "printed_throughput", "product", "propagation", "px", "py", "queue",
  "ratio", "reading", "round_trip", "round_trip_error", "rounding", "rtt", "rtt_distribution.standard_deviation",
  "rtt_path_mean", "rule", "rwnd", "same", "scheme", "score", "seed", "sent_rate", "sentences", "setting",
  "settings", "shade", "shape", "share", "size", "slow_starts", "slow_starts_per_cycle",
  "slow_starts_per_cycle_highest", "slow_starts_per_cycle_lowest", "small", "source", "sources.count",
  "sources.workload.ends_at", "step", "tau", "tcp.damping", "tcp.gamma", "tcp.recovery", "tcp.rwnd", "tcp.variant",
  "threshold", "throughput", "throughput_error", "together", "told", "transfer", "trusted", "two", "upto",
  "variable", "way", "what", "wrong", "x.ymax", "x.ymin", "xmax", "xmin", "y", "ymax", "ymin"
))
