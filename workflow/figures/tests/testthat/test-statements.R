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

test_that("a table of statements has a row per sentence, with its worst verdict and the range of its values", {
  rows <- rbind(
    synthetic_statement("L is small", "holds", 0.5), synthetic_statement("L is small", "fails", 1.5, "a burst"),
    synthetic_statement("L is small", "fails", 9, engine = "ns3")[, counted := "false"]
  )
  table <- table_of_statements(list(statements = rows, labels = labels))
  texts <- texts_of(table)
  expect_equal(table$headings, c("Sentence", "Claim", "Computed", "by", "Holds in"))
  expect_equal(
    unlist(texts, use.names = FALSE),
    c("L is small", "$L$ (%) at most 1", "0.500 to 1.50", "packetsim", "1 of 2 \u2717[a]")
  )
  expect_equal(table$notes, c(a = "a burst"))
})

test_that("many texts are told by the first", {
  expect_equal(listed_once(c("a", "b", "", "a")), "a; b")
  expect_equal(listed_once(letters[1:5]), "a; b; and 3 more")
  expect_equal(value_range(c(NA, -3.5, 2)), "-3.50 to 2.00")
  expect_equal(value_range(NA_real_), "")
})

test_that("a percent sign in a statement survives in its CSV", {
  expect_equal(csv_text(table_of(data.table(said = "above 1 % the model"))), "said\nabove 1 % the model")
})
