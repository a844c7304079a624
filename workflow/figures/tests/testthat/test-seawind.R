module <- paper_module("seawind")

seawind_data <- function(observations, name = "figure", claims = data.table()) {
  list(
    study = "seawind", name = name, sets = unique(observations$set), observations = observations,
    points = points_of(observations), claims = claims, statements = data.table(),
    labels = paper_labels("seawind")
  )
}

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

test_that("a live transfer is beside that in virtual time, and agrees where their intervals overlap", {
  at <- function(engine, metric, value) {
    parameters <- list("links.bottleneck.rate" = 5e5, "links.bottleneck.loss" = 0.005)
    synthetic_observation("seawind/live", "set-8", parameters, engine, metric, "packets/s", value)
  }
  observations <- rbind(
    at("linux", "goodput", 20), at("linux", "rtt_sample_mean", 0.5), at("linux", "queue_mean", 1),
    at("linux_live", "goodput", 21), at("linux_live", "rtt_sample_mean", 0.7), at("linux_live", "queue_mean", 1)
  )
  observations[, `:=`(ci_low = value - 0.05 * value, ci_high = value + 0.05 * value)]
  data <- seawind_data(observations)
  data$equivalence <- data.table(
    set = "seawind/live", point = "set-8", engine = "linux_live", reference = "linux",
    metric = c("goodput", "rtt_sample_mean"), value = c(5, 40), ci_low = c(4, 39), ci_high = c(6, 41)
  )
  columns <- lapply(module$table_live(data)$columns, function(column) column$main)
  expect_equal(columns[[3]], c("Throughput ATp (packets/s)", "Mean RTT sample (packets/s)"))
  expect_equal(as.numeric(columns[[6]]), c(5, 40))
  expect_equal(columns[[7]], c("overlap", "are apart"))
  expect_length(module$table_live(data)$notes, 0)
  data$observations <- copy(observations)[engine == "linux", `:=`(ci_low = NA, ci_high = NA)]
  expect_equal(module$table_live(data)$columns[[7]]$note, c("", "a"))
  data$observations <- observations[engine == "linux"]
  data$missing <- "live Linux is not allowed here"
  expect_equal(module$table_live(data)$columns[[1]]$main, "live Linux is not allowed here")
})

# A published transfer of a set.
printed_transfer <- function(transfer, set, published) {
  data.table(
    item = "table-8.8", row = transfer, set, quantity = "goodput", case = paste("connection", transfer), published
  )
}

test_that("a set is drawn by both values of p, which its claims give, beside its printed transfers", {
  at <- function(set, p, metric, value) {
    parameters <- list("links.bottleneck.rate" = 5e5, "links.bottleneck.loss" = p)
    synthetic_observation(paste0("seawind/", set), paste0("p", p), parameters, "packetsim", metric, "packets/s", value)
  }
  three <- function(set, p, value) {
    rbind(
      at(set, p, "goodput", value), at(set, p, "goodput_lowest", value - 5), at(set, p, "goodput_highest", value + 5)
    )
  }
  claim <- function(set, p, note) {
    data.table(
      set = paste0("seawind/", set), point = paste0("p", p), from_sources("packetsim"), case = "set 9", value = 1,
      row_note = note, links.bottleneck.rate = 5e5
    )
  }
  data <- seawind_data(rbind(three("set-9", 0.7, 18), three("other-p-fast", 0.3, 62), three("other-p-fast", 0.4, 70)))
  data$claims <- rbind(claim("set-9", 0.7, "p of the caption"), claim("other-p-fast", 0.3, "p of the text"))
  data$whole$claims <- rbind(
    printed_transfer("9.1", "seawind/set-9", "12.02"), printed_transfer("9.2", "seawind/set-9", "11.97")
  )
  layers <- ggplot2::ggplot_build(module$plot_figure_readings(data))$data
  expect_equal(sort(layers[[1]]$y), c(18, 62))
  expect_equal(sort(layers[[1]]$ymax), c(23, 67))
  expect_equal(layers[[2]]$y, c(12.02, 11.97))
  data$claims[1, row_note := "p by the caption"]
  expect_error(module$plot_figure_readings(data), "'p by the caption' says nothing of p")
})
