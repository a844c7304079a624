# Causes of deviations (results/causes.csv), and how many numbers and sentences each explains.

# A row per cause that explains anything, the one with the most numbers first: study, cause, text, shown_by, and the
# counts of numbers that deviate and sentences that fail; a last row per study, with no cause, for the unexplained ones.
counted_causes <- function(results) {
  numbers <- counted_numbers(results$claims)[verdict == "deviates", .(study = paper, cause)][, kind := "numbers"]
  sentences <- counted_sentences(results$statements)[verdict == "fails", .(study = paper, cause)][, kind := "sentences"]
  counts <- rbind(numbers, sentences)[, .(
    numbers = sum(kind == "numbers"), sentences = sum(kind == "sentences")
  ), by = .(study, cause)]
  rows <- join_in_order(counts, results$causes, c("study", "cause"))
  rows[order(!nzchar(cause), -numbers, -sentences)]
}

without_cause <- "Neither a cause nor an open question."
open_questions <- "Open questions; the appendix lists them, with what was tried."
smaller_causes <- "Smaller causes; causes.csv has all of them."

# The number of causes in the report.
most_shown <- 10

# The causes as a table: the `shown` ones that explain most, then one row each, over all studies, for the other causes,
# for open questions and for deviations without either.
table_of_causes <- function(results, shown = Inf) {
  rows <- counted_causes(results)
  named <- rows[nzchar(cause) & !nzchar(tried)]
  sums <- function(some, heading) {
    if (nrow(some) > 0) {
      some[, .(study = "all", text = heading, shown_by = "", numbers = sum(numbers), sentences = sum(sentences))]
    }
  }
  rows <- rbind(
    named[seq_len(.N) <= shown, .(study, text = literal(text), shown_by, numbers, sentences)],
    sums(named[seq_len(.N) > shown], smaller_causes), sums(rows[nzchar(cause) & nzchar(tried)], open_questions),
    sums(rows[!nzchar(cause)], without_cause)
  )
  columns_to_table(list(
    list(heading = "Paper", cells = fcoalesce(
      study_names(results$studies)[match(rows$study, results$studies$study)], rows$study
    )),
    list(heading = "Cause", cells = rows$text),
    list(heading = "Numbers", cells = count_text(rows$numbers)),
    list(heading = "Sentences", cells = count_text(rows$sentences)),
    list(heading = "Shown by", cells = literal(basename(rows$shown_by)))
  ), wrap = c(1, 2, 5), share = c(0.14, 0.46, 0.14))
}

# "22 numbers", "1 number, 2 sentences".
open_text <- function(numbers, sentences) {
  toString(c(
    if (numbers > 0) paste(numbers, ngettext(numbers, "number", "numbers")),
    if (sentences > 0) paste(sentences, ngettext(sentences, "sentence", "sentences"))
  ))
}

# Deviations without a known cause, with what was tried, for the appendix; NULL if there are none.
tex_open_questions <- function(results) {
  rows <- counted_causes(results)[nzchar(cause) & nzchar(tried)]
  if (nrow(rows) == 0) {
    return(NULL)
  }
  table <- columns_to_table(list(
    list(heading = "Paper", cells = study_names(results$studies)[match(rows$study, results$studies$study)]),
    list(heading = "Question", cells = literal(rows$text)), list(heading = "Tried", cells = literal(rows$tried)),
    list(heading = "Open", cells = mapply(open_text, rows$numbers, rows$sentences))
  ), wrap = c(1, 2, 3), share = c(0.13, 0.26, 0.42))
  c("\\section{Open questions}", "{\\footnotesize", tex_table(table), "}")
}

count_text <- function(counts) ifelse(counts > 0, as.character(counts), "")

# For the first pages.
tex_causes <- function(results) {
  if (nrow(counted_causes(results)) == 0) {
    return(NULL)
  }
  c(
    "\\section*{What deviates, and why}",
    paste(
      "One row per cause: how many published numbers and sentences it explains (each counted once), and where to find",
      "the evidence."
    ),
    "{\\footnotesize", tex_table(table_of_causes(results, most_shown)), "}"
  )
}

# Counts of the numbers and sentences that each cause explains, for the text: engset/cause/chance/numbers.
cause_numbers <- function(results) {
  rows <- counted_causes(results)
  causes <- results$causes[, .(study, cause)]
  if (nrow(causes) == 0) {
    return(character())
  }
  counts <- rows[causes, on = c("study", "cause"), mult = "first"]
  paths <- paste0(causes$study, "/cause/", causes$cause)
  stats::setNames(
    as.character(c(fcoalesce(counts$numbers, 0L), fcoalesce(counts$sentences, 0L))),
    c(paste0(paths, "/numbers"), paste0(paths, "/sentences"))
  )
}
