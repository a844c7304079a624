# The paper's own suggestion: the exogenous rate from the transfer's throughput and round-trip time, and how far off.

# Above: the error over the map, by traffic and region. Below: the cases of tables 1 and 3.
table_inference <- function(data) {
  list(inference_by_region(data), inference_by_case(data))
}

inference_by_region <- function(data) {
  errors <- inferred(data, "inferred_exogenous_share_error")[endsWith(set, "/map")]
  model <- data$observations[metric == "slow_starts_per_cycle" & nzchar(model)]
  slow_starts <- model[errors, on = c("set", "point"), mult = "first"]$value
  errors[, `:=`(kind = get("cross_traffic.kind"), share = exogenous_share(data, errors), slow_starts = slow_starts)]
  errors[, band := cut(share, c(0, 0.12, 0.35, 1), c("under 12 %", "12 to 35 %", "over 35 %"))]
  rows <- errors[, as.list(error_summary(value)), by = .(kind, slow_starts, band)]
  setorder(rows, kind, slow_starts, band)
  columns_to_table(c(
    list(
      list(heading = "Traffic", cells = rows$kind),
      list(heading = "Slow starts\nby $W_b \\le W_{th}$", cells = as.character(rows$slow_starts)),
      list(heading = "$\\lambda/\\mu$", cells = as.character(rows$band))
    ), summary_columns(rows)
  ), groups = 2)
}

# The spread of a set of errors, in percent of the link's rate.
error_summary <- function(errors) {
  quantiles <- stats::quantile(errors, c(0.05, 0.25, 0.5, 0.75, 0.95), names = FALSE)
  c(
    stats::setNames(quantiles, c("q5", "q25", "q50", "q75", "q95")), within = mean(abs(errors) <= 0.1),
    points = length(errors)
  )
}

summary_columns <- function(rows) {
  headings <- c(q5 = "5 %", q25 = "25 %", q50 = "median", q75 = "75 %", q95 = "95 %")
  quantiles <- lapply(names(headings), function(name) {
    list(heading = headings[[name]], cells = sprintf("%.1f", 100 * rows[[name]]))
  })
  c(
    list(list(heading = "points", cells = sprintf("%d", as.integer(rows$points)))), quantiles,
    list(list(heading = "at most\n$\\mu/10$ off", cells = sprintf("%.0f %%", 100 * rows$within)))
  )
}

# The nine cases: printed lambda, and what is inferred from the simulations with deterministic and Poisson traffic.
inference_by_case <- function(data) {
  rates <- inferred(data, "inferred_exogenous_rate")[!endsWith(set, "/map")]
  rates[, case := match(point, unique(point)), by = set]
  wide <- dcast(rates, case ~ sub("^.*/", "", set), value.var = "value")
  printed <- rates[match(wide$case, case)]
  columns_to_table(list(
    list(heading = "Case", cells = as.character(wide$case)),
    list(heading = "$\\mu$ (packets/s)", cells = format_number(
      packets_per_s(data, printed[["links.bottleneck.rate"]]), 0
    )),
    list(heading = "$\\lambda$ simulated\n(packets/s)", cells = format_number(
      packets_per_s(data, printed[["cross_traffic.rate"]]), 0
    )),
    list(heading = "inferred,\ndeterministic", cells = format_number(wide[["table-1"]], 1)),
    list(heading = "inferred,\nPoisson", cells = format_number(wide[["table-3"]], 1))
  ), groups = 0)
}

inferred <- function(data, wanted) {
  rows <- data$errors[metric == wanted & (fed_by == "packetsim" | against == "packetsim")]
  data$points[rows, on = c("set", "point"), nomatch = NULL]
}
