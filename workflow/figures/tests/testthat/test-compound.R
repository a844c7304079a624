module <- paper_module("compound")

test_that("types of oscillation are named, and longer patterns are not", {
  types <- module$types_of(c(3, 6, 4, 0), c(1, 1, 2, 0))
  expect_equal(as.character(types), c("3:1", "1 cut, m > 3", "4:2", NA))
})

# 417 packets fill the path; growth to 460, a plateau and linear growth to 497.
test_that("the phases of a cycle are told apart by the window", {
  window <- c(248, 248, 300, 416, 430, 460, 460, 460, 480, 497)
  expect_equal(
    as.character(module$phases_of(window, 417)),
    c("recovery", "recovery", "phase 1", "phase 1", "phase 2", "phase 3", "phase 3", "phase 3", "phase 4", "phase 4")
  )
})

test_that("a cycle ends where the window falls", {
  trace <- data.table(time_s = 0:5, value = c(250, 400, 500, 250, 400, 500))
  expect_equal(module$first_cycle(trace)$time_s, 0:2)
  expect_equal(nrow(module$first_cycle(trace[1:3])), 3)
})

# A path of 50 ms with packets of 1500 bytes, of which the paper prints `claims`.
compound_data <- function(set, observations, points, claims = printed(), envir = parent.frame()) {
  document <- list(
    packet_bytes = 1500, return_delay_s = 0.025, links = list(bottleneck = list(delay_s = 0.025)),
    sources = list(list(tcp = list(gamma_packets = 30)))
  )
  sets <- paste0("compound/", c(set, if (set == "figure-12") "figure-12-borders"))
  list(
    study = "compound", name = set, sets = sets, observations = observations, points = points, claims = claims,
    labels = paper_labels("compound"), whole = with_documents(sets, document, envir)
  )
}

# Printed numbers, each a row.
printed <- function(metric = character(), published = character(), rate = 0) {
  data.table(
    metric, published, kind = rep("model", length(metric)), row = seq_along(metric), tolerance = rep(3, length(metric)),
    set = rep("compound/figure-14", length(metric)), links.bottleneck.rate = rep_len(rate, length(metric)),
    point = rep("p", length(metric))
  )
}

test_that("a product of path follows from the points, whatever the paper's are", {
  data <- compound_data("figure-05", NULL, NULL)
  expect_equal(module$bdp(data, 100e6), 100e6 * 0.05 / 12000)
  other <- list(packet_bytes = 500, return_delay_s = 0.05, links = list(bottleneck = list(delay_s = 0.01)))
  data$whole <- with_documents(data$sets, other)
  expect_equal(module$bdp(data, 100e6), 1500)
})

test_that("the map of cases marks where model and simulation differ", {
  parameters <- list("links.bottleneck.rate" = 120e6, "links.bottleneck.buffer" = 100)
  row <- function(set, engine, metric, value) {
    synthetic_observation(paste0("compound/", set), "p", parameters, engine, metric, "1", value, 0)
  }
  borders <- c("border_bursts", "border_oscillation", "border_empties", "border_linear")
  observations <- rbind(
    row("figure-12", "packetsim", "case", 2), row("figure-12", "model:compound", "case", 4),
    rbindlist(lapply(borders, function(name) row("figure-12-borders", "model:compound", name, 50)))
  )
  data <- compound_data("figure-12", observations, points_of(observations))
  layers <- ggplot2::ggplot_build(module$plot_figure_12(data))$data
  expect_equal(unique(layers[[1]]$x), log10(500))
  expect_equal(layers[[2]]$colour, module$case_colours[["case 2"]])
  expect_equal(nrow(layers[[3]]), 1)
})

test_that("throughput is drawn against capacity in Mbit/s, the model as a line", {
  rate <- function(mbit) list("links.bottleneck.rate" = mbit * 1e6)
  at <- function(mbit, engine, value) {
    synthetic_observation("compound/figure-14", paste0("p", mbit), rate(mbit), engine, "utilisation", "1", value, 0.01)
  }
  observations <- rbind(
    at(100, "packetsim", 0.98), at(100, "model:compound", 0.99), at(200, "packetsim", 0.97),
    at(200, "model:compound", 0.98)
  )
  claims <- printed(c("capacity_low_5_2", "capacity_overflow_3_2", "utilisation"), c("131", "400", "75"), 1e9)
  data <- compound_data("figure-14", observations, points_of(observations), claims)
  layers <- ggplot2::ggplot_build(module$plot_figure_14(data))$data
  expect_equal(layers[[1]]$xintercept, c(131, 400))
  expect_equal(c(layers[[6]]$x, layers[[6]]$y), c(1000, 0.75))
  expect_equal(c(layers[[5]]$ymin, layers[[5]]$ymax), c(0.72, 0.78))
  expect_equal(layers[[2]]$x, c(100, 200))
  expect_equal(layers[[2]]$y, c(0.99, 0.98))
  expect_equal(layers[[4]]$y, c(0.98, 0.97))
})

test_that("windows are shown in a panel for each recovery", {
  trace <- function(recovery, engine) {
    data.table(
      set = "compound/figure-07", point = recovery, from_sources(engine), trace = "window", unit = "packets",
      time_s = 0:3, value = c(450, 226, 300, 450)
    )
  }
  data <- compound_data("figure-07", NULL, data.table(
    set = "compound/figure-07", point = c("a", "b"), tcp.recovery = c("pause", "rate-halving")
  ))
  data$traces <- rbind(trace("a", "packetsim"), trace("b", "packetsim"), trace("a", "model:compound"))
  layout <- ggplot2::ggplot_build(module$plot_figure_07(data))$layout$layout
  expect_equal(nrow(layout), 2)
  data$points <- data$points[1, .(set, point)]
  expect_equal(nrow(ggplot2::ggplot_build(module$plot_figure_07(data))$layout$layout), 1)
})
