# The command bin/report.R.

report_options <- list(
  optparse::make_option("--results", default = "results", help = "folder of the result files [%default]"),
  optparse::make_option("--published", default = "config/papers", help = "folder of the papers' numbers [%default]"),
  optparse::make_option("--paper", default = "paper", help = "folder of the report's prose [%default]"),
  optparse::make_option("--speed", action = "store_true", default = FALSE, help = "with the section on bench.csv"),
  optparse::make_option("--out", default = "results/report/generated", help = "folder of the pieces [%default]")
)

read_provenance <- function(results) {
  path <- file.path(results, "provenance.json")
  if (!file.exists(path)) {
    stop_plainly("%s: no such file", path)
  }
  tryCatch(
    jsonlite::read_json(path),
    error = function(error) stop_plainly("%s: cannot be read as JSON: %s", path, one_line(error))
  )
}

report_command <- function(figures) {
  asked <- parse_options(report_options, "Writes the generated pieces of the report.")
  results <- read_results(asked$results, asked$published)
  provenance <- read_provenance(asked$results)
  studies <- unique(sub("/.*$", "", results$observations$set))
  labels <- lapply(stats::setNames(studies, studies), function(study) {
    labels_for(figures, study, results$observations[startsWith(set, paste0(study, "/")), engine])
  })
  put <- function(lines, name) write_lines(lines, file.path(asked$out, paste0(name, ".tex")))
  for (study in studies) {
    put(tex_study(results, asked$published, study, labels[[study]], load_study(figures, study)), study)
  }
  speed <- if (asked$speed) speed_numbers(read_result(asked$results, "bench"))
  numbers <- c(report_numbers(results), provenance_numbers(provenance), speed)
  put(c(tex_colours(), tex_numbers(numbers)), "numbers")
  put(c(tex_body(studies, asked$paper), if (asked$speed) tex_speed_section), "body")
  put(tex_appendix(results, asked$published, provenance, labels), "appendix")
}
