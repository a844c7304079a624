# The pieces of the report: everything in it that is not prose.

# ---- scorecard ----

tex_scorecard <- function(claims, labels) {
  if (nrow(claims) == 0) {
    return("No published number was compared.")
  }
  deviations <- deviation_texts(claims, labels)
  deviating <- if (nrow(deviations) > 0) {
    c(
      "\\subsection*{What deviates}", "\\begin{deviations}",
      sprintf("\\item[%s] %s", tex_escape(deviations$item), tex_label(deviations$text)), "\\end{deviations}"
    )
  }
  c(
    "\\begin{center}", tex_table(table_scorecard(claims)), "\\end{center}",
    "\\begin{center}",
    "\\includegraphics[max width=\\linewidth, max totalheight=0.9\\textheight]{report/scorecard.pdf}",
    "\\end{center}", deviating
  )
}

# `picture` is plot_scorecard() as lines of HTML.
html_scorecard <- function(claims, labels, picture) {
  if (nrow(claims) == 0) {
    return("<p>No published number was compared.</p>")
  }
  deviations <- deviation_texts(claims, labels)
  deviating <- if (nrow(deviations) > 0) {
    entries <- sprintf("<li><b>%s</b> %s</li>", html_escape(deviations$item), html_label(deviations$text))
    c("<h2>What deviates</h2>", "<ul>", entries, "</ul>")
  }
  meanings <- sprintf("<b>%s</b>: %s", names(verdict_meanings), verdict_meanings)
  c(
    html_table(table_scorecard(claims)), sprintf("<p class=\"legend\">%s.</p>", paste(meanings, collapse = "; ")),
    picture, deviating
  )
}

# ---- numbers in the text ----

# A named list of the numbers that prose may use by \val{name}. Names are paths: claims, engset/claims,
# engset/reproduced, engset/table-06/reproduced, engset/simulation/goodput_per_connection/largest-error. A study may
# have no claims: that of the engines, where there is one only.
report_numbers <- function(results) {
  claims <- results$claims
  studies <- union(claims$paper, sub("/.*$", "", results$observations$set))
  groups <- c(
    list(all = claims),
    split(claims, factor(claims$paper, studies)),
    split(claims, paste0(claims$paper, "/", claims$item))
  )
  counts <- unlist(lapply(names(groups), function(name) verdict_numbers(name, groups[[name]])))
  c(counts, error_numbers(claims), effort_numbers(results$observations))
}

verdict_numbers <- function(name, claims) {
  counts <- vapply(verdicts, function(one) sum(claims$verdict == one), 0L)
  numbers <- c(nrow(claims), counts)
  stats::setNames(as.character(numbers), paste0(name, "/", c("claims", verdicts)))
}

# The largest relative error of each metric and kind of a paper, in percent; inconsistent claims do not count.
error_numbers <- function(claims) {
  judged <- claims[verdict %in% c("reproduced", "deviates", "smoke") & is.finite(relative_error)]
  largest <- judged[, .(error = max(abs(relative_error))), by = .(paper, kind, metric)]
  keys <- largest[, sprintf("%s/%s/%s/largest-error", paper, kind, metric)]
  stats::setNames(sprintf("%s %%", trim_zeros(format_number(100 * largest$error, digits = 2))), keys)
}

# How long the runs were, for the text.
run_length_text <- function(scale) {
  known <- c(
    paper = "of the papers' own length", quick = "of about a tenth of the papers' length",
    smoke = "of a few seconds, too short to judge anything"
  )
  if (scale %in% names(known)) known[[scale]] else paste("at scale", scale)
}

# How much was run, per study: points, simulated points and replications.
effort_numbers <- function(observations) {
  by_study <- data.table::copy(observations)[, study := sub("/.*$", "", set)]
  unlist(lapply(unique(by_study$study), function(one) {
    mine <- by_study[study == one]
    simulated <- !startsWith(mine$engine, "model:") & !grepl("/", mine$engine, fixed = TRUE)
    runs <- unique(mine[simulated, .(set, point, engine, replications)])
    numbers <- c(uniqueN(mine[, .(set, point)]), uniqueN(runs[, .(set, point)]), sum(runs$replications))
    stats::setNames(as.character(numbers), paste0(one, "/", c("points", "simulated-points", "replications")))
  }))
}

# The values of provenance.json, by their paths: provenance/commit.
provenance_numbers <- function(provenance) {
  flat <- unlist(provenance)
  numbers <- stats::setNames(as.character(flat), paste0("provenance/", gsub(".", "/", names(flat), fixed = TRUE)))
  c(numbers, "run-length" = run_length_text(provenance$scale))
}

tex_numbers <- function(numbers) {
  sprintf("\\defineval{%s}{%s}", names(numbers), tex_escape(numbers))
}

# The verdicts' colours, for the marks in the text.
tex_colours <- function() {
  sprintf("\\definecolor{%s}{HTML}{%s}", names(verdict_colours), sub("#", "", verdict_colours, fixed = TRUE))
}

# ---- sections ----

# The body of the report: a section per study, hand-written where there is <paper>/sections/<study>.tex.
tex_body <- function(studies, paper) {
  unlist(lapply(studies, function(study) {
    prose <- file.path(paper, "sections", paste0(study, ".tex"))
    head <- if (file.exists(prose)) {
      sprintf("\\input{sections/%s}", study)
    } else {
      c(
        "\\clearpage", sprintf("\\section{%s}", tex_escape(capitalised(words(study)))),
        "Models and simulators side by side; nothing is published to compare with."
      )
    }
    c(head, sprintf("\\input{report/generated/%s}", study), "\\FloatBarrier")
  }))
}

# The items of a study, in the order of items.yaml, or its sets.
study_items <- function(results, published, study) {
  items <- read_items(published, study)
  if (length(items) > 0) {
    return(lapply(items, function(item) item$title))
  }
  sets <- sub("^[^/]*/", "", unique(results$observations[startsWith(set, paste0(study, "/")), set]))
  stats::setNames(lapply(sets, function(name) capitalised(words(name))), sets)
}

# Every item: a figure, a table, or, of a study without published numbers, both.
tex_study <- function(results, published, study, labels, module) {
  titles <- study_items(results, published, study)
  unlist(lapply(names(titles), function(name) {
    data <- item_data(results, published, study, name, labels)
    caption <- tex_caption(study, name, titles[[name]], data$claims, module$captions[[name]])
    c(
      if (data$is_set || startsWith(name, "figure")) tex_figure_item(study, name, caption),
      if (data$is_set || !startsWith(name, "figure")) tex_table_item(study, name, caption, item_tables(data, module))
    )
  }))
}

tex_caption <- function(study, name, title, claims, more) {
  verdict <- if (nrow(claims) > 0) paste0(" ", verdict_sentence(claims))
  more <- if (!is.null(more)) paste0(" ", tex_label(more))
  paste0("\\textbf{", tex_escape(title), "}", " (\\texttt{", tex_escape(paste0(study, "/", name)), "}).", more, verdict)
}

# "14 of 16 numbers reproduced, 2 deviate."
verdict_sentence <- function(claims) {
  counts <- vapply(verdicts, function(one) sum(claims$verdict == one), 0L)
  others <- c(
    deviates = ngettext(counts[["deviates"]], "deviates", "deviate"), inconsistent = "inconsistent in the paper",
    unavailable = "unavailable", smoke = "from runs too short to judge"
  )
  parts <- paste(counts[names(others)], others)[counts[names(others)] > 0]
  reproduced <- sprintf("%d of %d numbers reproduced", counts[["reproduced"]], nrow(claims))
  paste0(paste(c(reproduced, parts), collapse = ", "), ".")
}

tex_figure_item <- function(study, name, caption) {
  path <- file.path("figures", study, paste0(name, ".pdf"))
  c(
    "\\begin{figure}[htbp]", "\\centering",
    sprintf("\\includegraphics[max width=\\linewidth, max totalheight=0.85\\textheight]{%s}", path),
    sprintf("\\caption{%s}", caption), sprintf("\\label{fig:%s/%s}", study, name), "\\end{figure}"
  )
}

# `tables` are what the file that is put in here holds. If they break over pages they cannot float; their caption then
# stays with what follows it.
tex_table_item <- function(study, name, caption, tables) {
  input <- sprintf("\\input{tables/%s/%s}", study, name)
  label <- sprintf("\\label{tab:%s/%s}", study, name)
  if (!breaks_over_pages(tables)) {
    return(c(
      "\\begin{table}[htbp]", "\\centering", sprintf("\\caption{%s}", caption), label, "\\small", input, "\\end{table}"
    ))
  }
  c(
    "\\FloatBarrier", sprintf("\\par\\Needspace{%d\\baselineskip}", min(nrow(tables[[1]]$body), 30) + 8),
    "\\begingroup\\footnotesize\\centering\\captionsetup{hypcap=false}",
    sprintf("\\captionof{table}{%s}", caption), label, input, "\\par\\endgroup\\bigskip"
  )
}

# ---- appendix ----

# Tolerances and all claims of each paper, then where the numbers come from. `labels` are named by study.
tex_appendix <- function(results, published, provenance, labels) {
  papers <- lapply(unique(results$claims$paper), function(study) {
    c(
      sprintf("\\section{Tolerances of %s}", tex_escape(study)), "{\\footnotesize",
      tex_table(table_tolerances(read_items(published, study), labels[[study]])), "}",
      sprintf("\\section{Claims of %s}", tex_escape(study)), "{\\footnotesize",
      tex_table(table_claims(results, published, study, labels[[study]])), "}"
    )
  })
  c(
    "\\begin{landscape}", unlist(papers), "\\end{landscape}",
    "\\section{Provenance}", "{\\footnotesize", tex_table(table_provenance(provenance)), "}"
  )
}

# Every claim of a paper, a row each.
table_claims <- function(results, published, study, labels) {
  items <- unique(results$claims[paper == study, item])
  claims <- data.table::rbindlist(lapply(items, function(name) {
    data <- item_data(results, published, study, name, labels)
    columns <- c(
      "item", "metric", "against", "along", "unit", "relation", "published", "engine", "value", "ci_low", "ci_high",
      "tolerance", "verdict", "reason"
    )
    data$claims[, columns, with = FALSE][, where := point_texts(data)]
  }))
  columns_to_table(list(
    list(heading = "Item", cells = claims$item),
    list(heading = "Point", cells = claims$where),
    list(heading = "Quantity", cells = quantity_symbols(claims, labels)),
    list(heading = "Published", cells = claims$published),
    list(heading = "Ours from", cells = source_name(claims$engine, labels)),
    list(heading = "Ours", cells = claim_cells(claims, character())),
    list(heading = "Tolerance", cells = format_number(claims$tolerance, digits = 2))
  ), groups = 2, wrap = c(2, 3), share = c(0.21, 0.2))
}

# "$C$ 2 Mbit/s, $W_R$ 8 packets, EE(7)": the values of the parameters that vary over an item's claims.
point_texts <- function(data) {
  texts <- lapply(varying_parameters(data$claims, parameter_columns(data$points)), function(path) {
    values <- data$claims[[path]]
    symbol <- if (is.numeric(values)) paste0(parameter_symbol(path, data$labels), " ")
    ifelse(is.na(values), "", paste0(symbol, value_text(values, path, data$labels)))
  })
  listed_texts(texts, nrow(data$claims))
}

# Versions, commit, machine, seeds: whatever provenance.json holds, a row per value.
table_provenance <- function(provenance) {
  flat <- unlist(rapply(provenance, function(value) if (isTRUE(value)) "yes" else "no", "logical", how = "replace"))
  columns_to_table(list(
    list(heading = "What", cells = literal(words(gsub(".", ": ", names(flat), fixed = TRUE)))),
    list(heading = "Value", cells = literal(as.character(flat)))
  ), groups = 0, wrap = 2, share = 0.62)
}

# The tolerances of a study with their reasons.
table_tolerances <- function(items, labels) {
  rows <- data.table::rbindlist(lapply(names(items), function(name) {
    data.table::rbindlist(lapply(items[[name]]$tolerances, function(tolerance) {
      data.table::data.table(
        item = name, kind = tolerance$kind, metric = tolerance$metric, width = tolerance_text(tolerance),
        reason = tolerance$reason
      )
    }))
  }))
  columns_to_table(list(
    list(heading = "Item", cells = rows$item),
    list(heading = "Printed as", cells = rows$kind),
    list(heading = "Quantity", cells = vapply(rows$metric, function(metric) {
      if (metric == "*") "all" else metric_symbol(metric, labels)
    }, "")),
    list(heading = "Tolerance", cells = literal(rows$width)),
    list(heading = "Why", cells = literal(rows$reason))
  ), groups = 2, wrap = 5, share = 0.45)
}

tolerance_text <- function(tolerance) {
  parts <- c(
    if (!is.null(tolerance$relative)) as.character(tolerance$relative),
    if (!is.null(tolerance$absolute)) as.character(tolerance$absolute),
    if (isTRUE(tolerance$printed_digits)) "half the last digit"
  )
  paste(parts, collapse = " or ")
}
