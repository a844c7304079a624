# How far a simulation's replications lie apart: each has another phase of the periodic traffic, or other Poisson
# traffic.

# Each case of the paper's tables: the printed simulation beside the mean and the extremes of ours. What meets it is the
# tables' tolerance of the mean, or the spread.
table_spread <- function(data) {
  cases <- printed_cases(data, c("table-1", "table-2", "table-3"))
  throughput <- spread_of(data, "goodput")[cases, on = c("item", "case")]
  round_trip <- spread_of(data, "rtt_path_mean")[cases, on = c("item", "case")]
  slow_starts <- spread_of(data, "slow_starts_per_cycle")[cases, on = c("item", "case")]
  error <- throughput[, value / printed_throughput - 1]
  close <- abs(error) <= near$throughput
  inside <- throughput[, lowest <= printed_throughput & printed_throughput <= highest]
  columns_to_table(list(
    list(heading = "Table", cells = sub("table-", "", cases$item)),
    list(heading = "Case", cells = as.character(cases$case)),
    list(heading = "slow\nstarts", cells = slow_starts[, range_text(lowest, highest, 2)]),
    list(heading = "thp\npaper", cells = format_number(throughput$printed_throughput, 1)),
    list(heading = "mean", cells = format_number(throughput$value, 2)),
    list(heading = "error\n(%)", cells = sprintf("%.1f", 100 * error)),
    list(heading = "least to\ngreatest", cells = throughput[, range_text(lowest, highest, 2)]),
    list(heading = "met by", cells = paste0(
      ifelse(close, format_share(near$throughput), ""), ifelse(close & inside, ", ", ""), ifelse(inside, "spread", "")
    )),
    list(heading = "rtt\npaper (s)", cells = format_number(round_trip$printed_round_trip, 3)),
    list(heading = "least to\ngreatest (s)", cells = round_trip[, range_text(lowest, highest, 4)])
  ), groups = 1)
}

# The mean and the extremes of one metric, case by case in the order of the paper's tables.
spread_of <- function(data, wanted) {
  shown <- data$observations[engine == "packetsim"]
  shown[, `:=`(item = sub("^.*/", "", set), case = match(point, unique(point))), by = set]
  wide <- dcast(shown, item + case ~ metric, value.var = "value")
  columns <- paste0(wanted, c("", "_lowest", "_highest"))
  setnames(wide[, c("item", "case", columns), with = FALSE], columns, c("value", "lowest", "highest"))
}

# "87.57 to 96.16", or one number where the two are the same.
range_text <- function(lowest, highest, digits) {
  low <- format_number(lowest, digits)
  high <- format_number(highest, digits)
  ifelse(is.na(lowest), "", ifelse(low == high, low, paste(low, "to", high)))
}
