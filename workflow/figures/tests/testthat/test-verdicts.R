claims_of <- function() synthetic_data("engset/table-06")$claims

test_that("the scorecard counts verdicts, and leaves out those that nobody has", {
  table <- table_of_verdicts(claims_of(), comparisons$claims, c("paper", "kind"))
  expect_equal(table$headings[3:7], c("Reproduced", "Deviates", "Inconsistent", "Unavailable", "Total"))
  texts <- texts_of(table)
  expect_equal(texts[[2]], c("model", "simulation", ""))
  expect_equal(texts[[3]], c("2", "1", "3"))
  expect_equal(texts[[4]], c("0", "1", "1"))
  expect_equal(unlist(texts[3], use.names = FALSE), c("all", "", "3", "1", "1", "1", "6"))
})

test_that("a printed number counts once, by its best-placed engine", {
  claims <- rbind(claims_of(), claims_of()[3][, `:=`(engine = "ns3", verdict = "reproduced", counted = "false")])
  expect_equal(counted_numbers(claims)[item == "table-06", .N], 6)
  table <- scorecard_tables(list(
    claims = claims, statements = synthetic_statement("s", "holds", 1)[0], equivalence = empty_result("equivalence")
  ))[["Printed numbers"]]
  expect_equal(table$headings[1:2], c("Paper", "Reproduced"))
  expect_equal(unlist(texts_of(table)[1], use.names = FALSE)[c(1, 2, 6)], c("engset", "3", "6"))
  expect_equal(nrow(texts_of(table)), 1)
})

test_that("a sentence is as its worst case, whatever other engines say", {
  cases <- function(...) rbindlist(lapply(c(...), function(one) synthetic_statement("s", one, 1)))
  expect_equal(counted_sentences(cases("holds", "fails", "undecided"))$verdict, "fails")
  expect_equal(counted_sentences(cases("holds", "undecided"))$verdict, "undecided")
  expect_equal(counted_sentences(cases("inconsistent", "holds"))$verdict, "holds")
  other <- synthetic_statement("s", "fails", 1, engine = "ns3")[, counted := "false"]
  expect_equal(counted_sentences(rbind(cases("holds"), other))$verdict, "holds")
})

test_that("numbers, statements and pairs of engines have a table each", {
  pairs <- data.table(set = "engset/a", engine = "ns3", reference = "packetsim", verdict = c("agrees", "", "differs"))
  results <- list(claims = claims_of(), statements = synthetic_statement("s", "fails", 2), equivalence = pairs)
  tables <- scorecard_tables(results)
  expect_equal(names(tables), c("Printed numbers", "Sentences", "The simulators against each other"))
  expect_equal(texts_of(tables$Sentences)[[3]], "1")
  expect_equal(unlist(texts_of(tables[[3]])[1], use.names = FALSE), c("engset", "ns-3 / packetsim", "1", "1", "2"))
  expect_equal(names(scorecard_tables(list(
    claims = claims_of(), statements = results$statements[0], equivalence = pairs[2]
  ))), "Printed numbers")
})

test_that("distances are in tolerances", {
  claims <- claims_of()
  expect_equal(tolerances_off(claims)[3], (0.52 - 0.29) / 0.15)
  expect_true(is.na(tolerances_off(claims)[6]))
})

test_that("the picture has every claim that has a distance, coloured by verdict", {
  plot <- plot_scorecard(claims_of())
  points <- as.data.table(ggplot_build(plot)$data[[3]])
  expect_equal(nrow(points), 5)
  expect_setequal(points$colour, verdict_colours[c("reproduced", "deviates", "inconsistent")])
  expect_equal(anyDuplicated(points$y), 0)
  expect_match(plot$labels$x, "tolerance")
})

test_that("nothing compared is no error", {
  none <- list(claims = claims_of()[0], statements = synthetic_statement("s", "holds", 1)[0])
  none$equivalence <- empty_result("equivalence")
  none$causes <- empty_result("causes")
  expect_s3_class(plot_scorecard(none$claims), "ggplot")
  expect_match(tex_scorecard(none), "Nothing was compared")
  expect_match(html_scorecard(none, ""), "Nothing was compared")
})

test_that("points on a line are spread, and the scale is symmetric", {
  expect_equal(spread(1), 0)
  expect_true(all(abs(spread(50)) <= 0.3))
  expect_equal(symmetric_log$transform(-3), -symmetric_log$transform(3))
  expect_equal(symmetric_log$inverse(symmetric_log$transform(42)), 42)
})
