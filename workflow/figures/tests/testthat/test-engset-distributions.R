module <- paper_module("engset")

test_that("figure 3 draws what is above each size, and the simulated files at the ends of the intervals", {
  set <- "engset/figure-03"
  row <- function(metric, value) {
    at <- stats::setNames(list("exponential"), sizes_path)
    synthetic_observation(set, "e", at, "packetsim", metric, "1", value, 0.01)
  }
  observations <- rbind(row("file_share[3-6]", 0.5), row("file_share[7-14]", 0.3), row("file_share[>14]", 0.2))
  closed <- engset_distribution(set, "e", "file_size_by_count", c(0, 0, 0, 0.4, 0.6), "model:file_sizes", NA)
  plot <- module$plot_figure_03(engset_item("figure-03", observations, closed))
  layers <- layers_of(plot)
  expect_equal(10^layers[[1]]$x, c(2, 3))
  expect_equal(10^layers[[1]]$y, c(1, 0.6))
  expect_equal(10^layers[[2]]$x, c(6, 14))
  expect_equal(10^layers[[2]]$y, c(0.5, 0.2))
  expect_equal(unique(layers[[1]]$colour), module$size_colours[["E"]])
  expect_drawn(plot)
})

isolated_queues <- function() {
  at <- function(point, size, rwnd) {
    parameters <- stats::setNames(list(size, rwnd), c(sizes_path, "tcp.rwnd"))
    synthetic_observation("engset/figure-07", point, parameters, "packetsim", "queue_mean", "packets", 1, 0)
  }
  queue <- function(point, distribution, probability, engine) {
    engset_distribution("engset/figure-07", point, distribution, probability, engine)
  }
  distributions <- rbind(
    queue("f44", "queue_by_time", c(0.7, 0, 0.3), "packetsim"),
    queue("f44", "isolated_queue_by_time", c(0.6, 0, 0.4), "model:engset"),
    queue("f44", "queue_by_time", c(0.1, 0.9), "model:engset"),
    queue("f12", "queue_by_time", c(0.8, 0.2), "packetsim"), queue("e44", "queue_by_time", c(0.9, 0.1), "packetsim")
  )
  observations <- rbind(at("f44", "fixed", 44), at("f12", "fixed", 12), at("e44", "exponential", 44))
  engset_item("figure-07", observations, distributions)
}

test_that("figure 7's round has the queue of section 4.4, and its right side closed form and simulation only", {
  plot <- module$plot_figure_07(isolated_queues())
  round <- layers_of(plot[[1]])[[1]]
  # Four increases and eight acknowledgements: (4 + 1) (8 + 1) - 1 packet times, at most 4 + 1 packets.
  expect_equal(sum(round$y), 44)
  expect_equal(max(round$y), 5)
  expect_equal(panels_of(plot[[2]]), 2)
  shares <- layers_of(plot[[2]])[[1]]
  expect_setequal(round(10^shares[PANEL == 1]$y, 9), c(0.7, 0.3, 0.6, 0.4))
  expect_setequal(round(10^shares[PANEL == 2]$y, 9), c(0.8, 0.2))
  expect_drawn(plot)
})

test_that("figure 11 has the model once for each network, and a curve for each size and window", {
  parts <- list(list("g44", 1e9, "exponential", 44), list("g12", 1e9, "exponential-exponential", 12))
  observations <- rbindlist(lapply(parts, function(part) {
    parameters <- stats::setNames(c(part[2:4], 80), c("links.egress.rate", sizes_path, "tcp.rwnd", "sources.count"))
    row <- function(engine, metric, value) {
      synthetic_observation("engset/figure-11", part[[1]], parameters, engine, metric, "1", value, 0)
    }
    rbind(
      row("packetsim", "capacity_share[2]", 0.4), row("packetsim", "capacity_share[10]", 0.9),
      row("model:engset", "capacity_share[2]", 0.5), row("model:engset/packetsim", "capacity_share_error[2]", 0.25)
    )
  }))
  states <- rbindlist(lapply(c("g44", "g12"), function(point) {
    rbind(
      engset_distribution("engset/figure-11", point, "active_by_time", c(rep(0.1, 9), 0.00005, 0.09995)),
      engset_distribution("engset/figure-11", point, "active_by_time", rep(0.1, 10), "model:engset")
    )
  }))
  plot <- module$plot_figure_11(engset_item("figure-11", observations, states))
  drawn <- as.data.table(plot[[1]]$data)
  expect_equal(unique(drawn$curve), c("E, window 44", "model", "EE(7), window 12"))
  expect_equal(unique(drawn$network), "egress link of 1 Gbit/s, N 80")
  shares <- as.data.table(plot[[2]]$data)
  # Nine connections are active for less than a ten-thousandth of the time.
  expect_equal(shares[curve == "E, window 44"]$x, c(2, 10))
  expect_false(9 %in% drawn[curve == "E, window 44"]$x)
  expect_equal(shares[curve == "model"]$value, 0.5)
  expect_drawn(plot)
})

test_that("figure 13 has a panel for each load, the model once, and what the access link paces beside it", {
  parts <- CJ(set = c("engset/figure-13", "engset/figure-13-paced"), count = c(66, 98))
  observations <- rbindlist(Map(function(set, count) {
    rates <- if (set == "engset/figure-13") c(100, 2) else c(2, 100)
    parameters <- stats::setNames(
      c(list(count, "exponential", 44), 1e6 * rates),
      c("sources.count", sizes_path, "tcp.rwnd", "links.access.rate", "links.egress.rate")
    )
    synthetic_observation(set, paste0("n", count), parameters, "model:engset", "open_loop_load", "1", count / 80)
  }, parts$set, parts$count))
  queues <- rbindlist(Map(function(set, count) {
    rbind(
      engset_distribution(set, paste0("n", count), "queue_by_time", c(0.5, 0.3, 0.2)),
      engset_distribution(set, paste0("n", count), "queue_by_time", c(0.6, 0.3, 0.1), "model:engset", NA)
    )
  }, parts$set, parts$count))
  claims <- rbind(
    engset_claims("engset/figure-13", "n66", "open_loop_load", "%", "80.5", 82.5),
    engset_claims("engset/figure-13", "n98", "open_loop_load", "%", "119.6", 122.5)
  )[, row := 1:2]
  plot <- module$plot_figure_13(engset_item("figure-13", observations, queues, claims))
  expect_equal(levels(plot$data$panel), plot_label(c(
    "$N$ 66, $\\rho_0$ 82.5 % (published: 80.5 %)", "$N$ 98, $\\rho_0$ 122.5 % (published: 119.6 %)"
  )))
  layers <- layers_of(plot)
  expect_equal(sort(round(10^layers[[1]][PANEL == 1]$y, 9)), c(0.1, 0.2, 0.4, 0.5))
  expect_equal(sort(round(10^layers[[2]][PANEL == 1]$y, 9)), c(0.2, 0.5))
  expect_drawn(plot)
})
