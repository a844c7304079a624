# The contents of a figure as a table: every drawn point with its panel and curve, and every title, tick and legend. A
# figure that draws the wrong column, or puts a title over the wrong panel, gives a different table.

# Aesthetics that place points and their ends, in the units of the axes whatever the scale.
position_columns <- list(
  x = c("x", "xmin", "xmax", "xend", "xintercept"), y = c("y", "ymin", "ymax", "yend", "yintercept")
)

# The aesthetics whose legends distinguish curves.
curve_aesthetics <- c("colour", "fill", "shape", "linetype", "linewidth", "size", "alpha")

drawn_columns <- c("plot", "panel", "layer", "curve", unlist(position_columns, use.names = FALSE), "shade", "label")

# One row per drawn point, tick, legend entry and title. Plots joined by patchwork are numbered.
drawn_table <- function(plot) {
  rows <- lapply(plots_within(plot), function(one) drawn_rows(suppressWarnings(ggplot_build(one))))
  rows <- rbindlist(rows, idcol = "plot", fill = TRUE)
  setcolorder(rows, intersect(drawn_columns, names(rows)))
  rows[]
}

# The plots that a patchwork holds, in their order.
plots_within <- function(plot) {
  if (!inherits(plot, "patchwork")) {
    return(if (inherits(plot, c("plot_filler", "guide_area"))) list() else list(plot))
  }
  last <- plot
  last$patches <- NULL
  class(last) <- setdiff(class(last), "patchwork")
  c(unlist(lapply(plot$patches$plots, plots_within), recursive = FALSE), plots_within(last))
}

drawn_rows <- function(built) {
  titles <- panel_titles(built)
  layers <- lapply(seq_along(built$data), function(index) layer_rows(built, index, titles))
  scales <- Filter(function(scale) !identical(scale$guide, "none"), built$plot$scales$non_position_scales()$scales)
  legends <- lapply(scales, legend_rows, built$plot$labels)
  # A figure without data has titles only.
  columns <- data.table(panel = character(), layer = character(), curve = character(), label = character())
  rows <- rbindlist(c(list(columns), layers, axis_rows(built, titles), legends, list(title_rows(built))), fill = TRUE)
  rows[is.na(panel), panel := ""][is.na(curve), curve := ""]
}

# The heading above each panel, by its number.
panel_titles <- function(built) {
  params <- built$layout$facet_params
  layout <- built$layout$layout
  strips <- lapply(c("facets", "rows", "cols"), function(side) {
    variables <- layout[names(params[[side]])]
    if (length(variables) > 0) {
      attr(variables, "facet") <- if (side == "facets") "wrap" else "grid"
      attr(variables, "type") <- if (side == "rows") "rows" else "cols"
      lapply(params$labeller(variables), shown_text)
    }
  })
  strips <- unlist(strips, recursive = FALSE)
  titles <- if (length(strips) > 0) do.call(paste, c(unname(strips), sep = ", ")) else rep("", nrow(layout))
  stats::setNames(titles, layout$PANEL)
}

# Titles and labels as text, what is typeset as mathematics in a line: "p_to", "10^2".
shown_text <- function(labels) {
  vapply(as.list(labels), plain_math, "", USE.NAMES = FALSE)
}

plain_math <- function(math) {
  if (is.expression(math)) {
    return(paste(shown_text(math), collapse = ""))
  }
  if (!is.call(math)) {
    return(if (length(math) == 0) "" else as.character(math)[1])
  }
  parts <- shown_text(as.list(math)[-1])
  between <- switch(as.character(math[[1]]), "[" = "_", "^" = "^", "==" = " = ", "-" = "-", "")
  if (length(parts) == 1) paste0(if (between == "-") "-", parts) else paste(parts, collapse = between)
}

# The points of one layer. Without a legend its curve has no name.
layer_rows <- function(built, index, titles) {
  data <- as.data.table(built$data[[index]])
  if (nrow(data) == 0) {
    return(NULL)
  }
  layer <- built$plot$layers[[index]]
  mapped <- intersect(curve_aesthetics, setdiff(names(layer$computed_mapping), names(layer$aes_params)))
  scales <- lapply(stats::setNames(nm = mapped), built$plot$scales$get_scales)
  scales <- Filter(Negate(is.null), scales)
  discrete <- vapply(scales, function(scale) scale$is_discrete(), NA)
  rows <- data.table(
    panel = titles[as.character(data$PANEL)], layer = paste(index, tolower(sub("^Geom", "", class(layer$geom)[1]))),
    curve = curve_names(data, scales[discrete])
  )
  for (axis in names(position_columns)) {
    back <- inverse_of(built$layout[[paste0("panel_scales_", axis)]][[1]])
    for (column in intersect(position_columns[[axis]], names(data))) {
      set(rows, j = column, value = back(as.numeric(data[[column]])))
    }
  }
  if (any(!discrete)) {
    set(rows, j = "shade", value = do.call(paste, lapply(names(scales)[!discrete], function(name) data[[name]])))
  }
  if ("label" %in% names(data)) {
    set(rows, j = "label", value = shown_text(data$label))
  }
  rows
}

# The legends' names for each row.
curve_names <- function(data, scales) {
  if (length(scales) == 0) {
    return(rep("", nrow(data)))
  }
  entries <- lapply(scales, function(scale) {
    breaks <- scale$get_breaks()
    split(shown_text(scale$get_labels(breaks)), as.character(scale$map(breaks)))
  })
  by <- names(scales)
  drawn <- data[, lapply(.SD, as.character), .SDcols = by]
  drawn[, name := curve_name(Map(function(of, value) of[[value[1]]], entries, .SD)), by = by, .SDcols = by]
  drawn$name
}

# One name from several legends: entries that look alike in one legend are distinguished by another.
curve_name <- function(alternatives) {
  clear <- unlist(alternatives[lengths(alternatives) == 1])
  unclear <- Filter(function(names) length(names) > 1 && !any(names %in% clear), alternatives)
  names <- unique(c(clear, vapply(unclear, paste, "", collapse = " or ")))
  paste(names[nzchar(names)], collapse = ", ")
}

inverse_of <- function(scale) {
  if (is.null(scale) || scale$is_discrete()) identity else scale$trans$inverse
}

# The numbers that stand along the axes of each panel.
axis_rows <- function(built, titles) {
  axes <- CJ(panel = seq_along(built$layout$panel_params), axis = names(position_columns))
  Map(function(panel, axis) {
    view <- built$layout$panel_params[[panel]][[axis]]
    breaks <- view$get_breaks()
    places <- if (is.numeric(breaks)) breaks else as.numeric(view$scale$map(breaks))
    labels <- shown_text(view$get_labels())
    shown <- which(is.finite(places) & seq_along(places) <= length(labels))
    if (length(shown) > 0) {
      rows <- data.table(panel = titles[[panel]], layer = paste(axis, "axis"), label = labels[shown])
      set(rows, j = axis, value = inverse_of(view$scale)(places[shown]))
    }
  }, axes$panel, axes$axis)
}

legend_rows <- function(scale, labels) {
  of <- scale$aesthetics[1]
  title <- if (inherits(scale$name, "waiver")) labels[[of]] else scale$name
  entries <- shown_text(scale$get_labels())
  texts <- c(if (length(title) > 0) shown_text(title)[1], entries)
  if (length(texts) > 0) data.table(layer = paste(of, "legend"), label = texts)
}

title_rows <- function(built) {
  labels <- built$plot$labels
  texts <- c(
    list("x title" = built$layout$xlabel(labels)$primary, "y title" = built$layout$ylabel(labels)$primary),
    labels[intersect(c("title", "subtitle", "caption", "tag"), names(labels))]
  )
  texts <- Filter(function(text) length(text) > 0 && !inherits(text, "waiver"), texts)
  if (length(texts) > 0) data.table(layer = names(texts), label = vapply(texts, function(text) shown_text(text)[1], ""))
}
