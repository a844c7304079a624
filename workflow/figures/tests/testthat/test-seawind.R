module <- paper_module("seawind")

seawind_data <- function(observations, name = "figure", claims = data.table()) {
  list(
    study = "seawind", name = name, sets = unique(observations$set), observations = observations,
    points = points_of(observations), claims = claims, statements = data.table(),
    labels = paper_labels("seawind")
  )
}

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
