test_that("the traces of an item's sets come with it", {
  folder <- synthetic_project()
  results <- read_results(file.path(folder, "results"), file.path(folder, "published"))
  data <- item_data(results, file.path(folder, "published"), "engset", "figure-12", common_labels)
  expect_equal(data$traces[, .(time_s, value)], data.table(time_s = c(0, 1), value = c(10, 20)))
  other <- item_data(results, file.path(folder, "published"), "engset", "table-06", common_labels)
  expect_equal(nrow(other$traces), 0)
})
