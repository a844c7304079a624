# Bogoiavlenskaia, Kojo, Mutka and Alanko 2002, report C-2002-13: the items whose shape is the report's own.

bases <- c(
  cwnd_by_rounds = "by rounds", cwnd_by_segments = "by segments", cwnd_by_time = "over time"
)

# One metric of the model with the swept parameters beside it.
curve_of <- function(data, wanted, sets = data$sets) {
  rows <- data$observations[metric == wanted & engine == "model:markov" & set %in% sets]
  data$points[rows, on = c("set", "point"), nomatch = NULL]
}

percent <- function(p) sprintf("p = %s", format(p, scientific = FALSE, trim = TRUE, drop0trailing = TRUE))

# Figures 8.1 to 8.4: the three distributions of cwnd, a panel for each p.
plot_figure_8_1 <- function(data) {
  shown <- data$distributions[distribution %in% names(bases) & set == data$sets[1] & x >= 2]
  shown <- join_in_order(shown, data$points, c("set", "point"))
  shown[, basis := factor(bases[distribution], bases)]
  shown[, panel := factor(percent(links.bottleneck.loss), percent(sort(unique(links.bottleneck.loss))))]
  plot <- ggplot(shown, aes(x, probability, colour = basis)) +
    geom_line(linewidth = 0.5) +
    facet_wrap(vars(panel), ncol = 2, scales = "free_y") +
    scale_colour_manual(NULL, values = series_colours) +
    labs(x = "Congestion window (segments)", y = "Probability") +
    theme_atlas()
  sized(plot, 6.6, 3.4)
}

# Figure 8.6: the distribution by rounds, a curve for each growth of the loss.
plot_figure_8_6 <- function(data) {
  shown <- data$distributions[distribution == "cwnd_by_rounds" & x >= 2]
  shown <- join_in_order(shown, data$points, c("set", "point"))
  shown[, curve := factor(links.bottleneck.loss_growth)]
  plot <- ggplot(shown, aes(x, probability, colour = curve)) +
    geom_line(linewidth = 0.5) +
    scale_colour_manual(plot_expression("$\\alpha$"), values = series_colours) +
    labs(x = "Congestion window (segments)", y = "Probability") +
    theme_atlas()
  sized(plot, 5, 2)
}

# Figure 8.5: mean and standard deviation of cwnd against p.
plot_figure_8_5 <- function(data) {
  shown <- rbind(
    curve_of(data, "cwnd_mean__rounds")[, part := "Mean"],
    curve_of(data, "cwnd_sd__rounds")[, part := "Standard deviation"]
  )
  shown[, curve := factor(tcp.rwnd)]
  plot <- against_loss(shown[links.bottleneck.loss <= 0.02], "Congestion window\n(segments)", window_legend) +
    facet_wrap(vars(part), scales = "free_y")
  sized(plot, 6.6, 2.2)
}

against_loss <- function(shown, title, legend) {
  ggplot(shown[links.bottleneck.loss <= 0.1], aes(links.bottleneck.loss, value, colour = curve)) +
    geom_line(linewidth = 0.55) +
    scale_colour_manual(legend, values = series_colours) +
    scale_y_continuous(limits = c(0, NA)) +
    labs(x = plot_expression("Loss probability $p$"), y = title) +
    theme_atlas()
}

# A figure of mean or standard deviation of throughput against p, with a curve for each value of one parameter.
plot_throughput <- function(wanted, title, path, shown_as, legend) {
  function(data) {
    shown <- curve_of(data, wanted, data$sets[1])
    shown[, curve := factor(shown_as(shown[[path]]))]
    sized(against_loss(shown, title, legend), 5, 2)
  }
}

mean_title <- "Mean throughput\n(segments/s)"
sd_title <- "Standard deviation\n(segments/s)"
thousandth <- function(rate) rate / 1000 # a segment is a kilobit
milliseconds <- function(time) time * 1000
link_legend <- "Link (segments/s)"
window_legend <- plot_expression("$w_{max}$ (segments)")
plot_figure_8_7 <- plot_throughput("throughput_markov", mean_title, "links.bottleneck.rate", thousandth, link_legend)
plot_figure_8_8 <- plot_throughput("throughput_markov", mean_title, "tcp.rwnd", identity, window_legend)
plot_figure_8_9 <- plot_throughput("throughput_sd", sd_title, "links.bottleneck.rate", thousandth, link_legend)
plot_figure_8_10 <- plot_throughput("throughput_sd", sd_title, "tcp.rwnd", identity, window_legend)
plot_figure_8_11 <- plot_throughput(
  "throughput_markov", mean_title, "rtt_distribution.mean", milliseconds, "Mean RTT (ms)"
)

# Figure 8.12: its caption speaks of the standard deviation of throughput, the text beside it of the mean: both.
plot_figure_8_12 <- function(data) {
  shown <- rbind(
    curve_of(data, "throughput_markov")[, part := "Mean"],
    curve_of(data, "throughput_sd")[, part := "Standard deviation"]
  )
  shown[, curve := factor(milliseconds(rtt_distribution.standard_deviation))]
  plot <- against_loss(shown, "Throughput\n(segments/s)", "Standard deviation of the RTT (ms)") +
    facet_wrap(vars(part), scales = "free_y")
  sized(plot, 6.6, 2.2)
}

plot_figure_8_13 <- function(data) {
  shown <- rbind(
    curve_of(data, "throughput_above_half")[, curve := "above half of the link"],
    curve_of(data, "throughput_below_half")[, curve := "below half of the link"]
  )
  sized(against_loss(shown, "Probability", NULL), 5, 2)
}

# Which p a number is by, where text and caption print two.
reading_shapes <- c("p of text and caption" = 16L, "p of the caption" = 17L, "p of the text" = 2L)

# Every set's printed transfers beside ours: by each engine at the p that the set has, and by packetsim at the other p
# that the report gives. `case` of the claims is the set, `row_note` which p.
plot_figure_readings <- function(data) {
  claims <- data$claims[is.finite(value)]
  shown <- range_of_replications(data)[claims[, .(set, point, engine, case, row_note, links.bottleneck.rate)],
    on = c("set", "point", "engine"), nomatch = NULL
  ]
  shown[, `:=`(link = link_names(links.bottleneck.rate), reading = row_note)]
  unknown <- setdiff(shown$reading, names(reading_shapes))
  if (length(unknown) > 0) {
    abort_with("the note '%s' says nothing of p; one of: %s", unknown[1], toString(names(reading_shapes)))
  }
  rates <- unique(shown[, .(set, case, link)], by = "set")
  printed <- rates[printed_transfers(data), on = "set", nomatch = NULL][, .(x = case, y = value, link)]
  sources <- unique(shown$engine)
  plot <- ggplot(shown, aes(case, value)) +
    geom_pointrange(
      aes(ymin = lowest, ymax = highest, colour = engine, shape = reading),
      position = position_dodge(width = 0.7), size = 0.25, fatten = 5, linewidth = 0.4
    ) +
    layer_published(printed, "published, one transfer each") +
    facet_wrap(vars(link), scales = "free") +
    scale_colour_manual(
      NULL, values = source_colours(sources), breaks = sources, labels = source_name(sources, data$labels)
    ) +
    scale_shape_manual(NULL, values = reading_shapes) +
    scale_y_continuous(limits = c(0, NA)) +
    labs(x = NULL, y = "Throughput ATp (packets/s)") +
    theme_atlas() +
    theme(legend.box = "vertical", legend.spacing.y = grid::unit(0, "mm"))
  sized(plot, 6.6, 2.9)
}

link_names <- function(rates) {
  ordered <- sort(unique(rates))
  factor(rates, ordered, vapply(ordered, format_quantity, "", "bit/s"))
}

# The tables that print each transfer of one set.
tables_of_transfers <- c("table-7.1", sprintf("table-8.%d", 1:8))

# The printed throughput of each transfer of each set.
printed_transfers <- function(data) {
  rows <- data$whole$claims[quantity == "goodput" & item %in% tables_of_transfers]
  unique(rows, by = c("item", "row"))[, .(set, value = as.numeric(published))]
}

# The mean, lowest and highest goodput of each engine's replications; of an engine without the extremes, the ends of its
# interval.
range_of_replications <- function(data) {
  rows <- data$observations[grepl("^goodput(_lowest|_highest)?$", metric)]
  ends <- dcast(rows, set + point + engine ~ metric, value.var = "value")
  intervals <- rows[metric == "goodput", .(set, point, engine, ci_low, ci_high)]
  wide <- intervals[ends, on = c("set", "point", "engine")]
  setnames(wide, c("goodput_lowest", "goodput_highest"), c("lowest", "highest"), skip_absent = TRUE)
  for (end in setdiff(c("lowest", "highest"), names(wide))) set(wide, j = end, value = NA_real_)
  wide[, .(
    set, point, engine, value = goodput, lowest = fcoalesce(lowest, ci_low, goodput),
    highest = fcoalesce(highest, ci_high, goodput)
  )]
}
