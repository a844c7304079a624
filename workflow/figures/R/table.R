# Tables as data: a data.table of cells in neutral text, with headings and notes. tex.R and html.R typeset them.
#
# A cell is a number or a text, with the half-width of its interval and the mark of its verdict behind it, and the
# letter of a note: "562.8 ± 1.2 ✓", "0.004 ✗[a]". Texts are labels (markup.R); what comes from outside is literal().

# body      data.table of character columns
# headings  one per column, in label markup; "\n" breaks the line
# groups    the first so many columns name groups: a repeated value is not shown again
# spans     data.table(text, from, to): headings above several columns; NULL for none
# notes     named by their letters
# wrap      the columns, if any, whose text breaks into lines, and the share of the line's width that each takes
atlas_table <- function(
  body, headings = names(body), groups = 0, spans = NULL, notes = character(), wrap = integer(), share = numeric()
) {
  stopifnot(
    data.table::is.data.table(body), length(headings) == ncol(body), groups < ncol(body),
    length(wrap) == length(share), all(vapply(body, is.character, NA))
  )
  list(body = body, headings = headings, groups = groups, spans = spans, notes = notes, wrap = wrap, share = share)
}

# Takes cells apart: data.table(main, half, mark, note), "" where there is none.
split_cells <- function(cells) {
  marks <- paste(verdict_marks, collapse = "")
  pattern <- sprintf("^(.*?)(?: \u00b1 ([^ )]*))?(?:(?:^| )([%s])(?:\\[([a-z]+)\\])?)?$", marks)
  parts <- regmatches(cells, regexec(pattern, cells, perl = TRUE))
  data.table::as.data.table(do.call(rbind, parts))[, .(main = V2, half = V3, mark = V4, note = V5)]
}

is_number <- function(main) {
  grepl("^-?[0-9]+(\\.[0-9]+)?$", main)
}

# "5.5e-5", "(4.2 \u00b1 0.1)e-5"
is_scientific <- function(main) {
  grepl("^[^A-Za-z]*[0-9)]e-?[0-9]+$", main)
}

# Columns of numbers are aligned at the decimal point; numbers with an exponent may stand among others.
is_numeric_column <- function(main) {
  filled <- main[nzchar(main)]
  any(is_number(filled)) && all(is_number(filled) | is_scientific(filled))
}

# How the columns are set: `main` is what each cell begins with; `numeric` columns hold numbers only; `tail` columns
# have intervals or marks, which take a column of their own (`width` 2).
table_layout <- function(table) {
  parts <- lapply(table$body, split_cells)
  tail <- vapply(parts, function(part) any(nzchar(part$half) | nzchar(part$mark)), NA)
  list(
    main = lapply(parts, function(part) part$main),
    numeric = unname(vapply(parts, function(part) is_numeric_column(part$main), NA)),
    tail = unname(tail), width = ifelse(unname(tail), 2L, 1L)
  )
}

# Blanks the values of the group columns that repeat the row above.
blank_repeats <- function(table) {
  body <- data.table::copy(table$body)
  changed <- rep(FALSE, nrow(body))
  for (column in names(body)[seq_len(table$groups)]) {
    changed <- changed | c(TRUE, table$body[[column]][-1] != table$body[[column]][-nrow(body)])
    data.table::set(body, i = which(!changed), j = column, value = "")
  }
  body
}

# TRUE for the rows that start a group (by the first column), apart from the first row.
starts_group <- function(table) {
  if (table$groups == 0 || nrow(table$body) == 0) {
    return(rep(FALSE, nrow(table$body)))
  }
  first <- table$body[[1]]
  c(FALSE, first[-1] != first[-length(first)])
}

# The verdicts whose marks the tables show, for their legend.
verdicts_shown <- function(tables) {
  marks <- split_cells(unlist(lapply(tables, function(table) table$body)))$mark
  names(verdict_marks)[verdict_marks %in% marks]
}

# Notes of the claims that are not simply reproduced: the distinct texts, named a, b, c, ... in order of appearance.
claim_notes <- function(claims) {
  texts <- unique(shared_reasons(claims$reason)[noted(claims)])
  stats::setNames(texts, note_letters(length(texts)))
}

# Reasons that differ in their percentages only are told once, with an ellipsis for those.
shared_reasons <- function(reasons) {
  alike <- gsub("-?[0-9]+([.][0-9]+)?(?= ?%)", "\u2026", reasons, perl = TRUE)
  versions <- stats::ave(match(reasons, reasons), alike, FUN = data.table::uniqueN)
  ifelse(versions > 1, alike, reasons)
}

noted <- function(claims) {
  claims$verdict %in% c("deviates", "inconsistent", "unavailable") & nzchar(claims$reason)
}

# "a".."z", "aa".."az", "ba", ...
note_letters <- function(count) {
  both <- c(letters, paste0(rep(letters, each = 26), letters))
  both[seq_len(count)]
}

# Our numbers as cells, each with its mark and the letter of its note.
claim_cells <- function(claims, notes) {
  numbers <- format_measured(claims$value, claims$ci_low, claims$ci_high, claims$published)
  note <- match(shared_reasons(claims$reason), notes)
  letter <- ifelse(noted(claims) & length(notes) > 0, sprintf("[%s]", names(notes)[note]), "")
  trimws(paste0(numbers, " ", verdict_marks[claims$verdict], letter))
}

# A swept parameter as a column: list(heading, cells), its values in one unit.
parameter_column <- function(values, path, labels) {
  if (!is.numeric(values)) {
    cells <- ifelse(is.na(values), "", value_text(values, path, labels))
    return(list(heading = capitalised(parameter_name(path, labels)), cells = cells))
  }
  scale <- si_scale(values, parameter_unit(path, labels))
  cells <- trim_zeros(format_number(values / scale$factor, digits = 6))
  list(heading = with_unit(parameter_symbol(path, labels), scale$unit), cells = cells)
}

# A published item as a table. Where one source answers a few metrics at several points: a row per point, and for each
# metric the printed number beside ours. Else a row per printed number, and beside it what each engine and model gives.
table_published <- function(data) {
  metrics <- unique(data$claims[, .(metric, kind)])
  one_source <- data.table::uniqueN(data$claims$engine) == 1
  several_points <- data.table::uniqueN(data$claims[, .(set, point)]) > 1
  if (one_source && several_points && nrow(metrics) %in% 2:5) table_by_point(data) else table_by_number(data)
}

table_by_number <- function(data) {
  notes <- claim_notes(data$claims)
  claims <- data.table::copy(data$claims)[, cell := claim_cells(data$claims, notes)]
  rows <- unique(claims, by = "row")
  sets <- if (uniqueN(rows$set) > 1) list(list(heading = "Set", cells = set_names(rows$set, data$name)))
  parameters <- c(sets, parameter_columns_of(rows, data))
  kinds <- if (data.table::uniqueN(rows$kind) > 1) list(list(heading = "Printed as", cells = rows$kind))
  sources <- lapply(unique(claims$engine), function(source) {
    ours <- claims[engine == source]
    list(heading = source_name(source, data$labels), cells = ours$cell[match(rows$row, ours$row)])
  })
  quantity <- list(list(heading = "Quantity", cells = quantity_symbols(rows, data$labels)))
  published <- list(list(heading = "Published", cells = rows$published))
  columns_to_table(c(parameters, quantity, kinds, published, sources), groups = length(parameters), notes = notes)
}

# The item with some of its claims only.
with_claims <- function(data, chosen) {
  data$claims <- data$claims[chosen]
  data
}

# "engset/table-03-special" of the item table-03 is "special".
set_names <- function(sets, item) {
  short <- sub("^.*/", "", sets)
  inner <- ifelse(startsWith(short, paste0(item, "-")), substring(short, nchar(item) + 2), short)
  words(inner)
}

# `leading` are the columns that tell the points apart, given the first claim of each; `quantities` name each claim's
# pair of columns.
table_by_point <- function(
  data, leading = parameter_columns_of, quantities = quantity_symbols(data$claims, data$labels)
) {
  notes <- claim_notes(data$claims)
  claims <- data.table::copy(data$claims)[, `:=`(cell = claim_cells(data$claims, notes), quantity = quantities)]
  rows <- unique(claims, by = c("set", "point"))
  first <- leading(rows, data)
  pairs <- lapply(unique(quantities), function(one) {
    mine <- claims[quantity == one][rows, on = c("set", "point"), mult = "first"]
    list(list(heading = "paper", cells = mine$published), list(heading = "ours", cells = mine$cell))
  })
  table <- columns_to_table(c(first, unlist(pairs, recursive = FALSE)), groups = length(first), notes = notes)
  from <- length(first) + 2L * seq_along(pairs) - 1L
  table$spans <- data.table::data.table(text = unique(quantities), from = from, to = from + 1L)
  table
}

# Blocks of rows over the values of one parameter: each block a quantity, with the printed numbers in its first row and
# below it, source by source, ours. `blocks` names the block of each claim, in label markup, in the order to show;
# `columns` is what stands above each claim's column.
table_in_blocks <- function(data, blocks, columns) {
  notes <- claim_notes(data$claims)
  claims <- data.table::copy(data$claims)[, `:=`(block = blocks, column = columns)]
  claims[, cell := claim_cells(claims, notes)]
  printed <- unique(claims, by = "row")[, .(block, column, source = "paper", cell = published)]
  ours <- claims[, .(block, column, source = source_name(engine, data$labels), cell)]
  cells <- rbind(printed, ours)
  rows <- unique(cells[, .(block, source)])[order(match(block, unique(blocks)))]
  shown <- lapply(unique(columns), function(one) {
    list(heading = one, cells = cells[column == one][rows, on = c("block", "source"), mult = "first"]$cell)
  })
  names <- list(list(heading = "", cells = rows$block), list(heading = "", cells = rows$source))
  columns_to_table(c(names, shown), groups = 1, notes = notes)
}

# What each claim is about, with its unit: "$h$ (kbit/s)", "change of $h$ / that with E \u2212 1 with $N$ (%)".
quantity_symbols <- function(rows, labels) {
  unname(mapply(
    function(metric, against, along, relation, unit) {
      symbol <- against_text(metric_symbol(metric, labels), against, labels)
      with_unit(series_text(symbol, along, relation, labels), unit)
    },
    rows$metric, rows$against, rows$along, rows$relation, rows$unit
  ))
}

# A quantity over what it is against: "tcp.rwnd = 44 packets" and "set = figure-13" name a point, the rest are metrics.
against_text <- function(symbol, against, labels) {
  if (!nzchar(against)) {
    return(symbol)
  }
  parts <- trimws(strsplit(against, "=", fixed = TRUE)[[1]])
  known <- if (length(parts) == 2) labels$values[[parts[2]]]
  other <- if (length(parts) == 1) {
    metric_symbol(against, labels)
  } else if (parts[1] == "set") {
    paste("that in", parts[2])
  } else if (!is.null(known)) {
    paste("that with", known)
  } else {
    paste("that with", parameter_symbol(parts[1], labels), parts[2])
  }
  sprintf("%s / %s \u2212 1", symbol, other)
}

# A quantity of several points: its change along a parameter, or its mean.
series_text <- function(symbol, along, relation, labels) {
  what <- if (relation %in% c("increasing", "decreasing")) "change of" else "mean of"
  if (along == "*") {
    sprintf("%s %s", what, symbol)
  } else if (nzchar(along)) {
    sprintf("%s %s with %s", what, symbol, parameter_symbol(along, labels))
  } else if (grepl("[*]", symbol, fixed = TRUE) || relation %in% c("increasing", "decreasing")) {
    sprintf("%s %s", what, symbol)
  } else {
    symbol
  }
}

# The printed number with its relation: "563.1", "\u2264 0", and of a trend without a number "falls" or "rises".
published_texts <- function(claims) {
  bound <- c("<=" = "\u2264 ", ">=" = "\u2265 ")[claims$relation]
  texts <- paste0(ifelse(is.na(bound) | !nzchar(claims$published), "", bound), claims$published)
  trends <- c(increasing = "rises", decreasing = "falls")[claims$relation]
  beyond <- ifelse(claims$published %in% c("0", ""), "", paste(" by more than", sub("^-", "", claims$published)))
  unname(ifelse(is.na(trends), texts, paste0(trends, beyond)))
}

# What a paper says in words: a row per sentence and setting, told by the notes of its claims. Of a sentence on many
# settings the numbers are shown from the least to the largest, a row per verdict; the appendix has each of them.
table_of_statements <- function(data) {
  notes <- claim_notes(data$claims)
  rows <- unique(data$claims, by = "row")
  own <- nchar(rows$note) - ifelse(nzchar(rows$reason), nchar(rows$reason) + 2, 0)
  rows[, `:=`(
    statement = literal(substring(note, 1, own)), quantity = quantity_symbols(rows, data$labels),
    printed = published_texts(rows), reason = ifelse(noted(rows), shared_reasons(reason), "")
  )]
  lines <- summed_up(rows)
  lines[, cell := claim_cells(lines, notes)]
  sources <- lapply(unique(lines$kind), function(one) {
    heading <- c(model = "model", simulation = "simulation")[[one]]
    list(
      list(heading = heading, cells = ifelse(lines$kind == one, lines$cell, "")),
      list(heading = "to", cells = ifelse(lines$kind == one, lines$to, ""))
    )
  })
  columns <- c(list(
    list(heading = "Statement", cells = lines$statement), list(heading = "Quantity", cells = lines$quantity),
    list(heading = "Published", cells = lines$printed), list(heading = "Cases", cells = as.character(lines$settings))
  ), unlist(sources, recursive = FALSE))
  columns <- Filter(function(column) column$heading != "to" || any(nzchar(column$cells)), columns)
  if (all(lines$settings == 1)) {
    columns[[4]] <- NULL
  }
  columns_to_table(columns, groups = 1, notes = notes, wrap = c(1, 2), share = c(0.3, 0.23))
}

few_settings <- 6

# The rows (statement, quantity, printed beside a claim's columns), those of one verdict and reason as one where a
# sentence has more than a few: that of the least value, without its interval, and as text the largest one as `to`.
summed_up <- function(rows) {
  sentence <- c("statement", "quantity", "printed", "kind")
  rows <- data.table::copy(rows)
  rows[, line := if (.N > few_settings) paste(verdict, reason) else as.character(row), by = sentence]
  rows[, `:=`(settings = .N, to = ""), by = c(sentence, "line")]
  rows[settings > 1, `:=`(
    ci_low = NA_real_, ci_high = NA_real_,
    to = if (all(is.na(value))) "" else format_measured(max(value, na.rm = TRUE), printed = published[1])
  ), by = c(sentence, "line")]
  rows[, .SD[order(value)[1]], by = c(sentence, "line")]
}

# The parameters that vary over the item's claims, as columns.
parameter_columns_of <- function(rows, data) {
  lapply(varying_parameters(rows, parameter_columns(data$points)), function(path) {
    parameter_column(rows[[path]], path, data$labels)
  })
}

# A table from columns, each list(heading, cells); `...` are the other parts of an atlas_table().
columns_to_table <- function(columns, groups, ...) {
  cells <- lapply(columns, function(column) ifelse(is.na(column$cells), "", column$cells))
  body <- data.table::as.data.table(stats::setNames(cells, paste0("column", seq_along(columns))))
  atlas_table(body, vapply(columns, function(column) column$heading, ""), groups, ...)
}

# A set without published numbers as a table: a row per metric and point, a column per engine and model, and how far
# each model is from each engine. Where engines ran, the metrics are theirs.
table_set <- function(data) {
  errors <- data$observations[grepl("/", engine, fixed = TRUE)]
  observations <- data$observations[!grepl("/", engine, fixed = TRUE)]
  simulated <- observations[!startsWith(engine, "model:"), unique(metric)]
  if (length(simulated) > 0) {
    observations <- observations[metric %in% simulated]
  }
  rows <- unique(observations[, .(set, point, metric)])
  rows <- rows[order(match(metric, metrics_in_order(metric, data$labels)))]
  parameters <- lapply(varying_parameters(data$points), function(path) {
    parameter_column(join_in_order(rows, data$points, c("set", "point"))[[path]], path, data$labels)
  })
  shown <- shown_observations(observations, data$labels)
  headings <- shown[rows, on = c("set", "point", "metric"), mult = "first"][, heading]
  sources <- lapply(unique(shown$engine), function(source) {
    list(heading = source_name(source, data$labels), cells = cells_of(shown[engine == source], rows))
  })
  differences <- lapply(unique(errors$engine), function(pair) {
    named <- errors[engine == pair][, `:=`(metric = sub("_error$", "", metric), cell = signed_percent(value))]
    list(heading = sub(" / ", " /\n", paste(source_name(pair, data$labels), "\u2212 1")), cells = cells_of(named, rows))
  })
  quantity <- list(list(heading = "Quantity", cells = headings))
  columns_to_table(c(quantity, parameters, sources, differences), groups = 1)
}

cells_of <- function(observations, rows) {
  observations[rows, on = c("set", "point", "metric"), mult = "first"]$cell
}

# Observations with their heading, and their cell in the unit in which the metric is best shown.
shown_observations <- function(observations, labels) {
  shown <- scaled_observations(observations, labels)
  shown[, cell := format_measured(value, ci_low, ci_high)]
  shown[]
}

# The same quantities in the units in which they are best shown, one unit per metric, with the metric's heading.
scaled_observations <- function(observations, labels) {
  scaled <- data.table::copy(observations)
  scaled[, heading := ""]
  for (one in unique(scaled$metric)) {
    rows <- which(scaled$metric == one)
    scale <- metric_scale(one, scaled$value[rows], scaled$unit[rows[1]], labels)
    for (column in c("value", "ci_low", "ci_high")) {
      data.table::set(scaled, rows, column, scaled[[column]][rows] / scale$factor)
    }
    data.table::set(scaled, rows, "heading", metric_heading(one, scale$unit, labels))
  }
  scaled[]
}

# Known metrics in the order of the labels, then the others by name.
metrics_in_order <- function(metrics, labels) {
  present <- unique(metrics)
  c(intersect(names(labels$metrics), present), sort(setdiff(present, names(labels$metrics))))
}
