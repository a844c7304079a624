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
    speed_captions(synthetic_bench())[["table"]],
    paste(
      "The point of table-06 with 134 sources, median of 5 runs made in turn on one core (Some & Other CPU).",
      "Branches and caches (32 kB, 8 MB) are callgrind's models of them."
    )
  )
  expect_match(
    speed_captions(synthetic_bench())[["figure"]],
    "With 10,000 sources behind a fair queue: 5.00 million packets per core-second.",
    fixed = TRUE
  )
  quick <- synthetic_bench()[case != "fair-queue"]
  expect_match(speed_captions(quick)[["figure"]], "fastest run.$")
  expect_match(paste(tex_speed(synthetic_bench()), collapse = "\n"), "(Some \\& Other CPU)", fixed = TRUE)
})

test_that("growth is drawn against sources and against the buffer, with the units on the axes", {
  shown <- growth_rows(synthetic_bench())
  expect_equal(levels(shown$axis), plot_label(c("Sources $N$", "Buffer $B$ (packets)")))
  plot <- plot_growth(synthetic_bench())
  built <- lapply(1:2, function(panel) as.data.table(ggplot_build(plot[[panel]])$data[[2]]))
  # Sources 10 and 100: 1 million packets in 0.05 s and 0.1 s; the buffers: in 0.1 s.
  expect_equal(built[[1]][PANEL == 1, .(x, y)], data.table(x = c(1, 2), y = c(20, 10)))
  expect_equal(built[[1]][PANEL == 2, .(x, y)], data.table(x = c(1, 2), y = 10))
  expect_equal(10^built[[2]]$y, rep(4, 4))
  expect_equal(plot[[1]]$labels$y, "Million packets\nper core-second")
  expect_equal(plot[[2]]$labels$y, "Peak memory (MB)")
})
