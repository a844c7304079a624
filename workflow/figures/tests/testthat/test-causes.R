test_that("a cause counts each number and each sentence that it explains once, and the rest is one row", {
  results <- synthetic_results("engset")
  other <- copy(results$claims[3])[, `:=`(engine = "ns3", counted = "false")]
  single <- copy(results$claims[3])[, `:=`(row = 9, cause = "")]
  results$claims <- rbind(results$claims, other, single)
  failing <- synthetic_statement("L stays below 0.1 %", "fails", 0.5)
  failing[, `:=`(statement = "engset/table-06/2", cause = "bursts")]
  results$statements <- rbind(results$statements, failing, failing)
  rows <- counted_causes(results)
  expect_equal(rows$cause, c("bursts", ""))
  expect_equal(rows$numbers, c(1, 1))
  expect_equal(rows$sentences, c(1, 0))
  texts <- texts_of(table_of_causes(results))
  expect_equal(
    unlist(texts[1], use.names = FALSE), c("Zaragoza (2014)", "Bursts of $W_{R}$ & more.", "1", "1", "figure-12")
  )
  expect_match(texts[[2]][2], "Neither a cause")
  expect_match(tex_causes(results), "Bursts of $W_{R}$ \\& more.", fixed = TRUE, all = FALSE)
})

test_that("the first pages have the causes that explain most, and the others in one row", {
  results <- synthetic_results("engset")
  other <- copy(results$claims[3])[, `:=`(row = 9, cause = "unused")]
  results$claims <- rbind(results$claims, other, copy(results$claims[3])[, row := 10])
  texts <- texts_of(table_of_causes(results, 1))
  expect_equal(texts[[1]], c("Zaragoza (2014)", "all"))
  expect_equal(texts[[2]][2], smaller_causes)
  expect_equal(texts[[3]], c("2", "1"))
  expect_length(texts_of(table_of_causes(results))[[1]], 2)
})

test_that("an open question is in the appendix with what was tried, and in one row of the first pages", {
  results <- synthetic_results("engset")
  expect_null(tex_open_questions(results))
  results$causes[cause == "bursts", `:=`(text = "Why so many?", tried = "Longer bursts.")]
  expect_match(texts_of(table_of_causes(results))[[2]], "^Open questions")
  section <- tex_open_questions(results)
  expect_match(section, "\\\\section\\{Open questions\\}", all = FALSE)
  expect_match(section, "Why so many? & Longer bursts. & 1", fixed = TRUE, all = FALSE)
})

test_that("headings of numbers are no numbers to dcolumn", {
  expect_match(tex_causes(synthetic_results("engset")), "& \\multicolumn{1}{c}{Numbers} &", fixed = TRUE, all = FALSE)
})

test_that("a study in which nothing deviates has no causes", {
  results <- synthetic_results("my-link")
  expect_null(tex_causes(results))
  expect_equal(cause_numbers(results), character())
})
