# Columns that data.table and ggplot2 find in their tables: those of the results, and those made of them. Declared, so
# that the linter reports every other name that is not defined.
utils::globalVariables(unlist(result_columns, use.names = FALSE))
utils::globalVariables(c(
  ".", ".x", "about", "alike", "amplitude", "band", "basis", "block", "border", "buffer", "cell", "changes",
  "claimed", "colour", "column", "count", "cross_loss_ratio", "cross_throughput", "cross_traffic.rate", "curve",
  "error", "facet", "far", "formula", "from", "goodput", "goodput_per_connection", "goodput_per_connection_error",
  "guess", "heading", "height", "high", "highest", "implied", "is_model", "kernel", "label", "large", "layer", "letter", "limit",
  "links.bottleneck.buffer", "links.bottleneck.loss", "links.bottleneck.loss_growth", "links.bottleneck.rate",
  "links.egress.rate", "loss", "loss_ratio", "low", "lowest", "mark", "middle", "model", "near", "near_round_trip",
  "near_throughput", "network", "number", "of",
  "off", "open_loop_load", "ours", "paced", "pacing", "packet_size", "pair", "PANEL", "panel", "part", "phase",
  "place", "plain_title", "points", "printed", "printed_round_trip", "printed_throughput", "product", "propagation",
  "px", "py", "queue", "ratio", "reading", "right", "round_trip", "rounding", "rtt",
  "rtt_distribution.standard_deviation", "rtt_path_mean", "rule", "rwnd", "same", "scheme", "seed", "sent_rate",
  "sentences", "setting", "settings", "shade", "shape", "share", "size", "slow_starts", "small", "source",
  "sources.count", "sources.workload.ends_at", "step", "tau", "tcp.damping", "tcp.gamma", "tcp.recovery", "tcp.rwnd",
  "tcp.variant", "throughput", "together", "told", "transfer", "trusted", "two", "upto", "variable", "way", "what",
  "wrong", "x.ymax", "x.ymin", "xmax", "xmin", "y", "ymax", "ymin"
))
