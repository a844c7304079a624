# What a paper says in words: each sentence is a statement, with a verdict of its own.

# A row per sentence and setting. Of a sentence about many settings the values are shown from the smallest to the
# largest, a row per verdict; results/statements.csv has each of them.
table_of_statements <- function(data) {
  notes <- claim_notes(data$statements)
  rows <- data.table::copy(data$statements)
  rows[, `:=`(
    sentence = literal(text), quantity = statement_symbols(rows, data$labels),
    said = predicate_texts(rows),
    reason = ifelse(noted(rows), shared_reasons(reason), "")
  )]
  lines <- summed_up(rows)
  lines[, cell := claim_cells(lines, notes)]
  lines[, ours_from := sub("/.*$", "", source_name(engine, data$labels))]
  columns <- list(
    list(heading = "Statement", cells = lines$sentence), list(heading = "Quantity", cells = lines$quantity),
    list(heading = "Said to be", cells = lines$said), list(heading = "Cases", cells = as.character(lines$settings)),
    list(heading = "Ours from", cells = lines$ours_from), list(heading = "ours", cells = lines$cell),
    list(heading = "to", cells = lines$to)
  )
  shown <- c(rep(TRUE, 3), any(lines$settings > 1), TRUE, TRUE, any(nzchar(lines$to)))
  columns_to_table(columns[shown], groups = 1, notes = notes, wrap = c(1, 2), share = c(0.27, 0.16))
}

few_settings <- 6

# The rows, those of one sentence, verdict and reason as one where a sentence has more than a few: that of the smallest
# value, without its interval, and as text the largest one as `to`.
summed_up <- function(rows) {
  sentence <- c("sentence", "quantity", "said", "kind", "engine")
  rows[, line := if (.N > few_settings) paste(verdict, reason) else as.character(.I), by = sentence]
  rows[, `:=`(settings = .N, to = ""), by = c(sentence, "line")]
  rows[settings > 1, `:=`(
    ci_low = NA_real_, ci_high = NA_real_, to = if (all(is.na(value))) "" else format_measured(max(value, na.rm = TRUE))
  ), by = c(sentence, "line")]
  rows[, .SD[order(value)[1]], by = c(sentence, "line")]
}

# What each statement is about, with its unit: "$h$ (kbit/s)", "mean of $h$ over $N$", "change of $h$ with $N$".
statement_symbols <- function(rows, labels) {
  unname(mapply(
    function(quantity, statistic, reference, along, predicate, unit) {
      if (!nzchar(quantity)) {
        return("")
      }
      symbol <- reference_text(statistic_text(metric_symbol(quantity, labels), statistic), reference, labels)
      trend <- predicate %in% c("increasing", "decreasing")
      change <- if (startsWith(along, "mean ")) "mean change of" else "change of"
      with_unit(if (trend) paste(change, symbol, along_text(sub("^mean ", "", along), labels)) else symbol, unit)
    },
    rows$metric, rows$statistic, rows$reference, rows$along, rows$predicate, rows$unit
  ))
}

along_text <- function(along, labels) {
  if (nzchar(along) && along != "*") paste("over", parameter_symbol(along, labels)) else ""
}

# "at most 5", "increasing", "increasing by at least 3".
predicate_texts <- function(rows) {
  bound <- ifelse(is.na(rows$bound), "", trim_zeros(format_number(rows$bound, digits = 6)))
  trend <- rows$predicate %in% c("increasing", "decreasing")
  beyond <- ifelse(trend & rows$bound %in% 0, "", ifelse(trend & nzchar(bound), paste0("by at least ", bound), bound))
  trimws(paste(rows$predicate, beyond))
}
