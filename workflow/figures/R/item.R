# One item of a study as a plot or a table: by the study's own function if it has one, else the general one.

default_size <- c(width = 6.6, height = 2.6)

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
  of_study <- own_function(module, "plot", data$name)
  if (!is.null(of_study)) of_study(data) else plot_set(data)
}

# A list of tables: most items are one.
item_tables <- function(data, module) {
  of_study <- own_function(module, "table", data$name)
  made <- if (is.null(of_study)) general_tables(data) else of_study(data)
  if (is_table(made)) list(made) else made
}

# The printed numbers, the statements, or both; for a set without printed numbers, its metrics.
general_tables <- function(data) {
  tables <- c(
    if (nrow(data$claims) > 0) list(table_published(data)),
    if (nrow(data$statements) > 0) list(table_of_statements(data))
  )
  if (length(tables) > 0) tables else table_set(data)
}

# The common labels, overridden by the study's (labels.csv).
labels_of <- function(results) {
  labels <- results$labels
  titled <- function(chosen) stats::setNames(Map(c, chosen$title, chosen$symbol, chosen$unit), chosen$name)
  plain <- function(chosen) as.list(stats::setNames(chosen$title, chosen$name))
  kinds <- list(metrics = titled, parameters = titled, sources = plain, values = plain)
  added <- Map(function(kind, read) read(labels[labels$kind == kind]), names(kinds), kinds)
  merge_labels(common_labels, added)
}

# The text above an item on its page.
item_title <- function(data) {
  sprintf("%s/%s: %s", data$study, data$name, data$title)
}
