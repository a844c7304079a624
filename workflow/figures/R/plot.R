# The figure of any set: its metrics against its swept parameters.

# A set without its own figure: a panel per metric, the first numeric parameter along x, one colour and
# shape per engine and model, with 95 % intervals; a second parameter becomes the line type, further ones panels.
plot_set <- function(data) {
  axes <- choose_axes(data$points)
  shown <- plotted_observations(data, axes)
  sources <- unique(shown$engine)
  sources <- sources[order(is_model(sources))]
  names_of <- function(sources) source_name(sources, data$labels)
  plot <- ggplot(shown, aes(x, value, colour = engine, shape = engine, linetype = line, group = paste(engine, line))) +
    geom_line(data = lines_of(shown), linewidth = 0.45) +
    geom_errorbar(
      aes(ymin = ci_low, ymax = ci_high),
      data = shown[is.finite(ci_low)], width = 0, linewidth = 0.4, linetype = "solid"
    ) +
    geom_point(size = 1.6, stroke = 0.6) +
    scale_colour_manual(NULL, values = source_colours(sources), breaks = sources, labels = names_of) +
    scale_shape_manual(NULL, values = source_shapes(sources), breaks = sources, labels = names_of) +
    line_types(axes, shown, data$labels) +
    y_scale(shown) +
    x_scale(shown$x) +
    set_panels(axes) +
    labs(x = x_title(data, axes), y = NULL) +
    theme_atlas() +
    theme(legend.box = "vertical", legend.spacing.y = grid::unit(0, "mm"), strip.clip = "off")
  # No taller than a page.
  rows <- nlevels(shown$panel) / if (length(axes$facets) > 0) 1 else 2
  sized(plot, 6.6, 0.9 + min(1.5 * ceiling(rows), 8))
}

# Points that can be joined by a line: more than one point of one source.
lines_of <- function(shown) {
  shown[shown[, .I[.N > 1], by = .(panel, facet, engine, line)]$V1]
}

# The observations to draw: of the `metrics` to show or, by default, of those common to models and simulations, or of
# all if there is only one of the two.
drawn_observations <- function(observations, metrics = character()) {
  if (length(metrics) > 0) {
    return(observations[metric %in% metrics])
  }
  predicted <- observations[nzchar(model), unique(metric)]
  simulated <- observations[!nzchar(model), unique(metric)]
  common <- intersect(predicted, simulated)
  if (length(common) > 0) observations[metric %in% common] else observations
}

# The roles of the parameters: x, line (dotted paths, NA for none) and facets (any number of them).
choose_axes <- function(points) {
  # What some sets lack, and the others have one value of, tells no more than their names.
  named <- function(path) anyNA(points[[path]]) && uniqueN(points, by = c("set", path)) == uniqueN(points$set)
  varying <- Filter(Negate(named), varying_parameters(points))
  # Sets that share all of these differ in something else.
  if (anyDuplicated(points[, varying, with = FALSE]) > 0 && uniqueN(points$set) > 1) {
    varying <- c(varying, "set")
  }
  numeric <- Filter(function(path) is.numeric(points[[path]]), varying)
  x <- c(numeric, varying, NA)[1]
  rest <- setdiff(varying, x)
  list(x = x, line = rest[1], facets = rest[-1])
}

# The observations in shown units, with the columns x, line, facet and panel that the plot maps.
plotted_observations <- function(data, axes) {
  shown <- scaled_observations(drawn_observations(data$observations, data$metrics), data$labels)
  metrics <- metrics_in_order(shown$metric, data)
  headings <- shown$heading[match(metrics, shown$metric)]
  values <- join_in_order(shown[, .(set, point)], data$points, c("set", "point"))
  facets <- lapply(axes$facets, function(path) named_values(values[[path]], path, data$labels))
  facets <- if (length(facets) > 0) interaction(facets, sep = ", ", lex.order = TRUE, drop = TRUE) else ""
  shown[, `:=`(
    panel = factor(shown$heading, headings, plot_label(headings)),
    x = x_values(values, axes$x, data$labels),
    line = if (is.na(axes$line)) "" else in_order(values[[axes$line]], axes$line, data$labels),
    facet = facets
  )]
  shown[]
}

x_values <- function(values, path, labels) {
  if (is.na(path)) {
    return(factor(""))
  }
  if (!is.numeric(values[[path]])) {
    return(in_order(values[[path]], path, labels))
  }
  values[[path]] / si_scale(values[[path]], parameter_unit(path, labels))$factor
}

# Logarithmic for positive numbers across three orders of magnitude: a linear axis shows only the last one.
x_scale <- function(values) {
  if (is.numeric(values) && spans_decades(values)) {
    scale_x_log10(labels = axis_numbers)
  }
}

# The same for y, where two orders suffice if x is logarithmic, lest power laws hide their smaller half; all panels
# share one kind of axis.
y_scale <- function(shown) {
  times <- if (is.null(x_scale(shown$x))) 1000 else 100
  decades <- all(shown[, spans_decades(c(value, ci_low[is.finite(ci_low)]), times), by = panel]$V1)
  scale <- if (decades) scale_y_log10 else scale_y_continuous
  scale(labels = axis_numbers, expand = expansion(mult = 0.08))
}

spans_decades <- function(values, times = 1000) all(values > 0) && max(values) >= times * min(values)

x_title <- function(data, axes) {
  if (is.na(axes$x)) {
    return(NULL)
  }
  values <- data$points[[axes$x]]
  unit <- if (is.numeric(values)) si_scale(values, parameter_unit(axes$x, data$labels))$unit else ""
  plot_expression(with_unit(parameter_heading(axes$x, data$labels), unit))
}

# A factor of a parameter's values as people write them: numbers by size, texts in order of appearance, "none" at last
# where a point lacks the parameter.
in_order <- function(values, path, labels) {
  present <- unique(values[!is.na(values)])
  levels <- if (is.numeric(values)) sort(present) else present
  texts <- value_text(levels, path, labels)
  if (anyNA(values)) factor(values, c(levels, NA), c(texts, "none"), exclude = NULL) else factor(values, levels, texts)
}

# "Receiver window 44 packets", for panels, in order.
named_values <- function(values, path, labels) {
  ordered <- in_order(values, path, labels)
  levels(ordered) <- paste(capitalised(parameter_name(path, labels)), levels(ordered))
  ordered
}

line_types <- function(axes, shown, labels) {
  if (is.na(axes$line)) {
    return(scale_linetype_manual(values = "solid", guide = "none"))
  }
  types <- rep(c("solid", "42", "12", "4212", "61", "6222"), length.out = nlevels(shown$line))
  scale_linetype_manual(capitalised(parameter_name(axes$line, labels)), values = types)
}

set_panels <- function(axes) {
  if (length(axes$facets) == 0) {
    return(facet_wrap(vars(panel), ncol = 2, scales = "free_y", labeller = label_parsed))
  }
  facet_grid(vars(panel), vars(facet), scales = "free_y", labeller = labeller(panel = label_parsed))
}

# The time when a window first falls by a quarter of its largest value, NA if never.
first_fall <- function(trace) trace$time_s[which(diff(trace$value) < -0.25 * max(trace$value))[1] + 1L]

# 10^-2, as mathematics, of the ticks of a logarithmic axis.
powers_of_ten <- function(x) parse(text = ifelse(is.na(x), "NA", sprintf("10^%d", as.integer(round(log10(x))))))

# Axis numbers without trailing zeros.
axis_numbers <- function(x) {
  trim_zeros(format_number(x, digits = 6))
}
