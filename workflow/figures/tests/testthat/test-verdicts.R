claims_of <- function() synthetic_data("engset/table-06")$claims

test_that("claims are counted by paper, kind and verdict", {
  counts <- count_verdicts(claims_of())
  expect_equal(counts$kind, c("model", "simulation"))
  expect_equal(counts$reproduced, c(2, 1))
  expect_equal(counts$deviates, c(0, 1))
  expect_equal(counts$total, c(2, 4))
})

test_that("the scorecard sums up, and leaves out verdicts that nobody has", {
  table <- table_scorecard(claims_of())
  expect_equal(table$headings[3:7], c("Reproduced", "Deviates", "Inconsistent", "Unavailable", "Total"))
  expect_equal(unlist(table$body[3], use.names = FALSE), c("all", "", "3", "1", "1", "1", "6"))
})

test_that("distances are in tolerances, and a bound that holds is none", {
  claims <- claims_of()
  expect_equal(tolerances_off(claims)[3], (0.52 - 0.29) / 0.15)
  expect_true(is.na(tolerances_off(claims)[6]))
  bound <- copy(claims[3])[, `:=`(verdict = "reproduced", value = 0, tolerance = 0.01)]
  expect_equal(tolerances_off(bound), 0)
})

test_that("what deviates is told with the worst number and the reason", {
  claims <- rbind(claims_of(), copy(claims_of()[3])[, value := 0.9][, relative_error := 0.9 / 0.29 - 1])
  rows <- deviating_claims(claims)
  expect_equal(rows$deviating, 2)
  expect_equal(rows$of, 2)
  expect_equal(rows$value, 0.9)
  texts <- deviation_texts(claims_of(), common_labels)
  expect_equal(texts$item, "engset/table-06")
  expect_equal(
    texts$text, "$L$ (%) from packetsim: 1 of 1, the worst 0.52 \u00b1 0.02 where 0.29 is printed (+79.3 %). A burst."
  )
})

test_that("a deviation without a reason or a number says so", {
  claims <- claims_of()[3][, c("reason", "value", "ci_low", "ci_high", "relative_error") := list("", NA, NA, NA, NA)]
  text <- deviation_texts(claims, common_labels)$text
  expect_match(text, "the worst nothing where 0.29 is printed. No reason is known.")
})

test_that("the picture has every claim that has a distance, coloured by verdict", {
  plot <- plot_scorecard(claims_of())
  points <- as.data.table(ggplot_build(plot)$data[[3]])
  expect_equal(nrow(points), 5)
  expect_setequal(points$colour, verdict_colours[c("reproduced", "deviates", "inconsistent")])
  expect_equal(anyDuplicated(points$y), 0)
  expect_match(plot$labels$x, "tolerance")
})

test_that("no claims are no error", {
  none <- claims_of()[0]
  expect_s3_class(plot_scorecard(none), "ggplot")
  expect_match(tex_scorecard(none, common_labels), "No published number was compared")
  expect_match(html_scorecard(none, common_labels, ""), "No published number was compared")
})

test_that("points on a line are spread, and the scale is symmetric", {
  expect_equal(spread(1), 0)
  expect_true(all(abs(spread(50)) <= 0.3))
  expect_equal(symmetric_log$transform(-3), -symmetric_log$transform(3))
  expect_equal(symmetric_log$inverse(symmetric_log$transform(42)), 42)
})
