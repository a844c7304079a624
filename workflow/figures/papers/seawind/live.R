# Transfers in real time: beside those in virtual time, and beside the printed ones.

no_live <- paste(
  "Transfers in real time are made at the paper's scale, on machines that allow user namespaces and TUN devices and",
  "are not too busy (results/logs/simulate/seawind/ has why there is none)."
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
    return(table_of_text(no_live))
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

live_note <- "short transfers, with the Reno of today's kernels: item table-live has the same in virtual time"

# What engines in real time measured over a set's link and at its p, in transfers that are a set of their own, and what
# models predict from those measurements. An engine in real time is one that is not among `engines`, which answer the
# set's printed numbers; `asked` are the quantities of the columns and their units.
live_transfers <- function(data, engines, asked) {
  path <- c("links.bottleneck.rate", "links.bottleneck.loss")
  tables <- lapply(data$whole[c("points", "observations", "errors")], function(table) table[set == "seawind/live"])
  here <- tables$points[unique(data$points[, path, with = FALSE]), on = path, nomatch = NULL]
  live <- setdiff(grep("^model:", tables$observations$engine, value = TRUE, invert = TRUE), engines)
  rows <- rbind(tables$observations, tables$errors, fill = TRUE)[, source := measured_by(engine)]
  rows <- rows[source %in% live & point %in% here$point]
  rows <- asked[rows, on = c(quantity = "metric"), nomatch = NULL]
  percent <- rows$unit == "%" & rows$i.unit == "1"
  rows[percent, `:=`(value = 100 * value, ci_low = 100 * ci_low, ci_high = 100 * ci_high)][, letter := ""]
}
