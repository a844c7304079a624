# Sentences of papers: each is a statement with its own verdict.

# A row per sentence, by the engines that decide it: the number of cases in which it holds, and the range of the
# computed values. results/statements.csv has each case.
table_of_statements <- function(data) {
  rows <- data.table::copy(data$statements[counted == "true"])
  rows[, `:=`(quantity = statement_symbols(rows, data$labels), claimed = predicate_texts(rows))]
  rows[, reason := ifelse(noted(rows), reason, "")]
  lines <- rows[, .(
    sentence = literal(paste0(text[1], if (nzchar(by_construction[1])) " (by construction)")),
    claim = listed_once(trimws(paste(quantity, claimed))),
    good = sum(verdict == "holds"), cases = .N, computed = value_range(value),
    engine = listed_once(source_name(engine, data$labels)),
    verdict = verdict[which.min(match(verdict, summed_verdicts))], reason = reason[which.max(nchar(reason))]
  ), by = statement]
  notes <- claim_notes(lines)
  letter <- ifelse(noted(lines), names(notes)[match(shared_reasons(lines$reason), notes)], "")
  columns_to_table(list(
    list(heading = "Sentence", cells = lines$sentence), list(heading = "Claim", cells = lines$claim),
    list(heading = "Computed", cells = lines$computed), list(heading = "by", cells = lines$engine),
    list(heading = "Holds in", cells = cells(
      ifelse(lines$cases > 1, paste(lines$good, "of", lines$cases), ""), "", lines$verdict, letter
    ))
  ), notes = notes, wrap = c(1, 2, 3, 4), share = c(0.32, 0.29, 0.09, 0.12))
}

# The distinct texts; of more than three, the first two and how many there are beside them.
listed_once <- function(texts) {
  texts <- unique(texts[nzchar(texts)])
  if (length(texts) > 3) texts <- c(texts[1:2], sprintf("and %d more", length(texts) - 2L))
  paste(texts, collapse = "; ")
}

# "1.1 to 4.9".
value_range <- function(values) {
  values <- values[is.finite(values)]
  if (length(values) == 0) {
    return("")
  }
  paste(unique(format_number(range(values), digits = 3)), collapse = " to ")
}

# The subject of each statement, with its unit: "$h$ (kbit/s)", "mean of $h$ over $N$", "change of $h$ with $N$".
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
