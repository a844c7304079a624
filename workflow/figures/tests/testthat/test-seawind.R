module <- load_study(figures, "seawind")
sources <- c("packetsim", "model:markov", "model:markov@packetsim")

seawind_data <- function(observations, name = "figure", claims = data.table()) {
  list(
    study = "seawind", name = name, sets = unique(observations$set), observations = observations,
    points = points_of(observations), claims = claims, statements = data.table(),
    labels = labels_for(figures, "seawind", sources)
  )
}

test_that("a model that is fed with measurements is named after both", {
  expect_equal(source_name("model:markov@packetsim", labels_for(figures, "seawind", sources)), "chain of packetsim")
  expect_equal(module$measured_by(c("packetsim", "model:markov@packetsim")), c("packetsim", "packetsim"))
})

test_that("a curve against p has the points of one parameter, by p up to a tenth", {
  at <- function(link, p, value) {
    parameters <- list("links.bottleneck.rate" = link * 1000, "links.bottleneck.loss" = p)
    synthetic_observation(
      "seawind/figure-8.7", paste(link, p), parameters, "model:markov", "throughput_markov", "packets/s", value
    )
  }
  data <- seawind_data(rbind(at(100, 0.01, 90), at(100, 0.1, 60), at(100, 0.5, 10), at(200, 0.01, 150)))
  layer <- ggplot2::ggplot_build(module$plot_figure_8_7(data))$data[[1]]
  expect_equal(layer$x, c(0.01, 0.1, 0.01))
  expect_equal(layer$y, c(90, 60, 150))
})

test_that("a set's transfers stand above the mean and the ends of ours", {
  claim <- function(transfer, quantity, engine, published, verdict) {
    data.table(
      row_note = paste("connection", transfer), quantity, engine, published, verdict, unit = "packets/s", value = 50.5,
      ci_low = 44.25, ci_high = 61, reason = if (verdict == "deviates") "for a reason" else "", row = transfer
    )
  }
  claims <- rbind(
    claim("5.1", "goodput", "packetsim", "52.09", "reproduced"),
    claim("5.2", "goodput", "packetsim", "62.29", "deviates"),
    claim("5.1", "throughput_markov__rounds", "model:markov@packetsim", "61.54", "deviates"),
    claim("5.2", "throughput_markov__rounds", "model:markov@packetsim", "60.00", "reproduced")
  )
  data <- seawind_data(synthetic_observation("seawind/set-5", "base", list(), "packetsim", "goodput", "packets/s", 1))
  data$claims <- claims
  table <- module$set_table(data, rep(TRUE, nrow(claims)))
  expect_equal(table$headings, c("", "ATp (packets/s)", "ET (packets/s)"))
  names <- c("printed, 5.1", "printed, 5.2", "packetsim, mean", "packetsim, lower end", "packetsim, upper end")
  expect_equal(table$columns[[1]]$main, names)
  expect_equal(table$columns[[2]]$main, c("52.09", "62.29", "50.50", "44.25", "61.00"))
  expect_equal(table$columns[[2]]$verdict, c("reproduced", "deviates", "", "", ""))
  expect_equal(table$columns[[3]]$main[1:2], c("61.54", "60.00"))
})

test_that("a set is drawn by both values of p, beside its printed transfers", {
  at <- function(set, p, metric, value) {
    parameters <- list("links.bottleneck.rate" = 5e5, "links.bottleneck.loss" = p)
    synthetic_observation(paste0("seawind/", set), paste0("p", p), parameters, "packetsim", metric, "packets/s", value)
  }
  three <- function(set, p, value) {
    rbind(
      at(set, p, "goodput", value), at(set, p, "goodput_lowest", value - 5), at(set, p, "goodput_highest", value + 5)
    )
  }
  # Only set 9 is there, and the p that its text gives.
  data <- seawind_data(rbind(three("set-9", 0.025, 18), three("other-p-fast", 0.00025, 62)))
  data$study_claims <- data.table(
    item = "table-8.8", row = 1:2, set = "seawind/set-9", quantity = "goodput", kind = "measurement",
    published = c("12.02", "11.97")
  )
  layers <- ggplot2::ggplot_build(module$plot_figure_readings(data))$data
  expect_equal(sort(layers[[1]]$y), c(18, 62))
  expect_equal(sort(layers[[1]]$ymax), c(23, 67))
  expect_equal(layers[[2]]$y, c(12.02, 11.97))
})
