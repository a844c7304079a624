module <- paper_module("seawind")

seawind_data <- function(observations, name = "figure", claims = data.table()) {
  list(
    study = "seawind", name = name, sets = unique(observations$set), observations = observations,
    points = points_of(observations), claims = claims, statements = data.table(),
    labels = paper_labels("seawind")
  )
}

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

# 400 ms there and back, a queue of 4 packets of 576 bytes.
path_of_200_ms <- function(sets, envir = parent.frame(2)) {
  link <- list(delay_s = 0.2, buffer_packets = 4)
  document <- list(packet_bytes = 576, return_delay_s = 0.2, links = list(bottleneck = link))
  with_documents(sets, document, envir, c("few", "many", "slow"))
}

# Two points of the map, of which rwnd limits the one and loss the other, with a goodput and its errors by the formulas.
map_data <- function(engines, envir = parent.frame()) {
  parameters <- list("links.bottleneck.rate" = 5e5, "tcp.rwnd" = 8, "links.bottleneck.loss" = 0.001)
  points <- list(few = parameters, many = utils::modifyList(parameters, list("links.bottleneck.loss" = 0.1)))
  observations <- rbindlist(lapply(names(points), function(name) {
    rbindlist(lapply(engines, function(engine) {
      synthetic_observation("seawind/map", name, points[[name]], engine, "goodput", "packets/s", 10)
    }))
  }))
  data <- seawind_data(observations)
  data$missing <- "Linux is not installed"
  data$whole <- path_of_200_ms(data$sets, envir)
  errors <- CJ(point = names(points), model = names(module$formula_names), against = engines)
  data$errors <- errors[, `:=`(set = "seawind/map", metric = "goodput", value = 0)]
  data$errors[point == "few", value := 0.6][model == "floyd_fall", value := 2]
  data$equivalence <- data.table(
    set = "seawind/map", point = names(points), engine = "linux", reference = "packetsim", metric = "goodput",
    value = c(-20, 25)
  )[length(engines) > 1]
  data
}

test_that("what limits a point of the map is the smallest of three windows", {
  points <- data.table(
    set = "seawind/map", point = c("few", "many", "slow"), links.bottleneck.rate = c(5e5, 5e5, 5e4),
    tcp.rwnd = c(8, 64, 64), links.bottleneck.loss = c(0.001, 0.1, 0.001)
  )
  # FF's windows are 38.7, 3.9 and 38.7; the links hold 43.4 + 4 and 4.3 + 4.
  data <- list(sets = "seawind/map", whole = path_of_200_ms("seawind/map", environment()))
  expect_equal(module$limited_by(data, points), c("rwnd", "loss", "the link"))
  # Ten times as long a path holds more than FF's window.
  data$whole <- with_documents(data$sets, list(
    packet_bytes = 576, return_delay_s = 2, links = list(bottleneck = list(delay_s = 2, buffer_packets = 4))
  ), points = points$point)
  expect_equal(module$limited_by(data, points), c("rwnd", "loss", "loss"))
})

test_that("the map tells the errors of the formulas against the kernel, and of the simulator on the same drops", {
  table <- module$table_map(map_data(c("packetsim", "linux")))
  rows <- as.data.table(lapply(table$columns, function(column) column$main))
  ff <- rows[V1 == "FF over Linux"]
  expect_equal(ff$V2, c("loss", "rwnd", "all"))
  expect_equal(ff$V3, c("1", "1", "2"))
  expect_equal(as.numeric(ff$V4), c(200, 200, 200))
  et <- rows[V1 == "ET over Linux"]
  expect_equal(as.numeric(et$V4), c(0, 60, 30))
  expect_equal(as.numeric(et$V5), c(100, 0, 50))
  # Linux over packetsim is -20 and 25 %: packetsim over Linux 25 and -20 %.
  expect_equal(sort(as.numeric(rows[V1 == "packetsim over Linux" & V2 != "all"]$V4)), c(-20, 25))
})

test_that("without a kernel the map is against the simulator, and the other figures say what is missing", {
  data <- map_data("packetsim")
  expect_equal(module$map_errors(data)$measured, "packetsim")
  expect_false(any(grepl("Linux", module$table_map(data)$columns[[1]]$main)))
  expect_s3_class(module$plot_figure_map(data), "ggplot")
  for (plot in list(module$plot_figure_kernels(data), module$plot_figure_same_drops(data))) {
    expect_equal(ggplot2::ggplot_build(plot)$data[[1]]$label, "Linux is not installed")
  }
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
  columns <- lapply(module$table_live(data)$columns, function(column) column$main)
  expect_equal(columns[[3]], c("Throughput ATp (packets/s)", "Mean RTT sample (packets/s)"))
  expect_equal(as.numeric(columns[[6]]), c(5, 40))
  expect_equal(columns[[7]], c("overlap", "are apart"))
  expect_length(module$table_live(data)$notes, 0)
  data$observations <- copy(observations)[engine == "linux", `:=`(ci_low = NA, ci_high = NA)]
  expect_equal(module$table_live(data)$columns[[7]]$note, c("", "a"))
  data$observations <- observations[engine == "linux"]
  data$missing <- "live Linux is not allowed here"
  expect_equal(module$table_live(data)$columns[[1]]$main, "live Linux is not allowed here")
})

# A published transfer of a set.
printed_transfer <- function(transfer, set, published) {
  data.table(
    item = "table-8.8", row = transfer, set, quantity = "goodput", case = paste("connection", transfer), published
  )
}

test_that("a set is drawn by both values of p, which its claims give, beside its printed transfers", {
  at <- function(set, p, metric, value) {
    parameters <- list("links.bottleneck.rate" = 5e5, "links.bottleneck.loss" = p)
    synthetic_observation(paste0("seawind/", set), paste0("p", p), parameters, "packetsim", metric, "packets/s", value)
  }
  three <- function(set, p, value) {
    rbind(
      at(set, p, "goodput", value), at(set, p, "goodput_lowest", value - 5), at(set, p, "goodput_highest", value + 5)
    )
  }
  claim <- function(set, p, note) {
    data.table(
      set = paste0("seawind/", set), point = paste0("p", p), from_sources("packetsim"), case = "set 9", value = 1,
      row_note = note, links.bottleneck.rate = 5e5
    )
  }
  data <- seawind_data(rbind(three("set-9", 0.7, 18), three("other-p-fast", 0.3, 62), three("other-p-fast", 0.4, 70)))
  data$claims <- rbind(claim("set-9", 0.7, "p of the caption"), claim("other-p-fast", 0.3, "p of the text"))
  data$whole$claims <- rbind(
    printed_transfer("9.1", "seawind/set-9", "12.02"), printed_transfer("9.2", "seawind/set-9", "11.97")
  )
  layers <- ggplot2::ggplot_build(module$plot_figure_readings(data))$data
  expect_equal(sort(layers[[1]]$y), c(18, 62))
  expect_equal(sort(layers[[1]]$ymax), c(23, 67))
  expect_equal(layers[[2]]$y, c(12.02, 11.97))
  data$claims[1, row_note := "p by the caption"]
  expect_error(module$plot_figure_readings(data), "'p by the caption' says nothing of p")
})

test_that("three kernels are drawn beside the printed transfers", {
  at <- function(set, variant, value) {
    parameters <- list("links.bottleneck.rate" = 5e5, "links.bottleneck.loss" = 0.005, "tcp.variant" = variant)
    synthetic_observation(set, variant, parameters, "linux", "goodput", "packets/s", value)
  }
  data <- seawind_data(rbind(
    at("seawind/set-8", "newreno", 28), at("seawind/stacks", "linux-2.4", 29), at("seawind/stacks", "linux-6.1", 50)
  ))
  data$whole$claims <- printed_transfer("8.1", "seawind/set-8", "24.31")
  layers <- ggplot2::ggplot_build(module$plot_figure_kernels(data))$data
  expect_equal(sort(layers[[1]]$y), c(28, 29, 50))
  expect_equal(layers[[2]]$y, 24.31)
})

test_that("the implied bottleneck stands beside the stated one, each with the printed transfers that it meets", {
  at <- function(set, value, engine = "packetsim", loss = 0.00025) {
    rows <- synthetic_observation(
      set, "base", list(links.bottleneck.loss = loss), engine, "goodput", "packets/s", value, 0.2
    )
    rows[, replications := 4]
  }
  observations <- rbind(at("seawind/set-5", 60), at("seawind/implied-fast", 52))
  data <- seawind_data(observations)
  data$whole$claims <- data.table(
    item = c("table-8.4", "table-8.4", "table-8.4", "means"), row = 1:4, kind = "measurement", quantity = "goodput",
    set = "seawind/set-5", case = c("connection 5.1", "connection 5.2", "connection 5.1*", ""),
    published = c("52.09", "52.79", "50", "50")
  )
  texts <- texts_of(module$table_implied_bottleneck(data))
  # Of four transfers 95 of 100 are within twice the half-width.
  expect_equal(texts[[6]], "0 of 2")
  expect_equal(texts[[8]], "1 of 2")
  expect_equal(texts[[3]], "52.09 to 52.79")
  unknown <- seawind_data(at("seawind/implied-fast", 52, loss = 0.001))
  unknown$whole$claims <- data$whole$claims
  expect_error(module$table_implied_bottleneck(unknown), "knows no others")
})
