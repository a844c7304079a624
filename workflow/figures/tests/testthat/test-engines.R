module <- load_study(figures, "engines")

# A point without cross traffic.
parameters <- function(count, loss = 0) {
  list(
    "tcp.variant" = "newreno", "sources.count" = count, "links.bottleneck.buffer" = 200,
    "sources.workload.file_size.distribution" = "exponential", "links.bottleneck.loss" = loss,
    "cross_traffic.kind" = "poisson", "cross_traffic.rate" = 0
  )
}

# Two points, at which ns-3 has 1 % more of everything with 50 sources, 3 % with 134, give or take 0.5 %.
two_points <- function(source = "ns3/packetsim") {
  observations <- rbindlist(lapply(c(50, 134), function(count) {
    rbindlist(lapply(c("on_time", "loss_ratio"), function(metric) {
      synthetic_observation(
        "engines/falling-together", paste0("count-", count), parameters(count), source, paste0(metric, "_error"), "1",
        if (count == 50) 0.01 else 0.03, 0.005
      )
    }))
  }))
  claims <- observations[startsWith(engine, "ns3/"), .(
    set, point, metric = paste0(metric, "_bound"), published = "0.00", value = 100 * (value + 0.005), ci_low = NA_real_,
    ci_high = NA_real_, verdict = ifelse(value > 0.02, "deviates", "reproduced"), reason = "an order of its own"
  )]
  points <- points_of(observations)
  list(
    observations = observations, points = points, claims = join_in_order(claims, points, c("set", "point")),
    labels = labels_for(figures, "engines", unique(observations$engine))
  )
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
  expect_equal(tables[[1]]$body[[2]], c("1.0 \u00b1 0.5 \u2713", "3.0 \u00b1 0.5 \u2717[a]"))
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
  data$claims <- data$claims[endsWith(metric, "on_time_error_bound")]
  data$claims[, `:=`(set = c("engines/on-off", "engines/compound"), published = "0.0000", value = c(0, 2.8466))]
  table <- module$table_same_events(data)
  expect_equal(table$body[[1]], c("on-off", "one bulk Compound"))
  expect_equal(table$body[[3]], c("0.0000 \u2713", "2.8466 \u2717[a]"))
})

test_that("without ns-3 the items say so", {
  data <- two_points("packetsim")
  expect_match(module$table_samples(data)$body[[1]], "ns-3 is not installed")
  expect_match(module$table_same_events(data)$body[[1]], "ns-3 is not installed")
  expect_s3_class(module$plot_figure_differences(data), "ggplot")
})

# Two sampled sets of many sources and one of a lone transfer, with a claim per metric over the points of each.
sampled_sets <- function() {
  claim <- function(row, set, sampled, metric, value, half, verdict = "reproduced", published = "0.00") {
    data.table(
      row = row, item = "every-set", set = paste0("engines/", set), point = paste0(sampled, "_base"),
      sampled_set = sampled, metric = metric, published = published, value = value, ci_low = value - half,
      ci_high = value + half, verdict = verdict, reason = "a crowd"
    )
  }
  claims <- rbind(
    claim(1, "all-engset", "table-06", "goodput_error", 0.1, 0.2),
    claim(2, "all-engset", "table-06", "loss_ratio_error", -12.3, 9, "deviates"),
    claim(3, "all-engset", "figure-03", "goodput_error", 0, 0),
    claim(4, "all-compound", "gamma", "largest_difference", 0.0002, NA, published = "0.0000")
  )
  points <- unique(claims[, .(set, point, sampled_set)])
  points <- rbind(points, data.table(set = "engines/all-engset", point = "table-06_other", sampled_set = "table-06"))
  observations <- data.table(engine = character(0), metric = character(0))
  list(
    points = points, claims = claims, study_claims = claims[, !c("set", "sampled_set")], observations = observations,
    labels = labels_for(figures, "engines", "ns3/packetsim")
  )
}

test_that("every sampled set has a row, the lone transfers a table of their own", {
  tables <- module$table_every_set(sampled_sets())
  expect_equal(tables[[1]]$body[[1]], c("table-06", "figure-03"))
  expect_equal(tables[[1]]$body[[2]], c("2", "1"))
  expect_equal(tables[[1]]$body[[3]], c("0.10 \u00b1 0.20 \u2713", "0.00 \u2713"))
  expect_equal(tables[[1]]$body[[4]][1], "-12.30 \u00b1 9.00 \u2717[a]")
  expect_equal(tables[[2]]$body[[1]], "Compound")
  expect_equal(tables[[2]]$body[[4]], "0.0002 \u2713")
  expect_length(tables[[2]]$notes, 0)
})

test_that("the figure of all sets has a panel per metric and a line per set", {
  shown <- ggplot2::ggplot_build(module$plot_figure_every_set(sampled_sets()))
  expect_equal(nrow(shown$layout$layout), 2)
  expect_equal(sort(shown$data[[3]]$x), c(-12.3, 0, 0.1))
})

test_that("without ns-3 there is nothing on all sets", {
  data <- sampled_sets()
  data$claims <- data$claims[0]
  data$study_claims <- data$study_claims[0]
  expect_match(module$table_every_set(data)$body[[1]], "ns-3 is not installed")
  expect_s3_class(module$plot_figure_every_set(data), "ggplot")
})
