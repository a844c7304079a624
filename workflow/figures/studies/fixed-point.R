# Baccelli, Hong and Liu 2001, "Fixed Point Methods for the Simulation of the Sharing of a Local Loop by a Large Number
# of Interacting TCP Connections": the items whose shape is the paper's own.

# The cases of tables 3 to 5 by the mean load of the backbone router.
case_of <- function(points) {
  case <- match(data.table::fcoalesce(points[["stations.backbone.load.mean"]], 0), c(0, 0.9, 1))
  if (anyNA(case)) {
    abort_with("stations.backbone.load.mean: the paper's cases have 0, 0.9 and 1 only")
  }
  paste("case", case)
}

# Figure 7: packets against the time at which one user sends them, by the first engine.
plot_figure_07 <- function(data) {
  shown <- join_in_order(data$traces[trace == "packet_sent"], data$points, c("set", "point"))
  shown <- shown[sources.count == 7500][engine == engine[1]]
  plot <- ggplot(shown, aes(time_s, value)) +
    geom_step(linewidth = 0.4, colour = source_colours(shown$engine[1])) +
    labs(x = "Time (s)", y = "Packets sent") +
    theme_atlas()
  sized(plot, 5, 2)
}

# The distributions of 5000 users by the first engine.
of_5000 <- function(data) {
  shown <- join_in_order(data$distributions, data$points, c("set", "point"))[sources.count == 5000]
  shown[engine == engine[1]]
}

# The steps in which a distribution counts, in kbit/s: "10 kbit/s".
step_of <- function(shown) as.numeric(sub(" kbit/s", "", unique(shown$unit), fixed = TRUE))

# Figure 8: the share of downloads by their goodput, without the fastest thousandth.
plot_figure_08 <- function(data) {
  shown <- of_5000(data)[distribution == "goodput_by_burst"][order(x)]
  shown <- shown[cumsum(probability) - probability < 0.999 * sum(probability)]
  plot <- ggplot(shown, aes(step_of(shown) * x, probability)) +
    geom_ribbon(aes(ymin = ci_low, ymax = ci_high, fill = "95 % interval")) +
    geom_line(aes(colour = engine), linewidth = 0.4) +
    scale_fill_manual(NULL, values = "grey80") +
    scale_models_as_lines(unique(shown$engine), data$labels) +
    guides(colour = guide_legend(override.aes = list(linetype = "solid"))) +
    labs(x = "Goodput of a download (kbit/s)", y = sprintf("Share of downloads\nper %s", shown$unit[1])) +
    theme_atlas()
  sized(plot, 5, 2)
}

# The printed metrics of tables 3 to 5, as observations.
published_observations <- function(data, metrics) {
  rows <- data$whole$claims[item %in% c("table-3", "table-4", "table-5") & counted == "true"]
  rows <- unique(rows, by = c("item", "row"))
  rows <- rows[metric %in% metrics]
  rows[, .(
    set, point, engine = "published", metric, value = as.numeric(published) * unit_factor(unit),
    unit = data$observations$unit[match(rows$metric, data$observations$metric)]
  )]
}

# Figures 10a to 10e: what the tables show, against the number of users: by scheme 2, and exactly by the first engine
# that follows every packet.
plot_figure_10 <- function(data) {
  metrics <- c(
    "timeouts_per_packet", "rtt_path_mean", "loss_ratio", "guaranteed_goodput_coarse[95]",
    "goodput_per_connection"
  )
  ours <- data$observations[metric %in% metrics]
  shown <- scaled_observations(rbind(ours, published_observations(data, metrics), fill = TRUE), data$labels)
  shown <- join_in_order(shown, data$points, c("set", "point"))[get("fixed_point.scheme") %in% c("2", "exact")]
  headings <- shown[match(metrics, metric), heading]
  headings <- headings[!is.na(headings)]
  shown[, `:=`(
    panel = factor(heading, headings, plot_label(headings)), case = case_of(shown),
    scheme = ifelse(get("fixed_point.scheme") == "exact", "exact", "fixed point, scheme 2")
  )]
  printed <- shown[engine == "published", .(x = sources.count, y = value, panel)]
  shown <- shown[engine != "published"]
  shown <- shown[, .SD[engine == intersect(c("packetsim", engine), engine)[1]], by = .(set, scheme)]
  plot <- ggplot(shown, aes(sources.count, value, colour = case, linetype = scheme, shape = scheme)) +
    geom_line(linewidth = 0.45) +
    geom_errorbar(aes(ymin = ci_low, ymax = ci_high), shown[is.finite(ci_low)], width = 0, linewidth = 0.3) +
    geom_point(size = 1.4) +
    facet_wrap(vars(panel), ncol = 2, scales = "free_y", labeller = label_parsed) +
    layer_published(printed) +
    scale_colour_manual(NULL, values = series_colours) +
    scale_shape_manual(NULL, values = c(16L, 2L)) +
    labs(x = plot_expression("Users $N$"), y = NULL, linetype = NULL) +
    theme_atlas() +
    theme(
      legend.box = "vertical", legend.position = c(0.76, 0.11), legend.spacing.y = grid::unit(0, "mm"),
      legend.key.height = grid::unit(3.6, "mm"), legend.background = element_blank()
    )
  sized(plot, 6.6, 4.9)
}

# Figure 11: P(goodput > x) by the definitions of section 8.
plot_figure_11 <- function(data) {
  shown <- of_5000(data)[startsWith(distribution, "goodput_by")]
  step <- step_of(shown)
  shown <- shown[, tail_from(.SD), by = distribution, .SDcols = c("x", "probability")]
  shown[, c("name", "of") := metric_parts(distribution)]
  in_a_row <- shown$name == "goodput_by_packets"
  curves <- uniqueN(shown$distribution[in_a_row])
  mean_tail <- shown[in_a_row][, .(name = "goodput_by_packets", of = "mean", tail = sum(tail) / curves), by = x]
  shown <- rbind(shown, mean_tail, fill = TRUE)
  panels <- c("Over packets in a row", "Over downloads")
  shown[, panel := factor(panels[1 + (name != "goodput_by_packets")], panels)]
  shown[!nzchar(of), of := "all"]
  shown[, of := factor(of, intersect(c("10", "20", "50", "100", "mean", "all"), of))]
  plot <- ggplot(shown, aes(step * x, tail, colour = of)) +
    geom_step(linewidth = 0.45) +
    facet_wrap(vars(panel)) +
    scale_colour_manual(plot_expression("$\\xi$"), values = c(
      "10" = "#56B4E9", "20" = "#0072B2", "50" = "#999933", "100" = "#D98200", mean = "black", all = "#CC79A7"
    )) +
    labs(x = "Goodput (kbit/s)", y = "Probability of more") +
    theme_atlas()
  sized(plot, 6.6, 2.4)
}

# The share at x or above, from the share at each x.
tail_from <- function(rows) {
  ordered <- rows[order(x)]
  list(x = ordered$x, tail = rev(cumsum(rev(ordered$probability))))
}

# Table 7: the printed cells beside formula (1) by the larger part and by the sum.
table_7 <- function(data) {
  sum_of <- data$observations[metric == "send_rate_per_connection"]
  table <- table_published(data)
  rows <- unique(data$claims, by = c("set", "point"))
  sums <- sum_of[match(rows$point, point), value] / 1000
  other <- columns_to_table(list(
    list(heading = "by the sum (kbit/s)", cells = format_number(sums, 1))
  ))
  table$columns <- c(table$columns, other$columns)
  table$headings <- c(table$headings, other$headings)
  table
}

# Tables 1 to 6: each printed number beside ours by fixed point and exactly, by every engine that gives either.
table_beside <- function(data) {
  notes <- claim_notes(data$claims)
  claims <- copy(data$claims)[, cell := claim_cells(data$claims, notes)]
  named <- nzchar(claims$case)
  claims[, `:=`(
    column = if (all(named)) case else format_number(sources.count, 0),
    symbol = quantity_symbols(claims, data$labels),
    way = ifelse(get("fixed_point.scheme") == "exact", "exact", "fixed point")
  )]
  rows <- unique(claims, by = c("column", "symbol"))
  rows <- rows[order(match(column, unique(column)))]
  ways <- unique(claims[, .(way, engine)])[order(way == "exact")]
  ours <- .mapply(function(one_way, source) {
    mine <- claims[way == one_way & engine == source]
    several <- sum(ways$way == one_way) > 1
    list(
      heading = if (several) paste0(one_way, "\n(", source_name(source, data$labels), ")") else one_way,
      cells = mine$cell[match(paste(rows$column, rows$symbol), paste(mine$column, mine$symbol))]
    )
  }, list(ways$way, ways$engine), NULL)
  leading <- list(list(heading = if (all(named)) "" else "$N$", cells = rows$column))
  columns_to_table(c(
    leading, list(list(heading = "Quantity", cells = rows$symbol)),
    list(list(heading = "Published", cells = rows$published)), ours
  ), groups = 1, notes = notes)
}
table_1 <- table_2 <- table_3 <- table_4 <- table_5 <- table_6 <- table_beside

# A metric at each point by the first engine, as text; empty where there is none.
metric_cells <- function(data, points, name, factor = 1, digits = 2) {
  rows <- data$observations[metric == name & !nzchar(model)]
  values <- rows[match(paste(points$set, points$point), paste(set, point)), value] * factor
  ifelse(is.na(values), "", format_number(values, digits))
}

# Schemes 0, 1, 2 and exact beside one another, a row for each number of users and scheme.
table_schemes <- function(data) {
  points <- copy(data$points)
  points[, scheme := get("fixed_point.scheme")]
  points[get("fixed_point.averaging") == "none", scheme := paste0(scheme, ", last step alone")]
  points <- points[order(sources.count, scheme)]
  value_of <- function(...) metric_cells(data, points, ...)
  columns_to_table(list(
    list(heading = "$N$", cells = format_number(points$sources.count, 0)),
    list(heading = "scheme", cells = points$scheme),
    list(heading = "$\\lambda_g$\n(kbit/s)", cells = value_of("goodput_per_connection", 1e-3, 1)),
    list(heading = "$p_{loss}$\n(%)", cells = value_of("loss_ratio", 100)),
    list(heading = "RTT\n(s)", cells = value_of("rtt_path_mean", 1, 3)),
    list(heading = "converged", cells = value_of("iteration_converged")),
    list(heading = "steps", cells = value_of("iteration_steps", 1, 1)),
    list(heading = "residual\n(%)", cells = value_of("iteration_residual", 100, 0)),
    list(heading = "fair", cells = value_of("iteration_fair")),
    list(heading = "ON time,\nunfair by (%)", cells = value_of("on_time_unfairness", 100, 0)),
    list(heading = "queue,\nunfair by (%)", cells = value_of("queue_unfairness", 100, 0))
  ), groups = 1)
}
