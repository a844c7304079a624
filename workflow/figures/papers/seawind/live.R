# Transfers in real time beside those in virtual time.

compared <- c(
  goodput = "Throughput ATp", rtt_sample_mean = "Mean RTT sample", loss_estimate = "Loss estimate",
  outstanding_mean = "Mean of outstanding segments"
)

one_transfer <- paste(
  "where no packet is lost at random, all transfers in virtual time are one: over the slower link it ends with a",
  "timeout, which neither a transfer a packet longer nor most live ones have, and which makes it slower"
)

# A row for each metric of each point that was measured by both clocks.
table_live <- function(data) {
  by <- c("set", "point", "metric")
  rows <- copy(data$observations[metric %in% names(compared)])
  # What is the same in all transfers, but for nanoseconds, has no interval.
  rows[is.na(ci_low) | ci_high - ci_low < 1e-6 * abs(value), `:=`(ci_low = value, ci_high = value)]
  rows <- rows[order(match(metric, names(compared)))]
  live <- rows[engine == "linux_live"]
  pairs <- merge(rows[engine == "linux"], live, by = by, suffixes = c("", "_live"), sort = FALSE)
  if (nrow(pairs) == 0) {
    return(table_of_text(nothing_made(data)))
  }
  differences <- data$equivalence[engine == "linux_live" & reference == "linux"][pairs, on = by]
  points <- join_in_order(pairs[, .(set, point)], data$points, c("set", "point"))
  agree <- pairs$ci_low <= pairs$ci_high_live & pairs$ci_low_live <= pairs$ci_high
  one <- !agree & pairs$ci_low == pairs$ci_high
  units <- sub(" (1)", "", sprintf(" (%s)", pairs$unit), fixed = TRUE)
  columns_to_table(list(
    list(heading = "Link\n(kbit/s)", cells = format_number(points$links.bottleneck.rate / 1000)),
    list(heading = "p (%)", cells = trim_zeros(format_number(100 * points$links.bottleneck.loss, digits = 3))),
    list(heading = "Measured", cells = paste0(compared[pairs$metric], units)),
    list(heading = "Virtual time", cells = measured_cells(pairs$value, pairs$ci_low, pairs$ci_high)),
    list(
      heading = "Live", cells = measured_cells(pairs$value_live, pairs$ci_low_live, pairs$ci_high_live)
    ),
    list(
      heading = "Difference (%)", cells = measured_cells(differences$value, differences$ci_low, differences$ci_high)
    ),
    list(heading = "Intervals", cells = cells(ifelse(agree, "overlap", "are apart"), note = ifelse(one, "a", "")))
  ), groups = 2, notes = if (any(one)) c(a = one_transfer) else character())
}
