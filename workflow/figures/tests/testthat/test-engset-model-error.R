module <- paper_module("engset")

path <- c(
  rate = "links.bottleneck.rate", egress = "links.egress.rate", rtt = "rtt", file = "sources.workload.file_size.mean",
  count = "sources.count", size = sizes_path, rwnd = "tcp.rwnd"
)

# One point's observations: `...` are metrics, of the model where they are errors or loads.
at_point <- function(set, point, parameters, ...) {
  metrics <- list(...)
  rbindlist(Map(function(metric, value) {
    engine <- if (metric == "goodput_per_connection") "packetsim" else "model:engset/packetsim"
    synthetic_observation(set, point, parameters, engine, metric, "1", value, 0)
  }, names(metrics), metrics))
}

named <- function(...) {
  values <- list(...)
  stats::setNames(values, path[names(values)])
}

test_that("networks are named as the paper names them", {
  points <- data.table(
    links.bottleneck.rate = c(2e6, 10e6, NA), links.egress.rate = c(1e9, 2e6, NA), rtt = c(0.05, 0.3, NA)
  )
  expect_equal(module$network_name(points), c("2M, 1G, R50", "10M, 2M, R300", "1.5M, 128k, D300"))
})

test_that("figure 8 shows the error with the duration averaged over sizes where the model gives it", {
  at <- named(rate = 10e6, egress = 1e9, rtt = 0.05, file = 5, count = 80)
  point <- at_point("engset/figure-08", "p", at, open_loop_load = 0.8, goodput_per_connection_error = 0.06)
  by_size <- synthetic_observation(
    "engset/figure-08", "p", at, "model:engset_by_size/packetsim", "goodput_per_connection_by_size_error", "1", -0.01, 0
  )
  plot <- module$plot_figure_08(engset_item("figure-08", rbind(point, by_size)))
  points <- layers_of(plot)[[3]]
  expect_equal(points$y, c(6, -1))
  expect_equal(uniqueN(points$colour), 2)
  expect_drawn(plot)
})

test_that("figure 8 shows each error in percent against the load, and the mean over sizes as a line", {
  row <- function(file, load, error, first) {
    at_point(
      "engset/figure-08", sprintf("f%d-%d", file, load),
      named(rate = 10e6, egress = 1e9, rtt = 0.05, file = file, count = load), open_loop_load = load / 100,
      goodput_per_connection_error = error, goodput_per_connection_1_error = first
    )
  }
  observations <- rbind(
    row(5, 40, 0.06, 0.1), row(12, 42, -0.02, 0.02), row(5, 80, 0.03, 0.05),
    at_point("engset/figure-08-special", "s", named(rwnd = 8, count = 8), open_loop_load = 0.6,
             goodput_per_connection_error = 0.01, goodput_per_connection_1_error = 0.02,
             goodput_per_connection_2_error = -0.04)
  )
  plot <- module$plot_figure_08(engset_item("figure-08", observations))
  layers <- layers_of(plot)
  points <- layers[[3]]
  expect_equal(panels_of(plot), 2)
  # h(2) is there at one point only.
  expect_equal(nrow(points), 2 * 4 + 1)
  expect_equal(sort(points[PANEL == 1]$y), c(-2, 2, 3, 5, 6, 10))
  expect_equal(layers[[4]][PANEL == 1]$x, c(41, 80))
  expect_equal(layers[[4]][PANEL == 1]$y, c(2, 3))
  expect_drawn(plot)
})

# F 12 with three loads, E and EP, W_R 44 and 12. With EP the rate is 20 % lower, and the small window brings half back.
rates_of_windows <- function() {
  grid <- CJ(count = c(64, 80, 96), size = c("exponential", "exponential-pareto"), rwnd = c(12, 44))
  rbindlist(Map(function(count, size, rwnd) {
    factor <- if (size == "exponential") 1 else if (rwnd == 44) 0.8 else 0.9
    at_point(
      "engset/figure-09-f12", paste(count, size, rwnd), named(file = 12, count = count, size = size, rwnd = rwnd),
      open_loop_load = count / 80, goodput_per_connection = factor * 1e6 / count,
      goodput_per_connection_error = count / 400 - 0.2
    )
  }, grid$count, grid$size, grid$rwnd))
}

test_that("loads, windows and sizes of figures 9 and 10 are told by their points", {
  rates <- module$rates_by_window(engset_item("figure-09", rates_of_windows()))
  expect_equal(unique(rates[order(sources.count), .(sources.count, load)])$load, c(80, 100, 120))
  expect_equal(unique(rates[order(tcp.rwnd), .(tcp.rwnd, window)])$window, c("small", "large"))
  expect_equal(unique(rates$file), 12)
  expect_setequal(as.character(rates$size), c("E", "EP"))
})

test_that("figure 9 draws the small window over the large one, figure 10 a distribution over E", {
  ninth <- module$plot_figure_09(engset_item("figure-09", rates_of_windows()))
  expect_equal(ninth$data[order(size, load)]$ratio, rep(c(100, 112.5), each = 3))
  tenth <- module$plot_figure_10(engset_item("figure-10", rates_of_windows()))
  expect_equal(levels(tenth$data$panel), c("EP, window 44", "EP, small window"))
  expect_equal(tenth$data[order(panel, load)]$ratio, rep(c(80, 90), each = 3))
  expect_drawn(ninth)
  expect_drawn(tenth)
})

test_that("a ratio of two rates known to 3 % and 4 % is known to 5 %", {
  rates <- rates_of_windows()
  half <- ifelse(grepl("44$", rates$point), 0.04, 0.03)
  rates[, `:=`(ci_low = value * (1 - half), ci_high = value * (1 + half))]
  plot <- module$plot_figure_09(engset_item("figure-09", rates))
  bars <- layer_data(plot, 3)
  expect_equal(bars[order(bars$PANEL, bars$ymin), "ymin"], rep(c(95, 0.95 * 112.5), each = 3))
  expect_equal(bars[order(bars$PANEL, bars$ymax), "ymax"], rep(c(105, 1.05 * 112.5), each = 3))
})
