module <- paper_module("shared-bottleneck")

test_that("errors of inference are summed up as quantiles and the share within a tenth", {
  summary <- module$error_summary(c(-0.2, -0.1, 0, 0.1, 0.2))
  expect_equal(unname(summary[c("q25", "q50", "q75")]), c(-0.1, 0, 0.1))
  expect_equal(unname(summary[c("within", "points")]), c(0.6, 5))
})

# The observations of one simulated point of a set: a throughput and a round-trip time.
simulated_point <- function(set, point, parameters, throughput, round_trip = 1) {
  values <- c(
    goodput = throughput, throughput = throughput, cross_throughput = 1, loss_ratio = 0, cross_loss_ratio = 0,
    rtt_path_mean = round_trip
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
    published = c(throughput, round_trip), tolerance = c(0.03, 0.04) * as.numeric(c(throughput, round_trip))
  )
}

# Packets of 576 bytes.
with_points <- function(observations, claims, envir = parent.frame()) {
  sets <- unique(observations$set)
  list(
    observations = observations, points = points_of(observations), sets = sets,
    whole = c(list(claims = claims), with_documents(sets, list(packet_bytes = 576), envir))
  )
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
