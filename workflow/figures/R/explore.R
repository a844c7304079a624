# results/explore.html: every comparison with a published number, its figure or table, and the points that answer it, in
# one self-contained page.

# The data of the page's script: lists named by claim, item, point, paper, metric and verdict. `read` gives the rendered
# files of an item, list(table, figure), without missing ones; `now` has what was answered to sentences again.
explore_data <- function(results, provenance, read, now = NULL) {
  studies <- read_result(results, "studies")
  parts <- lapply(studies$study, function(study) {
    explore_study(read_study(results, study), provenance, results, read)
  })
  joined <- function(name) do.call(c, lapply(parts, `[[`, name))
  claims <- joined("claims")
  metrics <- unique(vapply(claims, `[[`, "", "metric"))
  list(
    claims = json_object(claims), items = json_object(joined("items")), points = json_object(joined("points")),
    papers = paper_names(studies),
    metrics = stats::setNames(lapply(metrics, metric_name, common_labels), metrics),
    verdicts = verdict_looks(), made = made_with(provenance), now = now
  )
}

# An empty list becomes {} in JSON only if it has names.
json_object <- function(entries) if (length(entries) == 0) stats::setNames(list(), character()) else entries

explore_study <- function(study, provenance, results, read) {
  labels <- labels_of(study)
  rows <- located_claims(study, labels)
  list(
    claims = claim_details(rows, study$causes, labels, provenance), items = item_details(study, provenance, read),
    points = point_documents(rows, results)
  )
}

# The page's name for the study of each row of studies.csv.
paper_names <- function(studies) {
  stats::setNames(lapply(seq_len(nrow(studies)), function(index) {
    entry <- studies[index]
    about <- if (nzchar(entry$authors)) entry$title else ""
    as.list(entry[, .(name = study_name(entry), about, title = published_as, authors, link)])
  }), studies$study)
}

made_with <- function(provenance) {
  list(
    version = provenance$tcp_atlas, commit = substr(c(provenance$commit$id, "")[1], 1, 10),
    text = sprintf(
      "TCP Atlas %s, seed %s, runs %s.", provenance$tcp_atlas, provenance$seed, run_length_text(provenance$scale)
    )
  )
}

# The document, as engines and models read it, of each point in a comparison, by "<set> <point>".
point_documents <- function(rows, results) {
  do.call(c, lapply(unique(rows$set), function(one) {
    documents <- read_points(results, one)
    names(documents) <- paste(one, vapply(documents, `[[`, "", "point"))
    documents[intersect(names(documents), rows[set == one, paste(set, point)])]
  }))
}

# Every comparison of a study with `where`, the values of its point that vary over its item.
located_claims <- function(results, labels) {
  data.table::rbindlist(lapply(unique(results$claims$item), function(name) {
    data <- item_data(results, name, labels, printed = TRUE)
    data$claims[, result_columns$claims, with = FALSE][, where := point_texts(data)]
  }))
}

# The page's data of each comparison; texts as HTML.
claim_details <- function(rows, causes, labels, provenance) {
  if (nrow(rows) == 0) {
    return(list())
  }
  symbols <- quantity_symbols(rows, labels)
  replicated <- "(the replications' own seeds follow from it and are in results/runs)"
  details <- rows[, .(
    paper, item, metric, kind, class, engine, unit, verdict, counted = counted == "true", value, ci_low, ci_high,
    printed_number = suppressWarnings(as.numeric(published)), off = signif(tolerances_off(rows), 4),
    tolerance_number = tolerance, where = html_label(where), quantity = html_label(symbols),
    printed = html_escape(published), ours = html_escape(format_measured(value, ci_low, ci_high, published)),
    source = source_name(engine, labels),
    tolerance = ifelse(is.na(tolerance), "", paste("\u00b1", format_number(tolerance, digits = 3), unit)),
    tolerance_reason = html_label(literal(tolerance_reason)), reason = html_label(literal(capitalised(reason))),
    cause = html_label(literal(fcoalesce(causes$text[match(cause, causes$cause)], ""))),
    remark = html_label(literal(remarks_of(case, row_note, symbols))),
    point = paste(set, point), scenario = sprintf("set <code>%s</code>, point <code>%s</code>", set, point),
    seed = ifelse(relation %in% c("model", "printed"), "", paste(provenance$seed, replicated))
  )]
  stats::setNames(lapply(seq_len(nrow(details)), function(index) as.list(details[index])), rows$claim)
}

# The paper's name for the case of a number, and the note on it, unless the quantity beside it says the same.
remarks_of <- function(cases, notes, symbols) {
  remarks <- listed_texts(list(cases, notes), length(notes))
  ifelse(repeats(remarks, symbols), "", remarks)
}

# Does a remark say no more than the quantity beside it?
repeats <- function(remarks, symbols) {
  bare <- function(texts) gsub("[^[:alnum:]]", "", tolower(texts))
  mapply(grepl, bare(plain_label(literal(remarks))), bare(plain_label(symbols)), MoreArgs = list(fixed = TRUE))
}

# The page's data of each item, in the order of their numbers.
item_details <- function(study, provenance, read) {
  names <- unique(study$items$item)
  names <- names[natural_order(item_label(names))]
  stats::setNames(lapply(seq_along(names), function(place) {
    name <- names[place]
    kinds <- study$items[item == name]$kind
    ending <- if ("table" %in% kinds) sprintf("tables/%s/%s.html", study$study, name)
    files <- c(if ("figure" %in% kinds) sprintf("figures/%s/%s.svg", study$study, name), ending)
    scale <- if (is.null(provenance$scale)) "paper" else provenance$scale
    entry <- study$items[item == name][1]
    c(
      list(
        label = item_label(name), place = place, title = html_label(literal(entry$title)), plain_title = entry$title,
        caption = html_label(entry$caption),
        command = sprintf(
          ".venv/bin/snakemake --cores 2 --config scale=%s seed=%s -- %s", scale, provenance$seed,
          paste0("results/", files, collapse = " ")
        )
      ),
      read(study$study, name, kinds)
    )
  }), paste0(study$study, "/", names))
}

# The looks of the scorecard.
verdict_looks <- function() {
  shapes <- c(
    reproduced = "circle", deviates = "up", undecided = "down", inconsistent = "square", "not-reproducible" = "square",
    unavailable = "cross", smoke = "circle"
  )
  lapply(stats::setNames(nm = verdicts), function(one) {
    list(
      mark = verdict_marks[[one]], meaning = verdict_meanings[[one]], colour = verdict_colours[[one]],
      shape = shapes[[one]], hollow = one %in% c("undecided", "not-reproducible", "smoke")
    )
  })
}

# ---- into one file ----

explore_page <- function(data, pages, lab = FALSE) {
  asset <- function(name) file_text(file.path(pages, name))
  json <- jsonlite::toJSON(data, auto_unbox = TRUE, null = "null", na = "null", digits = 8, force = TRUE)
  body <- filled(asset("explore/body.html"), c(
    # A script must not contain its own end tag.
    data = gsub("</", "<\\/", json, fixed = TRUE), script = paste(asset("explore/explore.js"), asset("explore/now.js")),
    lab = if (lab) '<a href="lab.html">Laboratory</a> ' else ""
  ))
  filled(asset("page.html"), c(
    title = "TCP Atlas: do the classic TCP results still hold?", body = body,
    styles = paste(c(html_style(), asset("shell.css"), asset("explore/explore.css")), collapse = "\n")
  ))
}

# A template with each {name} replaced; what is put in is not looked at again.
filled <- function(template, parts) {
  places <- gregexpr("\\{[a-z]+\\}", template)
  regmatches(template, places) <- list(parts[gsub("[{}]", "", regmatches(template, places)[[1]])])
  template
}

file_text <- function(path) paste(readLines(path, encoding = "UTF-8", warn = FALSE), collapse = "\n")
