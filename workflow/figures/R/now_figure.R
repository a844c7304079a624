# The papers' own TCP, today's and the papers' models on the same networks (results/now_figure.csv).

now_figure_columns <- c(
  "panel", "question", "parameter", "x_title", "x", "x_unit", "metric", "unit", "then", "tcp", "engine", "value",
  "ci_low", "ci_high"
)
now_own <- "the paper's own TCP"
now_model <- "the paper's model"
# Today's TCPs, in their order; a model has a line, an engine its shape.
now_colours <- c("#4D4D4D", "#0072B2", "#D98200", "#56B4E9", "#CC79A7", "#999933")
now_shapes <- c(packetsim = 16L, linux = 17L)

read_now_figure <- function(results) {
  path <- file.path(results, "now_figure.csv")
  table <- read_csv_texts(path)
  missing <- setdiff(now_figure_columns, names(table))
  if (length(missing) > 0) {
    abort_with("%s: column %s is missing", path, missing[1])
  }
  for (column in c("x", "value", "ci_low", "ci_high")) {
    data.table::set(table, j = column, value = read_numbers(table[[column]], path, column))
  }
  table[]
}

# A panel for each question.
plot_now <- function(rows, labels) {
  if (nrow(rows) == 0) {
    return(empty_plot("Nothing was asked again that a figure is made of."))
  }
  rows <- data.table::copy(rows)
  rows[, series := paste(tcp, source_name(engine, labels), sep = ", ")]
  rows[then == "true", series := now_own]
  rows[tcp == "", series := now_model]
  styles <- now_styles(rows[, .(series, tcp, then, engine)])
  panels <- lapply(split(rows, factor(rows$panel, unique(rows$panel))), function(one) now_panel(one, styles, labels))
  plot <- patchwork::wrap_plots(panels, ncol = 2, guides = "collect") + patchwork::plot_annotation(tag_levels = "a") &
    theme(legend.position = "bottom", plot.tag = element_text(size = rel(1), face = "bold"))
  sized(plot, 6.9, 0.5 + 2.35 * ceiling(length(panels) / 2))
}

# Colour and shape of each series: the model, the paper's own TCP, then today's, best known first.
now_styles <- function(series) {
  today <- names(sort(table(series[then != "true" & tcp != "", tcp]), decreasing = TRUE))
  series[, place := ifelse(series == now_model, -1, ifelse(then == "true", 0, match(tcp, today)))]
  series <- unique(series[order(place, series != now_model, engine != "packetsim")], by = "series")
  series[, `:=`(
    colour = ifelse(place < 0, "#000000", now_colours[pmax(place, 0) + 1]),
    shape = ifelse(place < 0, NA, ifelse(place == 0, 16L, now_shapes[engine]))
  )]
  series[]
}

now_panel <- function(rows, styles, labels) {
  first <- rows[1]
  unit <- if (all(rows$unit == "1") && first$metric != "1") "%" else first$unit
  scale <- if (unit == "%") list(unit = "%", factor = 0.01) else si_scale(rows$value, unit)
  ordered <- nzchar(first$x_title)
  along <- if (ordered) list(unit = "", factor = 1) else si_scale(rows$x, first$x_unit)
  shown <- rows[, .(
    x = x / along$factor, y = value / scale$factor, low = ci_low / scale$factor, high = ci_high / scale$factor,
    series = factor(series, styles$series)
  )]
  parameter <- with_unit(parameter_heading(first$parameter, labels), along$unit)
  title <- if (ordered) capitalised(first$x_title) else plot_expression(parameter)
  ggplot(shown, aes(x, y, colour = series, shape = series)) +
    geom_line(data = shown[series == now_model], linewidth = 0.5, show.legend = TRUE) +
    geom_line(data = if (ordered) shown[0] else shown[series == now_own], linewidth = 0.4) +
    geom_errorbar(aes(ymin = low, ymax = high), shown[is.finite(low)], width = 0, linewidth = 0.35) +
    geom_point(size = 1.5, na.rm = TRUE, show.legend = TRUE) +
    scale_colour_manual(NULL, values = stats::setNames(styles$colour, styles$series), drop = FALSE) +
    scale_shape_manual(NULL, values = stats::setNames(styles$shape, styles$series), drop = FALSE) +
    scale_x_continuous(breaks = if (ordered) sort(unique(shown$x)) else waiver(), labels = axis_numbers) +
    scale_y_continuous(labels = axis_numbers, limits = c(0, NA), expand = expansion(c(0, 0.06))) +
    labs(
      x = title, y = plot_expression(with_unit(metric_name(first$metric, labels), scale$unit)),
      title = strwrap_title(first$question), subtitle = sprintf("then: %s", rows[then == "true", tcp][1])
    ) +
    theme_atlas() +
    theme(plot.title = element_text(size = rel(1), face = "bold"), plot.subtitle = element_text(colour = "grey30"))
}

strwrap_title <- function(text) paste(strwrap(text, 42), collapse = "\n")
