# Distributions drawn as such: figures 3 (file sizes), 7 (an isolated connection's queue), 11 (active connections) and
# 13 (queue).

size_colours <- c(E = "#0072B2", EP = "#D98200", "EE(7)" = "#009E73")

# Figure 3: G(x) of the three distributions; points: the simulated files, at the ends of the intervals.
plot_figure_03 <- function(data) {
  named <- function(rows) {
    rows <- join_in_order(rows, data$points, c("set", "point"))
    rows[, size := value_text(rows[[sizes]], sizes, data$labels)]
  }
  closed <- data$distributions[distribution == "file_size_by_count"]
  closed <- named(closed[, tail_of(.SD), by = .(set, point), .SDcols = c("x", "probability", "ci_low", "ci_high")])
  drawn <- data$observations[grepl("^file_share\\[[0-9]", metric) & engine == "packetsim"]
  drawn[, upto := as.numeric(sub("^.*-", "", interval_of(metric)))]
  drawn <- named(drawn[order(upto), .(upto, tail = 1 - cumsum(value)), by = .(set, point)])
  plot <- ggplot(closed[x >= 2 & tail > 1e-7], aes(x, tail, colour = size)) +
    geom_line(linewidth = 0.55) +
    geom_point(aes(upto), drawn[tail > 1e-6], size = 1.3) +
    scale_x_log10() +
    scale_y_log10(labels = scales::label_math(10^.x, format = log10)) +
    coord_cartesian(ylim = c(1e-6, 1)) +
    scale_colour_manual(NULL, values = size_colours) +
    labs(x = plot_expression("File size $x$ (packets)"), y = plot_expression("$G(x)=P(X>x)$")) +
    theme_atlas()
  sized(plot, 4.4, 3.2)
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
  right <- ggplot(shown, aes(x, probability, colour = engine, shape = engine)) +
    geom_point(size = 1.3) +
    geom_line(linewidth = 0.35) +
    facet_wrap(vars(panel), nrow = 1, scales = "free_x", labeller = label_parsed) +
    scale_y_log10(breaks = 10^(-3:0), labels = scales::label_math(10^.x, format = log10)) +
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
    rows[, network := ifelse(links.egress.rate > 1e8, "10M1G-R50, N 80", "10M2M-R50, N 82")]
    rows[, size := value_text(rows[[sizes]], sizes, data$labels)]
    rows[, is_model := startsWith(engine, "model:")]
    rows[, curve := ifelse(is_model, "model", sprintf("%s, window %d", size, as.integer(tcp.rwnd)))]
    # The model knows no size distribution, and the two windows give it the same flights.
    rows[!is_model | (size == "E" & tcp.rwnd == 44)]
  }
  states <- named(data$distributions[distribution == "active_by_time"])
  shares <- data$observations[startsWith(metric, "capacity_share[")]
  shares <- named(shares[, x := as.integer(interval_of(metric))])
  curves <- c("model", "E, window 44", "EE(7), window 44", "EE(7), window 12", "EP, window 44", "EP, window 12")
  colours <- c("#333333", "#0072B2", "#009E73", lighter("#009E73", 0.5), "#D98200", lighter("#D98200", 0.5))
  styled <- function(plot) {
    plot +
      geom_line(linewidth = 0.5) +
      scale_colour_manual(NULL, values = stats::setNames(colours, curves), breaks = curves) +
      scale_linetype_manual(NULL, values = stats::setNames(c("42", rep("solid", 5)), curves), breaks = curves) +
      facet_wrap(vars(network), ncol = 1) +
      theme_atlas()
  }
  left <- styled(ggplot(states[probability > 1e-6], aes(x, probability, colour = curve, linetype = curve))) +
    scale_y_log10(labels = scales::label_math(10^.x, format = log10)) +
    labs(x = plot_expression("Active connections $j$"), y = plot_expression("$P_j$ (share of time)"))
  right <- styled(ggplot(shares, aes(x, value, colour = curve, linetype = curve))) +
    coord_cartesian(ylim = c(0, 1.1)) +
    labs(x = plot_expression("Active connections $j$"), y = plot_expression("Capacity sharing $j\\,h_j/C$"))
  both <- patchwork::wrap_plots(left, right, nrow = 1, guides = "collect") & theme(legend.position = "bottom")
  sized(both, 6.6, 4.6)
}

# Figure 13: P(Q > x) at the two loads; thin: the same paced by the access link.
plot_figure_13 <- function(data) {
  queues <- data$distributions[distribution == "queue_by_time"]
  tails <- queues[, tail_of(.SD), by = .(set, point, engine), .SDcols = c("x", "probability", "ci_low", "ci_high")]
  tails <- join_in_order(tails, data$points, c("set", "point"))
  tails[, is_model := startsWith(engine, "model:")]
  tails[, size := value_text(tails[[sizes]], sizes, data$labels)]
  tails[, curve := ifelse(is_model, "model", sprintf("%s, window %d", size, as.integer(tcp.rwnd)))]
  tails[, paced := grepl("paced", set)]
  tails <- tails[!is_model | (size == "E" & tcp.rwnd == 44 & !paced)]
  counts <- sort(unique(tails$sources.count))
  loads <- data$observations[metric == "open_loop_load"][data$points, on = c("set", "point"), mult = "first"]
  titles <- vapply(counts, function(one) {
    sprintf("$N$ %d, $\\rho_0$ %s %%", as.integer(one), format_number(100 * loads[sources.count == one]$value[1], 1))
  }, "")
  tails[, panel := factor(sources.count, counts, plot_label(titles))]
  curves <- c("model", "E, window 44", "E, window 12", "EE(7), window 44", "EE(7), window 12")
  colours <- c("#333333", "#0072B2", lighter("#0072B2", 0.5), "#009E73", lighter("#009E73", 0.5))
  plot <- ggplot(tails[tail > 0], aes(x, tail, colour = curve, linetype = curve, group = paste(curve, paced))) +
    geom_line(data = tails[tail > 0 & !paced], linewidth = 0.6) +
    geom_line(data = tails[tail > 0 & paced], linewidth = 0.25, linetype = "13") +
    facet_wrap(vars(panel), nrow = 1, labeller = label_parsed) +
    scale_y_log10(labels = scales::label_math(10^.x, format = log10)) +
    coord_cartesian(ylim = c(1e-5, 1)) +
    scale_colour_manual(NULL, values = stats::setNames(colours, curves), breaks = curves) +
    scale_linetype_manual(NULL, values = stats::setNames(c("42", rep("solid", 4)), curves), breaks = curves) +
    labs(
      x = plot_expression("Queue $x$ at the bottleneck (packets)"),
      y = plot_expression("$P(Q>x)$ (share of time)")
    ) +
    theme_atlas()
  sized(plot, 6.6, 3.3)
}
