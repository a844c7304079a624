test_that("results are read with their types, and printed numbers as text", {
  results <- synthetic_results("engset")
  expect_type(results$observations$value, "double")
  expect_equal(results$claims$published[1], "547.8")
  expect_equal(results$claims$row, 1:6)
  expect_gt(results$observations[engine == "model:engset" & is.na(ci_low), .N], 0)
})

break_file <- function(file, break_it) {
  results <- file.path(synthetic_project(), "results")
  path <- file.path(results, "studies", "engset", file)
  writeLines(break_it(readLines(path)), path)
  expect_error(read_study(results, "engset"), class = "plain_error")
}

test_that("a missing file, column, number or verdict is told by its name", {
  error <- break_file("observations.csv", function(lines) sub("^set,point", "set,place", lines))
  expect_match(error$message, "observations.csv: column point is missing; needed are set, point", fixed = TRUE)
  error <- break_file("claims.csv", function(lines) sub("reproduced", "fine", lines))
  expect_match(error$message, "claims.csv: line 2: verdict: 'fine' is none of reproduced", fixed = TRUE)
  error <- break_file("statements.csv", function(lines) sub("holds", "reproduced", lines))
  expect_match(error$message, "statements.csv: line 2: verdict: 'reproduced' is none of holds", fixed = TRUE)
  error <- break_file("claims.csv", function(lines) sub("562.84", "much", lines))
  expect_match(error$message, "claims.csv: line 3: value: 'much' is no number", fixed = TRUE)
  folder <- synthetic_project()
  file.remove(file.path(folder, "results", "studies", "engset", "distributions.csv"))
  expect_error(read_study(file.path(folder, "results"), "engset"), "distributions.csv: no such file", fixed = TRUE)
})

test_that("a study without results is told, with those that have some", {
  results <- file.path(synthetic_project(), "results")
  expect_error(read_study(results, "seawind"), "seawind: no such folder; studies with results are engset, my-link")
})

test_that("an item has the parameters of its points, and its claims those of theirs", {
  data <- synthetic_data("engset/table-06")
  expect_equal(data$points$sources.count, c(82, 98))
  expect_equal(varying_parameters(data$points), "sources.count")
  expect_equal(data$claims$sources.count, c(82, 82, 82, 98, 98, 98))
  expect_equal(data$statements$sources.count, 82)
})

test_that("an item that is not there is told, with what there is", {
  expect_error(synthetic_data("my-link/lod"), "my-link/lod: no such item; items are load")
})

test_that("parameters are numbers or words, and a point without any is a point", {
  long <- data.table(
    set = "s", point = c("a", "a", "b", "c"), parameter = c("rate", "tcp.variant", "rate", ""),
    value = c("2e6", "tahoe", "1e6", ""), unit = ""
  )
  points <- wide_points(long)
  expect_equal(points, data.table(
    set = "s", point = c("a", "b", "c"), rate = c(2e6, 1e6, NA), tcp.variant = c("tahoe", NA, NA)
  ))
})

test_that("the tail of a distribution has intervals that hold", {
  distribution <- data.table(
    x = c(1, 0, 2), probability = c(0.3, 0.5, 0.2), ci_low = c(0.29, 0.48, 0.19), ci_high = c(0.31, 0.52, 0.21)
  )
  tail <- tail_of(distribution)
  expect_equal(tail$x, 0:2)
  expect_equal(tail$tail, c(0.5, 0.2, 0))
  # Half-widths 0.02, 0.01, 0.01: of the sums above x 0.02, 0.01, 0, of those up to x 0.02, 0.03, 0.04.
  expect_equal(tail$high - tail$tail, c(0.02, 0.01, 0))
})
