# The command bin/ask.R.

ask_options <- list(
  optparse::make_option("--rows", help = "CSV of panel, label, source, model, value, low, high"),
  optparse::make_option("--out", help = "the picture: .svg, .pdf or .png"),
  optparse::make_option("--title", default = "", help = "title of the picture")
)

ask_command <- function(figures) {
  load_graphics()
  asked <- parse_options(ask_options, "Draws an answer of ./atlas ask.")
  if ("time_s" %in% names(data.table::fread(asked$rows, nrows = 0))) {
    return(write_trace(data.table::fread(asked$rows), asked))
  }
  rows <- data.table::fread(asked$rows, colClasses = list(character = c("panel", "label", "source", "model")))
  panels <- data.table::uniqueN(rows[["panel"]])
  several <- data.table::uniqueN(rows[["label"]]) > 1
  picture <- if (several) plot_ask(rows, asked$title) else plot_one_answer(rows, asked$title)
  height <- if (several) 0.6 + 1.9 * ceiling(panels / 3) else 0.5 + 0.8 * ceiling(panels / 2)
  write_atomically(asked$out, function(path) {
    ggplot2::ggsave(path, picture, width = 7, height = height, dpi = 200)
  })
}

# One network: each metric on a line of its own, with its number, the simulation's above the models'.
plot_one_answer <- function(rows, title) {
  rows <- data.table::copy(rows)
  rows[, name := ifelse(nzchar(model), model, source)]
  sources <- unique(rows[["source"]])
  ggplot2::ggplot(rows, ggplot2::aes(
    x = .data[["value"]], y = factor(.data[["name"]], rev(unique(.data[["name"]]))),
    colour = .data[["source"]], shape = .data[["source"]]
  )) +
    ggplot2::geom_linerange(ggplot2::aes(xmin = .data[["low"]], xmax = .data[["high"]]), na.rm = TRUE) +
    ggplot2::geom_point(size = 2) +
    ggplot2::geom_text(
      ggplot2::aes(label = format(signif(.data[["value"]], 3), drop0trailing = TRUE, trim = TRUE)),
      vjust = -0.7, size = 2.6, show.legend = FALSE
    ) +
    ggplot2::facet_wrap(~ factor(panel, unique(panel)), scales = "free", ncol = 2) +
    ggplot2::scale_colour_manual(values = source_colours(sources), guide = "none") +
    ggplot2::scale_shape_manual(values = source_shapes(sources), guide = "none") +
    ggplot2::expand_limits(x = 0) +
    ggplot2::scale_x_continuous(expand = ggplot2::expansion(mult = c(0.02, 0.12))) +
    ggplot2::scale_y_discrete(expand = ggplot2::expansion(add = c(0.4, 0.9))) +
    ggplot2::labs(x = NULL, y = NULL, title = title) +
    theme_atlas()
}

# A panel per metric: the simulation with its interval, and the models.
plot_ask <- function(rows, title) {
  sources <- unique(rows[["source"]])
  names <- rows[["model"]][match(sources, rows[["source"]])]
  names <- ifelse(nzchar(names), names, sources)
  beside <- ggplot2::position_dodge(width = 0.5)
  ggplot2::ggplot(
    rows, ggplot2::aes(
      x = factor(.data[["label"]], unique(.data[["label"]])), y = .data[["value"]],
      colour = .data[["source"]], shape = .data[["source"]]
    )
  ) +
    ggplot2::geom_linerange(
      ggplot2::aes(ymin = .data[["low"]], ymax = .data[["high"]]), position = beside, na.rm = TRUE
    ) +
    ggplot2::geom_point(position = beside, size = 1.8) +
    ggplot2::facet_wrap(~ factor(panel, unique(panel)), scales = "free", ncol = 3) +
    ggplot2::scale_colour_manual(values = source_colours(sources), name = NULL, breaks = sources, labels = names) +
    ggplot2::scale_shape_manual(values = source_shapes(sources), name = NULL, breaks = sources, labels = names) +
    ggplot2::expand_limits(y = 0) +
    ggplot2::labs(x = NULL, y = NULL, title = title) +
    theme_atlas() +
    ggplot2::theme(axis.text.x = ggplot2::element_text(angle = 30, hjust = 1))
}

# The congestion window against time, a panel for each group.
write_trace <- function(rows, asked) {
  groups <- data.table::uniqueN(rows[["group"]])
  picture <- ggplot2::ggplot(rows, ggplot2::aes(x = .data[["time_s"]], y = .data[["cwnd_packets"]])) +
    ggplot2::geom_step(linewidth = 0.4, colour = source_colours("packetsim")) +
    ggplot2::expand_limits(y = 0) +
    ggplot2::labs(x = "time [s]", y = "congestion window [packets]", title = asked$title) +
    theme_atlas()
  if (groups > 1) {
    picture <- picture + ggplot2::facet_wrap(~group, ncol = 1)
  }
  write_atomically(asked$out, function(path) {
    ggplot2::ggsave(path, picture, width = 7, height = 1.2 + 1.9 * groups, dpi = 200)
  })
}
