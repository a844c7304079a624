# The curves of a figure for results/explore.html: what plotly draws in a browser, with hover.

# The figure of an item as a list of plots, each list(data, layout) for Plotly.newPlot; plots that patchwork puts beside
# one another come one by one.
plot_curves <- function(plot) {
  lapply(plots_within(plot), function(one) {
    widget <- suppressWarnings(plotly::plotly_build(plotly::ggplotly(one)))$x
    layout <- widget$layout
    layout[c("width", "height")] <- NULL
    layout$autosize <- TRUE
    layout$legend <- list(orientation = "h", y = -0.2, title = layout$legend$title)
    data <- lapply(widget$data, function(trace) trace[setdiff(names(trace), c("frame", "set", "key", "hoveron"))])
    in_html(list(data = data, layout = layout))
  })
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

# Numbers with five digits, and plotmath as HTML, however deep.
in_html <- function(node) {
  if (is.list(node)) {
    return(lapply(node, in_html))
  }
  if (is.expression(node) || is.language(node)) {
    return(plotmath_html(node))
  }
  if (is.character(node)) {
    marked <- grepl("paste(", node, fixed = TRUE)
    node[marked] <- vapply(node[marked], written_plotmath, "")
    return(unclass(node))
  }
  if (is.double(node)) signif(node, 5) else unclass(node)
}

# A text in which plotly has written plotmath out: "paste(\\"Goodput \\", italic(h)): 12".
written_plotmath <- function(text) {
  start <- regexpr("paste(", text, fixed = TRUE)
  depth <- cumsum((strsplit(text, "")[[1]] == "(") - (strsplit(text, "")[[1]] == ")"))
  places <- seq_along(depth)
  end <- places[places > start & depth == depth[max(start - 1, 1)] * (start > 1)][1]
  inside <- tryCatch(str2lang(substring(text, start, end)), error = function(error) NULL)
  if (is.null(inside)) {
    return(text)
  }
  paste0(substring(text, 1, start - 1), plotmath_html(inside), in_html(substring(text, end + 1)))
}

# What plot_label() makes, as HTML.
plotmath_html <- function(math) {
  if (is.expression(math)) {
    return(vapply(as.list(math), plotmath_html, ""))
  }
  if (!is.call(math)) {
    return(html_escape(as.character(math)))
  }
  arguments <- lapply(as.list(math)[-1], plotmath_html)
  switch(as.character(math[[1]]),
    italic = sprintf("<i>%s</i>", arguments[[1]]),
    "[" = sprintf("%s<sub>%s</sub>", arguments[[1]], arguments[[2]]),
    paste(arguments, collapse = "")
  )
}

save_curves <- function(plot, stem) {
  json <- jsonlite::toJSON(plot_curves(plot), auto_unbox = TRUE, null = "null", na = "null", digits = 8, force = TRUE)
  write_lines(as.character(json), paste0(stem, ".json"))
}
