# A figure for results/explore.html: its picture, as in the report, and the hover text of each point.

# The figure of an item as a list of parts, each list(svg, x, y, series): a picture, the titles of its axes, and for
# each curve its name and its points: their place in the picture (px, py, in its own units) and their values as texts
# (x, y, and the interval of y if there is one). Plots joined by patchwork come one by one. `size` in inches.
plot_curves <- function(plot, size) {
  parts <- plots_within(plot)
  lapply(parts, function(one) {
    if (length(parts) > 1) {
      size <- c(width = default_size[["width"]], height = if (has_axes(one)) default_size[["height"]] else 1)
    }
    built <- ggplot_build(with_values(one))
    name_symbol_font()
    picture <- svglite::svgstring(size[["width"]], size[["height"]])
    corners <- on_device(function() NULL, function() {
      layout <- ggplot_gtable(built)
      grid::grid.draw(layout)
      panel_corners(layout, built$layout$layout, size)
    })
    list(
      svg = sub("(?s)^.*?(?=<svg)", "", as.character(picture()), perl = TRUE), x = math_html(built$plot$labels$x),
      y = math_html(built$plot$labels$y), series = if (has_axes(one)) series_of(built, corners) else list()
    )
  })
}

# A legend that is drawn as a plot has none, and its points are nothing.
has_axes <- function(plot) {
  !inherits(ggplot2::calc_element("axis.text.x", ggplot2::theme_grey() + plot$theme), "element_blank")
}

named_aesthetics <- c("colour", "fill", "shape", "linetype")

# The plot with the original values of these aesthetics kept as value_colour and so on: scales replace them by colours,
# which lose the names.
with_values <- function(plot) {
  kept <- function(mapping) {
    mapped <- intersect(named_aesthetics, names(mapping))
    mapping[paste0("value_", mapped, recycle0 = TRUE)] <- mapping[mapped]
    mapping
  }
  plot$mapping <- kept(plot$mapping)
  plot$layers <- lapply(plot$layers, function(layer) ggproto(NULL, layer, mapping = kept(layer$mapping)))
  plot
}

# The place of each panel in the picture, in points from its upper left: PANEL, left, right, top, bottom. Needs an open
# device, for the widths of texts.
panel_corners <- function(layout, panels, size) {
  edges <- function(units, convert, total) {
    flexible <- grid::unitType(units) == "null"
    lengths <- convert(units, "inches", valueOnly = TRUE)
    shares <- as.numeric(units)[flexible]
    lengths[flexible] <- (total - sum(lengths[!flexible])) * shares / sum(shares)
    72 * c(0, cumsum(lengths))
  }
  columns <- edges(layout$widths, grid::convertWidth, size[["width"]])
  rows <- edges(layout$heights, grid::convertHeight, size[["height"]])
  drawn <- layout$layout[grepl("^panel", layout$layout$name), ]
  # The rows and columns of panels among those of the picture.
  row <- sort(unique(drawn$t))[panels$ROW]
  column <- sort(unique(drawn$l))[panels$COL]
  data.table::data.table(
    PANEL = panels$PANEL, left = columns[column], right = columns[column + 1], top = rows[row], bottom = rows[row + 1]
  )
}

# ---- the points of each curve ----

series_of <- function(built, corners) {
  rows <- data.table::rbindlist(lapply(seq_along(built$data), function(index) curve_rows(built, index)), fill = TRUE)
  if (nrow(rows) == 0) {
    return(list())
  }
  # An interval may be a separate layer; a point and the lines through it count once.
  intervals <- unique(rows[is.finite(ymin) & is.finite(ymax)], by = c("PANEL", "name", "x"))
  points <- unique(rows[is.finite(x) & is.finite(y)], by = c("PANEL", "name", "x", "y"))
  points[, c("ymin", "ymax") := intervals[points, on = c("PANEL", "name", "x"), .(x.ymin, x.ymax)]]
  points <- points[, placed(.SD, built, as.integer(as.character(.BY[[1]])), corners[.BY, on = "PANEL"]), by = PANEL]
  unname(lapply(split(points, by = "name"), function(one) {
    columns <- if (any(!is.na(one$low))) one[, .(px, py, x, y, low, high)] else one[, .(px, py, x, y)]
    c(list(name = one$name[1]), lapply(columns, I))
  }))
}

# The points of a layer, and intervals of y, on the scales of its panels: PANEL, name, x, y, ymin, ymax. Lines across a
# panel and texts have none.
curve_rows <- function(built, index) {
  rows <- data.table::as.data.table(built$data[[index]])
  layer <- built$plot$layers[[index]]
  mapped <- names(layer$computed_mapping)
  if (nrow(rows) == 0 || "label" %in% mapped) {
    return(NULL)
  }
  if (all(c("xmin", "xmax", "ymin", "ymax") %in% mapped)) {
    rows[, c("x", "y", "ymin", "ymax") := list((xmin + xmax) / 2, (ymin + ymax) / 2, NA_real_, NA_real_)]
  }
  if (!"x" %in% names(rows)) {
    return(NULL)
  }
  # Bars and ribbons have no interval, or no value.
  interval <- all(c("ymin", "ymax") %in% mapped) && is.numeric(rows[["ymin"]])
  value <- "y" %in% names(rows) && !inherits(layer$geom, "GeomRibbon")
  rows[, .(
    PANEL, name = series_names(built, rows), x = as.numeric(x), y = if (value) as.numeric(rows$y) else NA_real_,
    ymin = if (interval) as.numeric(rows$ymin) else NA_real_, ymax = if (interval) as.numeric(rows$ymax) else NA_real_
  )]
}

# The points of one panel: places in the picture, and values as texts.
placed <- function(points, built, panel, corner) {
  place <- built$layout$coord$transform(points[, .(x, y)], built$layout$panel_params[[panel]])
  scales <- list(x = panel_scale(built, panel, "x"), y = panel_scale(built, panel, "y"))
  data.table::data.table(
    name = points$name, px = round(corner$left + place$x * (corner$right - corner$left), 1),
    py = round(corner$bottom - place$y * (corner$bottom - corner$top), 1),
    x = scale_values(points$x, scales$x), y = scale_values(points$y, scales$y),
    low = scale_values(points$ymin, scales$y), high = scale_values(points$ymax, scales$y)
  )[inside(place)]
}

# The points that a panel shows: coord_cartesian() may leave some outside.
inside <- function(place) {
  place$x >= -0.001 & place$x <= 1.001 & place$y >= -0.001 & place$y <= 1.001
}

panel_scale <- function(built, panel, which) {
  layout <- built$layout$layout
  row <- layout[layout$PANEL == panel, ]
  built$layout[[paste0("panel_scales_", which)]][[row[[paste0("SCALE_", toupper(which))]]]]
}

# Positions on an axis as people read them.
scale_values <- function(positions, scale) {
  if (scale$is_discrete()) {
    limits <- scale$get_limits()
    labels <- math_html(scale$get_labels(limits))
    return(labels[pmin(pmax(round(positions), 1), length(limits))])
  }
  texts <- sprintf("%.6g", signif(scale$trans$inverse(positions), 5))
  ifelse(is.na(positions), NA_character_, texts)
}

# The series of each row: the panel's heading, and the names that the legends give.
series_names <- function(built, rows) {
  panels <- built$layout$layout
  headings <- setdiff(names(panels), c("PANEL", "ROW", "COL", "SCALE_X", "SCALE_Y", "COORD"))
  panel <- match(rows$PANEL, panels$PANEL)
  of_panel <- lapply(headings, function(heading) math_html(as.character(panels[[heading]]))[panel])
  of_legends <- lapply(intersect(paste0("value_", named_aesthetics), names(rows)), function(column) {
    legend_names(rows[[column]], sub("value_", "", column, fixed = TRUE), built$plot)
  })
  # Colour and shape often say the same.
  texts <- do.call(rbind, c(of_panel, of_legends, list(rep("", nrow(rows)))))
  apply(texts, 2, function(column) paste(unique(column[nzchar(column) & !is.na(column)]), collapse = ", "))
}

legend_names <- function(values, aesthetic, plot) {
  scale <- plot$scales$get_scales(aesthetic)
  title <- paste(math_html(scale$name), collapse = "")
  titled <- function(texts) if (nzchar(title)) paste(title, texts) else texts
  if (is.null(scale) || !scale$is_discrete()) {
    return(if (is.numeric(values)) titled(sprintf("%.4g", values)) else as.character(values))
  }
  limits <- scale$get_limits()
  titled(math_html(scale$get_labels(limits))[match(values, limits)])
}

# ---- mathematics ----

# Texts and plotmath (what plot_label() and plot_expression() make) as HTML; nothing is an empty text.
math_html <- function(math) {
  if (is.null(math) || inherits(math, "waiver")) {
    return("")
  }
  if (is.expression(math) || is.list(math)) {
    return(vapply(as.list(math), math_html, ""))
  }
  if (is.language(math)) {
    return(plotmath_html(math))
  }
  vapply(as.character(math), function(text) {
    parsed <- if (grepl("paste(", text, fixed = TRUE)) tryCatch(str2lang(text), error = function(error) NULL)
    if (is.null(parsed)) html_escape(text) else plotmath_html(parsed)
  }, "", USE.NAMES = FALSE)
}

plotmath_html <- function(math) {
  if (!is.call(math)) {
    return(html_escape(as.character(math)))
  }
  arguments <- lapply(as.list(math)[-1], plotmath_html)
  switch(as.character(math[[1]]),
    italic = sprintf("<i>%s</i>", arguments[[1]]),
    tilde = with_tilde(arguments[[1]]),
    "[" = sprintf("%s<sub>%s</sub>", arguments[[1]], arguments[[2]]),
    paste(arguments, collapse = "")
  )
}

save_curves <- function(plot, stem, size) {
  json <- jsonlite::toJSON(plot_curves(plot, size), auto_unbox = TRUE, null = "null", na = "null", digits = 8)
  write_lines(as.character(json), paste0(stem, ".json"))
}
