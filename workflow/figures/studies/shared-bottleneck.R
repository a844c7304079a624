# Altman, Bolot, Nain et al. 1997, "Performance Modeling of TCP/IP in a Wide-Area Network": the items whose shape is the
# paper's own.

# Tables 1 to 3: the cases; analysis, simulation and error of throughput, then of the round-trip time; then both
# engines.
table_1 <- function(data) {
  ours <- with_claims(data, !of_ns3(data$claims))
  case <- function(rows, ...) list(list(heading = "Case", cells = rows$case))
  cases <- unique(ours$claims, by = c("set", "point"))
  settings <- columns_to_table(c(case(cases), parameter_columns_of(cases, ours)), groups = 0)
  by_metric <- lapply(c("goodput", "rtt_path_mean"), function(one) {
    mine <- with_claims(ours, ours$claims$metric %in% c(one, paste0(one, "_error")))
    column <- mine$claims[, ifelse(metric != one, "error (%)", ifelse(kind == "model", "analysis", "simulation"))]
    symbol <- with_unit(metric_symbol(one, data$labels), mine$claims[metric == one, unit][1])
    table <- table_by_point(mine, case, paste0(symbol, ": ", column))
    table$groups <- 0
    table
  })
  c(list(settings), by_metric, table_of_engines(data))
}
table_2 <- table_3 <- table_1

of_ns3 <- function(claims) claims[, engine == "ns3" | fed_by == "ns3" | against == "ns3"]

# The second engine's results beside the first's, a row per case; nothing where it is not there.
table_of_engines <- function(data) {
  if (!any(data$observations$engine == "ns3")) {
    return(NULL)
  }
  points <- unique(data$points$point)
  columns <- lapply(c("goodput", "rtt_path_mean"), function(one) {
    rows <- data$observations[metric == one]
    decimals_as <- if (one == "goodput") "0.0" else "0.000"
    cells_by <- function(rows, decimals_as) {
      mine <- rows[match(points, point)]
      measured_cells(mine$value, mine$ci_low, mine$ci_high, decimals_as, interval = intervals_of(mine))
    }
    symbol <- with_unit(metric_symbol(one, data$labels), rows$unit[1])
    list(
      list(heading = paste0(symbol, "\npacketsim"), cells = cells_by(rows[engine == "packetsim"], decimals_as)),
      list(heading = paste0(symbol, "\nns-3"), cells = cells_by(rows[engine == "ns3"], decimals_as)),
      list(heading = "ns-3 / packetsim\n\u2212 1 (%)", cells = cells_by(data$equivalence[metric == one], "0.0"))
    )
  })
  case <- list(list(heading = "Case", cells = as.character(seq_along(points))))
  list(columns_to_table(c(case, unlist(columns, recursive = FALSE))))
}

# A window against time: simulated in steps (the second engine's dashed: it lies on the first's), the model's as a line
# that starts its cycle with the first simulated one.
plot_window <- function(data) {
  shown <- copy(data$traces[trace == "window"])
  predicted <- shown[nzchar(model)]
  simulated <- shown[!nzchar(model)]
  if (nrow(predicted) > 0) {
    predicted[, time_s := time_s - first_fall(predicted) + first_fall(simulated[engine == engine[1]])]
  }
  sources <- unique(shown$engine)
  labels <- source_name(sources, data$labels)
  plot <- ggplot(mapping = aes(time_s, value, colour = engine, linetype = engine)) +
    geom_step(data = simulated, linewidth = 0.4) +
    geom_line(data = predicted[time_s >= 0], linewidth = 0.4) +
    scale_colour_manual(NULL, values = source_colours(sources), breaks = sources, labels = labels) +
    scale_linetype_manual(
      NULL, breaks = sources, labels = labels,
      values = stats::setNames(ifelse(sources == "ns3", "22", "solid"), sources)
    ) +
    scale_x_continuous(expand = expansion(0)) +
    coord_cartesian(xlim = c(0, window_shown(data))) +
    labs(x = "Time (s)", y = "Window (packets)") +
    theme_atlas()
  sized(plot, 6.6, 1.9)
}

# Some five cycles, in whole tens of seconds.
window_shown <- function(data) {
  cycle <- data$observations[metric == "cycle_time" & nzchar(model), value][1]
  ceiling(5 * cycle / 10) * 10
}

plot_figure_02 <- plot_figure_03 <- plot_figure_06 <- plot_figure_07 <- plot_window

plot_figure_04 <- function(data) plot_share(data, "propagation", "Propagation time (service times)")
plot_figure_05 <- function(data) plot_share(data, "links.bottleneck.buffer", "Buffer (packets)")

# The share of the available rate, a curve for each exogenous share of the link.
plot_share <- function(data, x, title) {
  shown <- data$observations[metric %in% c("available_share_one_slow_start", "available_share")]
  shown <- data$points[shown, on = c("set", "point")]
  link <- fixed_number(data, "links.bottleneck.rate_bit_per_s")
  printed <- data$claims[startsWith(metric, "available_share")]
  printed <- unique(data.table(
    x = printed[[x]], y = as.numeric(printed$published), low = as.numeric(printed$published) - printed$tolerance,
    high = as.numeric(printed$published) + printed$tolerance
  ))
  shown[, `:=`(x = .SD[[1]], share = factor(round(.SD[[2]] / link, 3))), .SDcols = c(x, "cross_traffic.rate")]
  shown[, rule := factor(metric, c("available_share_one_slow_start", "available_share"), c("theorem 3.1", "criterion"))]
  plot <- ggplot(shown, aes(x, value, colour = share, linetype = rule)) +
    geom_hline(yintercept = 1, colour = "grey60", linewidth = 0.3) +
    geom_line(linewidth = 0.5) +
    layer_published(printed) +
    scale_colour_manual("Exogenous share", values = series_colours) +
    scale_linetype_manual("Slow starts", values = c("solid", "42")) +
    labs(x = title, y = "Share of the available rate") +
    theme_atlas() +
    theme(legend.box = "vertical", legend.spacing.y = grid::unit(0, "mm"))
  sized(plot, 5, 2.9)
}
