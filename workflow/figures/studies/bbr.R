# Cardwell et al., "BBR: Congestion-Based Congestion Control" (2017), and Ware et al. (IMC 2019), as two projects redid
# them: one metric of each point, over the random loss or the buffer, beside what the projects measured.

metric_titles <- c(
  utilisation = "Link in use (%)", "goodput_share[bbr]" = "Share of BBR", "goodput_share[far]" = "Share of the far flow"
)

# The lines of engines and models of one metric over a parameter, a panel for each value of another, and diamonds for
# single runs of others. Intervals of few replications reach beyond what shares can be, so they are cut there.
plot_metric <- function(data, of, along, lines, panels, of_others = "one run of others") {
  points <- data$points[, c("set", "point", along, lines, setdiff(panels, "set")), with = FALSE]
  placed_rows <- function(rows) {
    rows <- join_in_order(rows, points, c("set", "point"))
    panel <- if (is.null(panels)) {
      ""
    } else if (panels == "set") {
      in_order(rows$set, "set", data$labels)
    } else {
      named_values(rows[[panels]], panels, data$labels)
    }
    line <- if (is.null(lines)) "" else in_order(rows[[lines]], lines, data$labels)
    cbind(rows, data.table(x = rows[[along]], line = line, panel = panel))
  }
  shown <- placed_rows(scaled_observations(data$observations[metric == of], data$labels))
  printed <- unique(data$claims[metric == of, .(set, point, row, y = as.numeric(published))])
  printed <- if (nrow(printed) > 0) placed_rows(printed) else printed[, x := numeric()]
  sources <- unique(shown$engine)
  whole <- if (metric_scale(of, 1, "1", data$labels)$unit == "%") 100 else 1
  names_of <- function(sources) source_name(sources, data$labels)
  plot <- ggplot(shown, aes(x, value, colour = engine, shape = engine, linetype = line, group = paste(engine, line))) +
    geom_line(linewidth = 0.45) +
    geom_errorbar(
      aes(ymin = ci_low, ymax = ci_high),
      data = shown[is.finite(ci_low)], width = 0, linewidth = 0.4, linetype = "solid"
    ) +
    geom_point(size = 1.4, stroke = 0.6) +
    layer_published(printed, of_others) +
    scale_colour_manual(NULL, values = source_colours(sources), breaks = sources, labels = names_of) +
    scale_shape_manual(NULL, values = source_shapes(sources), breaks = sources, labels = names_of) +
    line_types(list(line = if (is.null(lines)) NA else lines), shown, data$labels) +
    scale_x_log10(labels = axis_numbers) +
    coord_cartesian(ylim = c(0, whole)) +
    facet_wrap(vars(panel), ncol = 2) +
    labs(x = plot_expression(parameter_heading(along, data$labels)), y = metric_titles[[of]]) +
    theme_atlas() +
    theme(legend.box = "vertical", legend.spacing.y = grid::unit(0, "mm"))
  if (is.null(panels)) return(sized(plot + theme(strip.text = element_blank()), 5, 2.2))
  sized(plot, 6.6, 1.1 + 1.8 * ceiling(uniqueN(shown$panel) / 2))
}

over_loss <- function(panel = "tcp.variant", line = NULL) {
  function(data) plot_metric(data, "utilisation", "links.bottleneck.loss", line, panel)
}
over_buffer <- function(metric, panel, ...) {
  function(data) plot_metric(data, metric, "links.bottleneck.buffer_bdp", NULL, panel, ...)
}

plot_figure_8 <- over_loss()
plot_unpaced <- over_loss(panel = NULL)
plot_rates <- over_loss("links.bottleneck.rate", "tcp.variant")
plot_round_trips <- over_loss("propagation", "tcp.variant")
plot_figure_1b <- over_buffer("goodput_share[bbr]", "set", "six runs of others")
plot_figure_8a <- over_buffer("goodput_share[bbr]", "groups.bbr.count")
plot_two_rtts <- plot_two_rtts_long <- over_buffer("goodput_share[far]", NULL)
plot_crowd <- plot_crowd_long <- function(data) {
  plot_metric(data, "goodput_share[bbr]", "groups.cubic.count", NULL, "links.bottleneck.buffer_bdp")
}

# What both engines say of each cell: of those with losses how much of the link is in use, of the others BBR's share.
table_engines <- function(data) {
  by_metric <- list(
    utilisation = grepl("/(loss|rate|rtt)", data$sets), "goodput_share[bbr]" = grepl("/(beside|bbr|crowd)", data$sets),
    "goodput_share[far]" = grepl("/two-rtts", data$sets)
  )
  unname(Map(function(metric, chosen) cells_of_engines(data, metric, data$sets[chosen]), names(by_metric), by_metric))
}
table_acknowledged <- function(data) cells_of_engines(data, "goodput_share[bbr]", data$sets)

# Minimum timeouts and lengths of runs go with rates and round trips, and are left out.
cells_of_engines <- function(data, metric, sets) {
  wanted <- metric
  told <- grepl("^tcp.variant$|loss$|rate$|propagation$|count$|buffer_bdp$|^(set|point)$", names(data$points))
  data$points <- data$points[set %in% sets, told, with = FALSE]
  data$observations <- data$observations[set %in% sets & metric == wanted & !nzchar(model)]
  data$errors <- data$errors[0]
  table_set(data)
}
