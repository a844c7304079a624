# The report's pieces on a user's scenario, which has no items: its question, its sets, and the errors of its models
# against the simulation.

# The studies without items. `studies` are the rows of studies.csv.
own_studies <- function(studies) studies[!nzchar(folder)]

# The name under which this repository has figure code and prose of each study; a user's scenario named like a paper has
# none.
code_of <- function(studies) ifelse(startsWith(studies$folder, "scenarios/"), studies$study, "")

# The opening of a user's study: its title as a heading, unless it is the report's, and its question.
tex_own_head <- function(study, only) {
  c(
    if (!only) c("\\clearpage", sprintf("\\section{%s}", tex_escape(study$title))),
    if (nzchar(study$question)) sprintf("\\paragraph{The question.} %s", tex_escape(study$question))
  )
}

# Each set by itself: its figure, its table, and a warning of models that are off.
tex_own_study <- function(results, labels) {
  unlist(lapply(unique(results$items$item), function(name) {
    data <- item_data(results, name, labels)
    title <- tex_label(literal(data$title))
    c(
      sprintf("\\subsection*{%s}", title), tex_warnings(model_warnings(data)),
      tex_figure_item(results$study, name, sprintf("%s.", title)),
      tex_table_item(results$study, name, sprintf("%s.", title)), "\\FloatBarrier"
    )
  }))
}

# Every metric of every set, where the report shows only some.
tex_own_appendix <- function(results, labels) {
  tables <- lapply(unique(results$items$item), function(name) {
    data <- item_data(results, name, labels)
    if (length(data$metrics) == 0) {
      return(NULL)
    }
    data$metrics <- character()
    c(sprintf("\\subsection*{%s}", tex_label(literal(data$title))), tex_table(table_set(data)))
  })
  if (length(unlist(tables)) > 0) c("\\section{All that was simulated and predicted}", unlist(tables))
}

misleading <- 0.1

# A row for each shown model and metric whose error certainly exceeds 10 % at some point: the smallest and the largest
# of its errors there.
model_warnings <- function(data) {
  shown <- if (length(data$metrics) > 0) data$metrics else unique(data$errors$metric)
  errors <- data.table::copy(data$errors)[metric %in% shown & is.finite(value)]
  errors[, `:=`(low = fcoalesce(ci_low, value), high = fcoalesce(ci_high, value))]
  errors <- errors[low > misleading | high < -misleading]
  if (nrow(errors) == 0) {
    return(errors)
  }
  summed <- errors[order(match(metric, shown)), .(low = min(value), high = max(value)), by = .(model, metric)]
  summed[, `:=`(model = model_name(model, data$labels), name = vapply(metric, metric_name, "", data$labels))]
  summed[]
}

tex_warnings <- function(warnings) {
  if (nrow(warnings) == 0) {
    return(NULL)
  }
  lines <- warnings[, .(text = paste0(uncapitalised(name), " (", error_range(low, high), ")", collapse = ", ")),
    by = model
  ]
  who <- sub("^model\\b", "the model", lines$model)
  sprintf(
    "\\paragraph{Not to be relied on here.} The simulation finds %s off by more than 10\\,\\%% in %s.",
    tex_escape(who), tex_label(lines$text)
  )
}

# "Loss ratio" inside a sentence; "ET" stays.
uncapitalised <- function(names) sub("^([A-Z])(?=[a-z])", "\\L\\1", names, perl = TRUE)

# "+12 % to +98 %", or one number where both are the same.
error_range <- function(low, high) {
  texts <- lapply(list(low, high), function(share) sub("-", "\u2212", sprintf("%+.0f %%", 100 * share), fixed = TRUE))
  ifelse(texts[[1]] == texts[[2]], texts[[1]], paste(texts[[1]], "to", texts[[2]]))
}
