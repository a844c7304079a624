# What the authors may have run: guesses, each simulated for all cases of tables 1 and 3, against what they print.

# What each guess makes of the printed cases: their columns by dotted path, rates in bit/s.
at_most <- function(packets_per_s) {
  function(cases) cases[, cross_traffic.rate := pmin(cross_traffic.rate, 8 * packets_per_s * packet_size)]
}
guess_rules <- list(
  "as printed" = identity,
  "$B$ without the packet in service" = function(cases) {
    cases[, links.bottleneck.buffer := links.bottleneck.buffer + 1]
  },
  "packets of 536 B, rates for 576 B" = function(cases) cases[, packet_size := 536],
  "packets of 616 B, rates for 576 B" = function(cases) cases[, packet_size := 616],
  "$\\lambda/2$" = function(cases) cases[, cross_traffic.rate := cross_traffic.rate / 2],
  "$\\lambda$ at most 5" = at_most(5),
  "$\\lambda$ at most 10" = at_most(10),
  "$\\lambda$ at most 15" = at_most(15)
)

# What may count as the connection's throughput.
throughput_names <- c(
  goodput = "acknowledged once", throughput = "carried, repeats too", sent_rate = "sent, lost ones too"
)

# Each guess with each way to count the throughput: its mean relative errors against the printed simulations, the
# nearest first, and in how many of the 18 cases both the throughput and the round-trip time are within the tolerances
# of the tables.
table_guesses <- function(data) {
  errors <- guess_errors(data)
  ranked <- errors[, .(
    deterministic = mean(abs(throughput[!poisson])), poisson = mean(abs(throughput[poisson])),
    rtt = mean(abs(round_trip)), all = mean(abs(c(throughput, round_trip))),
    hits = sprintf("%d of %d", sum(abs(throughput) <= near_throughput & abs(round_trip) <= near_round_trip), .N)
  ), by = .(guess, counted)][order(all)]
  percent <- function(x) ifelse(is.nan(x), "", sprintf("%.1f", 100 * x))
  columns_to_table(list(
    list(heading = "Guess", cells = ranked$guess),
    list(heading = "Throughput is\nwhat is", cells = throughput_names[ranked$counted]),
    list(heading = "thp, table 1\n(%)", cells = percent(ranked$deterministic)),
    list(heading = "thp, table 3\n(%)", cells = percent(ranked$poisson)),
    list(heading = "rtt, both\n(%)", cells = percent(ranked$rtt)),
    list(heading = "all\n(%)", cells = percent(ranked$all)),
    list(heading = "cases\nmet", cells = ranked$hits)
  ), groups = 0)
}

# A row per guess, way to count and case: ours over the printed number, minus one.
guess_errors <- function(data) {
  simulated <- simulated_points(data)
  printed <- printed_cases(data, c("table-1", "table-3"))
  cases <- simulated[startsWith(name, "table-")]
  cases[, case := rowid(name)]
  paths <- union(parameter_columns(data$points), "packet_size")
  rows <- rbindlist(lapply(names(guess_rules), function(guess) {
    wanted <- guess_rules[[guess]](cases[, c("poisson", "case", paths), with = FALSE])
    simulated[wanted, on = c("poisson", paths), mult = "first", nomatch = NULL][, guess := guess]
  }))
  rows[, item := ifelse(poisson, "table-3", "table-1")]
  rows <- printed[rows, on = c("item", "case")]
  rbindlist(lapply(names(throughput_names), function(counted) {
    rows[, .(
      guess, poisson, case, counted = counted, throughput = get(counted) / printed_throughput - 1,
      round_trip = rtt_path_mean / printed_round_trip - 1, near_throughput, near_round_trip
    )]
  }))
}

# The points that were simulated, in the order of their sets: parameters, and a column per metric.
simulated_points <- function(data) {
  wide <- dcast(data$observations[engine == "packetsim"], set + point ~ metric, value.var = "value")
  # What arrived at the bottleneck is what left it and what it dropped, of both kinds of traffic.
  wide[, sent_rate := (throughput + cross_throughput) / (1 - loss_ratio) - cross_throughput / (1 - cross_loss_ratio)]
  points <- wide[data$points, on = c("set", "point"), nomatch = NULL]
  points[, `:=`(name = sub("^.*/", "", set), poisson = grepl("(table-3|-poisson)$", set))]
  # Where a set does not say otherwise, packets have the study's own size.
  if (is.null(points$packet_size)) points[, packet_size := NA_real_]
  points[is.na(packet_size), packet_size := fixed_number(data, "packet_bytes", data$sets[1])]
  points[]
}

# The printed simulations of some items, case by case in the order of the paper's tables.
printed_cases <- function(data, items) {
  shown <- data$whole$claims[item %in% items & engine == "packetsim"]
  shown <- shown[metric %in% c("goodput", "rtt_path_mean")]
  shown <- shown[, .(item, point, metric, published = as.numeric(published), tolerance)]
  shown[, `:=`(case = match(point, unique(point)), near = tolerance / published), by = item]
  wide <- dcast(shown, item + case ~ metric, value.var = c("published", "near"))
  setnames(
    wide, c("published_goodput", "published_rtt_path_mean", "near_goodput", "near_rtt_path_mean"),
    c("printed_throughput", "printed_round_trip", "near_throughput", "near_round_trip")
  )
  wide[]
}
