# Which reading of the paper's equations comes nearest to the analysis that the paper prints.

# The passages that can be taken otherwise than derived, by the names of shared_bottleneck.readings.
reading_names <- c(
  tau_access = "$\\tau = 2 (\\tau_1 + \\tau_2) + 1/BW_{\\mathrm{in}}$", tau_one_way = "$\\tau = \\tau_1 + \\tau_2$",
  share_inverted = "$\\mu/\\lambda$ in $W_{\\mathrm{loss}}$ and $R_3$",
  overshoot_one = "$W_{\\mathrm{max}} = W_{\\mathrm{loss}} + 1$",
  overshoot_none = "$W_{\\mathrm{max}} = W_{\\mathrm{loss}}$",
  overshoot_not_in_threshold = "$W_{\\mathrm{th}} = W_{\\mathrm{loss}}/2$",
  log_binary = "logarithm to base 2", log_decimal = "logarithm to base 10",
  first_in = "$N_1 = W$", halves_not_packets = "$N_3$ of case (ii) as printed", halves_not_time = "$T_3$ not halved",
  found_after_round_trip = "a loss is found after $T$",
  found_after_round_trip_sending = "found after $T$, $W_{\\mathrm{max}}$ sent meanwhile",
  found_by_timer = "found by timer", found_by_timer_sending = "found by timer, $W_{\\mathrm{max}}$ sent meanwhile (25)",
  found_at_once_sending = "$W_{\\mathrm{max}}$ packets more",
  second_burst = "second threshold $W_b$", second_kept = "second threshold $W_{\\mathrm{th}}$",
  starts_one = "always one slow start", starts_two = "always two slow starts",
  starts_against_criterion = "slow starts against (26)",
  idle_zero = "$R_1$ of the first slow start 0 as printed", mean_time = "delay averaged over time"
)

# How many of the readings that take two passages otherwise are shown.
pairs_shown <- 10

# Above: the nearest of the readings that take two passages otherwise. Below: one passage, and none.
table_readings <- function(data) {
  fits <- reading_fits(data)
  list(fits_table(utils::head(fits[changes == 2], pairs_shown)), fits_table(fits[changes < 2]))
}

fits_table <- function(fits) {
  percent <- function(x) sprintf("%.1f", 100 * x)
  columns_to_table(list(
    list(heading = "Rank", cells = as.character(fits$rank)),
    list(heading = "Taken otherwise than derived", cells = reading_text(fits$reading)),
    list(heading = "thp, one\n(%)", cells = percent(fits$throughput_one)),
    list(heading = "thp, two\n(%)", cells = percent(fits$throughput_two)),
    list(heading = "rtt\n(%)", cells = percent(fits$round_trip)),
    list(heading = "all\n(%)", cells = percent(fits$all)),
    list(heading = "largest\n(%)", cells = percent(fits$largest)),
    list(heading = "met\nof 18", cells = as.character(fits$met))
  ), groups = 0)
}

reading_text <- function(readings) {
  vapply(strsplit(readings, "__", fixed = TRUE), function(passages) {
    if (length(passages) == 0) "nothing" else paste(reading_names[passages], collapse = "; ")
  }, "")
}

# A row per reading, the nearest first: mean relative errors (the throughput's with its sign, for the cases that print
# one and two slow starts), the largest, and how many printed numbers are met within half a unit of their last digit.
reading_fits <- function(data) {
  given <- data$observations[grepl("^(goodput|rtt_path_mean)(__|$)", metric)]
  given[, `:=`(quantity = sub("__.*$", "", metric), reading = sub("^[a-z_]*?(__|$)", "", metric, perl = TRUE))]
  printed <- data$whole$claims[item == "table-1" & kind == "model" & metric %in% c("goodput", "rtt_path_mean")]
  starts <- data$whole$claims[item == "criterion" & metric == "criterion_slow_starts"]
  rows <- given[printed[, .(point, quantity = metric, published)], on = c("point", "quantity"), nomatch = NULL]
  rows[, `:=`(
    printed = as.numeric(published), two = point %in% starts[published == "2", point],
    rounding = 0.5 * 10^-decimals_of(published)
  )]
  rows[, error := value / printed - 1]
  fits <- rows[, .(
    throughput_one = mean(error[quantity == "goodput" & !two]),
    throughput_two = mean(error[quantity == "goodput" & two]),
    round_trip = mean(abs(error[quantity == "rtt_path_mean"])), all = mean(abs(error)), largest = max(abs(error)),
    met = sum(abs(value - printed) <= rounding)
  ), by = reading][order(all)]
  fits[, `:=`(rank = seq_len(.N), changes = lengths(strsplit(reading, "__", fixed = TRUE)))]
  fits[]
}
