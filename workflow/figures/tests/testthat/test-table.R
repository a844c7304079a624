test_that("cells keep their parts, and text is their main part", {
  parts <- cell_parts(list(cells("562.8", "1.2", "reproduced")[[1]], NULL, cells("0.004", "", "deviates", "ab")[[1]]))
  expect_equal(parts$main, c("562.8", "", "0.004"))
  expect_equal(parts$half, c("1.2", "", ""))
  expect_equal(cell_texts(parts), c("562.8 \u00b1 1.2 \u2713", "", "0.004 \u2717[ab]"))
  expect_equal(cell_texts(cell_parts(c("E: h", NA))), c("E: h", ""))
  expect_equal(nrow(cell_parts(list())), 0)
})

test_that("a number of a run that is the same for every seed is exact", {
  claims <- synthetic_data("engset/table-06")$claims
  claims[2, `:=`(interval = "exact", ci_low = NA, ci_high = NA)]
  texts <- cell_texts(cell_parts(claim_cells(claims, claim_notes(claims))))
  expect_equal(texts[1:3], c("547.8 \u2713", "562.8 exact \u2713", "0.52 \u00b1 0.02 \u2717[a]"))
  without_notes <- cell_texts(cell_parts(claim_cells(claims, character())))
  expect_equal(without_notes[2:3], c("562.8 exact \u2713", "0.52 \u00b1 0.02 \u2717"))
  shown <- data.table(metric = "goodput", unit = "bit/s", value = 1e6, ci_low = NA, ci_high = NA, interval = "exact")
  observed <- shown_observations(shown, paper_labels("engset"))
  expect_equal(cell_texts(cell_parts(observed$cell)), "1 exact")
})

test_that("columns of numbers are told from texts", {
  expect_true(is_numeric_column(c("1.5", "", "-3", "2e-5")))
  expect_false(is_numeric_column(c("1.5", "n/a")))
  expect_false(is_numeric_column(c("", "")))
})

test_that("repeated group names are shown once, inner ones again when an outer one changes", {
  body <- data.table(a = c("x", "x", "y"), b = c("1", "1", "1"), c = c("p", "q", "r"))
  table <- table_of(body, groups = 2)
  expect_equal(blank_repeats(table)[[1]]$main, c("x", "", "y"))
  expect_equal(blank_repeats(table)[[2]]$main, c("1", "", "1"))
  expect_equal(starts_group(table), c(FALSE, FALSE, TRUE))
})

test_that("notes are lettered in order of appearance", {
  expect_equal(note_letters(28)[c(1, 26, 27, 28)], c("a", "z", "aa", "ab"))
  notes <- claim_notes(synthetic_data("engset/table-06")$claims)
  expect_equal(notes, c(a = "a burst", b = "odd"))
})

test_that("a published item shows each printed number beside ours, with its verdict", {
  table <- table_by_number(synthetic_data("engset/table-06"))
  expect_equal(plain_headings(table), c("N", "Quantity", "Printed as", "Published", "model", "packetsim"))
  expect_equal(texts_of(table)[[4]], c("547.8", "563.1", "0.29", "344.6", "347.1", ""))
  expect_equal(texts_of(table)[[5]], c("547.8 \u2713", "", "", "344.6 \u2713", "", ""))
  expect_equal(texts_of(table)[[6]], c(
    "", "562.8 \u00b1 1.2 \u2713", "0.52 \u00b1 0.02 \u2717[a]",
    "", "300.0 \u00b1 2.0 \u2260[b]", "1.50 \u00b1 0.10 \u2013"
  ))
})

test_that("several metrics at several points from one source go side by side", {
  data <- synthetic_data("engset/table-06")
  data$claims <- data$claims[engine == "packetsim"]
  table <- table_published(data)
  expect_equal(table$spans$text, c("$h$ (kbit/s)", "$L$ (%)"))
  expect_equal(texts_of(table)[[2]], c("563.1", "347.1"))
  expect_equal(plain_headings(table)[2:3], c("h (kbit/s) paper", "h (kbit/s) ours"))
})

test_that("a set of one's own shows engines, models and the difference", {
  table <- table_set(synthetic_data("my-link/load"))
  expect_equal(
    plain_headings(table),
    c("Quantity", "N", "B (packets)", "packetsim", "model engset", "relative error: model engset / packetsim")
  )
  rates <- texts_of(table)[column1 == "Goodput per connection $h$ (kbit/s)"]
  expect_equal(rates$column2, c("10", "10", "20", "20"))
  expect_equal(rates$column3, c("50", "100", "50", "100"))
  expect_equal(rates$column4, c("10.05 \u00b1 0.10", "10.10 \u00b1 0.10", "20.05 \u00b1 0.10", "20.10 \u00b1 0.10"))
  expect_equal(rates$column6, rep("+1.0 %", 4))
  expect_equal(texts_of(table)[column1 == "Loss ratio $L$ (%)"]$column5, rep("3", 4))
  expect_false(any(grepl("Rounds", texts_of(table)$column1)))
})

test_that("of many parameters those that the set determines are left to its name", {
  rows <- data.table(
    set = c("a", "a", "b"), point = 1:3, tcp.rwnd = c(12, 12, 44), sources.count = c(10, 20, 20), rtt = c(1, 1, 2)
  )
  headings <- function(most) {
    vapply(parameter_columns_of(rows, list(points = rows, labels = common_labels), most), function(one) one$heading, "")
  }
  expect_length(headings(3), 3)
  expect_equal(headings(2), parameter_symbol("sources.count", common_labels))
})

test_that("reasons that differ in their numbers only are told once", {
  reasons <- c("a step of 1.5 % back", "h(2) is off", "a step of 2 % back", "a share of 3 %")
  told_once <- "a step of 1.5 to 2 % back"
  expect_equal(shared_reasons(reasons), c(told_once, "h(2) is off", told_once, "a share of 3 %"))
  gives <- c("the other gives 258: an effect", "the other gives 0.78: an effect", "see figure-07", "see figure-08")
  expect_equal(shared_reasons(gives), c(rep("the other gives 0.78 to 258: an effect", 2), gives[3:4]))
  several <- c("12 % first, 1 % then", "-3 % first, 1 % then", "9.5 % first, 1 % then")
  expect_equal(shared_reasons(several), rep("-3 to 12 % first, 1 % then", 3))
})
