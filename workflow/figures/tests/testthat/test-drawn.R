# Rows of a layer, or of all layers with points, as "panel curve x y".
rows <- function(table, wanted) {
  shown <- table[layer == wanted]
  sort(sprintf("%s|%s|%g|%g", shown$panel, shown$curve, shown$x, shown$y))
}

invented <- data.table(
  x = c(1, 10, 100, 1, 10, 100), y = c(3, 4, 5, 6, 7, 8), who = rep(c("a", "b"), each = 3), part = rep(c("p", "q"), 3)
)

base_plot <- function(data = invented) {
  ggplot(data, aes(x, y, colour = who)) +
    geom_point() +
    facet_wrap(vars(part)) +
    scale_colour_manual("Who", values = c(a = "#0000FF", b = "#FF0000"), labels = c(a = "Ann", b = "Bob")) +
    labs(x = "Load", y = expression(paste("Queue ", italic(q)[max])))
}

test_that("points are in the panel and the curve in which a reader sees them", {
  table <- drawn_table(base_plot())
  expect_equal(
    rows(table, "1 point"), sort(c("p|Ann|1|3", "q|Ann|10|4", "p|Ann|100|5", "q|Bob|1|6", "p|Bob|10|7", "q|Bob|100|8"))
  )
  expect_equal(table[layer == "x title"]$label, "Load")
  expect_equal(table[layer == "y title"]$label, "Queue q_max")
  expect_equal(table[layer == "colour legend"]$label, c("Who", "Ann", "Bob"))
  ticks <- table[layer == "y axis" & panel == "p"]
  expect_equal(ticks$label, format(ticks$y))
})

test_that("a logarithmic axis has the numbers that stand along it", {
  table <- drawn_table(base_plot() + scale_x_log10())
  expect_equal(sort(unique(table[layer == "1 point"]$x)), c(1, 10, 100))
  expect_equal(as.numeric(table[layer == "x axis"]$label), table[layer == "x axis"]$x)
})

test_that("swapped titles, names and columns, and a curve that is gone, are other tables", {
  as_it_is <- drawn_table(base_plot())
  swapped <- c(p = "q", q = "p")
  changed <- list(
    panels = base_plot() + facet_wrap(vars(part), labeller = as_labeller(swapped)),
    curves = base_plot() + scale_colour_manual("Who", values = c("#0000FF", "#FF0000"), labels = c("Bob", "Ann")),
    column = base_plot(copy(invented)[, y := x]), curve = base_plot(invented[who == "a"]),
    title = base_plot() + labs(y = "Utilisation"), tick = base_plot() + scale_y_continuous(labels = function(y) y + 1)
  )
  for (name in names(changed)) {
    expect_false(isTRUE(all.equal(drawn_table(suppressMessages(changed[[name]])), as_it_is)), info = name)
  }
  expect_equal(drawn_table(base_plot()), as_it_is)
})

test_that("a figure of no data has its titles", {
  table <- drawn_table(ggplot(invented[x > 1000], aes(x, y)) + geom_step() + labs(x = "Load", y = "Queue"))
  expect_equal(table[, .(plot, panel, curve)], data.table(plot = c(1L, 1L), panel = "", curve = ""))
  expect_equal(table$label, c("Load", "Queue"))
})

test_that("colours of a continuous scale, texts, and the parts of a patchwork are told", {
  tiles <- ggplot(invented, aes(x, who, fill = y)) + geom_tile(width = 0.5) + geom_text(aes(label = part))
  table <- drawn_table(patchwork::wrap_plots(tiles, base_plot()))
  expect_equal(unique(table$plot), 1:2)
  expect_equal(uniqueN(table[plot == 1 & layer == "1 tile"]$shade), 6)
  expect_equal(table[plot == 1 & layer == "2 text"]$label, invented$part)
  expect_equal(rows(table[plot == 2], "1 point"), rows(drawn_table(base_plot()), "1 point"))
})

test_that("every figure of the invented results can be told", {
  table <- drawn_table(paper_module("engset")$plot_figure_12(synthetic_data("engset/figure-12")))
  expect_true(all(c("E: exponential", "") %in% table$panel))
  ours <- table[layer == "2 line" & panel == "E: exponential" & grepl("packetsim 44", curve)]
  # P(Q > x) of 0.5, 0.2, 0.15, 0.1 and 0.05, of which the last is not drawn.
  expect_equal(ours$y, c(0.5, 0.3, 0.15, 0.05))
})

test_that("a figure that moved is drawn beside what was accepted", {
  points <- data.table(
    version = rep(c("accepted", "now"), each = 2), plot = "1", panel = "Loss", layer = "1 point", curve = "ns-3",
    x = c(1, 2, 1, 2), y = c(0.1, 0.2, 0.1, 0.4)
  )
  parts <- plots_within(plot_moved(points, "demo/figure-1"))
  expect_length(parts, 1)
  expect_equal(levels(parts[[1]]$data$version), c("accepted", "now"))
  built <- ggplot_build(parts[[1]])
  expect_equal(as.data.table(built$data[[1]])[PANEL == 2]$y, c(0.1, 0.4))
  folder <- withr::local_tempdir()
  dir.create(file.path(folder, "demo"))
  fwrite(points, file.path(folder, "demo", "figure-1.csv"))
  result <- system2("Rscript", shQuote(c(file.path(figures, "bin", "moved.R"), "--points", folder)), stdout = TRUE)
  expect_match(result, "demo/figure-1.png", fixed = TRUE)
  expect_gt(file.size(file.path(folder, "demo", "figure-1.png")), 1000)
})

test_that("what is typeset as mathematics keeps its signs", {
  expect_equal(shown_text(expression(10^-5, 10^2, p[to], a - b)), c("10^-5", "10^2", "p_to", "a-b"))
})
