test_that("results are read with their types, and printed numbers as text", {
  folder <- synthetic_project()
  results <- read_results(file.path(folder, "results"), file.path(folder, "published"))
  expect_type(results$observations$value, "double")
  expect_type(results$claims$published, "character")
  expect_equal(results$claims$published[1], "547.8")
  expect_equal(results$observations[engine == "model:engset" & is.na(ci_low), .N] > 0, TRUE)
})

test_that("a claim knows its row and, without the row's own note, its reason", {
  folder <- synthetic_project()
  claims <- read_claims(file.path(folder, "results"), file.path(folder, "published"))
  expect_equal(claims$row, 1:6)
  expect_equal(claims$reason, c("", "", "a burst", "", "odd", ""))
  expect_equal(unique(claims[, .(against, along, relation)]), data.table(against = "", along = "", relation = "="))
})

break_file <- function(folder, file, break_it) {
  path <- file.path(folder, "results", file)
  writeLines(break_it(readLines(path)), path)
  expect_error(
    read_results(file.path(folder, "results"), file.path(folder, "published")),
    class = "plain_error"
  )
}

test_that("a missing file, column, number or verdict is told by its name", {
  drop_column <- function(lines) sub("^set,point", "set,place", lines)
  error <- break_file(synthetic_project(), "observations.csv", drop_column)
  expect_match(error$message, "observations.csv: column point is missing; needed are set, point", fixed = TRUE)
  error <- break_file(synthetic_project(), "claims.csv", function(lines) sub("reproduced", "fine", lines))
  expect_match(error$message, "claims.csv: line 2: verdict: 'fine' is none of reproduced", fixed = TRUE)
  error <- break_file(synthetic_project(), "claims.csv", function(lines) sub("562.84", "much", lines))
  expect_match(error$message, "claims.csv: line 3: value: 'much' is no number", fixed = TRUE)
  folder <- synthetic_project()
  file.remove(file.path(folder, "results", "distributions.csv"))
  error <- expect_error(read_results(file.path(folder, "results"), file.path(folder, "published")))
  expect_match(error$message, "distributions.csv: no such file", fixed = TRUE)
})

test_that("items without a title or sets are refused", {
  folder <- withr::local_tempdir()
  dir.create(file.path(folder, "paper"))
  path <- file.path(folder, "paper", "items.yaml")
  writeLines("items: {table-1: {title: T}}", path)
  expect_error(read_items(folder, "paper"), "items.table-1.sets: missing", fixed = TRUE)
  writeLines("items: [unclosed", path)
  expect_error(read_items(folder, "paper"), "items.yaml: cannot be read as YAML", fixed = TRUE)
  writeLines("nothing: 1", path)
  expect_error(read_items(folder, "paper"), "items: missing", fixed = TRUE)
})

test_that("a study without published numbers has no items", {
  expect_equal(read_items(withr::local_tempdir(), "my-link"), list())
})

test_that("an item has the parameters of its points, and its claims those of theirs", {
  data <- synthetic_data("engset/table-06")
  expect_equal(data$points$sources.count, c(82, 98))
  expect_equal(varying_parameters(data$points), "sources.count")
  expect_equal(data$claims$sources.count, c(82, 82, 82, 98, 98, 98))
  expect_false(data$is_set)
  expect_true(synthetic_data("my-link/load")$is_set)
})

test_that("what is neither an item nor a set is told, with what there is", {
  expect_error(synthetic_data("my-link/lod"), "my-link/lod: neither a published item nor a set .* my-link/load")
})

test_that("an item of several sets finds each row's set in its CSV", {
  folder <- withr::local_tempdir()
  dir.create(file.path(folder, "engset"))
  fwrite(data.table(set = c("a", "b"), note = ""), file.path(folder, "engset", "two.csv"))
  items <- list(items = list(two = list(title = "T", sets = list("a", "b"))))
  yaml::write_yaml(items, file.path(folder, "engset", "items.yaml"))
  at <- function(set, count) {
    synthetic_observation(set, "one", list("sources.count" = count), "packetsim", "on_time", "s", 1, 0.1)
  }
  claims <- table_06_study()$claims[1:2]
  claims[, `:=`(item = "two", point = "one", row = 1:2, reason = "")]
  results <- list(
    observations = rbind(at("engset/a", 1), at("engset/b", 2)), claims = claims,
    distributions = data.table(set = character()), traces = data.table(set = character())
  )
  data <- item_data(results, folder, "engset", "two", common_labels)
  expect_equal(data$claims$sources.count, c(1, 2))
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
