# Makes the small results of which testthat/test-pictures.R draws every item, from a smoke run of this very tree:
#
#   Rscript workflow/figures/tests/freeze.R results
#
# Of a set at most 9 points are left, of a distribution 25 probabilities, of a trace 60 samples, of a number three
# digits and of a text 40 letters: enough to see a picture change, and not what a run found.

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
tests <- dirname(script)
source(file.path(dirname(tests), "bin", "load.R"))
suppressPackageStartupMessages(library(ggplot2))
source(file.path(tests, "testthat", "helper-pictures.R"), local = tcpatlas)

evenly <- function(count, most) unique(round(seq(1, count, length.out = min(count, most))))

short <- function(table) {
  for (name in setdiff(names(table), c("set", "point", "metric"))) {
    column <- table[[name]]
    set(table, j = name, value = if (is.numeric(column)) signif(column, 3) else substr(column, 1, 40))
  }
  table
}

code_text <- function(study) {
  files <- Sys.glob(file.path(figures, "studies", c(paste0(study, ".R"), file.path(study, "*.R"))))
  paste(unlist(lapply(files, readLines)), collapse = " ")
}

# The rows whose metric or distribution the code of a study, or a claim, names.
named <- function(table, what, study, claimed) {
  text <- code_text(study)
  in_code <- vapply(sub("\\[.*$", "", table[[what]]), grepl, NA, x = text, fixed = TRUE)
  table[in_code | table[[what]] %in% claimed$metric]
}

freeze <- function(results, study, out) {
  tables <- tcpatlas$read_study(results, study)
  items <- tcpatlas$pictured_items(tables)
  drawn <- unique(unlist(lapply(items[kind == "figure"]$item, function(name) tcpatlas$sets_of(tables, name))))
  sets <- unique(c(drawn, unlist(lapply(items$item, function(name) tcpatlas$sets_of(tables, name)))))
  claimed <- tables$claims[item %in% items$item]
  few <- tables$points[set %in% sets, .SD[evenly(.N, 9)], by = set, .SDcols = "point"]
  few <- unique(rbind(few, claimed[item %in% items[kind == "table"]$item & nzchar(point), .(set, point)]))
  cut <- list(
    items = function(table) table[item %in% items$item],
    claims = function(table) if (grepl("whole$claims", code_text(study), fixed = TRUE)) table else claimed,
    statements = function(table) table[item %in% items$item],
    distributions = function(table) named(table[set %in% drawn & x < 25], "distribution", study, claimed[0]),
    traces = function(table) table[, .SD[evenly(.N, 60)], by = .(set, point, engine, trace)],
    observations = function(table) named(table, "metric", study, claimed),
    predictions = function(table) named(table, "metric", study, claimed),
    errors = function(table) named(table, "metric", study, claimed)
  )
  for (name in setdiff(names(tcpatlas$result_columns), "bench")) {
    table <- tcpatlas$read_result(file.path(results, "studies", study), name)
    if (all(c("set", "point") %in% names(table)) && !name %in% c("claims", "statements", "equivalence")) {
      table <- table[few, on = c("set", "point"), nomatch = NULL]
    }
    table <- if (is.null(cut[[name]])) table else cut[[name]](table)
    path <- file.path(out, "studies", study, paste0(name, ".csv"))
    dir.create(dirname(path), recursive = TRUE, showWarnings = FALSE)
    whole <- name %in% c("points", "items", "studies", "labels")
    fwrite((if (whole) table else short(table))[, tcpatlas$result_columns[[name]], with = FALSE], path)
  }
  # The points themselves, of the sets that an item reads.
  read <- tcpatlas$read_points
  tcpatlas$read_points <- function(results, name) {
    path <- file.path("points", paste0(name, ".json"))
    dir.create(dirname(file.path(out, path)), recursive = TRUE, showWarnings = FALSE)
    documents <- jsonlite::read_json(file.path(results, path))$points
    points <- list(points = documents[vapply(documents, `[[`, "", "point") %in% few[set == name]$point])
    jsonlite::write_json(points, file.path(out, path), auto_unbox = TRUE, digits = NA)
    points$points
  }
  on.exit(tcpatlas$read_points <- read)
  frozen <- tcpatlas$read_study(out, study)
  frozen$results <- results
  for (row in seq_len(nrow(items))) {
    tcpatlas$pictured(frozen, items[row], tempfile())
  }
}

results <- commandArgs(TRUE)[1]
out <- file.path(tests, "testthat", "frozen")
unlink(out, recursive = TRUE)
for (study in list.files(file.path(results, "studies"))) {
  freeze(results, study, out)
}
