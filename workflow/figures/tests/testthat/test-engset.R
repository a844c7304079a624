module <- paper_module("engset")

# Data as the functions of items ask for them; the points are those of the observations.
engset_item <- function(name, observations, distributions = NULL) {
  points <- points_of(observations)
  list(
    study = "engset", name = name, sets = unique(observations$set), points = points,
    observations = observations[!endsWith(metric, "_error")],
    errors = observations[endsWith(metric, "_error")][, metric := sub("_error$", "", metric)],
    distributions = distributions,
    claims = data.table(metric = character(), published = character(), tcp.rwnd = numeric()),
    labels = paper_labels("engset")
  )
}

# A distribution over 0, 1, 2, ..., each probability known to within `half`.
engset_distribution <- function(set, point, distribution, probability, engine = "packetsim", half = 0.01) {
  data.table(
    set = set, point = point, from_sources(engine), distribution = distribution, unit = "1",
    x = seq_along(probability) - 1, probability = probability, ci_low = probability - half,
    ci_high = probability + half
  )
}

# The drawn data of each layer of a plot.
layers_of <- function(plot) {
  lapply(ggplot2::ggplot_build(plot)$data, as.data.table)
}

panels_of <- function(plot) {
  nrow(ggplot2::ggplot_build(plot)$layout$layout)
}

# Draws a plot to its end: some warnings come no earlier.
expect_drawn <- function(plot) {
  svglite::svgstring(width = 7, height = 5)
  on.exit(grDevices::dev.off())
  expect_no_warning(print(plot))
}

test_that("the functions of items are found by their names", {
  expect_identical(own_function(module, "plot", "figure-12"), module$plot_figure_12)
  expect_identical(own_function(module, "table", "table-06"), module$table_06)
  expect_null(own_function(module, "table", "table-99"))
  expect_null(own_function(paper_module("my-link"), "plot", "load"))
})

test_that("more than four columns go on below", {
  data <- synthetic_data("engset/table-06")
  claims <- data$claims[rep(2, 6)]
  claims[, `:=`(sources.count = 1:6, row = 1:6)]
  data$claims <- claims
  tables <- module$table_06(data)
  expect_equal(lapply(tables, function(table) table$headings[-(1:2)]), list(
    sprintf("$N$ = %d", 1:4), sprintf("$N$ = %d", 5:6)
  ))
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

test_that("units of printed numbers are known in SI units", {
  expect_equal(unit_factor(c("%", "ms", "kbit/s", "packets", "1")), c(0.01, 0.001, 1000, 1, 1))
})

test_that("panels of windows begin with the largest", {
  expect_equal(as.character(module$window_panel(c(12, 44))), plot_label(sprintf("$W_R$ %d packets", c(12, 44))))
  expect_equal(levels(module$window_panel(c(12, 44)))[1], plot_label("$W_R$ 44 packets"))
})

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

test_that("a ratio of two rates known to 3 % and 4 % is known to 5 %", {
  rates <- rates_of_windows()
  half <- ifelse(grepl("44$", rates$point), 0.04, 0.03)
  rates[, `:=`(ci_low = value * (1 - half), ci_high = value * (1 + half))]
  plot <- module$plot_figure_09(engset_item("figure-09", rates))
  bars <- layer_data(plot, 3)
  expect_equal(bars[order(bars$PANEL, bars$ymin), "ymin"], rep(c(95, 0.95 * 112.5), each = 3))
  expect_equal(bars[order(bars$PANEL, bars$ymax), "ymax"], rep(c(105, 1.05 * 112.5), each = 3))
})

test_that("metrics of intervals fall into their parts", {
  expect_equal(module$interval_end(c("on_time[3-6]", "on_time[2]", "file_share[>4096]")), c(6, 2, NA))
  claims <- data.table(metric = c("on_time[3-6]", "on_time[>14]"), unit = c("ms", "%"))
  expect_equal(module$interval_column(claims)$cells, c("3\u20136", ">14"))
  labels <- paper_labels("engset")
  expect_equal(module$quantity_of(claims, labels), c("$\\mathrm{ON}$ (ms)", "$\\mathrm{ON}$ (%)"))
})
