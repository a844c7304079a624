# Columns that data.table and ggplot2 find in their tables: declared, so that the linter reports every other name that
# is not defined.
utils::globalVariables(c(
  ".", ".x", "alike", "amplitude", "appendix", "band", "basis", "block", "border", "buffer", "buffer_packets", "burst",
  "case", "cause", "cell", "changes", "chosen_on", "ci_high", "ci_low", "claim", "colour", "column", "count", "counted",
  "cpu_s", "cpu_s_high", "cpu_s_low", "criterion_slow_starts", "cross_loss_ratio", "cross_throughput",
  "cross_traffic.rate", "curve", "distribution", "engine", "error", "facet", "formula", "from", "goodput",
  "goodput_per_connection", "goodput_per_connection_error", "guess", "heading", "height", "high", "highest", "is_model",
  "item", "kernel", "kind", "label", "large", "layer", "letter", "limit", "link", "links.bottleneck.buffer",
  "links.bottleneck.loss", "links.bottleneck.loss_growth", "links.bottleneck.rate", "links.egress.rate", "loss",
  "loss_ratio", "low", "lowest", "mark", "mean_count", "metric", "middle", "model", "name", "network", "note", "number",
  "numbers", "of", "off", "open_loop_load", "ours", "ours_from", "ours_text", "paced", "pacing", "packet_size",
  "packets", "packets_per_core_second", "pair", "PANEL", "panel", "paper", "parameter", "part", "peak_memory_bytes",
  "phase", "place", "plain_title", "point", "points", "printed", "printed_round_trip", "printed_text",
  "printed_throughput", "probability", "product", "program", "propagation", "published", "px", "py", "quantity",
  "queue", "ratio", "reading", "reason", "reference", "relative_error", "round_trip", "round_trip_error", "rounding",
  "row_note", "rtt", "rtt_distribution.standard_deviation", "rtt_path_mean", "rule", "rwnd", "same", "sampled_set",
  "scheme", "score", "seed", "sent_rate", "sentences", "set", "setting", "settings", "shade", "shape", "share",
  "shown_by", "size", "slow_starts", "slow_starts_per_cycle", "slow_starts_per_cycle_highest",
  "slow_starts_per_cycle_lowest", "small", "source", "sources", "sources.count", "sources.workload.ends_at",
  "statement", "statistic", "step", "study", "tau", "tcp.damping", "tcp.gamma", "tcp.recovery", "tcp.rwnd",
  "tcp.variant", "text", "threshold", "throughput", "throughput_error", "time_s", "title", "together", "told",
  "tolerance", "tolerance_reason", "transfer", "trusted", "two", "upto", "value", "variable", "verdict", "version",
  "way", "what", "where", "width", "wrong", "x", "x.ymax", "x.ymin", "xmax", "xmin", "y", "ymax", "ymin"
))
