module <- load_study(figures, "shared-bottleneck")

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

# Two cases, printed as 10 and 20 packets/s and 1 s; simulated 10 % less, and with half the traffic as printed.
test_that("a guess that meets the printed numbers comes first, however throughput is counted", {
  metrics <- c(throughput = 1, carried_rate = 1, cross_throughput = 0, loss_ratio = 0, cross_loss_ratio = 0)
  simulated <- function(set, factor) {
    rbindlist(lapply(1:2, function(case) {
      values <- c(metrics * c(10 * case * factor, 10 * case * factor, 1, 1, 1), round_trip_mean = 1)
      rbindlist(Map(function(metric, value) {
        synthetic_observation(
          paste0("shared-bottleneck/", set), paste0("p", case), list(), "packetsim", metric, "1", value, 0
        )
      }, names(values), values))
    }))
  }
  claims <- rbindlist(lapply(c("table-1", "table-3"), function(item) {
    data.table(
      item = item, kind = "simulation", point = c("p1", "p2", "p1", "p2"),
      metric = rep(c("throughput", "round_trip_mean"), each = 2), published = c("10", "20", "1", "1")
    )
  }))
  observations <- rbind(
    simulated("table-1", 0.9), simulated("table-3", 0.9), simulated("guess-half", 1), simulated("guess-half-poisson", 1)
  )
  body <- module$table_guesses(list(observations = observations, study_claims = claims))$body
  expect_equal(body[[1]], rep(c("$\\lambda/2$", "as printed"), each = 3))
  expect_equal(body[[3]], rep(c("0.0", "10.0"), each = 3))
  expect_equal(body[[7]], rep(c("4 of 4", "0 of 4"), each = 3))
})
