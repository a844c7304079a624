# Distributions drawn as such: figures 3 (file sizes), 7 (an isolated connection's queue), 11 (active connections) and
# 13 (queue).

size_colours <- stats::setNames(series_colours[c(1, 2, 6)], c("E", "EP", "EE(7)"))

# Figure 3: G(x) of the three distributions; points: the simulated files, at the ends of the intervals; and the
# published mean sizes of the largest files, at the share of files that these are.
plot_figure_03 <- function(data) {
  printed <- data$claims[metric == "tail_mean", .(x = as.numeric(published), y = 0.1)]
  named <- function(rows) {
    rows <- join_in_order(rows, data$points, c("set", "point"))
    rows[, size := value_text(rows[[sizes]], sizes, data$labels)]
  }
  closed <- data$distributions[distribution == "file_size_by_count"]
  closed <- named(closed[, tail_of(.SD), by = .(set, point), .SDcols = c("x", "probability", "ci_low", "ci_high")])
  drawn <- data$observations[metric_parts(metric)$name == "file_share" & engine == "packetsim"]
  drawn[, upto := interval_end(metric)]
  drawn <- named(drawn[is.finite(upto)][order(upto), .(upto, tail = 1 - cumsum(value)), by = .(set, point)])
  plot <- ggplot(closed[x >= 2 & tail > 1e-7], aes(x, tail, colour = size)) +
    geom_line(linewidth = 0.55) +
    geom_point(aes(upto), drawn[tail > 1e-6], size = 1.3) +
    scale_x_log10() +
    scale_y_log10(labels = powers_of_ten) +
    coord_cartesian(ylim = c(1e-6, 1)) +
    layer_published(printed, "published mean of the largest 10 %") +
    scale_colour_manual(NULL, values = size_colours) +
    labs(x = plot_expression("File size $x$ (packets)"), y = plot_expression("$G(x)=P(X>x)$")) +
    theme_atlas()
  sized(plot, 4.8, 2.5)
}

# Figure 7: the queue in a round with four increases up to a window of 12, by the closed form; and the share of time at
# each queue for files of 347 packets, closed form and simulation.
plot_figure_07 <- function(data) {
  acknowledgements <- 8
  increases <- 4
  heights <- c(pmin(seq_len(acknowledgements), increases) + 1, increases:0)
  round <- data.table(time = seq_along(heights) - 1, queue = heights)
  left <- ggplot(round, aes(time, queue)) +
    geom_step(linewidth = 0.6, colour = source_colours("model:engset")) +
    facet_wrap(vars(plot_label("Round with $\\nu=4$ increases")), labeller = label_parsed) +
    scale_x_continuous(breaks = seq(0, 12, by = 4)) +
    scale_y_continuous(limits = c(0, NA)) +
    labs(x = plot_expression("Time in the round ($\\Delta$)"), y = "Queue (packets)") +
    theme_atlas()
  shown <- data$distributions[distribution %in% c("isolated_queue_by_time", "queue_by_time")]
  shown <- shown[(distribution == "queue_by_time") == (engine == "packetsim")]
  shown <- join_in_order(shown, data$points, c("set", "point"))
  shown <- shown[shown[[sizes]] == "fixed" & probability > 0]
  shown[, panel := window_panel(tcp.rwnd)]
  sources <- unique(shown$engine)
  means <- data$claims[metric %in% c("isolated_queue_mean", "queue_mean")]
  means <- means[, .(x = as.numeric(published), y = 1, panel = window_panel(tcp.rwnd))]
  right <- ggplot(shown, aes(x, probability, colour = engine, shape = engine)) +
    geom_point(size = 1.3) +
    geom_line(linewidth = 0.35) +
    facet_wrap(vars(panel), nrow = 1, scales = "free_x", labeller = label_parsed) +
    layer_published(means, "published mean") +
    scale_y_log10(breaks = 10^(-3:0), labels = powers_of_ten) +
    scale_colour_manual(NULL, values = source_colours(sources), labels = function(one) source_name(one, data$labels)) +
    scale_shape_manual(NULL, values = source_shapes(sources), labels = function(one) source_name(one, data$labels)) +
    labs(x = "Queue (packets)", y = "Share of ON and OFF time") +
    theme_atlas()
  sized(patchwork::wrap_plots(left, right, nrow = 1, widths = c(1, 2.4)), 6.6, 2.8)
}

# Figure 11: P_j, and how the link is shared by j connections; a row per network.
plot_figure_11 <- function(data) {
  named <- function(rows) {
    rows <- join_in_order(rows, data$points, c("set", "point"))
    egress <- value_text(rows$links.egress.rate, "links.egress.rate", data$labels)
    rows[, network := sprintf("egress link of %s, N %d", egress, as.integer(sources.count))]
    rows[, size := value_text(rows[[sizes]], sizes, data$labels)]
    rows[, is_model := nzchar(model)]
    rows[, curve := ifelse(is_model, "model", sprintf("%s, window %d", size, as.integer(tcp.rwnd)))]
    # The model knows no size distribution, and the two windows give it the same flights.
    rows[!is_model | (size == "E" & tcp.rwnd == 44)]
  }
  states <- named(data$distributions[distribution == "active_by_time"])
  shares <- data$observations[metric_parts(metric)$name == "capacity_share"]
  shares <- named(shares[, x := as.integer(metric_parts(metric)$of)])
  curves <- c("model", "E, window 44", "EE(7), window 44", "EE(7), window 12", "EP, window 44", "EP, window 12")
  colours <- c(
    series_colours[4], size_colours[["E"]],
    unlist(lapply(size_colours[c("EE(7)", "EP")], function(colour) c(colour, lighter(colour, 0.5))))
  )
  # Rarer states are noise.
  seen <- states[probability > 1e-4]
  shares <- shares[seen[, .(set, point, engine, x)], on = c("set", "point", "engine", "x"), nomatch = NULL]
  styled <- function(plot) {
    plot +
      geom_ribbon(
        aes(ymin = ci_low, ymax = ci_high, group = curve),
        fill = "grey60", colour = NA, alpha = 0.35, show.legend = FALSE
      ) +
      geom_line(linewidth = 0.5) +
      scale_colour_manual(NULL, values = stats::setNames(colours, curves), breaks = curves) +
      scale_linetype_manual(NULL, values = stats::setNames(c("42", rep("solid", 5)), curves), breaks = curves) +
      facet_wrap(vars(network), ncol = 1) +
      theme_atlas()
  }
  left <- styled(ggplot(seen, aes(x, probability, colour = curve, linetype = curve))) +
    scale_y_log10(labels = powers_of_ten) +
    labs(x = plot_expression("Active connections $j$"), y = plot_expression("$P_j$ (share of time)"))
  right <- styled(ggplot(shares, aes(x, value, colour = curve, linetype = curve))) +
    coord_cartesian(ylim = c(0, 1.1)) +
    labs(x = plot_expression("Active connections $j$"), y = plot_expression("Capacity sharing $j h_j/C$"))
  both <- patchwork::wrap_plots(left, right, nrow = 1, guides = "collect") & theme(legend.position = "bottom")
  sized(both, 6.6, 3.9)
}

# Figure 13: P(Q > x) at the two loads; thin: the same paced by the access link.
plot_figure_13 <- function(data) {
  queues <- data$distributions[distribution == "queue_by_time"]
  ends <- c("x", "probability", "ci_low", "ci_high")
  tails <- queues[, tail_of(.SD), by = .(set, point, engine, model), .SDcols = ends]
  tails <- join_in_order(tails, data$points, c("set", "point"))
  tails[, is_model := nzchar(model)]
  tails[, size := value_text(tails[[sizes]], sizes, data$labels)]
  tails[, curve := ifelse(is_model, "model", sprintf("%s, window %d", size, as.integer(tcp.rwnd)))]
  tails[, paced := links.access.rate < links.egress.rate]
  tails <- tails[!is_model | (size == "E" & tcp.rwnd == 44 & !paced)]
  counts <- sort(unique(tails$sources.count))
  loads <- data$observations[metric == "open_loop_load"][data$points, on = c("set", "point"), mult = "first"]
  printed <- unique(data$claims[metric == "open_loop_load"], by = "row")
  titles <- vapply(counts, function(one) {
    sprintf(
      "$N$ %d, $\\rho_0$ %s %% (published: %s %%)", as.integer(one),
      format_number(100 * loads[sources.count == one]$value[1], 1), toString(printed[sources.count == one]$published)
    )
  }, "")
  tails[, panel := factor(sources.count, counts, plot_label(titles))]
  curves <- c("model", "E, window 44", "E, window 12", "EE(7), window 44", "EE(7), window 12")
  colours <- c(
    series_colours[4], unlist(lapply(size_colours[c("E", "EE(7)")], function(colour) c(colour, lighter(colour, 0.5))))
  )
  plot <- ggplot(tails[tail > 0], aes(x, tail, colour = curve, linetype = curve, group = paste(curve, paced))) +
    geom_line(data = tails[tail > 0 & !paced], linewidth = 0.6) +
    geom_line(aes(linewidth = "paced by the access link"), tails[tail > 0 & paced], linetype = "13") +
    scale_linewidth_manual(NULL, values = 0.25, guide = guide_legend(override.aes = list(linetype = "13"), order = 9)) +
    guides(colour = guide_legend(nrow = 2), linetype = guide_legend(nrow = 2)) +
    facet_wrap(vars(panel), nrow = 1, labeller = label_parsed) +
    scale_y_log10(labels = powers_of_ten) +
    coord_cartesian(ylim = c(1e-5, 1)) +
    scale_colour_manual(NULL, values = stats::setNames(colours, curves), breaks = curves) +
    scale_linetype_manual(NULL, values = stats::setNames(c("42", rep("solid", 4)), curves), breaks = curves) +
    labs(
      x = plot_expression("Queue $x$ at the bottleneck (packets)"),
      y = plot_expression("$P(Q>x)$ (share of time)")
    ) +
    theme_atlas()
  sized(plot, 6.6, 2.8)
}
