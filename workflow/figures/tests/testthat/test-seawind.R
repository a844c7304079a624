module <- paper_module("seawind")
sources <- c("packetsim", "model:markov", "model:markov@packetsim")

seawind_data <- function(observations, name = "figure", claims = data.table()) {
  list(
    study = "seawind", name = name, sets = unique(observations$set), observations = observations,
    points = points_of(observations), claims = claims, statements = data.table(),
    labels = paper_labels("seawind")
  )
}

link_and_p <- function(rate, p) list("links.bottleneck.rate" = rate, "links.bottleneck.loss" = p)

# A set with its link and its p, in a study that has measured `live` as well.
set_5 <- function(live = synthetic_observation("seawind/live", "none", list(), "linux", "goodput", "packets/s", 1)[0]) {
  own <- synthetic_observation("seawind/set-5", "base", link_and_p(5e5, 0.005), "packetsim", "goodput", "packets/s", 1)
  fed <- grepl("@", live$engine, fixed = TRUE)
  whole <- list(points = points_of(rbind(own, live)), observations = rbind(own, live[!fed]), errors = live[fed])
  c(seawind_data(own), list(whole = whole))
}

test_that("a model that is fed with measurements is named after both", {
  expect_equal(source_name("model:markov@packetsim", paper_labels("seawind")), "chain of packetsim")
  expect_equal(module$measured_by(c("packetsim", "model:markov@packetsim")), c("packetsim", "packetsim"))
})

test_that("a curve against p has the points of one parameter, by p up to a tenth", {
  at <- function(link, p, value) {
    parameters <- list("links.bottleneck.rate" = link * 1000, "links.bottleneck.loss" = p)
    synthetic_observation(
      "seawind/figure-8.7", paste(link, p), parameters, "model:markov", "throughput_markov", "packets/s", value
    )
  }
  data <- seawind_data(rbind(at(100, 0.01, 90), at(100, 0.1, 60), at(100, 0.5, 10), at(200, 0.01, 150)))
  layer <- ggplot2::ggplot_build(module$plot_figure_8_7(data))$data[[1]]
  expect_equal(layer$x, c(0.01, 0.1, 0.01))
  expect_equal(layer$y, c(90, 60, 150))
})

test_that("a set's transfers stand above the mean and the ends of ours", {
  claim <- function(transfer, quantity, engine, published, verdict) {
    data.table(
      case = paste("connection", transfer), quantity, engine, published, verdict, unit = "packets/s", value = 50.5,
      ci_low = 44.25, ci_high = 61, reason = if (verdict == "deviates") "for a reason" else "", row = transfer
    )
  }
  claims <- rbind(
    claim("5.1", "goodput", "packetsim", "52.09", "reproduced"),
    claim("5.2", "goodput", "packetsim", "62.29", "deviates"),
    claim("5.1", "throughput_markov__rounds", "model:markov@packetsim", "61.54", "deviates"),
    claim("5.2", "throughput_markov__rounds", "model:markov@packetsim", "60.00", "reproduced")
  )
  data <- set_5()
  data$claims <- claims
  table <- module$set_table(data, rep(TRUE, nrow(claims)))
  expect_equal(table$headings, c("", "ATp (packets/s)", "ET (packets/s)"))
  names <- c("printed, 5.1", "printed, 5.2", "packetsim, mean", "packetsim, lower end", "packetsim, upper end")
  expect_equal(table$columns[[1]]$main, names)
  expect_equal(table$columns[[2]]$main, c("52.09", "62.29", "50.50", "44.25", "61.00"))
  expect_equal(table$columns[[2]]$verdict, c("reproduced", "deviates", "", "", ""))
  expect_equal(table$columns[[3]]$main[1:2], c("61.54", "60.00"))
})

test_that("a set is drawn by both values of p, beside its printed transfers", {
  at <- function(set, p, metric, value) {
    parameters <- list("links.bottleneck.rate" = 5e5, "links.bottleneck.loss" = p)
    synthetic_observation(paste0("seawind/", set), paste0("p", p), parameters, "packetsim", metric, "packets/s", value)
  }
  three <- function(set, p, value) {
    rbind(
      at(set, p, "goodput", value), at(set, p, "goodput_lowest", value - 5), at(set, p, "goodput_highest", value + 5)
    )
  }
  # Only set 9 is there, and the p that its text gives.
  data <- seawind_data(rbind(three("set-9", 0.025, 18), three("other-p-fast", 0.00025, 62)))
  data$whole$claims <- data.table(
    item = "table-8.8", row = 1:2, set = "seawind/set-9", quantity = "goodput", kind = "measurement",
    published = c("12.02", "11.97")
  )
  layers <- ggplot2::ggplot_build(module$plot_figure_readings(data))$data
  expect_equal(sort(layers[[1]]$y), c(18, 62))
  expect_equal(sort(layers[[1]]$ymax), c(23, 67))
  expect_equal(layers[[2]]$y, c(12.02, 11.97))
})

# Two points of the map, of which rwnd limits the one and loss the other, with a goodput and its errors by the formulas.
map_data <- function(engines) {
  parameters <- list("links.bottleneck.rate" = 5e5, "tcp.rwnd" = 8, "links.bottleneck.loss" = 0.001)
  points <- list(few = parameters, many = utils::modifyList(parameters, list("links.bottleneck.loss" = 0.1)))
  observations <- rbindlist(lapply(names(points), function(name) {
    rbindlist(lapply(engines, function(engine) {
      synthetic_observation("seawind/map", name, points[[name]], engine, "goodput", "packets/s", 10)
    }))
  }))
  data <- seawind_data(observations)
  errors <- CJ(point = names(points), engine = names(module$formula_names), by = engines)
  data$errors <- errors[, `:=`(set = "seawind/map", engine = paste0(engine, "/", by), metric = "goodput", value = 0)]
  data$errors[point == "few", value := 0.6][engine %like% "floyd", value := 2]
  data$equivalence <- data.table(
    set = "seawind/map", point = names(points), engine = "linux", reference = "packetsim", metric = "goodput",
    value = c(-20, 25)
  )[length(engines) > 1]
  data
}

test_that("what limits a point of the map is the smallest of three windows", {
  points <- data.table(
    links.bottleneck.rate = c(5e5, 5e5, 5e4), tcp.rwnd = c(8, 64, 64), links.bottleneck.loss = c(0.001, 0.1, 0.001)
  )
  # FF's windows are 38.7, 3.9 and 38.7; the links hold 43.4 + 4 and 4.3 + 4.
  expect_equal(module$limited_by(points), c("rwnd", "loss", "the link"))
})

test_that("the map tells the errors of the formulas against the kernel, and of the simulator on the same drops", {
  table <- module$table_map(map_data(c("packetsim", "linux")))
  said <- as.data.table(lapply(table$columns, function(column) column$main))
  ff <- said[V1 == "FF over Linux"]
  expect_equal(ff$V2, c("loss", "rwnd", "all"))
  expect_equal(ff$V3, c("1", "1", "2"))
  expect_equal(as.numeric(ff$V4), c(200, 200, 200))
  et <- said[V1 == "ET over Linux"]
  expect_equal(as.numeric(et$V4), c(0, 60, 30))
  expect_equal(as.numeric(et$V5), c(100, 0, 50))
  # Linux over packetsim is -20 and 25 %: packetsim over Linux 25 and -20 %.
  expect_equal(sort(as.numeric(said[V1 == "packetsim over Linux" & V2 != "all"]$V4)), c(-20, 25))
})

test_that("without a kernel the map is against the simulator, and the other figures say what is missing", {
  data <- map_data("packetsim")
  expect_equal(module$map_errors(data)$measured, "packetsim")
  expect_false(any(grepl("Linux", module$table_map(data)$columns[[1]]$main)))
  expect_s3_class(module$plot_figure_map(data), "ggplot")
  for (plot in list(module$plot_figure_kernels(data), module$plot_figure_same_drops(data))) {
    expect_equal(ggplot2::ggplot_build(plot)$data[[1]]$label, module$no_kernel)
  }
})

test_that("why another engine's transfers are off is told beside its mean", {
  claim <- function(engine, reason) {
    data.table(
      case = "connection 5.1", quantity = "goodput", engine, published = "52.09", verdict = "deviates",
      unit = "packets/s", value = 60, ci_low = 59, ci_high = 61, reason, row = 1
    )
  }
  data <- set_5()
  data$claims <- rbind(claim("packetsim", "it acknowledges every packet"), claim("linux", "it is too new"))
  table <- module$set_table(data, c(TRUE, TRUE))
  expect_equal(table$notes, c(a = "it acknowledges every packet", b = "it is too new"))
  expect_equal(table$columns[[2]]$note, c("a", "", "", "", "b", "", ""))
})

test_that("a set's table has no lines of an engine that is not there", {
  claim <- function(engine, verdict, value) {
    data.table(
      case = "connection 5.1", quantity = "goodput", engine, published = "52.09", verdict, unit = "packets/s",
      value, ci_low = value, ci_high = value, row = 1,
      reason = if (verdict == "unavailable") "it is not installed" else ""
    )
  }
  data <- set_5()
  data$claims <- rbind(claim("packetsim", "reproduced", 50), claim("linux", "unavailable", NA_real_))
  table <- module$set_table(data, c(TRUE, TRUE))
  expect_equal(row_count(table), 4)
  expect_equal(unname(table$notes), "it is not installed")
})

test_that("what was measured live over a set's link and at its p stands below the engines of the set", {
  at <- function(p, engine, metric, unit, value, half = NA) {
    synthetic_observation("seawind/live", paste0("p", p), link_and_p(5e5, p), engine, metric, unit, value, half)
  }
  live <- rbind(
    at(0.005, "linux", "goodput", "packets/s", 20, 1), at(0.005, "linux_live", "goodput", "packets/s", 21.5, 1),
    at(0.025, "linux_live", "goodput", "packets/s", 10, 1),
    at(0.005, "model:markov@linux", "markov_miss_goodput__rounds", "1", 0.5),
    at(0.005, "model:markov@linux_live", "markov_miss_goodput__rounds", "1", 0.25)
  )
  claim <- function(quantity, unit, engine) {
    data.table(
      case = "connection 8.1", quantity, engine, published = "25", verdict = "reproduced", unit, value = 28,
      ci_low = 27, ci_high = 29, reason = "", row = 1
    )
  }
  data <- set_5(live)
  data$claims <- rbind(
    claim("goodput", "packets/s", "linux"), claim("markov_miss_goodput__rounds", "%", "model:markov@linux")
  )
  table <- module$set_table(data, c(TRUE, TRUE))
  ends <- paste0(source_name("linux_live", data$labels), c(", mean", ", lower end", ", upper end"))
  expect_equal(table$columns[[1]]$main[5:7], ends)
  expect_equal(row_count(table), 7)
  expect_equal(table$columns[[2]]$main[5:7], c("21.50", "20.50", "22.50"))
  expect_equal(table$columns[[3]]$main[5:7], c("25.00", "", ""))
  expect_equal(table$columns[[1]]$note[5], names(table$notes))
  expect_equal(unname(table$notes), module$live_note)
})

test_that("a live transfer is beside that in virtual time, and agrees where their intervals overlap", {
  at <- function(engine, metric, value) {
    parameters <- list("links.bottleneck.rate" = 5e5, "links.bottleneck.loss" = 0.005)
    synthetic_observation("seawind/live", "set-8", parameters, engine, metric, "packets/s", value)
  }
  observations <- rbind(
    at("linux", "goodput", 20), at("linux", "rtt_sample_mean", 0.5), at("linux", "queue_mean", 1),
    at("linux_live", "goodput", 21), at("linux_live", "rtt_sample_mean", 0.7), at("linux_live", "queue_mean", 1)
  )
  observations[, `:=`(ci_low = value - 0.05 * value, ci_high = value + 0.05 * value)]
  data <- seawind_data(observations)
  data$equivalence <- data.table(
    set = "seawind/live", point = "set-8", engine = "linux_live", reference = "linux",
    metric = c("goodput", "rtt_sample_mean"), value = c(5, 40), ci_low = c(4, 39), ci_high = c(6, 41)
  )
  said <- lapply(module$table_live(data)$columns, function(column) column$main)
  expect_equal(said[[3]], c("Throughput ATp (packets/s)", "Mean RTT sample (packets/s)"))
  expect_equal(as.numeric(said[[6]]), c(5, 40))
  expect_equal(said[[7]], c("overlap", "are apart"))
  expect_length(module$table_live(data)$notes, 0)
  data$observations <- copy(observations)[engine == "linux", `:=`(ci_low = NA, ci_high = NA)]
  expect_equal(module$table_live(data)$columns[[7]]$note, c("", "a"))
  data$observations <- observations[engine == "linux"]
  expect_equal(unname(unlist(module$table_live(data)$columns[[1]]$main)), module$no_live)
})

test_that("three kernels are drawn beside the printed transfers", {
  at <- function(set, variant, value) {
    parameters <- list("links.bottleneck.rate" = 5e5, "links.bottleneck.loss" = 0.005, "tcp.variant" = variant)
    synthetic_observation(set, variant, parameters, "linux", "goodput", "packets/s", value)
  }
  data <- seawind_data(rbind(
    at("seawind/set-8", "newreno", 28), at("seawind/stacks", "linux-2.4", 29), at("seawind/stacks", "linux-6.1", 50)
  ))
  data$whole$claims <- data.table(
    item = "table-8.7", row = 1, set = "seawind/set-8", quantity = "goodput", kind = "measurement", published = "24.31"
  )
  layers <- ggplot2::ggplot_build(module$plot_figure_kernels(data))$data
  expect_equal(sort(layers[[1]]$y), c(28, 29, 50))
  expect_equal(layers[[2]]$y, 24.31)
})
