claims_of <- function() synthetic_data("engset/table-06")$claims

test_that("the scorecard has a bar per paper, per kind and per pair of simulators, each number once", {
  claims <- rbind(claims_of(), claims_of()[3][, `:=`(engine = "ns3", verdict = "reproduced", counted = "false")])
  results <- list(claims = claims, statements = synthetic_statement("s", "fails", 2), equivalence = data.table(
    set = "engset/a", engine = "ns3", reference = "packetsim", verdict = c("agrees", "", "differs")
  ))
  rows <- scorecard_rows(results, synthetic_studies())
  expect_equal(rows[name == "Zaragoza (2014)" & grepl("numbers", section), sum(count)], 6)
  expect_equal(rows[name == "Zaragoza (2014)" & verdict == "reproduced", count], 3)
  expect_equal(rows[name == "Models", sum(count)], 2)
  expect_equal(rows[name == "Zaragoza (2014)" & verdict == "fails", count], 1)
  expect_equal(rows[name == "ns-3 and packetsim", sum(count)], 2)
  built <- ggplot_build(plot_scorecard(rows))
  bars <- as.data.table(built$data[[1]])
  # Each bar is whole, and its text says how many are good.
  expect_equal(unique(bars[, .(whole = round(sum(xmax - xmin), 9)), by = ymin]$whole), 1)
  expect_true("3 of 6" %in% built$data[[3]]$label)
})

test_that("what follows from printed numbers, and what could not have failed, stand apart", {
  claims <- claims_of()[c(1, 2, 4)]
  claims[1, power := "none"]
  claims[2, class := "arithmetic"]
  claims <- rbind(claims, copy(claims[2])[, `:=`(counted = "beside", class = "replication", verdict = "deviates")])
  results <- list(
    claims = claims, statements = synthetic_statement("s", "holds", 2)[0], equivalence = empty_result("equivalence")
  )
  rows <- scorecard_rows(results, synthetic_studies())
  expect_equal(rows[section == scorecard_papers, paste(verdict, count)], c("weak 1", "reproduced 1"))
  expect_equal(rows[grepl("Arithmetic", section), paste(verdict, count)], c("reproduced 1", "deviates 1"))
  numbers <- class_numbers(claims, "all/")
  expect_equal(numbers[paste0("all/", c("replication/wide", "replication/few", "arithmetic/claims"))], c(
    "all/replication/wide" = "1", "all/replication/few" = "0", "all/arithmetic/claims" = "1"
  ))
  kinds <- paste0("all/", rep(c("model", "simulation", "measurement", "redone"), each = 2), c("/claims", "/reproduced"))
  replicated <- claims[counted == "true" & class == "replication"]
  expect_equal(sum(as.integer(numbers[kinds[c(1, 3, 5, 7)]])), nrow(replicated))
  expect_equal(sum(as.integer(numbers[kinds[c(2, 4, 6, 8)]])), sum(replicated$verdict == "reproduced"))
  expect_true("2 of 2" %in% ggplot_build(plot_scorecard(rows))$data[[3]]$label)
})

test_that("what holds by construction is told apart from what could have failed", {
  statements <- rbind(
    synthetic_statement("s", "holds", 0.5)[, by_construction := "a bound"],
    synthetic_statement("t", "holds", 0.5)[, statement := "engset/table-06/2"],
    synthetic_statement("u", "fails", 2)[, `:=`(statement = "engset/table-06/3", by_construction = "a bound")]
  )
  results <- list(claims = claims_of()[0], statements = statements, equivalence = empty_result("equivalence"))
  rows <- scorecard_rows(results, synthetic_studies())
  expect_equal(rows[, paste(verdict, count)], c("fails 1", "weak 1", "holds 1"))
})

test_that("other TCP variants are counted where they were tried on a reproduced number", {
  claims <- claims_of()[c(1, 2, 4)]
  claims[, verdict := c("reproduced", "reproduced", "deviates")]
  claims[, rivals := c("reno reproduced; tahoe deviates", "", "reno reproduced")]
  expect_equal(
    rival_numbers(claims, "s/rivals/"),
    c("s/rivals/tried" = "1", "s/rivals/newreno" = "0", "s/rivals/reno" = "1", "s/rivals/tahoe" = "0")
  )
})

test_that("losses are judged together: how many are below the printed ones, and how far all are from them", {
  claims <- rbindlist(lapply(c(-0.04, -0.02, 0.03), function(error) {
    claims_of()[1][, `:=`(metric = "loss_ratio", kind = "simulation", verdict = "reproduced", relative_error = error)]
  }))
  expect_equal(
    loss_numbers(claims, "s/losses/"),
    c("s/losses/reproduced" = "3", "s/losses/below" = "2", "s/losses/apart" = "1.0 % below")
  )
  expect_equal(loss_numbers(claims[0], "s/losses/")[["s/losses/reproduced"]], "0")
})

test_that("a sentence is as its worst case, whatever other engines say", {
  cases <- function(...) rbindlist(lapply(c(...), function(one) synthetic_statement("s", one, 1)))
  expect_equal(counted_sentences(cases("holds", "fails", "undecided"))$verdict, "fails")
  expect_equal(counted_sentences(cases("holds", "undecided"))$verdict, "undecided")
  expect_equal(counted_sentences(cases("inconsistent", "holds"))$verdict, "holds")
  other <- synthetic_statement("s", "fails", 1, engine = "ns3")[, counted := "false"]
  expect_equal(counted_sentences(rbind(cases("holds"), other))$verdict, "holds")
})

test_that("distances are in tolerances", {
  claims <- claims_of()
  expect_equal(tolerances_off(claims)[3], (0.52 - 0.29) / 0.15)
  expect_true(is.na(tolerances_off(claims)[6]))
})

test_that("the picture has every claim that has a distance, coloured by verdict", {
  plot <- plot_distances(claims_of(), synthetic_studies())
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
  expect_s3_class(plot_scorecard(scorecard_rows(none, synthetic_studies())), "ggplot")
  expect_s3_class(plot_distances(none$claims, synthetic_studies()), "ggplot")
  expect_match(tex_scorecard(none), "Nothing was compared")
  expect_match(html_scorecard(none, ""), "Nothing was compared")
})

test_that("points on a line are spread, and the scale is symmetric", {
  expect_equal(spread(1), 0)
  expect_true(all(abs(spread(50)) <= 0.38))
  expect_equal(symmetric_log$transform(-3), -symmetric_log$transform(3))
  expect_equal(symmetric_log$inverse(symmetric_log$transform(42)), 42)
})
