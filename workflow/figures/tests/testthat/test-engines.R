module <- paper_module("engines")

# A point without cross traffic.
parameters <- function(count, loss = 0) {
  list(
    "tcp.variant" = "newreno", "sources.count" = count, "links.bottleneck.buffer" = 200,
    "sources.workload.file_size.distribution" = "exponential", "links.bottleneck.loss" = loss,
    "cross_traffic.kind" = "poisson", "cross_traffic.rate" = 0
  )
}

# Two points, at which ns-3 has 1 % more of everything with 50 sources, 3 % with 134, give or take 0.5 %.
two_points <- function() {
  rows <- rbindlist(lapply(c(50, 134), function(count) {
    rbindlist(lapply(c("on_time", "loss_ratio"), function(metric) {
      synthetic_observation(
        "engines/falling-together", paste0("count-", count), parameters(count), "ns3", metric, "%",
        if (count == 50) 1 else 3, 0.5
      )
    }))
  }))
  points <- points_of(rows)
  rows[, `:=`(
    sampled_set = "", reference = "packetsim", statistic = "bound", tolerance = 2,
    verdict = ifelse(value > 2, "differs", "agrees"), reason = ifelse(value > 2, "an order of its own", "")
  )]
  list(equivalence = rows, points = points, labels = paper_labels("engines"))
}

without_ns3 <- function(data, missing = "ns-3 is not installed") {
  data$equivalence <- data$equivalence[0]
  data$missing <- missing
  data
}

test_that("a point is told by what is there", {
  data <- two_points()
  expect_equal(module$settings_of(data$points, data$labels), c(
    "NewReno, $N$ 50, $B$ 200 packets, E", "NewReno, $N$ 134, $B$ 200 packets, E"
  ))
  more <- modifyList(parameters(50, 0.01), list("cross_traffic.rate" = 4e6))
  row <- points_of(synthetic_observation("engines/on-off", "one", more, "ns3", "on_time", "s", 1))
  expect_equal(
    module$settings_of(row, data$labels), "NewReno, $N$ 50, $B$ 200 packets, E, $p$ 1 %, Poisson, $\\lambda$ 4 Mbit/s"
  )
})

test_that("a recovery is named unless it is the usual one", {
  names <- lapply(c("pause", "rate-halving"), function(recovery) {
    more <- modifyList(parameters(50), list("tcp.recovery" = recovery))
    row <- points_of(synthetic_observation("engines/compound", "one", more, "ns3", "loss_ratio", "1", 1))
    module$settings_of(row, two_points()$labels)
  })
  expect_equal(names, list("NewReno, $N$ 50, $B$ 200 packets, E", "NewReno, rate halving, $N$ 50, $B$ 200 packets, E"))
})

test_that("the differences stand in percent, each with its verdict", {
  tables <- module$table_samples(two_points())
  expect_equal(tables[[1]]$headings, c("Point", "$\\mathrm{ON}$"))
  expect_equal(texts_of(tables[[1]])[[2]], c("1.0 \u00b1 0.5 \u2713", "3.0 \u00b1 0.5 \u2717[a]"))
  expect_equal(tables[[2]]$headings, c("Point", "$L$"))
  expect_equal(tables[[1]]$notes, c(a = "an order of its own"))
})

test_that("the figure has a panel per point and the differences in percent", {
  shown <- ggplot2::ggplot_build(module$plot_figure_differences(two_points()))
  expect_equal(nrow(shown$layout$layout), 2)
  expect_equal(sort(shown$data[[4]]$x), c(1, 1, 3, 3))
})

test_that("the largest difference of each point is shown with its verdict", {
  data <- two_points()
  data$equivalence <- data$equivalence[metric == "on_time"]
  sets <- c("engines/on-off", "engines/bulk-reno")
  data$equivalence[, `:=`(
    metric = "largest_difference", set = sets, value = c(0, 2.8466), ci_low = NA_real_, ci_high = NA_real_
  )]
  data$points[, set := sets]
  table <- module$table_same_events(data)
  expect_equal(texts_of(table)[[1]], c("on-off", "thirty bulk Reno"))
  expect_equal(texts_of(table)[[3]], c("0 \u2713", "2.847 \u2717[a]"))
})

test_that("the tolerance that is drawn is the rule's", {
  data <- two_points()
  data$equivalence[, tolerance := 5]
  band <- ggplot2::ggplot_build(module$plot_figure_differences(data))$data[[1]]
  expect_equal(c(band$xmin[1], band$xmax[1]), c(-5, 5))
})

test_that("an item without results says what is missing, and nothing else than that", {
  data <- without_ns3(two_points(), "")
  expect_match(texts_of(module$table_samples(data))[[1]], "^No point of this item was simulated")
})

test_that("without ns-3 the items say so", {
  data <- without_ns3(two_points())
  expect_match(texts_of(module$table_samples(data))[[1]], "ns-3 is not installed")
  expect_match(texts_of(module$table_same_events(data))[[1]], "ns-3 is not installed")
  expect_s3_class(module$plot_figure_differences(data), "ggplot")
})

# Two sampled sets with several metrics and one judged by its largest difference: a mean row per metric, and the rows of
# the points behind it.
sampled_sets <- function() {
  row <- function(set, sampled, point, metric, value, half, verdict = "agrees") {
    data.table(
      set = paste0("engines/", set), point = point, sampled_set = sampled, engine = "ns3", reference = "packetsim",
      metric = metric, value = value, ci_low = value - half, ci_high = value + half,
      statistic = if (nzchar(point)) "" else "mean", verdict = if (nzchar(point)) "" else verdict,
      reason = if (verdict == "differs") "a crowd" else ""
    )
  }
  rows <- rbind(
    row("all-engset", "engset/table-06", "", "goodput", 0.1, 0.2),
    row("all-engset", "engset/table-06", "", "loss_ratio", -12.3, 9, "differs"),
    row("all-engset", "engset/figure-03", "", "goodput", 0, 0),
    row("all-compound", "compound/gamma", "", "largest_difference", 0.0002, NA),
    row("all-engset", "engset/table-06", "a", "goodput", 0, 1),
    row("all-engset", "engset/table-06", "b", "goodput", 0, 1),
    row("all-engset", "engset/figure-03", "c", "goodput", 0, 1),
    row("all-compound", "compound/gamma", "d", "case", 0, 1)
  )
  list(equivalence = rows, labels = paper_labels("engines"))
}

test_that("every sampled set has a row, those judged by their largest difference a table of their own", {
  tables <- module$table_every_set(sampled_sets())
  texts <- texts_of(tables[[1]])
  expect_equal(texts[[1]], c("engset", "engset"))
  expect_equal(texts[[2]], c("table-06", "figure-03"))
  expect_equal(texts[[3]], c("2", "1"))
  expect_equal(texts[[4]], c("0.1 \u00b1 0.2 \u2713", "0 \u2713"))
  expect_equal(texts[[5]][1], "-12 \u00b1 9 \u2717[a]")
  expect_equal(unlist(texts_of(tables[[2]]), use.names = FALSE), c("compound", "gamma", "1", "0.0002000 \u2713"))
  expect_length(tables[[2]]$notes, 0)
})

test_that("the figure of all sets has a panel per metric and a line per set", {
  shown <- ggplot2::ggplot_build(module$plot_figure_every_set(sampled_sets()))
  expect_equal(nrow(shown$layout$layout), 2)
  expect_equal(sort(shown$data[[3]]$x), c(-12.3, 0, 0.1))
})

test_that("without ns-3 there is nothing on all sets", {
  data <- without_ns3(sampled_sets())
  expect_match(texts_of(module$table_every_set(data))[[1]], "ns-3 is not installed")
  expect_s3_class(module$plot_figure_every_set(data), "ggplot")
})

test_that("where several engines are compared with the first, each has a row of its own", {
  data <- two_points()
  both <- lapply(c("linux", "ns3"), function(one) copy(data$equivalence)[, engine := one])
  both[[2]][, `:=`(value = 1.5, ci_low = 1, ci_high = 2)]
  data$equivalence <- rbindlist(both)[metric == "loss_ratio"]
  data$labels$sources <- list(linux = "Linux", ns3 = "ns-3")
  table <- module$table_kernel_cubic(data)[[1]]
  expect_equal(table$headings, c("Point", "Engine", "$L$"))
  expect_setequal(texts_of(table)[[2]], c("Linux", "ns-3"))
  ours <- texts_of(table)[[2]] == "ns-3"
  expect_match(texts_of(table)[[3]][ours], "^1.5")
})

test_that("the kernel's differences have a table for each set, and without any a line says what is missing", {
  data <- two_points()
  data$equivalence[, engine := "linux"]
  expect_length(module$table_kernel(data), 1)
  expect_match(texts_of(module$table_kernel(data)[[1]])[[3]][1], "1.0")
  none <- data
  none$equivalence <- data$equivalence[0]
  none$missing <- "Linux is not built here"
  expect_match(texts_of(module$table_kernel(none))[[1]], "not built here")
  none$missing <- ""
  expect_match(texts_of(module$table_kernel(none))[[1]], "No point of this item was simulated")
})
