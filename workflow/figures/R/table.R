# Tables as data: columns of cells, with headings and notes. tex.R and html.R typeset them.

# A cell: its content (a number, or text in label markup, see markup.R; outside text is literal()), the
# half-width of the number's interval or "exact", the verdict and the letter of a note; each "" for none. The result is
# a list with a cell per element, for columns of data tables; NULL stands for an empty cell.
cells <- function(main, half = "", verdict = "", note = "") {
  main[is.na(main)] <- ""
  unname(.mapply(c, list(main = main, half = half, verdict = verdict, note = note), NULL))
}

# Cells, or plain text, as a table of the four parts.
cell_parts <- function(column) {
  if (!is.list(column)) {
    column <- cells(column)
  }
  column[lengths(column) == 0] <- cells("")
  parts <- matrix(as.character(unlist(column)), ncol = 4, byrow = TRUE)
  data.table::data.table(main = parts[, 1], half = parts[, 2], verdict = parts[, 3], note = parts[, 4])
}

# The same in one line of text: "562.8 \u00b1 1.2 \u2713[a]".
cell_texts <- function(parts) {
  mark <- ifelse(nzchar(parts$verdict), verdict_marks[parts$verdict], "")
  note <- ifelse(nzchar(parts$note), sprintf("[%s]", parts$note), "")
  trimws(paste0(trimws(paste(parts$main, behind_number(parts$half, "\u00b1 "))), " ", mark, note))
}

# Numbers with their intervals as cells, as format_measured() has them.
measured_cells <- function(
  value, ci_low = NA, ci_high = NA, printed = NA, verdict = "", note = "", interval = ""
) {
  parts <- measured_parts(value, ci_low, ci_high, printed, interval)
  cells(parts$main, parts$half, verdict, note)
}

# A table from columns, each list(heading, cells): a heading in label markup, in which "\n" breaks the line, and cells
# or plain texts. The first `groups` columns name groups: a repeated value is not shown again. `spans`: headings above
# several columns, data.table(text, from, to). `notes` are named by their letters. `wrap`: the columns, if any, whose
# text breaks into lines, and the `share` of the line's width that each takes.
columns_to_table <- function(
  columns, groups = 0, spans = NULL, notes = character(), wrap = integer(), share = numeric()
) {
  headings <- unname(vapply(columns, function(column) column$heading, ""))
  stopifnot(groups < length(columns) || length(columns) == 1, length(wrap) == length(share))
  list(
    columns = lapply(columns, function(column) cell_parts(column$cells)), headings = headings, groups = groups,
    spans = spans, notes = notes, wrap = wrap, share = share
  )
}

is_table <- function(made) "columns" %in% names(made)

row_count <- function(table) nrow(table$columns[[1]])

# A message in place of a table, which the report leaves out.
table_of_text <- function(text) c(columns_to_table(list(list(heading = "", cells = text))), missing = TRUE)

is_number <- function(main) {
  grepl("^-?[0-9]+(\\.[0-9]+)?$", main)
}

# "5.5e-5", "(4.2 \u00b1 0.1)e-5"
is_scientific <- function(main) {
  grepl("^[^A-Za-z]*[0-9)]e-?[0-9]+$", main)
}

# Columns of numbers are aligned at the decimal point; numbers with an exponent may be among others.
is_numeric_column <- function(main) {
  filled <- main[nzchar(main)]
  any(is_number(filled)) && all(is_number(filled) | is_scientific(filled))
}

# The layout of the columns: `numeric` columns hold numbers only; `tail` columns have intervals, marks or notes, which
# take a column of their own (`width` 2).
table_layout <- function(table) {
  tail <- vapply(table$columns, function(part) any(nzchar(part$half) | nzchar(part$verdict) | nzchar(part$note)), NA)
  list(
    numeric = vapply(table$columns, function(part) is_numeric_column(part$main), NA),
    tail = tail, width = ifelse(tail, 2L, 1L)
  )
}

# The columns with "" in the group columns where they repeat the row above.
blank_repeats <- function(table) {
  changed <- rep(FALSE, row_count(table))
  columns <- table$columns
  for (index in seq_len(table$groups)) {
    main <- columns[[index]]$main
    changed <- changed | c(TRUE, main[-1] != main[-length(main)])[seq_along(main)]
    columns[[index]] <- data.table::copy(columns[[index]])[!changed, main := ""]
  }
  columns
}

# TRUE for the rows that start a group (by the first column), apart from the first row.
starts_group <- function(table) {
  if (table$groups == 0 || row_count(table) == 0) {
    return(rep(FALSE, row_count(table)))
  }
  first <- table$columns[[1]]$main
  c(FALSE, first[-1] != first[-length(first)])
}

# The verdicts whose marks the tables show, for their legend.
verdicts_shown <- function(tables) {
  shown <- unlist(lapply(tables, function(table) lapply(table$columns, function(part) part$verdict)))
  intersect(names(verdict_marks), shown)
}

# Notes of the claims that are not simply reproduced: the distinct texts, named a, b, c, ... in order of appearance.
claim_notes <- function(claims) {
  texts <- unique(shared_reasons(claims$reason)[noted(claims)])
  stats::setNames(texts, note_letters(length(texts)))
}

# Reasons that differ only in their numbers are merged, with the smallest and the largest: "1.5 to 3 %".
shared_reasons <- function(reasons) {
  alike <- gsub(number_in_text, "\u2026", reasons, perl = TRUE)
  for (one in unique(alike[duplicated(alike)])) {
    versions <- unique(reasons[alike == one])
    if (length(versions) > 1) {
      numbers <- do.call(rbind, regmatches(versions, gregexpr(number_in_text, versions, perl = TRUE)))
      text <- one
      for (range in apply(numbers, 2, range_of_texts)) {
        text <- sub("\u2026", range, text, fixed = TRUE)
      }
      reasons[alike == one] <- text
    }
  }
  reasons
}

# No part of a name or of a reference: "figure-07", "h(2)", "5.3".
number_in_text <- "(?<![A-Za-z0-9_(.-])-?[0-9]+([.][0-9]+)?(?![0-9.]*[A-Za-z0-9_)-])"

# "1.5 to 3", or the number that all are.
range_of_texts <- function(numbers) {
  ordered <- unique(numbers[order(as.numeric(numbers))])
  paste(unique(ordered[c(1, length(ordered))]), collapse = " to ")
}

noted <- function(claims) {
  with_reasons <- c("deviates", "inconsistent", "not-reproducible", "unavailable", "fails", "differs")
  claims$verdict %in% with_reasons & nzchar(claims$reason)
}

# "a".."z", "aa".."az", "ba", ...
note_letters <- function(count) {
  both <- c(letters, paste0(rep(letters, each = 26), letters))
  both[seq_len(count)]
}

# The kinds of the intervals of rows; differences of engines lack the column.
intervals_of <- function(rows) if ("interval" %in% names(rows)) rows$interval else ""

# Our numbers as cells, each with its verdict and the letter of its note.
claim_cells <- function(claims, notes) {
  note <- if (length(notes) > 0) names(notes)[match(shared_reasons(claims$reason), notes)] else NA
  letter <- ifelse(noted(claims) & !is.na(note), note, "")
  printed <- if ("published" %in% names(claims)) claims$published else NA
  measured_cells(claims$value, claims$ci_low, claims$ci_high, printed, claims$verdict, letter, intervals_of(claims))
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

# A published item as a table. If one source answers a few metrics at several points: a row per point with, for each
# metric, the printed number beside ours. Otherwise a row per printed number, beside the answers of engines and models.
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
  parameters <- c(sets, parameter_columns_of(rows, data, most = if (length(sets) > 0) 3 else Inf))
  cases <- if (uniqueN(rows$case) > 1) list(list(heading = "Case", cells = rows$case))
  kinds <- if (data.table::uniqueN(rows$kind) > 1) list(list(heading = "Printed as", cells = rows$kind))
  sources <- lapply(unique(claims$engine), function(source) {
    ours <- claims[engine == source]
    list(heading = source_name(source, data$labels), cells = ours$cell[match(rows$row, ours$row)])
  })
  quantity <- list(list(heading = "Quantity", cells = quantity_symbols(rows, data$labels)))
  published <- list(list(heading = "Published", cells = rows$published))
  leading <- c(cases, parameters)
  columns_to_table(c(leading, quantity, kinds, published, sources), groups = length(leading), notes = notes)
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

# `leading` are the columns that distinguish the points, given the first claim of each; `quantities` name each claim's
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
# `columns` are the headings of the claims' columns.
table_in_blocks <- function(data, blocks, columns) {
  notes <- claim_notes(data$claims)
  claims <- data.table::copy(data$claims)[, `:=`(block = blocks, column = columns)]
  claims[, cell := claim_cells(claims, notes)]
  printed <- unique(claims, by = "row")[, .(block, column, source = "paper", cell = cells(published))]
  ours <- claims[, .(block, column, source = source_name(engine, data$labels), cell)]
  cells <- rbind(printed, ours)
  rows <- unique(cells[, .(block, source)])[order(match(block, unique(blocks)))]
  shown <- lapply(unique(columns), function(one) {
    list(heading = one, cells = cells[column == one][rows, on = c("block", "source"), mult = "first"]$cell)
  })
  names <- list(list(heading = "", cells = rows$block), list(heading = "", cells = rows$source))
  columns_to_table(c(names, shown), groups = 1, notes = notes)
}

# The subject of each claim, with its unit: "$h$ (kbit/s)", "relative error of $h$ by the model (%)".
quantity_symbols <- function(rows, labels) {
  unname(mapply(
    function(quantity, statistic, reference, unit) {
      symbol <- statistic_text(metric_symbol(quantity, labels), statistic)
      with_unit(reference_text(symbol, reference, labels), unit)
    },
    rows$quantity, rows$statistic, rows$reference, rows$unit
  ))
}

# The display name of a statistic.
statistic_text <- function(symbol, statistic) {
  words <- c(
    error = "relative error of the model's %s", error_size = "size of the relative error of the model's %s",
    bound = "reach of the difference in %s", mean = "mean difference in %s"
  )
  if (statistic %in% names(words)) sprintf(words[[statistic]], symbol) else symbol
}

# A quantity relative to its reference: "tcp.rwnd = 44 packets" and "set = figure-13" name a point, the rest are
# metrics.
reference_text <- function(symbol, reference, labels) {
  if (!nzchar(reference)) {
    return(symbol)
  }
  parts <- trimws(strsplit(reference, "=", fixed = TRUE)[[1]])
  words <- if (length(parts) == 2) labels$values[[parts[2]]]
  other <- if (length(parts) == 1) {
    metric_symbol(reference, labels)
  } else if (parts[1] == "set") {
    paste("in", parts[2])
  } else if (!is.null(words)) {
    paste("with", words)
  } else {
    paste("with", parameter_symbol(parts[1], labels), parts[2])
  }
  sprintf("%s relative to that %s", symbol, sub("^(?!in |with )", "of ", other, perl = TRUE))
}

# The parameters that vary over the item's claims, as columns. If more than `most` vary, the set's name stands for those
# that it determines.
parameter_columns_of <- function(rows, data, most = Inf) {
  varying <- varying_parameters(rows, parameter_columns(data$points))
  if (length(varying) > most) {
    varying <- Filter(function(path) uniqueN(rows, by = c("set", path)) > uniqueN(rows$set), varying)
  }
  lapply(varying, function(path) {
    parameter_column(rows[[path]], path, data$labels)
  })
}

# A set without published numbers as a table: a row per metric and point, a column per engine and model, and each
# model's error against each engine. The metrics are those to show or, by default, those of the engines that ran.
table_set <- function(data) {
  observations <- data$observations
  if (length(data$metrics) > 0) {
    observations <- observations[metric %in% data$metrics]
  }
  simulated <- observations[!nzchar(model), unique(metric)]
  if (length(simulated) > 0) {
    observations <- observations[metric %in% simulated]
  }
  rows <- unique(observations[, .(set, point, metric)])
  rows <- rows[order(match(metric, metrics_in_order(metric, data)))]
  located <- join_in_order(rows, data$points, c("set", "point"))
  parameters <- lapply(varying_parameters(data$points), function(path) {
    parameter_column(located[[path]], path, data$labels)
  })
  shown <- shown_observations(observations, data$labels)
  cells_of <- function(chosen) chosen[rows, on = c("set", "point", "metric"), mult = "first"]$cell
  headings <- shown[rows, on = c("set", "point", "metric"), mult = "first"][, heading]
  sources <- lapply(unique(shown$engine), function(source) {
    list(heading = source_name(source, data$labels), cells = cells_of(shown[engine == source]))
  })
  differences <- lapply(unique(data$errors$engine), function(pair) {
    heading <- paste0("relative error:\n", source_name(pair, data$labels))
    list(heading = heading, cells = cells_of(data$errors[engine == pair][, cell := signed_percent(value)]))
  })
  quantity <- list(list(heading = "Quantity", cells = headings))
  columns_to_table(c(quantity, parameters, sources, differences), groups = 1)
}

# Observations with their heading, and their cell in the unit in which the metric is best shown.
shown_observations <- function(observations, labels) {
  shown <- scaled_observations(observations, labels)
  shown[, cell := measured_cells(value, ci_low, ci_high, interval = intervals_of(shown))]
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

# The metrics in the order of those to show, then of the labels, then by name.
metrics_in_order <- function(metrics, data) {
  catalogued <- unique(c(data$metrics, names(data$labels$metrics)))
  present <- unique(metrics)
  c(intersect(catalogued, present), sort(setdiff(present, catalogued)))
}
