module <- paper_module("fixed-point")

loop_observation <- function(set, users, metric, value, scheme = "exact", unit = "1", more = list()) {
  options <- list("sources.count" = users, "fixed_point.scheme" = scheme, "fixed_point.averaging" = "linear")
  parameters <- c(options, more)
  point <- paste(c(users, scheme, unlist(more)), collapse = "_")
  synthetic_observation(paste0("fixed-point/", set), point, parameters, "fixed_point", metric, unit, value)
}

loop_data <- function(observations, claims = data.table()) {
  list(
    study = "fixed-point", name = "item", sets = unique(observations$set), observations = observations,
    points = points_of(observations), claims = claims, statements = data.table(),
    labels = paper_labels("fixed-point")
  )
}

loop_claim <- function(row, set, users, published, value, note, case = "", scheme = "2") {
  data.table(
    row = row, set = paste0("fixed-point/", set), point = paste0("p", users), sources.count = users,
    fixed_point.scheme = scheme,
    quantity = "loss_ratio", statistic = "value", metric = "loss_ratio", unit = "%", published = published,
    kind = "simulation", from_sources("fixed_point"), value = value, ci_low = value - 0.5, ci_high = value + 0.5,
    verdict = "reproduced", reason = "", row_note = note, reference = "", case = case
  )
}

test_that("a load that the paper has no case of is refused", {
  loads <- data.table("stations.backbone.load.mean" = c(0.9, 0.5))
  expect_equal(module$case_of(loads[1]), "case 2")
  expect_error(module$case_of(loads), "0, 0.9 and 1 only")
})

test_that("an iteration without a fixed point has tests but no numbers", {
  data <- loop_data(rbind(
    loop_observation("case-1", 5000, "iteration_converged", 0, "1"),
    loop_observation("case-1", 5000, "loss_ratio", 0.01, "2")
  ))
  table <- module$table_schemes(data)
  expect_equal(table$columns[[2]]$main, c("1", "2"))
  expect_equal(table$columns[[4]]$main, c("", "1.00"))
  expect_equal(table$columns[[6]]$main, c("0.00", ""))
})

test_that("the load of the backbone router is the case", {
  points <- data.table("stations.backbone.load.mean" = c(NA, 0.9, 1))
  expect_equal(module$case_of(points), paste("case", 1:3))
})

test_that("figures 7 and 8 draw one point of their sets, by one engine", {
  observations <- rbind(
    loop_observation("case-1", 5000, "loss_ratio", 0, "2"), loop_observation("case-1", 7500, "loss_ratio", 0, "2")
  )
  data <- loop_data(observations)
  data$traces <- data.table(
    set = data$points$set, point = data$points$point, from_sources("fixed_point"), trace = "packet_sent",
    unit = "packets",
    time_s = c(1, 2), value = c(10, 20)
  )
  data$traces <- rbind(data$traces, copy(data$traces)[, `:=`(engine = "packetsim", value = value + 1)])
  data$distributions <- data.table(
    set = data$points$set, point = data$points$point, from_sources("fixed_point"), distribution = "goodput_by_burst",
    unit = "10 kbit/s", x = c(3, 4), probability = 1, ci_low = 1, ci_high = 1
  )
  expect_equal(ggplot2::ggplot_build(module$plot_figure_07(data))$data[[1]]$y, 20)
  expect_equal(ggplot2::ggplot_build(module$plot_figure_08(data))$data[[2]]$x, 30)
})
