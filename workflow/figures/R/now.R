# The report's chapter on which claims still hold with today's TCP (results/now.csv).

now_columns <- c(
  "paper", "statement", "tcp", "engine", "verdict", "reason", "what", "item", "text", "then", "cases", "value",
  "ci_low", "ci_high", "bound", "tolerance", "unit", "study", "counted", "engines"
)
now_verdicts <- c("still holds", "no longer", "reversed", "engines differ", "undecided", "does not apply", "smoke")
# The symbol of each verdict, in the colour of a verdict that readers know.
verdict_symbols <- c(
  "still holds" = "holds", "no longer" = "fails", reversed = "fails", "engines differ" = "undecided",
  undecided = "undecided", "does not apply" = "unavailable", smoke = "smoke"
)

read_now <- function(results) {
  path <- file.path(results, "now.csv")
  table <- read_csv_texts(path)
  missing <- setdiff(now_columns, names(table))
  if (length(missing) > 0) {
    abort_with("%s: column %s is missing; needed are %s", path, missing[1], paste(now_columns, collapse = ", "))
  }
  wrong <- which(!table$verdict %in% now_verdicts)
  if (length(wrong) > 0) {
    abort_with("%s: line %d: verdict: '%s' is unknown", path, wrong[1] + 1L, table$verdict[wrong[1]])
  }
  for (column in c("value", "ci_low", "ci_high", "bound", "tolerance")) {
    data.table::set(table, j = column, value = read_numbers(table[[column]], path, column))
  }
  table[]
}

# Counts of the sentences and of the numbers of each paper by verdict: a row for each TCP and paper.
table_of_now_counts <- function(now, names) {
  rows <- now[counted == "true"]
  keys <- unique(rows[, .(tcp, paper)])[order(match(tcp, unique(now$tcp)), match(paper, names(names)))]
  whats <- intersect(c("sentence", "number"), rows$what)
  there <- lapply(whats, function(one) intersect(now_verdicts, rows[what == one]$verdict))
  column <- function(wanted, one) {
    counts <- rows[what == one & verdict == wanted][keys, .N, on = c("tcp", "paper"), by = .EACHI]$N
    list(heading = wanted, cells = count_text(counts))
  }
  last <- 2L + cumsum(lengths(there))
  columns_to_table(
    c(
      list(
        list(heading = "with", cells = literal(keys$tcp)), list(heading = "Paper", cells = literal(names[keys$paper]))
      ),
      unlist(Map(function(one, verdicts) lapply(verdicts, column, one = one), whats, there), recursive = FALSE)
    ),
    groups = 1, spans = data.table(
      text = c(sentence = "Sentences", number = "Numbers")[whats], from = last - lengths(there) + 1L, to = last
    )
  )
}

# The sentences of a paper that apply: a row each, a column per TCP. A TCP to which fewer than half of them apply has
# its own table.
tables_of_now_sentences <- function(now, one) {
  rows <- now[paper == one & what == "sentence" & !verdict %in% "does not apply"]
  sentences <- unique(rows[, .(statement, text)])
  # Repeated remarks name their table.
  alike <- sentences$text[duplicated(sentences$text)]
  rows[text %in% alike, text := sprintf("%s (%s)", text, sub("^(.)", "\\L\\1", item_label(item), perl = TRUE))]
  rows[, few := 2 * data.table::uniqueN(statement) < nrow(sentences), by = tcp]
  lapply(split(rows, by = "few"), table_of_now_sentences)
}

table_of_now_sentences <- function(rows) {
  sentences <- unique(rows[, .(statement, text)])
  names <- unique(rows$tcp)
  columns <- lapply(names, function(name) {
    list(heading = literal(name), cells = now_cells(rows[tcp == name], sentences$statement))
  })
  columns_to_table(
    c(list(list(heading = "Sentence", cells = literal(sentences$text))), columns),
    wrap = seq_len(length(columns) + 1), share = c(0.4, rep(0.5 / length(columns), length(columns)))
  )
}

# "no longer (2 of 5); Linux: undecided", "still holds, Linux too" or "engines differ (packetsim: reversed; Linux: still
# holds)": the verdict that counts, with its symbol, and that of a second engine.
now_cells <- function(rows, statements) {
  counted <- rows[counted == "true"][match(statements, statement)]
  second <- rows[counted != "true"][match(statements, statement)]
  engine <- source_name(second$engine, common_labels)
  agrees <- second$verdict == counted$verdict
  addition <- ifelse(agrees, sprintf(", %s too", engine), sprintf("; %s: %s", engine, now_text(second)))
  told <- is.na(agrees) | counted$verdict == "engines differ"
  text <- paste0(now_text(counted), ifelse(told, "", addition))
  cells(text, "", ifelse(is.na(counted$verdict), "", verdict_symbols[counted$verdict]))
}

now_text <- function(rows) {
  counts <- sub("^in ([0-9]+ of [0-9]+) cases$", " (\\1)", rows$reason)
  counts[!grepl("^ \\(", counts)] <- ""
  counts <- ifelse(rows$verdict %in% "engines differ", sprintf(" (%s)", rows$reason), counts)
  ifelse(is.na(rows$verdict), "", paste0(rows$verdict, counts))
}

# Reasons why sentences of the papers do not apply, with their counts and their tables and figures.
table_of_now_reasons <- function(now, names) {
  rows <- now[what == "sentence" & counted == "true" & verdict == "does not apply"]
  if (nrow(rows) == 0) {
    return(NULL)
  }
  shown <- rows[, .(count = .N, items = listed_once(item)), by = .(paper, tcp, reason)]
  shown <- shown[, .(tcp = toString(sort(tcp))), by = .(paper, reason, count, items)]
  shown <- shown[order(match(paper, names(names)), tcp, -count)]
  columns_to_table(list(
    list(heading = "Paper", cells = literal(names[shown$paper])),
    list(heading = "with", cells = literal(shown$tcp)),
    list(heading = "Sentences", cells = as.character(shown$count)),
    list(heading = "do not apply, because", cells = literal(shown$reason)),
    list(heading = "of", cells = literal(shown$items))
  ), groups = 2, wrap = c(4, 5), share = c(0.37, 0.155))
}

now_caption <- paste(
  "\\textbf{The papers' TCP and today's on the same networks.} Each paper's model and its own TCP, named above",
  "the panel, beside CUBIC, CUBIC behind FQ-CoDel, and BBR; with 95\\,\\% intervals where they are wider than the",
  "points."
)

# The finding of each panel of the figure, a paragraph each (now_findings.csv), with the panel's letter.
read_now_findings <- function(results) read_csv_texts(file.path(results, "now_findings.csv"))

tex_now_findings <- function(findings) {
  if (nrow(findings) == 0) {
    return(NULL)
  }
  c(
    "\\begin{description}\\setlength{\\itemsep}{2pt}\\setlength{\\parsep}{0pt}",
    sprintf(
      "\\item[(%s) %s] %s", letters[seq_len(nrow(findings))], tex_escape(findings$question),
      tex_escape(findings$finding)
    ),
    "\\end{description}"
  )
}

# The chapter: the results of all papers.
tex_now <- function(findings) {
  c(
    "\\input{sections/now}",
    tex_now_findings(findings),
    sprintf("\\figureitem{fig:now}{report/now}{%s}", now_caption),
    "\\FloatBarrier"
  )
}

# Its appendix: a table of sentences for each paper, and the sentences that do not apply.
tex_now_sentences <- function(now, studies) {
  names <- stats::setNames(study_names(studies), studies$study)
  papers <- intersect(studies$study, now$paper)
  c(
    "\\section{Then and now, sentence by sentence}",
    tex_now_table(list(table_of_now_counts(now, names[papers])), "now/counts", "What still holds, by paper."),
    unlist(lapply(papers, function(one) {
      tex_now_table(
        tables_of_now_sentences(now, one), paste0("now/", one),
        sprintf(
          "\\textbf{What still holds of %s.} In brackets: in how many cases. Empty: not asked.",
          tex_escape(names[[one]])
        )
      )
    })),
    tex_now_table(
      list(table_of_now_reasons(now, names[papers])), "now-reasons",
      "Sentences that cannot be asked of today's TCP, and why."
    ),
    "\\FloatBarrier"
  )
}

tex_now_table <- function(tables, label, caption) {
  tables <- Filter(Negate(is.null), tables)
  if (length(tables) > 0) c(sprintf("\\tableitem{tab:%s}{%s}", label, caption), tex_tables(tables))
}
