test_that("the programs stand side by side, the slowest run giving the least rate", {
  table <- table_speed(synthetic_bench())
  expect_equal(texts_of(table)[[1]], c("packetsim", "ns-2"))
  # 2 million packets in 0.1 s, 0.125 s and 0.08 s; 50,000 in 1 s, 1.25 s and 0.8 s.
  expect_equal(texts_of(table)[[3]], c("20.0", "0.0500"))
  expect_equal(texts_of(table)[[4]], c("16.0", "0.0400"))
  expect_equal(texts_of(table)[[5]], c("25.0", "0.0625"))
  expect_equal(texts_of(table)[[6]], c("400", "1.00"))
  expect_equal(texts_of(table)[[7]], c("612", "41234"))
  expect_equal(texts_of(table)[[8]], c("3.06", "206"))
  expect_equal(texts_of(table)[[11]], c("4.00", "4.00"))
  expect_equal(plain_headings(table)[3:5], paste("Million packets per core-second", c("median", "least", "most")))
  expect_equal(plain_headings(table)[c(7, 10)], c("Per packet instructions", "Per packet LL misses"))
})

test_that("the text has the same numbers, and a program that is missing none", {
  numbers <- speed_numbers(synthetic_bench())
  expect_equal(numbers[["speed/packetsim/million-packets"]], "20")
  expect_equal(numbers[["speed/packetsim/times-ns-2"]], "400")
  expect_equal(numbers[["speed/ns-2/memory"]], "4")
  expect_false(any(grepl("ns-3", names(numbers), fixed = TRUE)))
})

test_that("the caption says what was measured, how often, and on what", {
  expect_equal(
    speed_caption(synthetic_bench()),
    paste(
      "The point of table-06 with 134 sources, median of 5 runs made in turn on one core (Some & Other CPU).",
      "Branches and caches (32 kB, 8 MB) are callgrind's models of them."
    )
  )
  expect_match(paste(tex_speed(synthetic_bench()), collapse = "\n"), "(Some \\& Other CPU)", fixed = TRUE)
})
