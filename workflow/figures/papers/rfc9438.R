# RFC 9438, "CUBIC for Fast and Long-Distance Networks" (2023).

# Tables 1 and 2: a row for each loss rate, and of each TCP the printed window, the formula's and the simulated one.
table_of_windows <- function(data) {
  notes <- claim_notes(data$claims)
  claims <- copy(data$claims)[, cell := claim_cells(data$claims, notes)]
  losses <- sort(unique(claims[[loss_path]]), decreasing = TRUE)
  columns <- lapply(unique(claims$row_note), function(tcp) {
    mine <- claims[row_note == tcp]
    printed <- unique(mine, by = "row")
    sources <- lapply(unique(mine$engine), function(source) {
      ours <- mine[engine == source]
      list(heading = source_name(source, data$labels), cells = ours$cell[match(losses, ours[[loss_path]])])
    })
    c(list(list(heading = "paper", cells = printed$published[match(losses, printed[[loss_path]])])), sources)
  })
  table <- columns_to_table(
    c(list(parameter_column(losses, loss_path, data$labels)), unlist(columns, recursive = FALSE)),
    groups = 0, notes = notes
  )
  ends <- 1L + cumsum(lengths(columns))
  table$spans <- data.table(
    text = unique(claims$row_note), from = ends - lengths(columns) + 1L, to = ends
  )
  table
}
table_1 <- table_of_windows
table_2 <- table_of_windows

loss_path <- "links.bottleneck.loss"
