# Tables per interval of file sizes: 1, 4, 8 and 9.

# Table 1: the mix of sizes, and the mean size in each interval; a block of rows per mean size.
table_01 <- function(data) {
  tables <- lapply(c("file_share", "file_size_mean", "tail_start"), function(one) {
    mine <- with_claims(data, metric_parts(data$claims$metric)$name == one)
    columns <- value_text(mine$claims[[sizes]], sizes, data$labels)
    rows <- list(parameter_column(mine$claims[[mean_size]], mean_size, data$labels))
    if (one != "tail_start") rows <- c(rows, list(interval_column(mine$claims)))
    table_across(mine, rows, paste0(columns, ": ", quantity_of(mine$claims, data$labels)), groups = 1)
  })
  tables
}

# Table 4: how much longer connections last, and how much more queue they see, with the large window.
table_04 <- function(data) {
  lapply(unique(data$claims[[sizes]]), function(one) {
    mine <- with_claims(data, data$claims[[sizes]] == one)
    heading <- c(file_share = "files (%)", on_time = "ON, $W_R$ 44/12 (%)", queue_seen = "queue seen, 44/12 (%)")
    size <- value_text(one, sizes, data$labels)
    columns <- paste0(size, ": ", heading[metric_parts(mine$claims$metric)$name])
    table_across(mine, list(interval_column(mine$claims)), columns)
  })
}

# Table 8: the numbers of its heading; below, a row per interval, with three quantities beside one another, which fit
# the page's width.
table_08 <- function(data) {
  metric <- metric_parts(data$claims$metric)
  bracketed <- nzchar(metric$of)
  quantities <- unique(metric$name[bracketed])
  parts <- split(quantities, (seq_along(quantities) - 1) %/% 3)
  intervals <- lapply(unname(parts), function(part) {
    rows <- with_claims(data, bracketed & metric$name %in% part)
    table_across(rows, list(interval_column(rows$claims)), quantity_of(rows$claims, data$labels))
  })
  c(list(table_by_number(with_claims(data, !bracketed))), intervals)
}

# Table 9: h2 and the share of stalled time, a column per distribution and buffer; below, the same with ties decided
# by the other rules.
table_09 <- function(data) {
  bracketed <- nzchar(metric_parts(data$claims$metric)$of)
  intervals <- lapply(c("goodput_per_connection_mean", "stalled_share"), function(one) {
    lapply(unique(data$claims[[sizes]]), function(size) {
      chosen <- metric_parts(data$claims$metric)$name == one & data$claims[[sizes]] == size
      mine <- with_claims(data, chosen)
      columns <- paste0(size_and_buffer(mine$claims, data$labels), ":\n", quantity_of(mine$claims, data$labels))
      table_across(mine, list(interval_column(mine$claims)), columns)
    })
  })
  rules <- intersect(names(ties_headings), data$points[set == ties_set][[ties_path]])
  ties <- lapply(c("goodput_per_connection_mean", "stalled_share"), function(one) {
    lapply(rules, table_of_ties, data = with_claims(data, metric_parts(data$claims$metric)$name == one))
  })
  parts <- unlist(c(intervals, ties), recursive = FALSE)
  c(list(table_by_number(with_claims(data, !bracketed))), parts)
}

# Observations at the points with another rule for ties for the claims, which are of one quantity: a row per interval, a
# column per distribution and buffer.
table_of_ties <- function(data, rule) {
  points <- data$points[set == ties_set]
  points <- points[points[[ties_path]] == rule]
  observed <- data$observations[set == ties_set & engine == "packetsim" & point %in% points$point]
  observed <- join_in_order(observed, data$points, c("set", "point"))
  buffers <- points$links.bottleneck.buffer
  printed <- data$claims[links.bottleneck.buffer %in% buffers]
  observed <- observed[printed, on = c(sizes, "links.bottleneck.buffer", "metric"), mult = "first"]
  printed[, `:=`(cell = measured_beside(observed, printed), column = size_and_buffer(printed, data$labels))]
  intervals <- unique(printed$metric)
  columns <- lapply(unique(printed$column), function(one) {
    mine <- printed[column == one]
    list(heading = one, cells = mine$cell[match(intervals, mine$metric)])
  })
  table <- columns_to_table(c(list(interval_column(unique(printed, by = "metric"))), columns), groups = 0)
  heading <- paste0(sub("\n", " ", ties_headings[[rule]], fixed = TRUE), ": ", quantity_of(printed[1], data$labels))
  table$spans <- data.table(text = heading, from = 2L, to = 1L + length(columns))
  table
}

# "EE(7), $B$ = 50" of each claim.
size_and_buffer <- function(claims, labels) {
  sprintf("%s, $B$ = %s", value_text(claims[[sizes]], sizes, labels), claims[["links.bottleneck.buffer"]])
}

# The last size of an interval, "on_time[3-6]" or "on_time[2]"; none of ">100".
interval_end <- function(metric) {
  suppressWarnings(as.numeric(sub("^.*-", "", metric_parts(metric)$of)))
}

interval_column <- function(claims) {
  list(heading = "Size (packets)", cells = sub("-", "\u2013", metric_parts(claims$metric)$of, fixed = TRUE))
}

# Symbol and unit, without the interval, which the row names.
quantity_of <- function(claims, labels) {
  unname(mapply(
    function(metric, unit) with_unit(metric_symbol(metric, labels), unit), metric_parts(claims$metric)$name, claims$unit
  ))
}

# A table whose rows are told apart by `rows`, each list(heading, cells) with a cell per claim, and whose columns are
# the distinct `columns`, each with the printed number and what every source gives.
table_across <- function(data, rows, columns, groups = 0) {
  notes <- claim_notes(data$claims)
  claims <- data.table::copy(data$claims)[, `:=`(cell = claim_cells(data$claims, notes), column = columns)]
  claims[, place := do.call(paste, c(lapply(rows, function(row) row$cells), sep = "\r"))]
  first <- !duplicated(claims$place)
  places <- claims$place[first]
  cell_at <- function(chosen, cells) cells[chosen][match(places, claims$place[chosen])]
  spans <- list()
  shown <- lapply(rows, function(row) list(heading = row$heading, cells = row$cells[first]))
  for (one in unique(columns)) {
    from <- length(shown) + 1L
    shown <- c(shown, list(list(heading = "paper", cells = cell_at(claims$column == one, claims$published))))
    for (source in unique(claims$engine[claims$column == one])) {
      name <- source_name(source, data$labels)
      mine <- claims$column == one & claims$engine == source
      shown <- c(shown, list(list(heading = name, cells = cell_at(mine, claims$cell))))
    }
    spans <- c(spans, list(data.table::data.table(text = one, from = from, to = length(shown))))
  }
  table <- columns_to_table(shown, groups = groups, notes = notes)
  table$spans <- data.table::rbindlist(spans)
  table
}
