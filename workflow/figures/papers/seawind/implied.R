# The bottleneck that the printed numbers of sets 3 to 6 imply, simulated beside what is stated.

implied_metrics <- c("goodput", "send_throughput", "throughput_without_timeouts")

# A row per set, metric and engine: the printed transfers; ours by what is stated and by what is implied, each with how
# many printed transfers are among 95 of 100 of ours.
table_implied_bottleneck <- function(data) {
  runs <- runs_beside_print(data)
  wide <- dcast(runs, name + metric + engine ~ implied, value.var = c("value", "ci_low", "ci_high", "hits"))
  printed <- runs[, .(printed = printed[1]), by = .(name, metric)]
  rows <- printed[wide, on = c("name", "metric")]
  rows <- rows[order(name, match(metric, implied_metrics), engine != "linux")]
  ours <- function(which) {
    part <- function(column) rows[[paste0(column, "_", which)]]
    measured_cells(part("value"), part("ci_low"), part("ci_high"))
  }
  columns_to_table(list(
    list(heading = "Set", cells = sub("set-", "", rows$name)),
    list(heading = "", cells = vapply(rows$metric, metric_symbol, "", data$labels)),
    list(heading = "Printed\n(packets/s)", cells = rows$printed),
    list(heading = "", cells = source_name(rows$engine, data$labels)),
    list(heading = "As stated", cells = ours("FALSE")), list(heading = "met", cells = rows$hits_FALSE),
    list(heading = "As implied", cells = ours("TRUE")), list(heading = "met", cells = rows$hits_TRUE)
  ), groups = 3)
}

# A row per set, metric, engine and bottleneck, `implied` or as stated, beside the printed transfers.
runs_beside_print <- function(data) {
  ours <- data$observations[metric %in% implied_metrics & engine %in% c("linux", "packetsim")]
  ours <- data$points[ours, on = c("set", "point"), nomatch = NULL]
  ours[, implied := grepl("/implied-", set)]
  # The implied sets are told by their loss: their points are those of the sets as stated.
  losses <- c(
    "implied-slow 0.0025" = "set-3", "implied-slow 5e-04" = "set-4", "implied-fast 0.00025" = "set-5",
    "implied-fast 5e-04" = "set-6"
  )
  ours[, name := sub("^.*/", "", set)]
  ours[implied == TRUE, name := losses[paste(name, links.bottleneck.loss)]]
  if (anyNA(ours$name)) {
    stop_plainly("implied sets: losses of %s only; this table knows no others", paste(names(losses), collapse = ", "))
  }
  # 95 of 100 transfers are this far from their mean.
  ours[, far := (ci_high - ci_low) / 2 * sqrt(replications)]
  printed <- unique(data$whole$claims[kind == "measurement" & item != "means"], by = c("item", "row"))
  printed <- printed[!endsWith(case, "*")]
  printed <- printed[, .(name = sub("^.*/", "", set), metric = quantity, number = as.numeric(published))]
  beside <- printed[ours, on = c("name", "metric"), allow.cartesian = TRUE, nomatch = NULL]
  beside[, .(
    value = value[1], ci_low = ci_low[1], ci_high = ci_high[1],
    printed = paste(range(number), collapse = " to "), hits = sprintf("%d of %d", sum(abs(number - value) <= far), .N)
  ), by = .(name, metric, engine, implied)]
}
