# Why numbers and sentences deviate: the causes (results/causes.csv) with how much each explains, and single deviations.

# A row per cause that explains anything, the one with the most numbers first: study, cause, text, shown_by, and how
# many numbers deviate and sentences fail by it; a last row per study, with no cause, of what no cause explains.
counted_causes <- function(results) {
  numbers <- counted_numbers(results$claims)[verdict == "deviates", .(study = paper, cause)][, kind := "numbers"]
  sentences <- counted_sentences(results$statements)[verdict == "fails", .(study = paper, cause)][, kind := "sentences"]
  counts <- rbind(numbers, sentences)[, .(
    numbers = sum(kind == "numbers"), sentences = sum(kind == "sentences")
  ), by = .(study, cause)]
  rows <- join_in_order(counts, results$causes, c("study", "cause"))
  rows[order(!nzchar(cause), -numbers, -sentences)]
}

without_cause <- "Single deviations without a cause in common; each with its reason in the appendix."
smaller_causes <- "Causes of fewer; all of them in the appendix."

# How many causes the report's first pages have.
most_shown <- 12

# The causes as a table, the `shown` that explain most; of the others, and of what no cause explains, a row each for all
# studies.
table_of_causes <- function(results, shown = Inf) {
  rows <- counted_causes(results)
  named <- rows[nzchar(cause)]
  sums <- function(some, told) {
    if (nrow(some) > 0) {
      some[, .(study = "all", text = told, shown_by = "", numbers = sum(numbers), sentences = sum(sentences))]
    }
  }
  rows <- rbind(
    named[seq_len(.N) <= shown, .(study, text = literal(text), shown_by, numbers, sentences)],
    sums(named[seq_len(.N) > shown], smaller_causes), sums(rows[!nzchar(cause)], without_cause)
  )
  count <- function(column) ifelse(column > 0, as.character(column), "")
  columns_to_table(list(
    list(heading = "Paper", cells = rows$study),
    list(heading = "Cause", cells = rows$text),
    list(heading = "Numbers", cells = count(rows$numbers)),
    list(heading = "Sentences", cells = count(rows$sentences)),
    list(heading = "Shown by", cells = literal(basename(rows$shown_by)))
  ), wrap = c(2, 5), share = c(0.45, 0.16))
}

# For the first pages.
tex_causes <- function(results) {
  if (nrow(counted_causes(results)) == 0) {
    return(NULL)
  }
  c(
    "\\section*{What deviates, and why}",
    paste(
      "A row for each cause, with how many printed numbers deviate and how many sentences fail by it, each once, and",
      "the item or the page of docs/decisions that shows it."
    ),
    "{\\footnotesize", tex_table(table_of_causes(results, most_shown)), "}"
  )
}

# For the appendix.
tex_all_causes <- function(results) {
  if (counted_causes(results)[nzchar(cause), .N] > most_shown) {
    c("\\section{Causes}", "{\\footnotesize", tex_table(table_of_causes(results)), "}")
  }
}

# How many numbers and sentences each cause explains, for the text: engset/cause/chance/numbers.
cause_numbers <- function(results) {
  rows <- counted_causes(results)
  known <- results$causes[, .(study, cause)]
  if (nrow(known) == 0) {
    return(character())
  }
  counts <- rows[known, on = c("study", "cause"), mult = "first"]
  paths <- paste0(known$study, "/cause/", known$cause)
  stats::setNames(
    as.character(c(fcoalesce(counts$numbers, 0L), fcoalesce(counts$sentences, 0L))),
    c(paste0(paths, "/numbers"), paste0(paths, "/sentences"))
  )
}

# ---- single deviations ----

# The numbers of a study that deviate, grouped by item, a row for each reason, whatever its percentages: in whichever
# items it is given, it stands with the first. With how many numbers of what quantities, and the worst of them.
deviating_claims <- function(claims) {
  rows <- data.table::copy(claims)[verdict == "deviates"]
  rows[, off := abs(tolerances_off(rows))]
  rows[, alike := shared_reasons(reason)]
  rows[, place := match(item, unique(claims$item))]
  # data.table's groups are in the order in which they appear.
  rows[order(place, -off, na.last = TRUE), c(
    list(
      deviating = .N, items = list(unique(item)), told = list(unique(.SD[, .(quantity, statistic, reference, unit)]))
    ),
    .SD[which.max(fcoalesce(off, 0))]
  ), by = "alike"]
}

# The rows of deviating_claims() as a table: where, what, how many, the worst, and why.
table_of_deviations <- function(claims, labels) {
  rows <- deviating_claims(claims)
  listed <- function(texts) vapply(texts, toString, "")
  columns_to_table(list(
    list(heading = "Items", cells = listed(rows$items)),
    list(heading = "Quantities", cells = listed(lapply(rows$told, function(told) {
      unique(quantity_symbols(told, labels))
    }))),
    list(heading = "Deviating", cells = as.character(rows$deviating)),
    list(heading = "Worst", cells = measured_cells(rows$value, rows$ci_low, rows$ci_high, rows$published)),
    list(heading = "Printed", cells = rows$published),
    list(heading = "Ours from", cells = source_name(rows$engine, labels)),
    list(heading = "Reason", cells = ifelse(nzchar(rows$alike), literal(capitalised(rows$alike)), "unknown"))
  ), groups = 1, wrap = c(1, 2, 7), share = c(0.1, 0.2, 0.37))
}
