# What results/explore.html knows: every comparison with a printed number, the items that they are of, and the points
# that answer them.

# All of it for the page's script: lists named by claim, item and point; and the comparisons as a table. `read` gives
# the rendered files of an item: list(table, figure), without what it has not.
explore_data <- function(results, figures, provenance, read) {
  studies <- read_result(results, "studies")
  parts <- lapply(studies$study, function(study) {
    one <- read_study(results, study)
    explore_study(one, labels_of(one), provenance, results, read)
  })
  joined <- function(name) do.call(c, lapply(parts, `[[`, name))
  list(
    claims = joined("claims"), items = joined("items"), points = joined("points"), studies = studies,
    table = data.table::rbindlist(lapply(parts, `[[`, "table"))
  )
}

explore_study <- function(study, labels, provenance, results, read) {
  rows <- located_claims(study, labels)
  list(
    claims = claim_details(rows, study$causes, labels, provenance), items = item_details(study, provenance, read),
    points = point_documents(rows, results), table = claim_table(rows, labels)
  )
}

# What engines and models read of each point that a comparison is about, by "<set> <point>".
point_documents <- function(rows, results) {
  do.call(c, lapply(unique(rows$set), function(one) {
    documents <- jsonlite::read_json(file.path(results, "points", paste0(one, ".json")))$points
    names(documents) <- paste(one, vapply(documents, `[[`, "", "point"))
    documents[intersect(names(documents), rows[set == one, paste(set, point)])]
  }))
}

# Every comparison of a study with `where`, the values of its point that vary over its item.
located_claims <- function(results, labels) {
  data.table::rbindlist(lapply(unique(results$claims$item), function(name) {
    data <- item_data(results, name, labels)
    data$claims[, result_columns$claims, with = FALSE][, where := point_texts(data)]
  }))
}

# The columns of the page's table and scatter.
claim_table <- function(rows, labels) {
  if (nrow(rows) == 0) {
    return(NULL)
  }
  rows[, .(
    claim, paper, item, where = html_label(where), quantity = html_label(quantity_symbols(rows, labels)),
    kind, printed = suppressWarnings(as.numeric(published)), printed_text = published, ours = value,
    ours_text = format_measured(value, ci_low, ci_high, published), verdict,
    source = source_name(engine, labels), counted = ifelse(counted == "true", "yes", "no")
  )]
}

# What the page tells of each comparison, as HTML.
claim_details <- function(rows, causes, labels, provenance) {
  if (nrow(rows) == 0) {
    return(list())
  }
  told <- rows[, .(
    of = paste0(paper, "/", item), paper, item, kind, counted = ifelse(counted == "true", "yes", "no"),
    where = html_label(where),
    quantity = html_label(quantity_symbols(rows, labels)), printed = html_escape(published),
    ours = html_escape(format_measured(value, ci_low, ci_high, published)), source = source_name(engine, labels),
    verdict, tolerance = ifelse(is.na(tolerance), "", paste("\u00b1", format_number(tolerance, digits = 3))),
    tolerance_reason = html_label(literal(tolerance_reason)), reason = html_label(literal(reason)),
    cause = html_label(literal(fcoalesce(causes$text[match(cause, causes$cause)], ""))),
    remark = html_label(literal(row_note)),
    point = paste(set, point), scenario = sprintf("set <code>%s</code>, point <code>%s</code>", set, point),
    seed = ifelse(startsWith(engine, "model:") & !grepl("[@/]", engine), "", paste(
      provenance$seed, "(the replications' own seeds follow from it and are in results/runs)"
    ))
  )]
  stats::setNames(lapply(seq_len(nrow(told)), function(index) as.list(told[index])), rows$claim)
}

# What the page tells of each item.
item_details <- function(study, provenance, read) {
  names <- unique(study$items$item)
  stats::setNames(lapply(names, function(name) {
    kinds <- study$items[item == name]$kind
    ending <- if ("table" %in% kinds) sprintf("tables/%s/%s.html", study$study, name)
    files <- c(if ("figure" %in% kinds) sprintf("figures/%s/%s.svg", study$study, name), ending)
    scale <- if (is.null(provenance$scale)) "paper" else provenance$scale
    title <- study$items[item == name]$title[1]
    c(
      list(
        title = html_label(literal(title)), plain_title = title,
        command = sprintf(
          ".venv/bin/snakemake --cores 2 --config scale=%s seed=%s -- %s", scale, provenance$seed,
          paste0("results/", files, collapse = " ")
        )
      ),
      read(study$study, name, kinds)
    )
  }), paste0(study$study, "/", names))
}
