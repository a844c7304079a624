# Catalogues of other parts of the workflow: workflow/metrics.yaml and workflow/engines/*/engine.yaml.

# Puts the titles, symbols and units of all metrics and the titles, colours and shapes of all engines into the package.
load_catalogue <- function(workflow) {
  package <- parent.env(environment())
  package$common_labels$metrics <- lapply(yaml::read_yaml(file.path(workflow, "metrics.yaml")), function(entry) {
    c(entry$title, if (is.null(entry$symbol)) "" else entry$symbol, entry$shown)
  })
  engines <- lapply(engine_files(workflow), yaml::read_yaml)
  package$common_labels$sources <- c(common_labels$sources, lapply(engines, `[[`, "title"))
  package$source_styles <- rbind(source_styles, data.table(
    source = names(engines), colour = vapply(engines, `[[`, "", "colour"),
    shape = vapply(engines, function(engine) as.integer(engine$shape), 0L)
  ))
}

# The engine.yaml of each engine, by its name.
engine_files <- function(workflow) {
  files <- Sys.glob(file.path(workflow, "engines", "*", "engine.yaml"))
  stats::setNames(files, basename(dirname(files)))
}
