module <- paper_module("engset")

at_drops <- function(set, point, parameters, value) {
  row <- function(metric, unit, value) {
    synthetic_observation(set, point, parameters, "packetsim", metric, unit, value, value / 10)
  }
  rbind(row("timeouts_repeated", "1", value / 100), row("stall_per_timeout", "s", value / 10))
}

drops <- function() {
  ee <- "exponential-exponential"
  ties <- function(size, buffer, rule = "random") {
    stats::setNames(list(size, buffer, rule), c(sizes_path, "links.bottleneck.buffer", "links.bottleneck.ties"))
  }
  observations <- rbind(
    at_drops("engset/table-07", "p", stats::setNames(list(ee, 44), c(sizes_path, "tcp.rwnd")), 1),
    at_drops("engset/table-07-detuned", "fast", list("links.bottleneck.rate" = 10.01e6), 9),
    at_drops("engset/table-07-detuned", "slow", list("links.bottleneck.rate" = 9.999e6), 8),
    at_drops("engset/table-09-ties", "departure", ties(ee, 150, "departure-first"), 4),
    at_drops("engset/table-09-ties", "b150", ties(ee, 150), 7),
    at_drops("engset/table-09-ties", "b50", ties(ee, 50), 6),
    at_drops("engset/table-09-ties", "ep", ties("exponential-pareto", 150), 5)
  )
  claims <- engset_claims(
    "engset/table-07", "p", c("timeouts_repeated", "stall_per_timeout", "timeouts_repeated"), c("%", "ms", "%"),
    c("9.9", "1200.5", "1.0"), c(1, 100, 1)
  )
  claims[3, `:=`(kind = "model", engine = "model:engset", model = "engset")]
  claims[, row := seq_len(.N)]
  engset_item("table-07", observations, claims = claims)
}

test_that("table 7 has below its own point those off the exact step and with other ties, in printed units", {
  tables <- module$table_07(drops())
  expect_equal(row_count(tables[[1]]), 3)
  table <- tables[[2]]
  beside <- c("Quantity", "at 9.999\nMbit/s", "at 10.010\nMbit/s", "departures\nfirst", "ties at\nrandom")
  expect_equal(table$headings, beside)
  expect_equal(unname(unlist(as.list(texts_of(table))[-1])), c(
    "8.0 \u00b1 0.8", "800.0 \u00b1 80.0", "9.0 \u00b1 0.9", "900.0 \u00b1 90.0",
    "4.0 \u00b1 0.4", "400.0 \u00b1 40.0", "7.0 \u00b1 0.7", "700.0 \u00b1 70.0"
  ))
})

test_that("units of printed numbers are known in SI units", {
  expect_equal(unit_factor(c("%", "ms", "kbit/s", "packets", "1")), c(0.01, 0.001, 1000, 1, 1))
})

test_that("panels of windows begin with the largest", {
  expect_equal(as.character(module$window_panel(c(12, 44))), plot_label(sprintf("$W_R$ %d packets", c(12, 44))))
  expect_equal(levels(module$window_panel(c(12, 44)))[1], plot_label("$W_R$ 44 packets"))
})

# Two windows with EE(7) and one with E; `distributions` maps a name to its probabilities of 0, 1, 2, ...
recoveries <- function(name, distributions) {
  points <- list(list("ee44", "exponential-exponential", 44), list("ee12", "exponential-exponential", 12),
                 list("e44", "exponential", 44))
  set <- "engset/table-07"
  observations <- rbindlist(lapply(points, function(part) {
    at_drops(set, part[[1]], stats::setNames(part[2:3], c(sizes_path, "tcp.rwnd")), 1)
  }))
  drawn <- rbindlist(lapply(points, function(part) {
    rbindlist(Map(function(one, probability) {
      engset_distribution(set, part[[1]], one, probability)
    }, names(distributions), distributions))
  }))
  engset_item(name, observations, rbind(
    drawn, engset_distribution(set, "ee44", names(distributions)[1], c(0.5, 0.5), "model:engset")
  ))
}

test_that("distributions come with the size and window of their points, those of models not at all", {
  shown <- module$distribution_of(recoveries("figure-15", list(recovery_burst = c(0, 1))), "recovery_burst")
  expect_equal(unique(shown$engine), "packetsim")
  expect_equal(unique(shown[, .(size, rwnd)])$rwnd, c(44, 12, 44))
  expect_equal(unique(shown[, .(size, rwnd)])$size, rep(c("exponential-exponential", "exponential"), c(2, 1)))
})

test_that("figure 14 draws the drops of EE(7) files in percent, and where slow start ends", {
  data <- recoveries("figure-14", list(drop_position = c(0.1, 0.2, 0.7)))
  slow_access <- list("tcp.rwnd" = 44, "links.access.rate" = 2e6, "links.egress.rate" = 1e8)
  paced <- at_drops("engset/figure-14-paced", "w44", slow_access, 1)
  data$points[, `:=`(links.access.rate = 1e8, links.egress.rate = 2e6)]
  data$points <- rbind(data$points, points_of(paced), fill = TRUE)
  data$distributions <- rbind(
    data$distributions, engset_distribution("engset/figure-14-paced", "w44", "drop_position", c(0, 0.5, 0.5))
  )
  plot <- module$plot_figure_14(data)
  layers <- layers_of(plot)
  expect_equal(sort(layers[[1]]$xintercept), c(22, 86))
  shares <- layers[[3]]
  expect_equal(sort(round(10^shares[PANEL == 1]$y, 9)), c(20, 50, 50, 70))
  expect_equal(sort(round(10^shares[PANEL == 2]$y, 9)), c(20, 70))
  expect_equal(min(shares$x), 1)
  expect_drawn(plot)
})

test_that("figure 15 has a panel for retransmissions and one for bursts, the larger window first", {
  bursts <- list(recovery_retransmissions = c(0, 0.75, 0.25), recovery_burst = c(0, 0, 1))
  plot <- module$plot_figure_15(recoveries("figure-15", bursts))
  expect_equal(levels(plot$data$panel), c("Retransmissions in recovery", "Packets sent on recovery"))
  bars <- layers_of(plot)[[1]]
  expect_equal(sort(bars[PANEL == 1 & y > 0]$y), c(25, 25, 75, 75))
  expect_equal(sort(bars[PANEL == 2 & y > 0]$y), c(100, 100))
  expect_equal(bars[PANEL == 2 & y > 0][order(x)]$fill, c("#0072B2", lighter("#0072B2", 0.5)))
  expect_drawn(plot)
})

test_that("figure 16 has the windows of timeouts for EE(7) and E, with 44 packets only", {
  plot <- module$plot_figure_16(recoveries("figure-16", list(timeout_window = c(0, 0.1, 0.6, 0.3))))
  bars <- layers_of(plot)[[1]]
  expect_equal(levels(plot$data$panel), c("EE(7)", "E"))
  expect_equal(bars[PANEL == 1][order(x)]$y, c(10, 60, 30))
  expect_equal(nrow(bars), 6)
  errors <- layers_of(plot)[[2]]
  expect_equal(errors[PANEL == 1][order(x)]$ymax, c(11, 61, 31))
  expect_drawn(plot)
})
