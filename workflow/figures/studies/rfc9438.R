# RFC 9438, "CUBIC for Fast and Long-Distance Networks" (2023).

# Tables 1 and 2: a row for each loss rate, and of each TCP the printed window, the formula's and the simulated one.
# CUBIC's three have a table of their own: side by side with the others they would be too small to read.
tables_of_windows <- function(data) {
  notes <- claim_notes(data$claims)
  claims <- copy(data$claims)[, cell := claim_cells(data$claims, notes)]
  parts <- split(claims, factor(startsWith(claims$row_note, "CUBIC"), c(FALSE, TRUE)), drop = TRUE)
  last <- length(parts)
  unname(Map(function(part, index) {
    table_of_windows(part, data$labels, if (index == last) notes)
  }, parts, seq_along(parts)))
}
table_1 <- table_2 <- tables_of_windows

table_of_windows <- function(claims, labels, notes) {
  losses <- sort(unique(claims[[loss_path]]), decreasing = TRUE)
  columns <- lapply(unique(claims$row_note), function(tcp) {
    mine <- claims[row_note == tcp]
    printed <- unique(mine, by = "row")
    sources <- lapply(unique(mine$engine), function(source) {
      ours <- mine[engine == source]
      list(heading = source_name(source, labels), cells = ours$cell[match(losses, ours[[loss_path]])])
    })
    c(list(list(heading = "paper", cells = printed$published[match(losses, printed[[loss_path]])])), sources)
  })
  table <- columns_to_table(
    c(list(parameter_column(losses, loss_path, labels)), unlist(columns, recursive = FALSE)),
    groups = 0, notes = notes
  )
  ends <- 1L + cumsum(lengths(columns))
  table$spans <- data.table(
    text = unique(claims$row_note), from = ends - lengths(columns) + 1L, to = ends
  )
  table
}

loss_path <- "links.bottleneck.loss"
