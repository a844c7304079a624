labels <- paper_labels("engset")

named <- function(quantity, reference = "", statistic = "value", unit = "%") {
  quantity_symbols(data.table(quantity, statistic, reference, unit), labels)
}

test_that("a quantity says in words how it is looked at, and what it is relative to", {
  expect_equal(named("goodput_per_connection", unit = "kbit/s"), "$h$ (kbit/s)")
  expect_equal(
    named("goodput_per_connection", "tcp.rwnd = 44 packets"), "$h$ relative to that with $W_R$ 44 packets (%)"
  )
  expect_equal(
    named("queue_mean", "sources.workload.file_size.distribution = exponential"), "$Q$ relative to that with E (%)"
  )
  expect_equal(named("goodput_per_connection_mean", "goodput_per_connection"), "$h_2$ relative to that of $h$ (%)")
  expect_equal(named("loss_ratio", "set = figure-13"), "$L$ relative to that in figure-13 (%)")
  expect_equal(named("loss_ratio", statistic = "error"), "relative error of the model's $L$ (%)")
  expect_equal(named("loss_ratio", statistic = "error_size"), "size of the relative error of the model's $L$ (%)")
})

statement_of <- function(predicate, bound, along = "") {
  values <- list(predicate, bound, along)
  synthetic_statement("s", "holds", 1)[, c("predicate", "bound", "along") := values]
}

test_that("a statement says what it claims, and of what", {
  rows <- rbind(
    statement_of("at most", 0.03), statement_of("increasing", 0, "sources.count"), statement_of("decreasing", 4, "*")
  )
  expect_equal(predicate_texts(rows), c("at most 0.03", "increasing", "decreasing by at least 4"))
  expect_equal(statement_symbols(rows, labels), c("$L$ (%)", "change of $L$ over $N$ (%)", "change of $L$  (%)"))
  of_curves <- statement_of("decreasing", 0, "mean sources.count")
  expect_equal(statement_symbols(of_curves, labels), "mean change of $L$ over $N$ (%)")
})

test_that("a table of statements has a row per sentence and setting", {
  rows <- rbind(
    synthetic_statement("L is small", "holds", 0.5), synthetic_statement("L is small", "fails", 1.5, "a burst")
  )
  table <- table_of_statements(list(statements = rows, labels = labels))
  texts <- texts_of(table)
  expect_equal(table$headings, c("Statement", "Quantity", "Said to be", "Ours from", "ours"))
  expect_equal(texts$column1, rep("L is small", 2))
  expect_equal(texts$column5, c("0.5000 \u2713", "1.500 \u2717[a]"))
  expect_equal(table$notes, c(a = "a burst"))
})

test_that("of a sentence on many settings the values stand from the smallest to the largest, a row per verdict", {
  values <- c(5, 1, 2, -3.5, 9, 8, 7, 6, NA)
  rows <- rbindlist(lapply(seq_along(values), function(index) {
    fails <- index %in% c(1:5, 9)
    reason <- if (fails) paste("a step of", index, "%") else ""
    synthetic_statement("many", if (fails) "fails" else "holds", values[index], reason)
  }))
  table <- table_of_statements(list(statements = rows, labels = labels))
  texts <- texts_of(table)
  expect_equal(table$headings[c(4, 7)], c("Cases", "to"))
  expect_equal(texts$column4, c("6", "3"))
  expect_equal(texts$column6, c("-3.500 \u2717[a]", "6 \u2713"))
  expect_equal(table$notes[["a"]], "a step of 1 to 9 %")
  expect_equal(texts$column7, c("9", "8"))
})

test_that("a percent sign in a statement survives in its CSV", {
  expect_equal(csv_text(table_of(data.table(said = "above 1 % the model"))), "said\nabove 1 % the model")
})
