module <- paper_module("shared-bottleneck")

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
