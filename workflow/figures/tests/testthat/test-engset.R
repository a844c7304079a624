module <- paper_module("engset")

test_that("the functions of items are found by their names", {
  expect_identical(own_function(module, "plot", "figure-12"), module$plot_figure_12)
  expect_identical(own_function(module, "table", "table-06"), module$table_06)
  expect_null(own_function(module, "table", "table-99"))
  expect_null(own_function(paper_module("my-link"), "plot", "load"))
})

test_that("table 6 has theory and sizes over N, the paper's row above ours", {
  tables <- item_tables(synthetic_data("engset/table-06"), module)
  expect_length(tables, 1)
  body <- texts_of(tables[[1]])
  expect_equal(tables[[1]]$headings, c("", "", "$N$ = 82", "$N$ = 98"))
  expect_equal(unique(body$column1), c("Theory: $h$ (kbit/s)", "E: $h$ (kbit/s)", "E: $L$ (%)"))
  expect_equal(body$column2, rep(c("paper", "model", "paper", "packetsim", "paper", "packetsim"), 1))
  expect_equal(body$column3, c(
    "547.8", "547.8 \u2713", "563.1", "562.8 \u00b1 1.2 \u2713", "0.29", "0.52 \u00b1 0.02 \u2717[a]"
  ))
  expect_equal(body$column4[4], "300.0 \u00b1 2.0 \u2260[b]")
  expect_equal(tables[[1]]$notes, c(a = "a burst", b = "odd"))
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

test_that("figure 12 draws P(Q > x) of simulation and model on a logarithmic scale, a panel per size", {
  data <- synthetic_data("engset/figure-12")
  curves <- module$tail_curves(data)
  expect_equal(levels(curves$curve), c("packetsim 44", "packetsim 12", "model:engset any"))
  expect_equal(curves[curve == "packetsim 44" & size == "E", tail], c(0.5, 0.3, 0.15, 0.05, 0))
  expect_equal(curves[curve == "model:engset any" & size == "EP", tail], c(0.6, 0.3, 0.1, 0.04, 0))

  plot <- module$plot_figure_12(data)
  tails <- plot[[1]]
  expect_equal(vapply(tails$layers, function(layer) class(layer$geom)[1], ""), c("GeomRibbon", "GeomLine"))
  expect_equal(tails$scales$get_scales("y")$trans$name, "log-10")
  expect_match(as.character(tails$labels$x), "packets", fixed = TRUE)
  expect_match(as.character(tails$labels$y), "share of time", fixed = TRUE)
  lines <- as.data.table(ggplot_build(tails)$data[[2]])
  expect_equal(uniqueN(lines$PANEL), 2)
  expect_setequal(unique(lines$linetype), c("solid", "42"))
  ribbons <- as.data.table(ggplot_build(tails)$data[[1]])
  expect_equal(uniqueN(ribbons$group), 2)
})

test_that("figure 12's legend tells rho, eta, L and h of each curve", {
  data <- synthetic_data("engset/figure-12")
  legend <- module$curve_legend(data, module$tail_curves(data))
  model <- legend[curve == "model:engset any" & size == "E"]
  expect_equal(unlist(model[, .(rho, eta, loss, rate)], use.names = FALSE), c("0.935", "24.6", "0.028", "547.8"))
  ours <- legend[curve == "packetsim 12" & size == "E"]
  expect_equal(unlist(ours[, .(rho, eta, loss, rate)], use.names = FALSE), c("0.500", "", "0", "500.0"))
})
