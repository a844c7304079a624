# Altman, Bolot, Nain et al. 1997, "Performance Modeling of TCP/IP in a Wide-Area Network": the items whose shape is the
# paper's own, and what goes beyond it.

labels <- list(
  metrics = list(goodput = c("Goodput", "thp")),
  sources = list("model:shared_bottleneck" = "model")
)

both_engines <- "Last, if ns-3 is there: the same by both engines, by ns-3 in runs of a quarter of the length."

captions <- list(
  "figure-02" = "Steps: simulation; line: the fluid model, cycle after cycle. The paper does not name its parameters.",
  "figure-03" = "Steps: simulation; line: the fluid model, cycle after cycle. The paper does not name its parameters.",
  "figure-04" = paste(
    "Solid: theorem 3.1 alone, as the paper draws it; dashed: with two slow starts where $W_b \\le W_{th}$. The curves",
    "are for exogenous shares of our choice; the paper's are lost."
  ),
  "figure-05" = "As the figure before.",
  "figure-06" = "Steps: simulation; line: the fluid model, which knows at most two slow starts a cycle.",
  "figure-07" = "Steps: simulation; line: the fluid model, which knows no chance.",
  "table-1" = both_engines,
  "table-2" = both_engines,
  "table-3" = both_engines,
  "lambda" = paste(
    "The cases for which more exogenous traffic is printed, simulated with 10 packets/s instead: as an explanation of",
    "the printed simulations, not as their reproduction."
  ),
  "figure-map" = paste(
    "Throughput, model over simulation minus one, over propagation time and buffer; a panel for each exogenous share",
    "of the bottleneck's rate. The link carries 100 packets/s. Beyond 50 % the colour changes no more."
  ),
  "guesses" = paste(
    "Mean relative error, without sign, of what is simulated against what is printed as simulated, over the nine cases",
    "of either table; met: throughput within 3 % and round-trip time within 4 %. $\\lambda$ in packets/s."
  ),
  "three-slow-starts" = paste(
    "Off: simulated less printed, over the printed number. Met: at least 2.5 slow starts a cycle in the mean over",
    "phases, throughput within 3 % and round-trip time within 4 %. The guesses shown were chosen after looking at",
    "some 250: that one meets all three proves little."
  ),
  "spread" = paste(
    "Each of the replications has another phase of the periodic traffic (tables 1 and 2) or other Poisson traffic",
    "(table 3). Met by: the mean is within 3 % of the printed throughput; the printed one lies between the least and",
    "the greatest."
  ),
  "readings" = paste(
    "Mean relative errors against the printed analysis of table 1: the throughput's with its sign, over the cases",
    "with one and with two slow starts; of the round-trip times without sign, and of all 18 numbers. Met: printed",
    "numbers within rounding. Above, two passages are taken otherwise than derived; below, one or none. Every",
    "combination of all passages was ranked too: none meets half of the numbers."
  ),
  "figure-slow-starts" = paste(
    "Simulated slow starts a cycle on the grid of the figure before. Crosses: criterion (26) takes one for more, or",
    "more for one. Dots: the empirical criterion says three."
  ),
  "slow-starts" = paste(
    "Simulated counts are rounded to whole slow starts. The criterion for three is ours: the limits are those for",
    "which hits are the greatest share of hits, misses and false alarms on every other point of the grid with",
    "deterministic traffic; the other points and Poisson traffic had no part in that. Its form was picked among six",
    "pairs of quantities with all points in view, so the scores are a little too good. It is no good criterion: half",
    "of what it takes for three is not, and with Poisson traffic most of it. None of 105 pairs of 15 quantities, with",
    "limits chosen in the same way, is clearly better on the other points."
  ),
  "inference" = paste(
    "The rate at which the model comes nearest to the simulated throughput and round-trip time together. Above:",
    "quantiles of inferred less simulated $\\lambda$, in percent of $\\mu$, over the map. Below: the cases of tables 1",
    "and 3."
  )
)

packet_bits <- 8 * 576

# Tables 1 and 3: the nine cases; analysis, simulation and error of throughput, then of the round-trip time; then both
# engines.
table_1 <- function(data) {
  ours <- with_claims(data, !of_ns3(data$claims))
  case <- function(rows, ...) list(list(heading = "Case", cells = sub("^case ([0-9]+),.*$", "\\1", rows$row_note)))
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
table_3 <- table_1
table_2 <- function(data) c(list(table_by_number(with_claims(data, !of_ns3(data$claims)))), table_of_engines(data))

of_ns3 <- function(claims) grepl("ns3", claims$engine, fixed = TRUE)

# What the second engine gives beside the first, a row per case; nothing where it is not there.
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
      measured_cells(mine$value, mine$ci_low, mine$ci_high, decimals_as)
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

# A window against time: simulated in steps (the second engine's dashed: it lies on the first's), the model's as a line.
plot_window <- function(data) {
  shown <- data$traces[trace == "window"]
  simulated <- shown[!startsWith(engine, "model:")]
  predicted <- shown[startsWith(engine, "model:")]
  sources <- unique(shown$engine)
  plot <- ggplot(mapping = aes(time_s, value, colour = engine)) +
    geom_step(data = simulated[engine != "ns3"], linewidth = 0.4) +
    geom_step(data = simulated[engine == "ns3"], linewidth = 0.4, linetype = "22") +
    geom_line(data = predicted, linewidth = 0.4) +
    scale_colour_manual(
      NULL, values = source_colours(sources), breaks = sources, labels = source_name(sources, data$labels)
    ) +
    scale_x_continuous(expand = expansion(0)) +
    coord_cartesian(xlim = c(0, window_shown(data))) +
    labs(x = "Time (s)", y = "Window (packets)") +
    theme_atlas()
  sized(plot, 6.6, 2.6)
}

# Some five cycles, in whole tens of seconds.
window_shown <- function(data) {
  cycle <- data$observations[metric == "cycle_time" & startsWith(engine, "model:"), value][1]
  ceiling(5 * cycle / 10) * 10
}

plot_figure_02 <- plot_window
plot_figure_03 <- plot_window
plot_figure_06 <- plot_window
plot_figure_07 <- plot_window

plot_figure_04 <- function(data) plot_share(data, "propagation", "Propagation time (service times)")
plot_figure_05 <- function(data) plot_share(data, "links.bottleneck.buffer", "Buffer (packets)")

# The share of the available rate, a curve for each exogenous share of the link.
plot_share <- function(data, x, title) {
  shown <- data$observations[metric %in% c("available_share_one_slow_start", "available_share")]
  shown <- data$points[shown, on = c("set", "point")]
  shown[, `:=`(x = .SD[[1]], share = factor(round(.SD[[2]] / packet_bits, 3))), .SDcols = c(x, "cross_traffic.rate")]
  shown[, rule := factor(metric, c("available_share_one_slow_start", "available_share"), c("theorem 3.1", "criterion"))]
  plot <- ggplot(shown, aes(x, value, colour = share, linetype = rule)) +
    geom_hline(yintercept = 1, colour = "grey60", linewidth = 0.3) +
    geom_line(linewidth = 0.5) +
    scale_colour_manual("Exogenous share", values = model_styles$colour) +
    scale_linetype_manual("Slow starts", values = c("solid", "42")) +
    labs(x = title, y = "Share of the available rate") +
    theme_atlas() +
    theme(legend.box = "vertical", legend.spacing.y = grid::unit(0, "mm"))
  sized(plot, 5, 3.6)
}

# The exogenous traffic's share of the bottleneck's rate on the map, whose link carries 100 packets/s.
exogenous_share <- function(points) {
  points[["cross_traffic.rate"]] / packet_bits / 100
}

map_panel <- function(kind, share) {
  ordered <- unique(data.table(kind, share))[order(kind, share)]
  factor(sprintf("%s, share %.2f", kind, share), sprintf("%s, share %.2f", ordered$kind, ordered$share))
}

# What the maps over propagation time and buffer have in common.
map_axes <- function() {
  list(
    scale_x_discrete(breaks = c("60", "150", "360", "850")),
    scale_y_discrete(breaks = c("3", "8", "20", "50")),
    labs(x = "Propagation time (ms)", y = "Buffer (packets)"),
    theme_atlas(),
    theme(strip.text = element_text(size = rel(0.62)), panel.grid = element_blank())
  )
}

# The model's error over the grid.
plot_figure_map <- function(data) {
  shown <- data$errors[metric == "goodput"]
  shown <- data$points[shown, on = c("set", "point")]
  shown[, panel := map_panel(get("cross_traffic.kind"), exogenous_share(shown))]
  shown[, `:=`(tau = factor(1000 * propagation), buffer = factor(get("links.bottleneck.buffer")))]
  limit <- 0.5
  plot <- ggplot(shown, aes(tau, buffer, fill = pmax(-limit, pmin(limit, value)))) +
    geom_tile() +
    facet_wrap(vars(panel), ncol = 5) +
    scale_fill_gradient2(
      "Model over simulation, minus one", low = "#0072B2", mid = "white", high = "#C8321E", limits = c(-limit, limit),
      labels = scales::percent
    ) +
    map_axes()
  sized(plot, 6.6, 5.6)
}
