# The command bin/report.R.

report_options <- list(
  optparse::make_option("--study", default = "", help = "the study to write about; none: what frames them"),
  optparse::make_option("--results", default = "results", help = "folder of the result files [%default]"),
  optparse::make_option("--paper", default = "paper", help = "folder of the report's prose [%default]"),
  optparse::make_option("--speed", action = "store_true", default = FALSE, help = "with the section on bench.csv"),
  optparse::make_option("--now", action = "store_true", default = FALSE, help = "with the chapter on now.csv"),
  optparse::make_option("--out", default = "results/report/generated", help = "folder of the pieces [%default]")
)

read_provenance <- function(results) {
  path <- file.path(results, "provenance.json")
  if (!file.exists(path)) {
    abort_with("%s: no such file", path)
  }
  tryCatch(
    jsonlite::read_json(path),
    error = function(error) abort_with("%s: cannot be read as JSON: %s", path, one_line(error))
  )
}

report_command <- function(figures) {
  asked <- parse_options(report_options, "Writes the generated pieces of the report.")
  put <- function(lines, name) write_lines(lines, file.path(asked$out, paste0(name, ".tex")))
  if (nzchar(asked$study)) report_study(figures, asked, put) else report_frame(asked, put)
}

# The report's pieces on one study: its numbers, its items and its appendix.
report_study <- function(figures, asked, put) {
  results <- read_study(asked$results, asked$study)
  labels <- labels_of(results)
  put(tex_numbers(study_numbers(results)), paste0(asked$study, "-numbers"))
  is_own <- nrow(own_studies(results$studies)) > 0
  put(
    if (is_own) tex_own_study(results, labels) else tex_study(results),
    asked$study
  )
  put(if (is_own) tex_own_appendix(results, labels) else tex_extra(results), paste0(asked$study, "-extra"))
}

# The report's pieces on all studies: numbers of all of them, the order of sections, provenance.
report_frame <- function(asked, put) {
  studies <- read_result(asked$results, "studies")
  papers <- nrow(own_studies(studies)) < nrow(studies)
  provenance <- read_provenance(asked$results)
  names <- c("claims", "statements", "equivalence", "causes", "studies")
  verdicts <- lapply(stats::setNames(nm = names), function(name) read_result(asked$results, name))
  front <- if (!papers) "own" else if (nrow(verdicts$claims) > 0) "papers" else "study"
  numbers <- c(
    title = if (front == "papers") {
      "TCP Atlas: classic TCP performance results, computed again"
    } else {
      toString(studies$title)
    },
    total_numbers(verdicts), provenance_numbers(provenance),
    commit = substr(c(provenance$commit$id, "unknown")[1], 1, 10), date = c(provenance$commit$date, "")[1],
    "judged-by-runs" = judged_text(verdicts$claims),
    if (asked$speed) speed_numbers(read_result(asked$results, "bench"))
  )
  inputs <- function(suffix) sprintf("\\input{report/generated/%s%s}", studies$study, suffix)
  put(sprintf("\\input{front-%s}", front), "front")
  put(c(tex_colours(), tex_numbers(numbers), inputs("-numbers")), "numbers")
  put(tex_findings(studies, asked$paper, is_judged(verdicts$claims)), "findings")
  put(tex_causes(verdicts), "causes")
  put(tex_papers(studies), "papers")
  put(if (asked$now) tex_escape(readLines(file.path(asked$results, "now.txt"))), "now-told")
  put(if (asked$now) "\\paragraph{Do the results still hold?} \\input{report/generated/now-told}", "now-front")
  now <- if (asked$now) read_now(asked$results)
  chapter <- if (asked$now) tex_now(read_now_findings(asked$results))
  put(c(tex_body(studies, asked$paper), chapter, if (asked$speed) tex_speed_section), "body")
  sentences <- if (asked$now) tex_now_sentences(now, studies)
  put(c(inputs("-extra"), sentences, tex_open_questions(verdicts), tex_provenance(provenance)), "appendix")
}
