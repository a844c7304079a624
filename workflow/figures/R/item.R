# One item of a study as a plot or a table: the study's own function where it has one, else the general one.

default_size <- c(width = 6.6, height = 4)

# A plot with the size in inches at which it is saved (full text width is 6.6 inches).
sized <- function(plot, width, height) {
  attr(plot, "size") <- c(width = width, height = height)
  plot
}

size_of <- function(plot) {
  size <- attr(plot, "size")
  if (is.null(size)) default_size else size
}

# The module's function for an item, or NULL: plot_figure_12 for "figure-12", table_06 for "table-06".
own_function <- function(module, prefix, name) {
  name <- sub("^table-", "", name)
  get0(paste0(prefix, "_", gsub("[^A-Za-z0-9]", "_", name)), envir = module, mode = "function", inherits = FALSE)
}

item_plot <- function(data, module) {
  own <- own_function(module, "plot", data$name)
  if (!is.null(own)) own(data) else plot_set(data)
}

# A list of tables: most items are one.
item_tables <- function(data, module) {
  own <- own_function(module, "table", data$name)
  if (is.null(own)) {
    own <- if (nrow(data$claims) > 0) table_published else table_set
  }
  made <- own(data)
  if ("body" %in% names(made)) list(made) else made
}

# The study's labels: the common ones, those of the models that answered it, and its own.
labels_for <- function(figures, study, sources) {
  models <- unique(sub("^model:([^/]*).*$", "\\1", grep("^model:", sources, value = TRUE)))
  labels <- common_labels
  for (name in unique(c(models, study))) {
    labels <- merge_labels(labels, load_study(figures, name)$labels)
  }
  labels
}

# What the page of an item says above it.
item_title <- function(data) {
  sprintf("%s/%s: %s", data$study, data$name, data$title)
}
