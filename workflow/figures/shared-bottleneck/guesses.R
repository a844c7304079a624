# What the authors may have run: guesses, each simulated for all cases of tables 1 and 3, against what they print.

# Pairs of sets, deterministic and Poisson, by what they try.
guess_names <- c(
  "table-1" = "as printed", "guess-buffer" = "$B$ without the packet in service",
  "guess-payload" = "packets of 536 B, rates for 576 B", "guess-header" = "packets of 616 B, rates for 576 B",
  "guess-half" = "$\\lambda/2$", "guess-five" = "$\\lambda$ at most 5", "guess-ten" = "$\\lambda$ at most 10",
  "guess-fifteen" = "$\\lambda$ at most 15"
)

# What may count as the connection's throughput.
throughput_names <- c(
  throughput = "acknowledged once", carried_rate = "carried, repeats too", sent_rate = "sent, lost ones too"
)

# Each guess with each way to count the throughput: its mean relative errors against the printed simulations, the
# nearest first, and in how many of the 18 cases both the throughput and the round-trip time are within the tolerances
# of the tables, 3 % and 4 %.
table_guesses <- function(data) {
  errors <- guess_errors(data)
  ranked <- errors[, .(
    deterministic = mean(abs(throughput[!poisson])), poisson = mean(abs(throughput[poisson])),
    rtt = mean(abs(round_trip)), all = mean(abs(c(throughput, round_trip))),
    hits = sprintf("%d of %d", sum(abs(throughput) <= 0.03 & abs(round_trip) <= 0.04), .N)
  ), by = .(guess, counted)][order(all)]
  percent <- function(x) sprintf("%.1f", 100 * x)
  columns_to_table(list(
    list(heading = "Guess", cells = guess_names[ranked$guess]),
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
  simulated <- simulated_cases(data)
  printed <- printed_cases(data)
  rows <- printed[simulated, on = c("poisson", "case"), nomatch = NULL]
  rbindlist(lapply(names(throughput_names), function(counted) {
    rows[, .(
      guess, poisson, case, counted = counted, throughput = get(counted) / printed_throughput - 1,
      round_trip = round_trip_mean / printed_round_trip - 1
    )]
  }))
}

# The metrics of each case of each guess; the cases of a set are in the order of the paper's tables.
simulated_cases <- function(data) {
  simulated <- data$observations[!grepl("^model:|/", engine)]
  simulated[, case := match(point, unique(point)), by = set]
  simulated[, name := sub("^.*/", "", set)]
  simulated[, poisson := name == "table-3" | endsWith(name, "-poisson")]
  simulated[, guess := ifelse(name == "table-3", "table-1", sub("-poisson$", "", name))]
  wide <- dcast(simulated, guess + poisson + case ~ metric, value.var = "value")
  # What arrived at the bottleneck is what left it and what it dropped, of both kinds of traffic.
  wide[, sent_rate := (carried_rate + cross_throughput) / (1 - loss_ratio) - cross_throughput / (1 - cross_loss_ratio)]
  wide[]
}

# The printed simulations of tables 1 and 3, case by case.
printed_cases <- function(data) {
  shown <- data$study_claims[item %in% c("table-1", "table-3") & kind == "simulation"]
  shown <- shown[metric %in% c("throughput", "round_trip_mean")]
  shown[, case := match(point, unique(point)), by = item]
  wide <- dcast(shown[, .(item, case, metric, published = as.numeric(published))], item + case ~ metric,
    value.var = "published"
  )
  wide[, .(
    poisson = item == "table-3", case, printed_throughput = throughput, printed_round_trip = round_trip_mean
  )]
}
