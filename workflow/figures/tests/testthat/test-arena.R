module <- paper_module("arena")

# Errors that grow with the bottleneck's rate, from none at 1 Mbit/s to 100 % at 100 Mbit/s; the buffer does nothing.
arena <- function(count = 200) {
  rate <- 10^(6 + 2 * (seq_len(count) - 1) / (count - 1))
  points <- data.table::data.table(
    set = "arena/files", point = sprintf("%03d", seq_len(count)), links.bottleneck.rate = rate,
    links.bottleneck.buffer = rep(c(10, 100), length.out = count)
  )
  errors <- points[, .(
    set, point, from_sources("model:engset/packetsim"), metric = "goodput_per_connection", unit = "1",
    value = (log10(rate) - 6) / 2, ci_low = NA_real_, ci_high = NA_real_
  )]
  list(sets = "arena/files", points = points, errors = errors, labels = paper_labels("arena"))
}

test_that("shares are of the points in a step", {
  rows <- module$model_errors(arena())
  shares <- module$shares_along(rows, "links.bottleneck.rate")
  # The first tenth of the points is within 10 %, but only half of it within 5 %.
  expect_equal(shares[step == 1 & limit == 0.10, share], 1)
  expect_equal(shares[step == 1 & limit == 0.05, share], 0.5)
  expect_equal(shares[step == 10 & limit == 0.25, share], 0)
  expect_equal(shares[is.infinite(limit), unique(share)], 1)
})

test_that("the parameter that decides comes first", {
  rows <- module$model_errors(arena())
  expect_identical(module$deciding_parameters(rows)[1], "links.bottleneck.rate")
})

test_that("the table counts points within each limit", {
  table <- module$table_which_model(arena())
  cells <- vapply(table$columns, function(column) column$main[1], "")
  expect_identical(cells[3:8], c("Engset", "200", "50", "5.0", "10", "25"))
})

test_that("few points make no figure", {
  plot <- module$plot_figure_errors(arena(20))
  expect_match(plot$layers[[1]]$aes_params$label, "too few points")
})
