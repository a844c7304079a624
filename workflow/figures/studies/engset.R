# Zaragoza 2014, "The TCP-modified Engset Model Revisited": the items whose shape is the paper's own.

sizes <- "sources.workload.file_size.distribution"
mean_size <- "sources.workload.file_size.mean"
bottleneck_rate <- "links.bottleneck.rate"

# Table 3: a row per connection with the paper's flights, and below it the numbers of the special setting.
table_03 <- function(data) {
  special <- main <- data
  is_main <- data$claims$set == "engset/table-03"
  main$claims <- data$claims[is_main]
  special$claims <- data$claims[!is_main]
  list(table_by_point(main, connection_columns), table_by_number(special))
}

# F, beta and W_R, and the flights as printed, which are the case of each printed number.
connection_columns <- function(rows, data) {
  beta <- data$observations[metric == "path_packets"][rows, on = c("set", "point"), mult = "first"]$value
  list(
    parameter_column(rows[[mean_size]], mean_size, data$labels),
    list(heading = "Printed", cells = rows$case),
    list(heading = "$\\beta$ (packets)", cells = format_number(beta, 1)),
    parameter_column(rows[["tcp.rwnd"]], "tcp.rwnd", data$labels)
  )
}

# Table 5: the rules, and below them what the TCP-Engset rule takes the largest of.
table_05 <- function(data) {
  list(table_by_number(data), table_of_rule(data))
}

# A row per mean size, a column per link and round-trip time: the buffer by the rule and by the fitted reading, and in
# parentheses the number of sources.
table_of_rule <- function(data) {
  rule <- data$observations[metric == "buffer_rule"][data$points, on = c("set", "point"), nomatch = NULL]
  fitted <- data$observations[metric == "buffer_rule_2"][rule, on = c("set", "point"), mult = "first"]$value
  rule[, cell := sprintf("%s / %s (%d)", format_number(value, 0), format_number(fitted, 0), sources.count)]
  setorderv(rule, c(bottleneck_rate, "rtt", mean_size))
  rule[, column := paste0(
    value_text(rule[[bottleneck_rate]], bottleneck_rate, data$labels), "\n", value_text(rtt, "rtt", data$labels)
  )]
  sizes <- unique(rule[order(rule[[mean_size]])][[mean_size]])
  columns <- lapply(unique(rule$column), function(one) {
    mine <- rule[column == one]
    list(heading = paste0(one, "\n$B$ / $B_{(2)}$ ($N$)"), cells = mine$cell[match(sizes, mine[[mean_size]])])
  })
  columns_to_table(c(list(parameter_column(sizes, mean_size, data$labels)), columns), groups = 0)
}

# Table 6: theory, then each file-size distribution, over the number of sources.
table_06 <- function(data) {
  table_over(data, "sources.count", "$N$ = %s")
}

# Table 10: the same over the buffer.
table_10 <- function(data) {
  table_over(data, "links.bottleneck.buffer", "$B$ = %s")
}

# Blocks of theory and of each file-size distribution, over the values of one parameter; more than four values go on in
# a further table below.
table_over <- function(data, parameter, heading) {
  values <- sort(unique(data$claims[[parameter]]))
  parts <- split(values, (seq_along(values) - 1) %/% 4)
  lapply(unname(parts), function(part) {
    data$claims <- data$claims[data$claims[[parameter]] %in% part]
    from <- ifelse(data$claims$kind == "model", "Theory", value_text(data$claims[[sizes]], sizes, data$labels))
    blocks <- paste0(from, ": ", quantity_symbols(data$claims, data$labels))
    table_in_blocks(data, blocks, sprintf(heading, data$claims[[parameter]]))
  })
}

# Figure 12: P(Q > x) behind a limited buffer, a panel per file-size distribution; below each panel what the paper's
# legend says of the curves.
plot_figure_12 <- function(data) {
  curves <- tail_curves(data)
  styles <- curve_styles(curves)
  legend <- curve_legend(data, curves)
  tails <- ggplot(curves[tail > 0], aes(x, tail, colour = curve, linetype = curve)) +
    geom_ribbon(
      aes(ymin = pmax(low, 1e-9), ymax = high, fill = curve), curves[tail > 0 & is.finite(low)],
      colour = NA, alpha = 0.25
    ) +
    geom_line(linewidth = 0.55) +
    facet_wrap(vars(size), nrow = 1, labeller = as_labeller(size_titles)) +
    scale_colour_manual(values = styles$colours, guide = "none") +
    scale_fill_manual(values = styles$colours, guide = "none") +
    scale_linetype_manual(values = styles$lines, guide = "none") +
    scale_x_continuous(expand = expansion(mult = c(0, 0.02))) +
    scale_y_log10(breaks = 10^(-5:0), labels = powers_of_ten) +
    coord_cartesian(ylim = c(1e-5, 1)) +
    labs(
      x = plot_expression("Queue $x$ at the bottleneck (packets)"),
      y = plot_expression("$P(Q>x)$ (share of time)")
    ) +
    theme_atlas() +
    theme(panel.spacing = panel_gap)
  sized(patchwork::wrap_plots(tails, plot_legend(data, legend, styles), ncol = 1, heights = c(3.2, 1)), 6.6, 3.5)
}

panel_gap <- grid::unit(5, "mm")

size_titles <- c(E = "E: exponential", "EE(7)" = "EE(7): exponential, long tail", EP = "EP: Pareto tail")

# P(Q > x) of every point: x, tail, low, high, with the file sizes (E, EE(7), EP) and the curve, "model" or "packetsim",
# and its receiver window. Where all windows give a model the same curve, it is one.
tail_curves <- function(data) {
  queues <- data$distributions[distribution == "queue_by_time"]
  curves <- queues[, tail_of(.SD), by = .(set, point, engine), .SDcols = c("x", "probability", "ci_low", "ci_high")]
  curves <- join_in_order(curves, data$points, c("set", "point"))
  setnames(curves, c(sizes, "tcp.rwnd"), c("size", "rwnd"))
  curves[, size := in_order(size, sizes, data$labels)]
  curves[, same := uniqueN(signif(tail, 9)) == 1, by = .(size, engine, x)]
  curves[, same := is_model(engine) & all(same), by = engine]
  curves <- curves[!same | rwnd == max(rwnd)]
  curves[, window := ifelse(same, "any", as.character(rwnd))]
  curves[, curve := paste(engine, window)]
  curves[order(is_model(engine), -rwnd)][, curve := factor(curve, unique(curve))][]
}

# Simulations solid, models dashed; the largest window in the source's own colour, smaller ones lighter.
curve_styles <- function(curves) {
  distinct <- unique(curves[, .(curve, engine, rwnd)])[order(-rwnd)]
  distinct[, shade := (seq_len(.N) - 1) / .N, by = engine]
  colours <- mapply(lighter, source_colours(unique(distinct$engine))[distinct$engine], distinct$shade)
  lines <- ifelse(is_model(distinct$engine), "42", "solid")
  list(colours = stats::setNames(colours, distinct$curve), lines = stats::setNames(lines, distinct$curve))
}

# The numbers of the paper's legend, one row per panel and curve.
curve_legend <- function(data, curves) {
  distinct <- unique(curves[, .(size, set, point, engine, window, curve)])
  number <- function(metric, factor, decimals) {
    wanted <- metric
    observed <- data$observations[metric == wanted][distinct, on = c("set", "point", "engine"), mult = "first"]
    shown <- format_number(observed$value * factor, decimals)
    least <- paste0("<", format_number(10^-decimals, decimals))
    ifelse(observed$value %in% 0, "0", ifelse(grepl("^[0.]+$", shown), least, shown))
  }
  distinct[, `:=`(
    rho = number("utilisation", 1, 3), eta = number("queue_decay", 1, 1), loss = number("loss_ratio", 100, 3),
    rate = number("goodput_per_connection", 1e-3, 1)
  )]
  distinct[]
}

# A small table below each panel: a line in the curve's style, its name, and its numbers.
plot_legend <- function(data, legend, styles) {
  columns <- data.table(
    column = c("window", "rho", "eta", "loss", "rate"), place = c(0.37, 0.53, 0.665, 0.83, 1),
    heading = c("window", "\u03c1", "\u03b7", "L", "h"), unit = c("packets", "", "packets", "%", "kbit/s")
  )
  cells <- melt(legend, measure.vars = columns$column, variable.name = "column", value.name = "text")
  cells <- cells[columns, on = "column"]
  legend[, name := source_name(engine, data$labels)]
  lines <- legend[, .(x = c(0, 0.06), y = 0.18 - as.integer(curve)), by = .(size, curve)]
  text <- function(..., size = 2.1) geom_text(..., size = size, vjust = 0, family = figure_font)
  ggplot(legend, aes(y = -as.integer(curve), colour = curve, linetype = curve)) +
    geom_path(aes(x, y, group = curve), lines, linewidth = 0.55) +
    text(aes(x = 0.08, label = name), hjust = 0) +
    text(aes(x = place, label = text), cells, hjust = 1, colour = "grey15") +
    text(aes(x = place, y = 0.7, label = heading), columns, inherit.aes = FALSE, hjust = 1) +
    text(aes(x = place, y = 0, label = unit), columns, inherit.aes = FALSE, hjust = 1, size = 1.9, colour = "grey45") +
    facet_wrap(vars(size), nrow = 1) +
    scale_colour_manual(values = styles$colours, guide = "none") +
    scale_linetype_manual(values = styles$lines, guide = "none") +
    coord_cartesian(xlim = c(0, 1), ylim = c(-nlevels(legend$curve) - 0.4, 1.5), expand = FALSE) +
    theme_void() +
    theme(strip.text = element_blank(), panel.spacing = panel_gap)
}
