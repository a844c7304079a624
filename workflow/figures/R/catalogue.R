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

# docs/metrics.md: a table of each kind of result, in the order of metrics.yaml.
metrics_page <- function(workflow) {
  entries <- yaml::read_yaml(file.path(workflow, "metrics.yaml"))
  kinds <- vapply(entries, function(entry) if (is.null(entry$kind)) "metric" else entry$kind, "")
  by <- vapply(entries, function(entry) if (is.null(entry$by)) "engines" else entry$by, "")
  lines <- sprintf("| `%s` | %s | %s | %s | %s |", names(entries), vapply(entries, function(entry) {
    paste(c(entry$title, entry$symbol), collapse = ", ")
  }, ""), vapply(entries, `[[`, "", "unit"), by, vapply(entries, `[[`, "", "definition"))
  tables <- lapply(unique(kinds), function(kind) {
    c("", sprintf("## %ss", capitalised(kind)), "", "| name | title, symbol | unit | given by | definition |",
      "|---|---|---|---|---|",
      lines[kinds == kind])
  })
  c(metrics_head, unlist(tables))
}

metrics_head <- c(
  "# Metrics, distributions and traces", "",
  "Made of `workflow/metrics.yaml` by `Rscript workflow/figures/bin/metrics.R`; a test compares the two.", "",
  "`name[x]` is the metric of `x`: of the files in an interval of sizes, or with `x` connections active. Engines also",
  "give `name_lowest` and `name_highest`, over the replications of a point; some models give `name__reading`, the",
  "metric by another reading of the model's equations.", "",
  "A metric given by engines may be given by models, too; one given by models has no simulated value to compare with.",
  "Which engine gives a metric depends on the point: on its workload, and on its probes (docs/formats.md)."
)
