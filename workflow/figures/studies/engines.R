# The differences of ns-3 from packetsim where both answer the same points.

# The rows that a rule judges, with the parameters of their points.
judged_rows <- function(data) {
  join_in_order(data$equivalence[nzchar(verdict)], data$points, c("set", "point"))
}

table_same_events <- function(data) {
  rows <- judged_rows(data)
  if (nrow(rows) == 0) {
    return(table_of_text(nothing_made(data)))
  }
  notes <- claim_notes(rows)
  columns_to_table(list(
    list(heading = "Sources", cells = source_kinds[sub("^engines/", "", rows$set)]),
    list(heading = "Point", cells = settings_of(rows, data$labels)),
    list(heading = "Largest difference (%)", cells = claim_cells(rows, notes))
  ), groups = 1, notes = notes, wrap = 2, share = 0.5)
}

source_kinds <- c(
  "on-off" = "on-off", fixed = "on-off, fixed", "pulled-apart" = "on-off, slow egress",
  bulk = "one bulk Tahoe", "fair-queueing" = "on-off, fair queueing",
  "bulk-reno" = "thirty bulk Reno"
)

# "NewReno, N 40, B 30 packets, E": the values at each row's point, without defaults and values that mean "none".
settings_of <- function(rows, labels) {
  paths <- intersect(setting_paths, names(rows))
  texts <- lapply(paths, function(path) {
    values <- rows[[path]]
    symbol <- if (is.numeric(values)) paste0(parameter_symbol(path, labels), " ")
    absent <- is.na(values) | (is.numeric(values) & values == 0) | values %in% defaults[[path]]
    if (path == "cross_traffic.kind") {
      absent <- absent | rows[["cross_traffic.rate"]] %in% 0
    }
    share <- path == "links.bottleneck.loss"
    shown <- if (share) trim_zeros(format_number(100 * values, digits = 3)) else value_text(values, path, labels)
    ifelse(absent, "", paste0(symbol, shown, if (share) " %"))
  })
  listed_texts(texts, nrow(rows))
}

# Omitted from the settings.
defaults <- list("tcp.damping" = 1, "tcp.recovery" = "pause")

setting_paths <- c(
  "links.bottleneck.queue", "tcp.variant", "tcp.arithmetic", "tcp.recovery", "sources.count", "links.bottleneck.buffer",
  "sources.workload.file_size.distribution", "sources.workload.file_size.mean", "links.bottleneck.loss", "tcp.damping",
  "cross_traffic.kind", "cross_traffic.rate", "cross_traffic.phase"
)

shown_metrics <- list(
  c("goodput_per_connection", "on_time", "goodput", "rtt_sender_mean", "active_mean"),
  c("utilisation", "queue_mean", "queue_mean_on_arrival", "loss_ratio", "drop_ratio")
)

# The notes that a table's columns refer to.
notes_of <- function(columns, notes) {
  shown <- unlist(lapply(columns, function(column) cell_parts(column$cells)$note))
  notes[names(notes) %in% shown]
}

# The layers of a plot of differences (value, ci_low, ci_high), beside a line for none.
differences_with_intervals <- function() {
  list(
    geom_vline(xintercept = 0, colour = "grey60", linewidth = 0.3),
    geom_errorbarh(aes(xmin = ci_low, xmax = ci_high), height = 0, linewidth = 0.4, colour = source_colours("ns3")),
    geom_point(size = 1.3, colour = source_colours("ns3"), shape = source_shapes("ns3"))
  )
}

# The judged differences of the metrics to show, each point's settings in `setting`.
differences_of <- function(data) {
  rows <- judged_rows(data)[metric %in% unlist(shown_metrics)]
  rows[, setting := settings_of(rows, data$labels)]
  rows[]
}

# Two tables, a row per point: of the connections, and of the bottleneck.
table_samples <- function(data) {
  rows <- differences_of(data)
  if (nrow(rows) == 0) {
    return(table_of_text(nothing_made(data)))
  }
  notes <- claim_notes(rows)
  rows[, cell := claim_cells(rows, notes)]
  lapply(lapply(shown_metrics, intersect, rows$metric), function(metrics) {
    table_of_differences(rows, metrics, notes, data$labels)
  })
}

# A row per point and engine that is compared there, a column per metric.
table_of_differences <- function(rows, metrics, notes, labels) {
  points <- unique(rows, by = compared)
  columns <- metric_columns(rows, points, metrics, labels)
  first <- list(list(heading = "Point", cells = points$setting))
  columns_to_table(c(first, engine_column(points, labels), columns), notes = notes_of(columns, notes))
}

# What one row of such a table is about.
compared <- c("set", "point", "engine")

# The cells of each metric, in the order of the rows `points`.
metric_columns <- function(rows, points, metrics, labels) {
  lapply(metrics, function(one) {
    mine <- rows[metric == one][points, on = compared, mult = "first"]
    list(heading = metric_symbol(one, labels), cells = mine$cell)
  })
}

# Which engine is compared, where there are several.
engine_column <- function(points, labels) {
  if (uniqueN(points$engine) == 1) {
    return(list())
  }
  list(list(heading = "Engine", cells = source_name(points$engine, labels)))
}

# A panel per point, a line per metric.
plot_figure_differences <- function(data) {
  shown <- differences_of(data)
  if (nrow(shown) == 0) {
    return(empty_plot(nothing_made(data)))
  }
  metrics <- rev(unlist(shown_metrics))
  tolerance <- max(shown$tolerance)
  shown[, line := factor(metric, metrics)]
  shown[, panel := factor(setting, unique(setting))]
  plot <- ggplot(shown, aes(value, line)) +
    annotate("rect", xmin = -tolerance, xmax = tolerance, ymin = -Inf, ymax = Inf, fill = "grey93") +
    differences_with_intervals() +
    facet_wrap(vars(panel), ncol = 3, labeller = as_labeller(plot_label, label_parsed)) +
    scale_y_discrete(labels = function(one) plot_expression(vapply(one, metric_symbol, "", data$labels))) +
    labs(x = "ns-3 over packetsim, minus one (%)", y = NULL) +
    theme_atlas()
  sized(plot, 6.6, 4.6)
}
