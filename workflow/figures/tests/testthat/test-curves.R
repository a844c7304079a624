spread <- data.table(
  a = c(1, 10, 100, 1000), b = 1:8 + 0.5, s = rep(c("u", "v"), each = 4), f = rep(c("p", "q"), 4), z = 1:8
)

# Lines, points with intervals, and a scale that is not linear.
curve_plot <- function() {
  ggplot(spread, aes(a, b, colour = s)) +
    geom_hline(yintercept = 2) +
    geom_line() +
    geom_errorbar(aes(ymin = b - 0.5, ymax = b + 0.25)) +
    geom_point() +
    scale_x_log10() +
    labs(x = plot_expression("$W_R$ (packets)"), y = "Speed") +
    theme_atlas() +
    theme(legend.position = "none")
}

# The centres of the circles that svglite drew.
circles <- function(svg) {
  marks <- regmatches(svg, gregexpr("<circle cx='[0-9.]+' cy='[0-9.]+'", svg))[[1]]
  matrix(as.numeric(unlist(regmatches(marks, gregexpr("[0-9.]+", marks)))), ncol = 2, byrow = TRUE)
}

test_that("points are where the picture has them, whatever the panels", {
  plots <- list(
    curve_plot(), curve_plot() + facet_wrap(~f, scales = "free"), curve_plot() + facet_wrap(~ f + s, ncol = 2),
    curve_plot() + facet_grid(f ~ s), curve_plot() + coord_cartesian(ylim = c(1, 20))
  )
  for (plot in plots) {
    part <- plot_curves(plot, c(width = 6.6, height = 4))[[1]]
    listed <- do.call(rbind, lapply(part$series, function(one) cbind(one$px, one$py)))
    drawn <- circles(part$svg)
    expect_equal(nrow(listed), 8)
    listed <- listed[order(listed[, 1], listed[, 2]), ]
    drawn <- drawn[order(round(drawn[, 1]), drawn[, 2]), ]
    # Positions are given to 0.1.
    expect_lt(max(abs(listed - drawn)), 0.1)
  }
})

test_that("a point tells its curve, its values and its interval", {
  part <- plot_curves(curve_plot(), default_size)[[1]]
  expect_match(part$svg, "^<svg")
  expect_equal(part$x, "<i>W</i><sub>R</sub> (packets)")
  expect_equal(part$y, "Speed")
  expect_equal(lapply(part$series, `[[`, "name"), list("u", "v"))
  last <- part$series[[2]]
  expect_equal(c(last$x[4], last$y[4], last$low[4], last$high[4]), c("1000", "8.5", "8", "8.75"))
})

test_that("names are those of the panels and legends", {
  plot <- curve_plot() + facet_wrap(~f) +
    scale_colour_manual(plot_expression("$F$"), values = c("red", "blue"), labels = c("E", plot_expression("$h_0$")))
  names <- vapply(plot_curves(plot, default_size)[[1]]$series, `[[`, "", "name")
  expect_setequal(names, c(
    "p, <i>F</i> E", "q, <i>F</i> E", "p, <i>F</i> <i>h</i><sub>0</sub>", "q, <i>F</i> <i>h</i><sub>0</sub>"
  ))
})

test_that("a ribbon gives its line an interval, a tile its value, and words stay words", {
  ribbon <- ggplot(spread, aes(a, b, colour = s, fill = s)) +
    geom_ribbon(aes(ymin = b - 1, ymax = b + 1)) + geom_line() + theme_atlas()
  first <- plot_curves(ribbon, default_size)[[1]]$series[[1]]
  expect_equal(c(first$y[1], first$low[1], first$high[1]), c("1.5", "0.5", "2.5"))
  tiles <- ggplot(spread, aes(factor(a), s, fill = z)) + geom_tile() + scale_fill_gradient("Error") + theme_atlas()
  series <- plot_curves(tiles, default_size)[[1]]$series
  expect_equal(vapply(series, `[[`, "", "name"), paste("Error", 1:8))
  expect_equal(c(series[[8]]$x, series[[8]]$y), c("1000", "v"))
  bars <- plot_curves(ggplot(spread[1:4], aes(f, b)) + geom_col() + theme_atlas(), default_size)[[1]]$series
  expect_null(bars[[1]]$low)
})

test_that("plots side by side come one by one, and one that is a legend has a picture only", {
  both <- patchwork::wrap_plots(curve_plot(), curve_plot() + ggplot2::theme_void())
  parts <- plot_curves(both, default_size)
  expect_equal(lengths(lapply(parts, `[[`, "series")), c(2, 0))
})
