# The Linux kernel beside the simulators.

# A table per set: on-off sources beside packetsim, bulk transfers beside ns-3.
table_kernel <- function(data) {
  rows <- differences_of(data)
  if (nrow(rows) == 0) {
    return(table_of_text(nothing_made(data)))
  }
  notes <- claim_notes(rows)
  rows[, cell := claim_cells(rows, notes)]
  lapply(split(rows, by = "set"), function(one) {
    table_of_differences(one, intersect(unlist(shown_metrics), one$metric), notes, data$labels)
  })
}

# Lone CUBIC flows, and twenty behind each queue, by the same columns.
table_kernel_cubic <- table_kernel

# A table a set: a row per point by what was swept and engine, a column per metric that a statement judges.
table_kernel_bbr <- function(data) {
  rows <- judged_rows(data)
  if (nrow(rows) == 0) {
    return(table_of_text(nothing_made(data)))
  }
  notes <- claim_notes(rows)
  rows[, cell := claim_cells(rows, notes)]
  lapply(split(rows, by = "set"), function(one) {
    points <- unique(one, by = compared)
    columns <- metric_columns(one, points, unique(one$metric), data$labels)
    first <- c(parameter_columns_of(points, data), engine_column(points, data$labels))
    columns_to_table(c(first, columns), notes = notes_of(columns, notes))
  })
}

table_kernel_loss_detection <- table_kernel_bbr
