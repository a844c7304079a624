# Blanc, Collange and Avrachenkov 2008, "Modelling an Isolated Compound TCP Connection": the items whose shape is the
# paper's own.

rate_path <- "links.bottleneck.rate"
buffer_path <- "links.bottleneck.buffer"
model_source <- "model:compound"
recovery_names <- c(pause = "recovery of section 4", "rate-halving" = "recovery of ns-2's Linux agent")
case_names <- sprintf("case %d", 1:6)
case_colours <- stats::setNames(series_colours, case_names)

# One metric of one engine or model with the swept parameters beside it.
metric_at <- function(data, wanted, source, sets = data$sets) {
  rows <- data$observations[metric == wanted & engine == source & set %in% sets]
  data$points[rows, on = c("set", "point"), nomatch = NULL]
}

# Two metrics of one source side by side: columns `first` and `second` beside the parameters.
metrics_at <- function(data, first, second, source, sets = data$sets) {
  rows <- metric_at(data, first, source, sets)
  other <- metric_at(data, second, source, sets)[, .(set, point, second = value)]
  setnames(rows, "value", "first")
  other[rows, on = c("set", "point"), nomatch = NULL]
}

mbit <- function(rate) rate / 1e6

# Bandwidth-delay products in packets.
bdp <- function(data, rate) {
  round_trip <- fixed_number(data, "links.bottleneck.delay_s") + fixed_number(data, "return_delay_s")
  rate * round_trip / (8 * fixed_number(data, "packet_bytes"))
}

# The published values of some metrics, in the units of the paper.
published_of <- function(data, metrics, kinds = unique(data$claims$kind)) {
  rows <- unique(data$claims[metric %in% metrics & kind %in% kinds], by = "row")
  rows[, y := as.numeric(published)][]
}

# Figure 1: the phases of one cycle of the model. A phase begins where the window's slope changes its law: at the
# product, at product plus gamma, and where the constant window ends.
plot_figure_01 <- function(data) {
  cycle <- first_cycle(data$traces[engine == model_source])
  product <- bdp(data, fixed_number(data, "links.bottleneck.rate_bit_per_s"))
  cycle[, phase := phases_of(value, product)]
  ggplot(cycle, aes(time_s, value, colour = phase)) +
    geom_line(aes(group = 1), linewidth = 0.8) +
    scale_colour_manual(NULL, values = series_colours) +
    labs(x = "Time (s)", y = "Window (packets)") +
    theme_atlas()
}

# The window's plateau in case 4 is phase 3; what comes before and after it is told apart by its size.
phases_of <- function(window, product) {
  plateau <- as.numeric(names(which.max(table(window))))
  flat <- window == plateau
  start <- which(flat)[1]
  end <- max(which(flat))
  index <- seq_along(window)
  recovery <- window == window[1] & index < start
  name <- ifelse(
    recovery, "recovery",
    ifelse(index < start, ifelse(window <= product, "phase 1", "phase 2"), ifelse(index <= end, "phase 3", "phase 4"))
  )
  factor(name, intersect(c("phase 1", "phase 2", "phase 3", "phase 4", "recovery"), name))
}

first_cycle <- function(trace) {
  end <- first_fall(trace)
  if (is.na(end)) copy(trace) else trace[time_s < end]
}

# Figure 2: a cycle of the simulation, and a stretch of phase 3 enlarged.
plot_figure_02 <- function(data) {
  trace <- data$traces[engine == "packetsim"]
  span <- range(trace$time_s)
  # Phase 3 lasts through the middle of a cycle.
  middle <- mean(span)
  parts <- rbind(
    trace[, .(time_s, value, part = "From loss to loss")],
    trace[time_s > middle - 2 & time_s < middle + 2, .(time_s, value, part = "A stretch of phase 3")]
  )
  parts[, part := factor(part, unique(part))]
  ggplot(parts, aes(time_s, value)) +
    geom_step(colour = source_colours("packetsim"), linewidth = 0.4) +
    facet_wrap(vars(part), nrow = 1, scales = "free") +
    labs(x = "Time (s)", y = "Window (packets)") +
    theme_atlas()
}

# Figures 6 to 11: the window against time, model over simulation, from the same loss on; a panel for each recovery.
# The windows before and after a loss, where the paper prints them, stand at the first simulated one.
plot_trace <- function(data) {
  sources <- c("packetsim", model_source)
  traces <- data$points[data$traces[trace == "window" & engine %in% sources], on = c("set", "point")]
  recoveries <- "tcp.recovery" %in% names(traces)
  shown <- min(traces[, max(time_s), by = engine]$V1)
  traces <- traces[time_s <= shown]
  printed <- published_of(data, c("window_at_loss", "window_after_loss"))
  falls <- vapply(printed$point, function(name) first_fall(traces[engine == "packetsim" & point == name]), 0)
  printed[, `:=`(x = falls, low = y - tolerance, high = y + tolerance)]
  traces[, engine := factor(engine, sources)]
  plot <- ggplot(traces, aes(time_s, value, colour = engine, linewidth = engine)) +
    geom_line() +
    scale_colour_manual(NULL, values = source_colours(sources), labels = function(x) source_name(x, data$labels)) +
    scale_linewidth_manual(NULL, values = c(0.4, 0.7), labels = function(x) source_name(x, data$labels)) +
    layer_published(printed) +
    labs(x = "Time (s)", y = "Window (packets)") +
    (if (recoveries) facet_wrap(vars(recovery_names[tcp.recovery]), nrow = 1)) +
    theme_atlas()
  sized(plot, 6.6, 2.3)
}

plot_figure_06 <- plot_figure_07 <- plot_figure_08 <- plot_figure_09 <- plot_figure_10 <- plot_figure_11 <- plot_trace

type_order <- c("1 cut, m > 3", "3:1", "2:1", "5:2", "4:2", "3:2")

types_of <- function(growths, cuts) {
  named <- sprintf("%d:%d", as.integer(growths), as.integer(cuts))
  named[cuts == 1 & growths > 3] <- type_order[1]
  factor(named, type_order)
}

# Figure 4: the type of the oscillations against the bandwidth-delay product.
plot_figure_04 <- function(data) {
  types <- function(source, growths = "oscillation_growths", cuts = "oscillation_cuts", below = 0) {
    rows <- metrics_at(data, growths, cuts, source)[order(get(rate_path))]
    rows[, .(set, point, product = bdp(data, get(rate_path)), height = as.integer(types_of(first, second)) - below)]
  }
  simulated <- metric_at(data, "oscillation_share", "packetsim")[, .(set, point, share = value)][
    types("packetsim"),
    on = c("set", "point")
  ]
  rules <- c(settled = "model: window map", priority = "model: figure 3")
  lines <- rbind(
    types(model_source)[, rule := rules[["settled"]]],
    types(model_source, "priority_growths", "priority_cuts", below = 0.2)[, rule := rules[["priority"]]]
  )
  ggplot(mapping = aes(product, height)) +
    geom_point(
      aes(alpha = share, colour = "packetsim"), simulated[!is.na(height)],
      size = 0.8
    ) +
    geom_line(aes(linetype = rule), lines, colour = source_colours(model_source), linewidth = 0.5, na.rm = TRUE) +
    scale_alpha(range = c(0.15, 1), limits = c(0, 1), guide = "none") +
    scale_colour_manual(NULL, values = source_colours("packetsim")) +
    scale_linetype_manual(NULL, values = stats::setNames(c("solid", "21"), rules), breaks = rules) +
    scale_y_continuous(breaks = seq_along(type_order), labels = type_order, limits = c(0.6, 6.2)) +
    labs(x = "Bandwidth-delay product (packets)", y = "Oscillation") +
    theme_atlas()
}

# Figure 5: greatest less least window of phase 3.
plot_figure_05 <- function(data) {
  amplitudes <- function(source, sets) {
    rows <- metrics_at(data, "theta_max", "theta_min", source, paste0("compound/", sets))
    rows[, .(product = bdp(data, get(rate_path)), amplitude = first - second, gamma = tcp.gamma)]
  }
  simulated <- amplitudes("packetsim", c("oscillations", "oscillations-small"))
  predicted <- amplitudes(model_source, "figure-05")[order(gamma, product)]
  printed <- published_products(data)
  printed[, y := predicted[gamma == .BY$gamma][which.min(abs(product - .BY$x)), amplitude], by = .(gamma, x)]
  thresholds <- sort(unique(predicted$gamma), decreasing = TRUE)
  names <- sprintf("model, gamma %d", as.integer(thresholds))
  predicted[, curve := factor(gamma, thresholds, names)]
  ggplot(mapping = aes(product, amplitude)) +
    geom_line(aes(linetype = curve), predicted, colour = source_colours(model_source), linewidth = 0.5) +
    geom_point(aes(colour = "packetsim"), simulated, size = 0.8) +
    layer_published(printed) +
    scale_linetype_manual(NULL, values = c("solid", "dashed")) +
    scale_colour_manual(NULL, values = source_colours("packetsim")) +
    labs(x = "Bandwidth-delay product (packets)", y = "Amplitude of the window (packets)") +
    theme_atlas()
}

# Points at which the paper has a curve change, as products of path: x, gamma.
published_products <- function(data) {
  products <- published_of(data, c("bdp_low_5_2", "bdp_high_5_2", "bdp_low_3_2"))
  capacities <- published_of(data, "capacity_overflow_3_2")
  rows <- rbind(products[, .(set, x = y)], capacities[, .(set, x = bdp(data, 1e6 * y))])
  rows[, gamma := vapply(set, function(name) fixed_number(data, "sources.1.tcp.gamma_packets", name), 0)][]
}

# Figure 12: the model's borders, and the simulated cases over them.
plot_figure_12 <- function(data) {
  border_names <- c(
    border_bursts = "bursts overflow", border_oscillation = "oscillations overflow",
    border_empties = "buffer empties", border_linear = "linear growth only"
  )
  lines <- rbindlist(lapply(names(border_names), function(name) {
    metric_at(data, name, model_source, "compound/figure-12-borders")[
      , .(product = bdp(data, get(rate_path)), buffer = value, border = border_names[[name]])
    ]
  }))
  lines[, border := factor(border, border_names)]
  simulated <- metric_at(data, "case", "packetsim", "compound/figure-12")
  predicted <- metric_at(data, "case", model_source, "compound/figure-12")[, .(point, predicted = value)]
  cases <- predicted[simulated, on = "point"]
  # Two replications may show different cases: then neither is the case.
  cases <- cases[value == round(value)]
  cases[, `:=`(product = bdp(data, get(rate_path)), buffer = get(buffer_path))]
  cases[, case := factor(case_names[value], case_names)]
  plot <- ggplot(mapping = aes(product, buffer)) +
    geom_line(aes(linetype = border, group = border), lines[buffer > 0], linewidth = 0.45) +
    geom_point(aes(colour = case), cases, size = 1.5) +
    geom_point(aes(shape = "the model predicts another"), cases[value != predicted], size = 1.7, stroke = 0.5) +
    scale_colour_manual(NULL, values = case_colours) +
    scale_shape_manual(NULL, values = 4L) +
    scale_linetype_manual(NULL, values = c("dotted", "solid", "longdash", "dotdash")) +
    scale_x_log10() +
    scale_y_log10() +
    coord_cartesian(xlim = range(cases$product), ylim = range(cases$buffer)) +
    guides(
      colour = guide_legend(nrow = 1, order = 1), linetype = guide_legend(nrow = 1, order = 2),
      shape = guide_legend(order = 3)
    ) +
    labs(x = "Bandwidth-delay product (packets)", y = "Buffer (packets)") +
    theme_atlas() +
    theme(legend.box = "vertical", legend.spacing.y = grid::unit(0, "mm"))
  sized(plot, 6.6, 4)
}

# Figures 14 and 15: a metric against capacity, the model's line through the simulation's points. Dotted lines: the
# transitions between cases or types that the paper prints.
plot_against_capacity <- function(data, wanted, title) {
  simulated <- metric_at(data, wanted, "packetsim", "compound/figure-14")
  predicted <- metric_at(data, wanted, model_source)
  transitions <- published_of(data, grep("^capacity_", data$claims$metric, value = TRUE))
  printed <- unique(published_of(data, wanted)[, .(x = mbit(get(rate_path)), y, tolerance)])
  printed <- printed[, .(x, y = y / 100, low = (y - tolerance) / 100, high = (y + tolerance) / 100)]
  ggplot(mapping = aes(mbit(get(rate_path)), value, colour = engine)) +
    geom_vline(aes(xintercept = y, linetype = "published transition"), transitions, colour = "grey40") +
    geom_line(data = predicted, linewidth = 0.5) +
    geom_errorbar(
      aes(ymin = ci_low, ymax = ci_high), simulated[is.finite(ci_low)], width = 0, linewidth = 0.3
    ) +
    geom_point(data = simulated, size = 1.1) +
    layer_published(printed) +
    scale_models_as_lines(c("packetsim", model_source), data$labels) +
    scale_linetype_manual(NULL, values = "dotted") +
    scale_y_continuous(labels = axis_numbers) +
    labs(x = "Capacity (Mbit/s)", y = title) +
    theme_atlas()
}
plot_figure_14 <- function(data) plot_against_capacity(data, "utilisation", "Throughput over capacity")
plot_figure_15 <- function(data) plot_against_capacity(data, "queue_mean", "Mean backlog (packets)")
