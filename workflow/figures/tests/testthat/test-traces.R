test_that("the traces of an item's sets come with it", {
  traces <- synthetic_data("engset/figure-12")$traces
  expect_equal(traces[, .(time_s, value)], data.table(time_s = 0:1, value = c(10, 20)))
  expect_equal(nrow(synthetic_data("engset/table-06")$traces), 0)
})
