# The Linux kernel, and the TCP that ns-3 comes with, beside the simulators; today's kernel at settings of the papers.

stack_names <- c(newreno = "2002: NewReno", "linux-6.1" = "6.1: CUBIC, SACK")

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

# Lone CUBIC flows, and twenty behind each queue, and NewReno behind managed queues, by the same columns.
table_kernel_cubic <- table_kernel
table_managed_queues <- table_kernel

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

# The metrics shown of each stack: the speed of a connection, or of all together, then of the link.
today_columns <- c(loss_ratio = "Loss (%)", utilisation = "Utilisation (%)", queue_mean = "Queue (packets)")
speed_metrics <- c("goodput_per_connection", "goodput")

table_today <- function(data) {
  rows <- data$observations[engine == "linux"]
  if (nrow(rows) == 0) {
    return(table_of_text(nothing_made(data)))
  }
  rows <- join_in_order(rows, data$points, c("set", "point"))
  points <- unique(rows[, .(set, point, tcp.variant)])
  of_metric <- function(wanted) rows[metric %in% wanted][points, on = c("set", "point"), mult = "first"]
  shown <- function(values, scale = 1) {
    ends <- list(scale * values$ci_low, scale * values$ci_high)
    measured_cells(scale * values$value, ends[[1]], ends[[2]], interval = values$interval)
  }
  speed <- of_metric(speed_metrics)
  in_bits <- ifelse(speed$unit == "bit/s", 1e-3, 1)
  unit <- ifelse(speed$unit == "bit/s", "kbit/s", speed$unit)
  measured <- lapply(names(today_columns), function(one) {
    list(heading = today_columns[[one]], cells = shown(of_metric(one), if (one == "queue_mean") 1 else 100))
  })
  first <- list(
    list(heading = "Paper", cells = sub("^.*/today-", "", points$set)),
    list(heading = "Kernel", cells = unname(stack_names[points$tcp.variant])),
    list(heading = "Goodput", cells = shown(speed, in_bits)), list(heading = "", cells = unit)
  )
  columns_to_table(c(first, measured), groups = 1)
}
