# The distance of the model from the simulation: figures 8, 9 and 10.

# A row per point with rho_0 in percent and the given metrics as columns, beside the swept parameters.
by_point <- function(data, metrics) {
  errors <- data.table::copy(data$errors)[, metric := paste0(metric, "_error")]
  wanted <- rbind(data$observations, errors, fill = TRUE)[metric %in% c("open_loop_load", metrics)]
  wide <- dcast(wanted, set + point ~ metric, value.var = "value")
  wide <- join_in_order(wide, data$points, c("set", "point"))
  wide[, load := 100 * open_loop_load]
  wide[]
}

# Figure 8: the errors of the three ways, and of their mean with ON_0 averaged over sizes, against the open-loop load; a
# panel per network and round-trip time.
plot_figure_08 <- function(data) {
  errors <- c(
    "goodput_per_connection_1_error", "goodput_per_connection_2_error", "goodput_per_connection_error",
    "goodput_per_connection_by_size_error"
  )
  wide <- by_point(data, errors)
  wide[, panel := network_name(wide)]
  wide[, panel := factor(panel, unique(panel[order(is.na(rtt), wide[[bottleneck_rate]], -links.egress.rate, rtt)]))]
  measures <- intersect(errors, names(wide))
  shown <- melt(
    wide, id.vars = c("panel", "load"), measure.vars = measures, variable.name = "metric",
    value.name = "error"
  )
  shown <- shown[is.finite(error)]
  names <- c("$h_{(1)}$", "$h_{(2)}$", "$h$, their mean", "$h$ with the mean of $\\mathrm{ON}_0$ over sizes")
  shown[, way := factor(metric, errors)]
  trend <- shown[
    metric == "goodput_per_connection_error",
    .(load = mean(load), error = mean(error)),
    by = .(panel, step = round(load / 20))
  ]
  plot <- ggplot(shown, aes(load, 100 * error, colour = way)) +
    annotate("rect", xmin = -Inf, xmax = Inf, ymin = -5, ymax = 5, fill = "grey94") +
    geom_hline(yintercept = 0, colour = "grey60", linewidth = 0.3) +
    geom_point(size = 0.7) +
    geom_line(aes(load, 100 * error, linetype = "mean"), trend, colour = "grey15", inherit.aes = FALSE) +
    facet_wrap(vars(panel), ncol = 3) +
    coord_cartesian(ylim = c(-20, 20)) +
    scale_colour_manual(
      "Calculated",
      values = series_colours[c(3, 2, 1, 6)],
      labels = parse(text = plot_label(names)),
      drop = FALSE
    ) +
    scale_linetype_manual(NULL, values = "solid", labels = plot_expression("mean error of $h$")) +
    labs(x = plot_expression("Open-loop load $\\rho_0$ (%)"), y = "Model over simulation, minus one (%)") +
    theme_atlas() +
    theme(legend.box = "vertical", legend.spacing.y = grid::unit(0, "mm"))
  sized(plot, 6.6, 5.2)
}

# "10M, 2M, R50": bottleneck and egress rate, and round-trip time, as the paper writes them.
network_name <- function(points) {
  rate <- function(value) sub("000M$", "G", paste0(value / 1e6, "M"))
  milliseconds <- as.integer(round(1000 * points$rtt))
  name <- sprintf("%s, %s, R%d", rate(points[[bottleneck_rate]]), rate(points$links.egress.rate), milliseconds)
  ifelse(is.na(points$rtt), "1.5M, 128k, D300", name)
}

# Figure 9: what a smaller window changes, a panel per size distribution.
plot_figure_09 <- function(data) {
  rates <- rates_by_window(data)
  ratios <- rates_over(rates[window == "small"], rates[window == "large"], c("size", "file", "load"))
  plot_ratios(ratios, "size", "Rate with the small window\nover that with 44 packets (%)")
}

# Figure 10: what the size distribution changes, a panel per window and distribution.
plot_figure_10 <- function(data) {
  rates <- rates_by_window(data)
  rates <- rates_over(rates[size != "E"], rates[size == "E" & window == "large"], c("file", "load"))
  rates[, panel := paste0(size, ", ", ifelse(window == "large", "window 44", "small window"))]
  rates[, panel := factor(panel, unique(panel[order(size, window)]))]
  plot_ratios(
    rates, "panel", "Rate over that with E sizes\nand a window of 44 packets (%)", published_ratios(rates, data$claims)
  )
}

# Rates in percent of those of `reference` at the same columns `by`. The runs of either are independent: the half-widths
# of their 95 % intervals, over the rates, add up in squares.
rates_over <- function(rates, reference, by) {
  reference <- reference[, c(by, "goodput_per_connection", "spread"), with = FALSE]
  setnames(reference, c("goodput_per_connection", "spread"), c("reference", "spread_of_reference"))
  rates <- reference[rates, on = by]
  rates[, `:=`(
    ratio = 100 * goodput_per_connection / reference, spread = sqrt(spread^2 + spread_of_reference^2)
  )]
}

# The paper prints by how many percent the model is off, and the model is the same here and there. A published rate is
# the one from which it is off by as much.
published_ratios <- function(rates, claims) {
  printed <- claims[metric == "goodput_per_connection_error", .(
    set, point, error = value / 100, published = as.numeric(published) / 100, tolerance = tolerance / 100
  )]
  rates[printed, on = c("set", "point"), nomatch = NULL][, .(
    x = factor(file), panel, y = ratio * (1 + error) / (1 + published),
    low = ratio * (1 + error) / (1 + published + tolerance), high = ratio * (1 + error) / (1 + published - tolerance)
  )]
}

# The rates of the windows and sizes, and as `spread` the half-width of its 95 % interval over the rate.
rates_by_window <- function(data) {
  wide <- by_point(data, character())
  simulated <- data$observations[metric == "goodput_per_connection" & engine == "packetsim"]
  at <- match(paste(wide$set, wide$point), paste(simulated$set, simulated$point))
  wide[, `:=`(
    goodput_per_connection = simulated$value[at],
    spread = with(simulated[at], (ci_high - ci_low) / 2 / value)
  )]
  wide[, file := as.integer(wide[[mean_size]])]
  wide[, window := ifelse(tcp.rwnd == 44, "large", "small")]
  wide[, size := factor(value_text(wide[[sizes]], sizes, data$labels), c("E", "EE(7)", "EP"))]
  # The loads are those of the large window, which all windows share.
  wide[, load := c(80, 100, 120)[frank(sources.count, ties.method = "dense")], by = file]
  wide[]
}

plot_ratios <- function(shown, panel, y, printed = data.table(x = numeric(), y = numeric())) {
  colours <- stats::setNames(series_colours[c(3, 1, 2)], c("80", "100", "120"))
  plot <- ggplot(shown, aes(factor(file), ratio, colour = factor(load), shape = factor(load), group = load)) +
    geom_hline(yintercept = 100, colour = "grey60", linewidth = 0.3) +
    geom_line(linewidth = 0.45) +
    geom_errorbar(
      aes(ymin = ratio * (1 - spread), ymax = ratio * (1 + spread)), shown[is.finite(spread)],
      width = 0, linewidth = 0.3
    ) +
    geom_point(size = 1.5) +
    facet_wrap(vars(.data[[panel]]), nrow = 1) +
    scale_colour_manual(plot_expression("Load $\\rho_0$ (%)"), values = colours) +
    scale_shape_manual(plot_expression("Load $\\rho_0$ (%)"), values = c(1, 16, 17)) +
    layer_published(printed, "published, by the model's error") +
    labs(x = plot_expression("Mean size $F$ (packets)"), y = y) +
    theme_atlas()
  sized(plot, 6.6, 2.4)
}
