# The generated pieces of the report: everything but its prose.

# ---- scorecard ----

no_published_text <- "Nothing was compared with a publication."

tex_scorecard <- function(results) {
  if (nrow(results$claims) == 0) {
    return(no_published_text)
  }
  "\\noindent\\includegraphics[width=\\linewidth]{report/scorecard-papers.pdf}"
}

# `picture` is plot_scorecard() as lines of HTML.
html_scorecard <- function(results, picture) {
  if (nrow(results$claims) == 0) {
    return(sprintf("<p>%s</p>", no_published_text))
  }
  c(
    picture, html_legend(list(table_of_verdict_marks(results))),
    if (nrow(counted_causes(results)) > 0) c("<h2>What deviates, and why</h2>", html_table(table_of_causes(results)))
  )
}

# The verdicts that occur, for the legend.
table_of_verdict_marks <- function(results) {
  verdicts_there <- unique(c(results$claims$verdict, results$statements$verdict, judged_pairs(results)$verdict))
  columns_to_table(list(list(heading = "", cells = cells(verdicts_there, verdict = verdicts_there))))
}

# ---- numbers in the text ----

# A named list of the numbers that prose may use by \\val{name}. Names are paths: claims, engset/claims,
# engset/reproduced, engset/table-06/reproduced, engset/statements, engset/text-6/holds, engines/pairs, engines/agrees,
# engines/simulators/agrees (of ns-3 with packetsim), engines/kernel-cubic/linux/agrees (of a set and an engine),
# engset/cause/chance/numbers, engset/points. `results` are those of read_study().
study_numbers <- function(results) {
  c(
    verdict_numbers(results$study, counted_numbers(results$claims), "claims", verdicts),
    class_numbers(results$claims, paste0(results$study, "/")),
    count_numbers(results$claims[counted == "simulated"], paste0(results$study, "/simulated/"), "claims", verdicts),
    rival_numbers(results$claims, paste0(results$study, "/rivals/")),
    loss_numbers(results$claims, paste0(results$study, "/losses/")),
    verdict_numbers(results$study, counted_sentences(results$statements), "statements", statement_verdicts),
    pair_numbers(results$study, judged_pairs(results)),
    cause_numbers(results), effort_numbers(results), set_numbers(results),
    nearest_numbers(results$study, results$claims)
  )
}

# For items where several engines answer the same printed numbers: the count at which each engine is nearest, by names
# like seawind/means/nearest/linux.
nearest_numbers <- function(study, claims) {
  simulated <- claims[relation == "simulation" & is.finite(relative_error)]
  compared <- simulated[, if (uniqueN(engine) > 1) .SD[which.min(abs(relative_error))], by = .(item, set, row)]
  if (nrow(compared) == 0) {
    return(character())
  }
  nearest <- as.data.table(table(item = compared$item, engine = factor(compared$engine, unique(simulated$engine))))
  stats::setNames(as.character(nearest$N), sprintf("%s/%s/nearest/%s", study, nearest$item, nearest$engine))
}

# Comparisons of engines: all, those of the two simulators, and those of each set, by each engine too.
pair_numbers <- function(study, pairs) {
  pairs <- copy(pairs)[, item := sub("^[^/]*/", "", set)]
  by_engine <- copy(pairs)[, item := paste(item, engine, sep = "/")]
  of_items <- lapply(unique(by_engine$item), function(one) {
    count_numbers(by_engine[item == one], sprintf("%s/%s/", study, one), "pairs", equivalence_verdicts)
  })
  simulators <- pairs[engine == "ns3" & reference == "packetsim"]
  c(
    verdict_numbers(study, pairs, "pairs", equivalence_verdicts),
    count_numbers(simulators, paste0(study, "/simulators/"), "pairs", equivalence_verdicts), unlist(of_items)
  )
}

# For a study that compares sets of others: how many it compares, and which differ.
set_numbers <- function(results) {
  sampled <- judged_pairs(results)[nzchar(sampled_set)]
  differing <- unique(sampled[verdict == "differs"]$sampled_set)
  stats::setNames(
    c(uniqueN(sampled$sampled_set), if (length(differing) > 0) toString(sub("/", " ", differing)) else "none"),
    paste0(results$study, c("/compared-sets", "/differing-sets"))
  )
}

# Counts of all rows and by verdict, for the study and for each item.
verdict_numbers <- function(study, rows, name, wanted) {
  of_items <- lapply(unique(rows$item), function(one) {
    count_numbers(rows[item == one], sprintf("%s/%s/", study, one), name, wanted)
  })
  c(count_numbers(rows, paste0(study, "/"), name, wanted), unlist(of_items))
}

# Numbers, statements and pairs share some verdicts; these names count those of numbers only.
count_numbers <- function(rows, path, name, wanted) {
  counted <- if (name == "claims") wanted else setdiff(wanted, verdicts)
  counts <- c(nrow(rows), vapply(counted, function(one) sum(rows$verdict == one), 0L))
  stats::setNames(as.character(counts), paste0(path, c(name, counted)))
}

# The totals of all studies.
total_numbers <- function(results) {
  c(
    count_numbers(counted_numbers(results$claims), "all/", "claims", verdicts),
    class_numbers(results$claims, "all/"),
    count_numbers(counted_sentences(results$statements), "all/", "statements", statement_verdicts),
    count_numbers(judged_pairs(results), "all/", "pairs", equivalence_verdicts)
  )
}

# The numbers that we replicate and, separately, those computed from other printed numbers or from the formulas of
# standards. Among the reproduced ones: how many would also be reproduced with a result a fifth larger or smaller,
# because the tolerance is wide, and how many are zeros and small counts, which a single further event would have moved.
class_numbers <- function(claims, path) {
  counted <- counted_numbers(claims)
  reproduced <- counted[verdict == "reproduced"]
  of_kind <- function(rows, one) sum(rows$class == "replication" & rows$kind == one)
  kinds <- c("model", "simulation", "measurement", "redone")
  by_kind <- c(
    stats::setNames(lapply(kinds, of_kind, rows = counted), paste0(kinds, "/claims")),
    stats::setNames(lapply(kinds, of_kind, rows = reproduced), paste0(kinds, "/reproduced"))
  )
  counts <- c(by_kind, list(
    "replication/claims" = sum(counted$class == "replication"),
    "replication/reproduced" = sum(reproduced$class == "replication"),
    "replication/wide" = sum(reproduced$class == "replication" & reproduced$power == "none"),
    "replication/few" = sum(reproduced$class == "replication" & reproduced$power %in% c("zero", "one")),
    "arithmetic/claims" = sum(counted$class == "arithmetic"),
    "arithmetic/reproduced" = sum(reproduced$class == "arithmetic"),
    "formula/claims" = sum(counted$class == "formula"),
    "formula/reproduced" = sum(reproduced$class == "formula"),
    "simulated/claims" = sum(claims$counted == "simulated"),
    "simulated/reproduced" = sum(claims$counted == "simulated" & claims$verdict == "reproduced")
  ))
  stats::setNames(as.character(counts), paste0(path, names(counts)))
}

# Reproduced numbers that were tried with other TCP variants: how many, and how many each would also reproduce.
rival_numbers <- function(claims, path) {
  tried <- counted_numbers(claims)[verdict == "reproduced" & nzchar(rivals)]
  would <- strsplit(tried$rivals, "; ", fixed = TRUE)
  counts <- vapply(c("newreno", "reno", "tahoe"), function(variant) {
    sum(vapply(would, function(each) paste(variant, "reproduced") %in% each, NA))
  }, 0L)
  stats::setNames(as.character(c(nrow(tried), counts)), paste0(path, c("tried", names(counts))))
}

# Simulated losses that are reproduced: how many, how many are below the printed ones, and their mean distance from
# these: "2.3 % below".
loss_numbers <- function(claims, path) {
  losses <- counted_numbers(claims)[metric == "loss_ratio" & kind == "simulation" & verdict == "reproduced"]
  errors <- 100 * losses$relative_error[is.finite(losses$relative_error)]
  mean_error <- if (length(errors) > 0) mean(errors) else 0
  apart <- sprintf("%s %% %s", format_number(abs(mean_error), 1), if (mean_error < 0) "below" else "above")
  stats::setNames(c(length(errors), sum(errors < 0), apart), paste0(path, c("reproduced", "below", "apart")))
}

# The length of the runs, for the text: the papers' or a user scenario's.
run_length_text <- function(scale, whose = "the papers'") {
  words <- c(
    paper = sprintf("of %s own length", whose), quick = sprintf("of about a tenth of %s own length", whose),
    smoke = "of a few seconds, too short to judge anything"
  )
  if (scale %in% names(words)) words[[scale]] else paste("at scale", scale)
}

# The extent of the runs: points, simulated points and replications, and the points of each engine that ran.
effort_numbers <- function(results) {
  runs <- unique(results$observations[!nzchar(model), .(set, point, engine, replications)])
  by_engine <- table(factor(runs$engine, unique(runs$engine)))
  numbers <- c(
    points = nrow(results$points), "simulated-points" = uniqueN(runs[, .(set, point)]),
    replications = sum(runs$replications), stats::setNames(by_engine, sprintf("runs/%s", names(by_engine)))
  )
  stats::setNames(as.character(numbers), paste0(results$study, "/", names(numbers)))
}

# The values of provenance.json, by their paths: provenance/commit.
provenance_numbers <- function(provenance) {
  flat <- unlist(provenance)
  numbers <- stats::setNames(as.character(flat), paste0("provenance/", gsub(".", "/", names(flat), fixed = TRUE)))
  c(
    numbers, "run-length" = run_length_text(provenance$scale),
    "own-run-length" = run_length_text(provenance$scale, "the scenario's"),
    "engines-left-out" = left_out_text(provenance$left_out)
  )
}

# The first page's sentence on missing engines: why they are missing, and that no result here is theirs.
left_out_text <- function(reasons) {
  if (length(reasons) == 0) {
    return("")
  }
  sprintf(
    "This machine lacks something: %s. No result of %s is in this report.", paste(unlist(reasons), collapse = "; "),
    paste(names(reasons), collapse = " or ")
  )
}

tex_numbers <- function(numbers) {
  sprintf("\\defineval{%s}{%s}", names(numbers), tex_escape(numbers))
}

# The verdicts' colours, for the marks in the text.
tex_colours <- function() {
  sprintf("\\definecolor{%s}{HTML}{%s}", names(verdict_colours), sub("#", "", verdict_colours, fixed = TRUE))
}

# The papers, with authors, year and question, for the first page.
tex_papers <- function(studies) {
  papers <- studies[nzchar(authors)]
  if (nrow(papers) == 0) {
    return(NULL)
  }
  title <- sprintf("\\emph{%s}", tex_escape(papers$published_as))
  linked <- ifelse(nzchar(papers$link), sprintf("\\href{%s}{%s}", papers$link, title), title)
  who <- tex_escape(gsub("; ", ", ", papers$authors, fixed = TRUE))
  c(
    "\\begin{description}\\small\\setlength{\\itemsep}{0pt}",
    sprintf("\\item[%s] %s. %s.", tex_escape(study_names(papers)), who, linked), "\\end{description}"
  )
}

# ---- sections ----

# Every section's remark on runs too short for verdicts; empty if there are none.
judged_text <- function(claims) {
  if (is_judged(claims)) {
    return("")
  }
  "This run was too short to judge by: what is simulated is neither reproduced nor deviates."
}

is_judged <- function(claims) !any(claims$verdict == "smoke")

# The findings of the first page: <paper>/findings/<study>.tex of each study, in the order of studies.csv. Runs too
# short for verdicts have none.
tex_findings <- function(studies, paper, judged = TRUE) {
  if (!judged) {
    return(c(
      "\\section*{Findings}", "\\noindent", judged_text(data.table(verdict = "smoke")),
      "Findings take a run at scale \\texttt{quick} or \\texttt{paper}."
    ))
  }
  prose <- file.path(paper, "findings", paste0(studies$study, ".tex"))
  there <- studies$study[file.exists(prose) & nzchar(code_of(studies))]
  if (length(there) > 0) {
    c(
      "\\section*{Findings}", "\\begin{itemize}\\small\\setlength{\\itemsep}{0pt}\\setlength{\\parsep}{2pt}",
      sprintf("\\item \\input{findings/%s}", there), "\\end{itemize}"
    )
  }
}

# The body of the report: a section for each row of studies.csv, hand-written where there is
# <paper>/sections/<study>.tex or, for a study from elsewhere, section.tex in its folder.
tex_body <- function(studies, paper) {
  unlist(lapply(seq_len(nrow(studies)), function(index) {
    entry <- studies[index]
    prose <- file.path(paper, "sections", paste0(entry$study, ".tex"))
    brought <- file.path(entry$folder, "section.tex")
    head <- if (file.exists(prose) && nzchar(code_of(entry))) {
      sprintf("\\input{sections/%s}", entry$study)
    } else if (nzchar(entry$folder) && file.exists(brought)) {
      sprintf("\\input{%s}", brought)
    } else if (nzchar(entry$folder)) {
      sprintf("\\section{%s}", tex_escape(entry$title))
    } else {
      tex_own_head(entry, nrow(studies) == 1)
    }
    c(head, sprintf("\\input{report/generated/%s}", entry$study), "\\FloatBarrier")
  }))
}

# The items of a paper with more sentences than numbers: the report has them in its appendix.
mostly_sentences <- function(items) {
  items$appendix != "true" & items$kind == "table" & as.integer(items$statements) > as.integer(items$numbers)
}

# Every item of a paper, in the order of items.yaml: a figure or a table.
tex_study <- function(results, items = results$items[appendix != "true" & !mostly_sentences(results$items)]) {
  unlist(lapply(seq_len(nrow(items)), function(index) {
    entry <- items[index]
    of_item <- function(rows) rows[item == entry$item]
    caption <- tex_caption(
      results$study, entry$item, entry$title, of_item(results$claims), of_item(results$statements),
      entry$caption
    )
    if (entry$kind == "figure") {
      tex_figure_item(results$study, entry$item, caption)
    } else {
      tex_table_item(results$study, entry$item, caption)
    }
  }))
}

tex_caption <- function(study, name, title, claims, statements, more) {
  verdict <- paste(c(
    if (any(claims$counted == "true")) verdict_sentence(claims),
    if (nrow(statements) > 0) statement_sentence(statements)
  ), collapse = " ")
  parts <- c(
    paste0("\\textbf{", tex_label(literal(title)), "} (\\texttt{", tex_escape(paste0(study, "/", name)), "})."),
    if (nzchar(verdict)) verdict, if (nzchar(more)) tex_label(more)
  )
  paste(parts, collapse = " ")
}

# "14 of 16 numbers reproduced, 2 deviate."
verdict_sentence <- function(claims) {
  claims <- counted_numbers(claims)
  counts <- vapply(verdicts, function(one) sum(claims$verdict == one), 0L)
  others <- c(
    deviates = ngettext(counts[["deviates"]], "deviates", "deviate"), undecided = "undecided",
    inconsistent = "inconsistent in the paper", "not-reproducible" = "not reproducible", unavailable = "unavailable",
    smoke = "from runs too short to judge"
  )
  parts <- paste(counts[names(others)], others)[counts[names(others)] > 0]
  reproduced <- sprintf("%d of %d numbers reproduced", counts[["reproduced"]], nrow(claims))
  paste0(paste(c(reproduced, parts), collapse = ", "), ".")
}

# "3 of 4 statements hold."
statement_sentence <- function(statements) {
  statements <- counted_sentences(statements)
  others <- c(undecided = "undecided", smoke = "from runs too short to judge")
  counts <- vapply(c("holds", names(others)), function(one) sum(statements$verdict == one), 0L)
  noun <- ngettext(nrow(statements), "statement holds", "statements hold")
  parts <- paste(counts[names(others)], others)[counts[names(others)] > 0]
  paste0(paste(c(sprintf("%d of %d %s", counts[["holds"]], nrow(statements), noun), parts), collapse = ", "), ".")
}

tex_figure_item <- function(study, name, caption) {
  path <- file.path("figures", study, paste0(name, ".pdf"))
  sprintf("\\figureitem{fig:%s/%s}{%s}{%s}", study, name, path, caption)
}

# The included file decides whether its table floats or breaks over pages, by an environment that takes the caption
# given here (paper/preamble.tex).
tex_table_item <- function(study, name, caption) {
  c(sprintf("\\tableitem{tab:%s/%s}{%s}", study, name, caption), sprintf("\\input{tables/%s/%s}", study, name))
}

# ---- appendix ----

# Appendix items, and items of mostly sentences, each in its own section. Appendix tables of published
# numbers are only listed.
tex_extra <- function(results) {
  part <- function(title, items) {
    if (nrow(items) == 0) {
      return(NULL)
    }
    # The heading stays with its first table.
    c(
      "\\FloatBarrier\\par\\measuredpage\\Needspace{32\\baselineskip}",
      sprintf(title, tex_escape(study_name(results$studies))), tex_study(results, items), "\\FloatBarrier"
    )
  }
  listed <- results$items[appendix == "true" & kind == "table" & as.integer(numbers) > 0]
  c(
    part("\\section{Background: %s}", results$items[appendix == "true" & !item %in% listed$item]),
    if (nrow(listed) > 0) tex_listed(results, listed),
    part("\\section{What %s says in words}", results$items[mostly_sentences(results$items)])
  )
}

# Tables that only their files hold: a row each, with the verdicts on their numbers.
tex_listed <- function(results, items) {
  counts <- vapply(items$item, function(name) verdict_sentence(results$claims[item == name]), "")
  table <- columns_to_table(list(
    list(heading = "Table", cells = literal(items$title)),
    list(heading = "Published numbers", cells = sub("[.]$", "", sub(" numbers", "", counts))),
    list(heading = "File", cells = literal(sprintf("%s/%s.csv", results$study, items$item)))
  ), wrap = c(1, 2), share = c(0.45, 0.25))
  c(
    sprintf("\\section{Tables in files: %s}", tex_escape(study_name(results$studies))),
    "Number by number in \\texttt{results/tables} and in \\texttt{explore.html}:",
    "{\\footnotesize", tex_table(table), "}"
  )
}

tex_provenance <- function(provenance) {
  c("\\section{Provenance}", "{\\footnotesize", tex_table(table_provenance(provenance)), "}")
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

# Files of one folder as the folder and their number: "scenarios/now (18 files)"; a file alone by its path.
folded_paths <- function(paths) {
  together <- split(paths, factor(dirname(paths), unique(dirname(paths))))
  of_folder <- sprintf("%s (%d files)", names(together), lengths(together))
  unname(ifelse(lengths(together) > 1, of_folder, vapply(together, `[`, "", 1)))
}

# Versions, commit, machine, seeds: a row per part of provenance.json, except its schema and the inputs' digests.
table_provenance <- function(provenance) {
  provenance[c("schema", "inputs")] <- NULL
  provenance$scenarios <- folded_paths(unlist(provenance$scenarios))
  provenance <- rapply(provenance, function(value) if (value) "yes" else "no", "logical", how = "replace")
  values <- vapply(provenance, function(part) {
    flat <- unlist(part)
    if (is.null(names(flat))) toString(flat) else paste(words(names(flat)), flat, collapse = "; ")
  }, "")
  values <- values[nzchar(values)]
  columns_to_table(list(
    list(heading = "What", cells = literal(words(names(values)))), list(heading = "Value", cells = literal(values))
  ), groups = 0, wrap = 2, share = 0.86)
}
