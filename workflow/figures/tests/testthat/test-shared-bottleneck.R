module <- paper_module("shared-bottleneck")

# Bursts of 2 and 4 packets, thresholds of 5, 10 and 20: three slow starts where the burst is 2 and the threshold 10 or
# more, but for one point.
three_points <- function() {
  points <- CJ(burst_window = c(2, 4), ssthresh = c(5, 10, 20))
  points[, count := ifelse(burst_window == 2 & ssthresh >= 10, 3, 2)]
  points[]
}

test_that("the criterion for three slow starts is found, and scored on other points", {
  rule <- module$three_rule(three_points())
  expect_equal(rule[c("burst", "threshold")], list(burst = 2, threshold = 10))
  others <- data.table(burst_window = c(1, 2, 2, 3), ssthresh = c(30, 10, 9, 30), count = c(3, 2, 3, 1))
  expect_equal(module$three_score(others, rule), list(hits = 1L, misses = 1L, alarms = 1L, right = 0.5))
})

test_that("without three slow starts there is no criterion", {
  expect_null(module$three_rule(three_points()[count == 2]))
})

test_that("errors of inference are summed up as quantiles and the share within a tenth", {
  summary <- module$error_summary(c(-0.2, -0.1, 0, 0.1, 0.2))
  expect_equal(unname(summary[c("q25", "q50", "q75")]), c(-0.1, 0, 0.1))
  expect_equal(unname(summary[c("within", "points")]), c(0.6, 5))
})

# The observations of one simulated point of a set: a throughput and a round-trip time.
simulated_point <- function(set, point, parameters, throughput, round_trip = 1, slow_starts = 2) {
  values <- c(
    goodput = throughput, throughput = throughput, cross_throughput = 1, loss_ratio = 0, cross_loss_ratio = 0,
    rtt_path_mean = round_trip, slow_starts_per_cycle = slow_starts
  )
  rbindlist(Map(function(metric, value) {
    synthetic_observation(
      paste0("shared-bottleneck/", set), point, parameters, "packetsim", metric, "1", value, value / 10
    )
  }, names(values), values))
}

case_parameters <- function(rate, buffer, cross) {
  list(
    "links.access.rate" = 1e6, "links.bottleneck.rate" = rate, "links.bottleneck.buffer" = buffer,
    "cross_traffic.rate" = cross
  )
}

printed_case <- function(item, point, throughput, round_trip) {
  data.table(
    item = item, kind = "simulation", engine = "packetsim", point = point, metric = c("goodput", "rtt_path_mean"),
    published = c(throughput, round_trip)
  )
}

with_points <- function(observations, claims) {
  list(observations = observations, points = points_of(observations), whole = list(claims = claims))
}

# Two cases, printed as 10 and 20 packets/s and 1 s; simulated 10 % less, and with half the traffic as printed.
# 9216 bit/s are 2 packets/s: at most 5 packets/s changes nothing.
test_that("a guess that meets the printed numbers comes first, however throughput is counted", {
  observations <- rbindlist(lapply(c("table-1", "table-3", "guesses", "guesses-poisson"), function(set) {
    guessed <- startsWith(set, "guesses")
    rbindlist(lapply(1:2, function(case) {
      parameters <- case_parameters(1e6 * case, 5, if (guessed) 4608 else 9216)
      simulated_point(set, paste0("p", case), parameters, 10 * case * if (guessed) 1 else 0.9)
    }))
  }))
  claims <- rbindlist(lapply(c("table-1", "table-3"), function(item) {
    rbind(printed_case(item, "p1", "10", "1"), printed_case(item, "p2", "20", "1"))
  }))
  body <- texts_of(module$table_guesses(with_points(observations, claims)))
  expect_equal(unique(body[[1]])[1], "$\\lambda/2$")
  expect_setequal(unique(body[[1]])[-1], c("as printed", paste("$\\lambda$ at most", c(5, 10, 15))))
  expect_equal(body[[3]], rep(c("0.0", "10.0"), times = c(3, 12)))
  expect_equal(body[[7]], rep(c("4 of 4", "0 of 4"), times = c(3, 12)))
})

# The observations, and the rows of extremes 5 % off them.
with_extremes <- function(observations) {
  ends <- function(end, factor) copy(observations)[, `:=`(metric = paste0(metric, end), value = value * factor)]
  rbind(observations, ends("_lowest", 0.95), ends("_highest", 1.05))
}

# Replications lie within 5 % of the mean: 10 is met by 10.2 both ways, by 10.4 by the spread, by 10.6 not.
test_that("the spread says which printed throughputs it meets", {
  observations <- rbindlist(Map(function(set, mean) {
    with_extremes(simulated_point(set, "p1", case_parameters(1e6, 5, 9216), mean))
  }, paste0("table-", 1:3), c(10.2, 10.4, 10.6)))
  claims <- rbindlist(lapply(1:3, function(table) printed_case(paste0("table-", table), "p1", "10", "1")))
  body <- texts_of(module$table_spread(with_points(observations, claims)))
  expect_equal(body[[1]], c("1", "2", "3"))
  expect_equal(body[[6]], c("2.0", "4.0", "6.0"))
  expect_equal(body[[7]], c("9.69 to 10.71", "9.88 to 10.92", "10.07 to 11.13"))
  expect_equal(body[[8]], c("3 %, spread", "spread", ""))
})

# Printed as 20 packets/s and 1 s: the second guess has it, with three slow starts.
test_that("guesses at three slow starts are ranked by slow starts, throughput and round-trip time together", {
  observations <- rbind(
    simulated_point("three-slow-starts", "a", case_parameters(1e6, 5, 9216), 20, 1, slow_starts = 2),
    simulated_point("three-slow-starts", "b", case_parameters(1e6, 4, 9216), 19.8, 1, slow_starts = 3)
  )
  claims <- rbindlist(Map(function(point, throughput) {
    printed_case("table-2", point, throughput, "1")
  }, c("p1", "p2", "p3"), c("30", "10", "20")))
  body <- texts_of(module$table_three_slow_starts(with_points(with_extremes(observations), claims)))
  expect_equal(body[[1]], c("4", "5"))
  expect_equal(body[[6]], c("2.85 to 3.15", "1.90 to 2.10"))
  expect_equal(body[[7]], c("-1.0", "0.0"))
  expect_equal(body[[9]], c("0.3", "11.1"))
  expect_equal(body[[10]], c("yes", ""))
})

# Two cases, printed as 10.0 and 20.0 packets/s, both 1.00 s; the second has two slow starts. The derived reading is off
# by 10 and -10 %, another one right but for the second case's throughput, 20.1: 0.5 %, more than rounding.
test_that("readings are ranked by all numbers, and those within rounding counted", {
  given <- function(point, throughputs, round_trip) {
    values <- c(throughputs, round_trip, round_trip)
    names(values) <- c("goodput", "goodput__log_decimal", "rtt_path_mean", "rtt_path_mean__log_decimal")
    rbindlist(Map(function(metric, value) {
      synthetic_observation("shared-bottleneck/readings", point, list(), "model:r", metric, "1", value)
    }, names(values), values))
  }
  claims <- rbind(
    printed_case("table-1", "p1", "10.0", "1.00"), printed_case("table-1", "p2", "20.0", "1.00")
  )[, kind := "model"]
  starts <- data.table(
    item = "criterion", kind = "model", engine = "model:r", point = c("p1", "p2"), metric = "criterion_slow_starts",
    published = c("1", "2")
  )
  observations <- rbind(given("p1", c(11, 10.04), 1), given("p2", c(18, 20.1), 1))
  fits <- module$reading_fits(with_points(observations, rbind(claims, starts)))
  expect_equal(fits$reading, c("log_decimal", ""))
  expect_equal(fits$throughput_one, c(0.004, 0.1))
  expect_equal(fits$throughput_two, c(0.005, -0.1))
  expect_equal(fits$met, c(3, 2))
  expect_equal(fits$changes, c(1, 0))
  expect_equal(module$reading_text(fits$reading), c("logarithm to base 10", "nothing"))
})

# Two cases; ns-3 finds 2 % more packets/s, give or take 0.5 %, and the same round trips.
test_that("both engines stand side by side, where there are two", {
  of <- function(engine, metric, unit, value, half) {
    rbindlist(lapply(1:2, function(case) {
      synthetic_observation("shared-bottleneck/table-1", paste0("p", case), list(), engine, metric, unit, value, half)
    }))
  }
  first <- rbind(
    of("packetsim", "goodput", "packets/s", 50, 1), of("packetsim", "rtt_path_mean", "s", 0.2, 0.01)
  )
  second <- rbind(
    of("ns3", "goodput", "packets/s", 51, 2), of("ns3", "rtt_path_mean", "s", 0.2, 0.02)
  )
  differences <- rbind(of("ns3", "goodput", "%", 2, 0.5), of("ns3", "rtt_path_mean", "%", 0, 1))
  data <- function(observations) {
    list(
      observations = observations, points = points_of(observations), equivalence = differences,
      labels = paper_labels("shared-bottleneck")
    )
  }
  expect_null(module$table_of_engines(data(first)))
  body <- texts_of(module$table_of_engines(data(rbind(first, second)))[[1]])
  expect_equal(body[[1]], c("1", "2"))
  expect_equal(body[[2]], rep("50.0 \u00b1 1.0", 2))
  expect_equal(body[[3]], rep("51.0 \u00b1 2.0", 2))
  expect_equal(body[[4]], rep("2.0 \u00b1 0.5", 2))
  expect_equal(body[[7]], rep("0.0 \u00b1 1.0", 2))
})
