# The chapter of what still holds with the TCP of today.

now_rows <- function() {
  row <- function(statement, tcp, engine, verdict, reason = "", what = "sentence") {
    data.table::data.table(
      paper = "engset", statement, tcp, engine, verdict, reason, what, item = "table-06",
      text = paste("about", statement),
      then = "holds", cases = "1 of 1", value = 1, ci_low = 0, ci_high = 2, bound = 0, tolerance = 0, unit = "%",
      study = "engset-cubic", counted = "true", engines = ""
    )
  }
  rbind(
    row("a/1", "CUBIC", "packetsim", "still holds"), row("a/2", "CUBIC", "packetsim", "no longer", "in 2 of 5 cases"),
    row("a/2", "BBR", "linux", "reversed"), row("a/3", "CUBIC", "", "does not apply", "a formula alone"),
    row("a/4", "CUBIC", "packetsim", "no longer", "larger than printed", "number")
  )
}

test_that("sentences have a row each, with what each TCP and its engines say of them", {
  second <- function(its_verdict) {
    now_rows()[2][, `:=`(engine = "linux", verdict = its_verdict, reason = "", counted = "false")]
  }
  shown <- function(rows) lapply(tables_of_now_sentences(rows, "engset")[[1]]$columns, function(column) column$main)
  expect_equal(
    shown(rbind(now_rows(), second("undecided"))),
    list(c("about a/1", "about a/2"), c("still holds", "no longer (2 of 5); Linux: undecided"), c("", "reversed"))
  )
  expect_equal(shown(rbind(now_rows(), second("no longer")))[[2]][2], "no longer (2 of 5), Linux too")
  differ <- rbind(now_rows(), second("still holds"))[2, `:=`(
    verdict = "engines differ", reason = "packetsim: no longer; Linux: still holds"
  )]
  expect_equal(shown(differ)[[2]][2], "engines differ (packetsim: no longer; Linux: still holds)")
  expect_equal(tables_of_now_sentences(differ, "engset")[[1]]$columns[[2]]$verdict, c("holds", "undecided"))
  expect_equal(tables_of_now_sentences(now_rows(), "engset")[[1]]$columns[[2]]$verdict, c("holds", "fails"))
  expect_length(tables_of_now_sentences(now_rows(), "compound"), 0)
})

test_that("a TCP that is asked few sentences has a table of its own", {
  few <- now_rows()[1][, tcp := "CUBIC, FQ-CoDel"]
  more <- data.table::copy(now_rows()[1])[, `:=`(statement = "a/5", text = "about a/5")]
  tables <- tables_of_now_sentences(rbind(now_rows(), more, few), "engset")
  expect_equal(lapply(tables, `[[`, "headings"), list(c("Sentence", "CUBIC"), c("Sentence", "BBR", "CUBIC, FQ-CoDel")),
    ignore_attr = TRUE
  )
})

test_that("a sentence of two tables is told by its table", {
  rows <- now_rows()[1:2][, `:=`(text = "loss is low", item = c("table-06", "table-7.1"))]
  table <- tables_of_now_sentences(rows, "engset")[[1]]
  expect_equal(table$columns[[1]]$main, c("loss is low (table 6)", "loss is low (table 7.1)"))
})

test_that("what does not apply is told with its reason, and counted apart", {
  names <- c(engset = "Zaragoza (2014)")
  table <- table_of_now_reasons(now_rows(), names)
  expect_equal(table$columns[[1]]$main, "Zaragoza (2014)")
  expect_equal(table$columns[[4]]$main, "a formula alone")
  of_bbr <- data.table::copy(now_rows()[4])[, tcp := "BBR"]
  table <- table_of_now_reasons(rbind(now_rows(), of_bbr), names)
  expect_equal(vapply(table$columns[2:3], function(column) column$main, ""), c("BBR, CUBIC", "1"))
  counts <- table_of_now_counts(now_rows(), names)
  shown <- vapply(counts$columns, function(column) paste(column$main, collapse = "|"), "")
  verdicts <- c("still holds", "no longer", "reversed", "does not apply")
  expect_equal(counts$headings, c("with", "Paper", verdicts, "no longer"))
  expect_equal(unname(shown[3:7]), c("1|", "1|", "|1", "1|", "1|"))
  expect_equal(
    counts$spans, data.table::data.table(text = c("Sentences", "Numbers"), from = c(3L, 7L), to = c(6L, 7L)),
    ignore_attr = TRUE
  )
})

test_that("an unknown verdict is refused, with its line", {
  folder <- withr::local_tempdir()
  data.table::fwrite(now_rows()[2, verdict := "perhaps"], file.path(folder, "now.csv"))
  expect_error(read_now(folder), "line 3: verdict: 'perhaps' is unknown")
})

test_that("the figure names the model, the paper's own TCP and today's, in this order, and shows units people use", {
  panel <- plots_within(plot_now(now_figure_rows(), common_labels))[[1]]
  drawn <- ggplot_build(panel)
  points <- drawn$data[[4]]
  expect_equal(levels(panel$data$series), c(now_model, now_own, "CUBIC, packetsim", "BBR, Linux"))
  expect_equal(sort(points$y), c(50, 60, 70, 80, 90))
  expect_equal(sort(unique(points$x)), c(1, 2))
  expect_equal(panel$labels$subtitle, "then: Compound")
})

test_that("the chapter tells what each panel shows, by its letter", {
  findings <- data.table::data.table(panel = c("a", "b"), question = "Is it?", finding = c("By 5 %.", "No."))
  expect_equal(tex_now_findings(findings)[2:3], c("\\item[(a) Is it?] By 5 \\%.", "\\item[(b) Is it?] No."))
  expect_null(tex_now_findings(findings[0]))
})

test_that("without panels there is a line in place of the figure", {
  expect_lt(size_of(plot_now(now_figure_rows()[0], common_labels))[["height"]], 1)
})
