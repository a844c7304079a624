test_that("the traces of an item's sets come with it", {
  expect_equal(synthetic_data("engset/figure-12")$traces[, .(time_s, value)], data.table(time_s = 0:1, value = c(10, 20)))
  expect_equal(nrow(synthetic_data("engset/table-06")$traces), 0)
})
