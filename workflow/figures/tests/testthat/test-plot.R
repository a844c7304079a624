layer_names <- function(plot) vapply(plot$layers, function(layer) class(layer$geom)[1], "")

test_that("a set is drawn as metrics against the first number, engines coloured, the next parameter as line type", {
  plot <- plot_set(synthetic_data("my-link/load"))
  expect_equal(layer_names(plot), c("GeomLine", "GeomErrorbar", "GeomPoint"))
  expect_equal(as.character(plot$labels$x), as.character(plot_expression("Sources $N$")))
  built <- ggplot_build(plot)
  points <- as.data.table(built$data[[3]])
  # The panels are the metrics that both give: the rate in kbit/s, the loss in percent.
  expect_equal(levels(plot$data$panel), plot_label(c("Goodput per connection $h$ (kbit/s)", "Loss ratio $L$ (%)")))
  ours <- points[PANEL == 1 & colour == source_colours("packetsim")[[1]]]
  expect_equal(sort(ours$y), c(10.05, 10.1, 20.05, 20.1))
  expect_equal(unique(ours$shape), 16)
  expect_equal(sort(unique(points$x)), c(10, 20))
  bars <- as.data.table(built$data[[2]])[PANEL == 1]
  expect_equal(sort(bars$ymax - bars$ymin), rep(0.2, 4))
  expect_equal(plot$scales$get_scales("linetype")$name, "Buffer")
})

test_that("more parameters become panels in order, and a single point needs no line", {
  data <- synthetic_data("my-link/load")
  data$points[, rtt := c(0.1, 0.05, 0.1, 0.05)]
  plot <- plot_set(data)
  expect_equal(levels(plot$data$facet), c("Round-trip time 50 ms", "Round-trip time 100 ms"))
  data$observations <- data$observations[point == "count-10_buffer-50"]
  data$points <- data$points[1]
  plot <- plot_set(data)
  expect_null(plot$labels$x)
  expect_no_warning(ggplot_build(plot))
})

test_that("a parameter that is a name can stand along x", {
  data <- synthetic_data("my-link/load")
  data$points <- data$points[, .(set, point, tcp.variant = c("newreno", "newreno", "tahoe", "tahoe"))]
  expect_equal(levels(plot_set(data)$data$x), c("NewReno", "Tahoe"))
})

test_that("sets that differ in an overridden parameter, or in nothing that is told, are curves of their own", {
  data <- synthetic_data("my-link/load")
  other <- function(table) copy(table)[, set := "my-link/other"]
  data$observations <- rbind(data$observations, other(data$observations))
  data$points <- rbind(data$points, other(data$points))
  axes <- choose_axes(data$points)
  expect_true("set" %in% c(axes$line, axes$facets))
  data$points[, tcp.variant := ifelse(set == "my-link/other", "tahoe", "newreno")]
  shown <- plot_set(data)$data
  expect_equal(shown[, max(.N), by = .(panel, facet, line, engine, x)]$V1, rep(1L, 32))
})

test_that("a parameter that only some sets or points have makes neither an axis of its own nor an error", {
  data <- synthetic_data("my-link/load")
  other <- function(table) copy(table)[, set := "my-link/other"]
  data$observations <- rbind(data$observations, other(data$observations))
  data$points <- rbind(data$points, other(data$points))
  data$points[set == "my-link/other", groups.reno.count := 1]
  data$points[set != "my-link/other", groups.cubic.tcp.variant := "cubic"]
  axes <- choose_axes(data$points)
  expect_false(any(startsWith(unlist(axes), "groups.")))
  expect_true("set" %in% unlist(axes))
  expect_equal(nlevels(plot_set(data)$data$line), 2)
  variants <- in_order(c("tahoe", NA), "tcp.variant", data$labels)
  expect_equal(as.character(variants), c("Tahoe", "none"))
  expect_equal(levels(in_order(c(2, NA, 1), "sources.count", data$labels)), c("1", "2", "none"))
})

test_that("an axis across three orders of magnitude is logarithmic, others are linear", {
  axis <- function(factor) {
    data <- synthetic_data("my-link/load")
    data$points[, sources.count := ifelse(sources.count == min(sources.count), 10, 10 * factor)]
    plot_set(data)$scales$get_scales("x")
  }
  expect_null(axis(999))
  expect_equal(axis(1000)$trans$name, "log-10")
  expect_null(x_scale(c(0, 1000)))
})

test_that("so is that of the values, if all panels span as much", {
  is_log <- function(..., x = 1) y_scale(data.table::data.table(..., x = x))$trans$name == "log-10"
  expect_false(is_log(panel = "a", value = c(1, 999), ci_low = NA))
  expect_true(is_log(panel = "a", value = c(1, 1000), ci_low = NA))
  # A panel that would not be, an interval that reaches 0.
  expect_false(is_log(panel = c("a", "a", "b", "b"), value = c(1, 1000, 1, 2), ci_low = NA))
  expect_false(is_log(panel = "a", value = c(1, 1000), ci_low = c(0, 999)))
  # Beside a logarithmic x.
  expect_true(is_log(panel = "a", value = c(1, 100), ci_low = NA, x = c(1, 1000)))
  expect_false(is_log(panel = "a", value = c(1, 99), ci_low = NA, x = c(1, 1000)))
})

test_that("numbers on axes have no idle zeros", {
  expect_equal(axis_numbers(c(0, 0.25, 100)), c("0", "0.25", "100"))
})

test_that("figures are saved in three formats, with the same bytes at any time", {
  folder <- withr::local_tempdir()
  plot <- plot_set(synthetic_data("my-link/load"))
  save_figure(plot, file.path(folder, "a"), c(width = 4, height = 3))
  Sys.sleep(1.1)
  save_figure(plot, file.path(folder, "b"), c(width = 4, height = 3))
  expect_gt(file.size(file.path(folder, "a.pdf")), 1000)
  for (ending in c(".pdf", ".svg", ".png")) {
    first <- readBin(file.path(folder, paste0("a", ending)), "raw", 1e7)
    expect_identical(readBin(file.path(folder, paste0("b", ending)), "raw", 1e7), first)
    expect_gt(length(first), 1000)
  }
})

test_that("a file that was cut off is noticed", {
  path <- withr::local_tempfile()
  writeLines("<svg>", path)
  expect_error(check_end(path, "</svg>\n"), "no space left", fixed = TRUE)
})
