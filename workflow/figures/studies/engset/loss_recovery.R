# The recovery of drops: table 7, figures 14, 15 and 16.

# Table 7: the paper's setting; below it the simulation off the exact step of packets and departures.
table_07 <- function(data) {
  rows <- unique(data$claims[kind == "simulation"], by = "row")
  others <- lapply(off_step(data$points), function(other) {
    observed <- data$observations[engine == "packetsim"][other$point, on = c("set", "point")]
    list(heading = other$heading, cells = measured_beside(observed[match(rows$metric, metric)], rows))
  })
  quantity <- list(heading = "Quantity", cells = quantity_symbols(rows, data$labels))
  c(list(table_by_number(data)), if (length(others) > 0) list(columns_to_table(c(list(quantity), others))))
}

# The points with another bottleneck rate, by rate, and table 9's with other rules for ties: each list(point, heading).
off_step <- function(points) {
  detuned <- points[set == "engset/table-07-detuned"]
  setorderv(detuned, bottleneck_rate)
  rates <- format_number(detuned[[bottleneck_rate]] / 1e6, 3)
  ties <- points[set == ties_set]
  ties <- ties[links.bottleneck.buffer == 150 & ties[[sizes]] == "exponential-exponential"]
  others <- rbind(detuned[, .(set, point)], ties[, .(set, point)])
  headings <- c(sprintf("at %s\nMbit/s", rates), unname(ties_headings[ties[[ties_path]]]))
  Map(function(row, heading) list(point = others[row], heading = heading), seq_len(nrow(others)), headings)
}

ties_set <- "engset/table-09-ties"
ties_path <- "links.bottleneck.ties"
ties_headings <- c("departure-first" = "departures\nfirst", random = "ties at\nrandom")

# Observations as cells in the units, and with the digits, of the printed numbers of the same rows.
measured_beside <- function(observed, printed) {
  factor <- unit_factor(printed$unit)
  measured_cells(observed$value / factor, observed$ci_low / factor, observed$ci_high / factor, printed$published)
}

# Figure 14: of all drops the share that hits each packet of a file.
plot_figure_14 <- function(data) {
  shown <- distribution_of(data, "drop_position")[x >= 1 & x <= 130]
  shown <- shown[is.na(size) | size == "exponential-exponential"]
  shown[, pacing := ifelse(
    links.access.rate < links.egress.rate, "paced by the access link", "paced by the egress link (the paper's)"
  )]
  losses <- unique(data$claims[metric == "loss_ratio"], by = "tcp.rwnd")
  windows <- sort(unique(shown$rwnd), decreasing = TRUE)
  loss <- losses[match(windows, tcp.rwnd), sprintf(": loss %s %%, published %s %%", format_number(value, 1), published)]
  titles <- sprintf("$W_R$ %d packets%s", as.integer(windows), ifelse(windows %in% losses$tcp.rwnd, loss, ""))
  shown[, panel := factor(rwnd, windows, plot_label(titles))]
  slow_start <- unique(shown[, .(panel, last = 2 * rwnd - 2)])
  plot <- ggplot(shown[probability > 0], aes(x, 100 * probability, colour = pacing, shape = pacing)) +
    geom_vline(aes(xintercept = last, linetype = "end of slow start"), slow_start, colour = "grey40") +
    scale_linetype_manual(NULL, values = "22") +
    geom_line(linewidth = 0.35) +
    geom_point(size = 0.8) +
    facet_wrap(vars(panel), nrow = 1, labeller = label_parsed) +
    scale_y_log10(labels = axis_numbers) +
    scale_colour_manual(NULL, values = series_colours[2:1]) +
    scale_shape_manual(NULL, values = c(1, 16)) +
    labs(x = "Packet of the file", y = "Share of all drops (%)") +
    theme_atlas()
  sized(plot, 6.6, 2.5)
}

# Figure 15: retransmissions in a fast recovery, and packets sent at once when it ends.
plot_figure_15 <- function(data) {
  shown <- distribution_of(data, c("recovery_retransmissions", "recovery_burst"))
  shown <- shown[size == "exponential-exponential" & x <= 20]
  titles <- c(recovery_retransmissions = "Retransmissions in recovery", recovery_burst = "Packets sent on recovery")
  shown[, panel := factor(titles[distribution], titles)]
  shown[, window := sprintf("%d packets", as.integer(rwnd))]
  printed <- unique(data$claims[metric_parts(metric)$name == "recovery_burst"], by = "row")
  printed <- printed[, .(
    x = as.numeric(metric_parts(metric)$of), window = sprintf("%d packets", as.integer(tcp.rwnd)),
    panel = factor(titles[["recovery_burst"]], titles), y = as.numeric(published), tolerance
  )]
  bars_by(shown, "window", "Receiver window", "Packets", "Share of fast recoveries (%)", printed)
}

# Figure 16: the windows at which timeouts happen in slow start.
plot_figure_16 <- function(data) {
  shown <- distribution_of(data, "timeout_window")[rwnd == 44 & x >= 1 & x <= 16]
  shown[, panel := factor(size, c("exponential-exponential", "exponential"), c("EE(7)", "E"))]
  shown[, source := "packetsim"]
  bars_by(shown, "source", NULL, "Congestion window (packets)", "Share of timeouts in slow start (%)")
}

# Distributions of the simulations with the size distribution and the receiver window of their points.
distribution_of <- function(data, names) {
  shown <- data$distributions[distribution %in% names & !nzchar(model)]
  shown <- join_in_order(shown, data$points, c("set", "point"))
  shown[, size := if (sizes %in% names(shown)) shown[[sizes]] else NA_character_]
  shown[, rwnd := shown[["tcp.rwnd"]]]
  shown[]
}

window_panel <- function(rwnd) {
  ordered <- sort(unique(rwnd), decreasing = TRUE)
  factor(rwnd, ordered, plot_label(sprintf("$W_R$ %d packets", as.integer(ordered))))
}

# Bars side by side over x, a panel each, with 95 % intervals; over them the published values: x, y, tolerance, panel
# and the column.
bars_by <- function(shown, column, name, x, y, printed = NULL) {
  groups <- unique(shown[[column]])
  groups <- groups[order(nchar(groups), groups, decreasing = TRUE)]
  shades <- vapply(seq_along(groups), function(index) lighter(series_colours[1], 0.5 * (index - 1)), "")
  colours <- stats::setNames(shades, groups)
  dodge <- position_dodge(width = 0.8)
  plot <- ggplot(shown, aes(x, 100 * probability, fill = factor(.data[[column]], groups))) +
    geom_col(position = dodge, width = 0.75) +
    geom_errorbar(aes(ymin = 100 * ci_low, ymax = 100 * ci_high), position = dodge, width = 0, linewidth = 0.3) +
    (if (!is.null(printed)) {
      printed[[column]] <- factor(printed[[column]], groups)
      geom_pointrange(
        aes(x, y, ymin = y - tolerance, ymax = y + tolerance, group = .data[[column]], shape = "published"),
        # A bar without a published value keeps its place.
        printed[CJ(x = unique(x), panel = unique(panel), column = factor(groups, groups)) |>
          setnames("column", column), on = c("x", "panel", column)],
        position = dodge, fill = "white", size = 0.25, linewidth = 0.25, inherit.aes = FALSE, na.rm = TRUE
      )
    }) +
    scale_shape_manual(NULL, values = 23L) +
    facet_wrap(vars(panel), nrow = 1) +
    scale_fill_manual(name, values = colours, guide = if (length(groups) > 1) "legend" else "none") +
    scale_x_continuous(breaks = function(limits) seq(0, floor(limits[2]), by = 2)) +
    scale_y_continuous(expand = expansion(mult = c(0, 0.05))) +
    labs(x = x, y = y) +
    theme_atlas()
  sized(plot, 6.6, 2.3)
}
