module <- paper_module("engset")

test_that("metrics of intervals fall into their parts", {
  expect_equal(module$interval_end(c("on_time[3-6]", "on_time[2]", "file_share[>4096]")), c(6, 2, NA))
  claims <- data.table(metric = c("on_time[3-6]", "on_time[>14]"), unit = c("ms", "%"))
  expect_equal(module$interval_column(claims)$cells, c("3\u20136", ">14"))
  labels <- paper_labels("engset")
  expect_equal(module$quantity_of(claims, labels), c("$\\mathrm{ON}$ (ms)", "$\\mathrm{ON}$ (%)"))
})

# Observations and claims of each size distribution at each buffer: `metrics` with their units; printed 10, 11, ... and
# ours 20, 21, ...
interval_parts <- function(item, metrics, units, buffers, distributions = c("exponential", "exponential-exponential")) {
  grid <- CJ(size = distributions, buffer = buffers)
  set <- paste0("engset/", item)
  observations <- rbindlist(Map(function(size, buffer) {
    parameters <- stats::setNames(
      list(size, buffer, 12), c(sizes_path, "links.bottleneck.buffer", "sources.workload.file_size.mean")
    )
    synthetic_observation(set, paste(size, buffer), parameters, "packetsim", "queue_mean", "packets", 1, 0)
  }, grid$size, grid$buffer))
  claims <- rbindlist(Map(function(size, buffer) {
    engset_claims(set, paste(size, buffer), metrics, units, "", 0)
  }, grid$size, grid$buffer))
  claims[, `:=`(row = seq_len(.N), published = as.character(9 + seq_len(.N)), value = 19 + seq_len(.N))]
  claims[, `:=`(ci_low = value - 1, ci_high = value + 1)]
  list(observations = observations, claims = claims)
}

interval_item <- function(item, ...) {
  parts <- interval_parts(item, ...)
  engset_item(item, parts$observations, claims = parts$claims)
}

test_that("a table across has the printed number and ours under each column's name", {
  data <- interval_item("x", c("on_time[3-6]", "on_time[7-14]"), "ms", 50)
  table <- module$table_across(data, list(module$interval_column(data$claims)), data$claims[[sizes_path]])
  expect_equal(table$headings, c("Size (packets)", rep(c("paper", "packetsim"), 2)))
  expect_equal(table$spans$text, c("exponential", "exponential-exponential"))
  expect_equal(table$spans$from, c(2L, 4L))
  expect_equal(table$spans$to, c(3L, 5L))
  expect_equal(texts_of(table)$column1, c("3\u20136", "7\u201314"))
  expect_equal(texts_of(table)$column2, c("10", "11"))
  expect_equal(texts_of(table)$column5, c("22.0 \u00b1 1.0 \u2713", "23.0 \u00b1 1.0 \u2713"))
})

test_that("table 1 has a table for shares, one for sizes, one for the tail, with the mean size first", {
  metrics <- c("file_share[3-6]", "file_size_mean[3-6]", "tail_start")
  data <- interval_item("table-01", metrics, c("%", "packets", "packets"), 50)
  tables <- module$table_01(data)
  expect_length(tables, 3)
  expect_equal(tables[[1]]$headings[1:2], c("$F$ (packets)", "Size (packets)"))
  expect_equal(tables[[1]]$spans$text, c("E: files (%)", "EE(7): files (%)"))
  expect_equal(tables[[3]]$headings, c("$F$ (packets)", rep(c("paper", "packetsim"), 2)))
  expect_equal(texts_of(tables[[3]])$column2, "12")
})

test_that("table 4 has a table for each size distribution", {
  metrics <- c("file_share[3-6]", "on_time[3-6]", "queue_seen[3-6]")
  tables <- module$table_04(interval_item("table-04", metrics, "%", 50))
  expect_length(tables, 2)
  expect_equal(tables[[2]]$spans$text, paste0(
    "EE(7): ", c("files (%)", "ON, $W_R$ 44/12 (%)", "queue seen, 44/12 (%)")
  ))
  expect_equal(unlist(texts_of(tables[[1]]), use.names = FALSE)[c(1, 2, 4, 6)], c("3\u20136", "10", "11", "12"))
})

test_that("table 8 has the numbers of its heading above those of the intervals", {
  metrics <- c("queue_mean", "queue_seen[3-6]", "queue_seen[7-14]")
  data <- interval_item("table-08", metrics, "packets", 50, "exponential")
  tables <- module$table_08(data)
  expect_equal(nrow(texts_of(tables[[1]])), 1)
  expect_equal(tables[[2]]$spans$text, "$Q$ seen (packets)")
  expect_equal(texts_of(tables[[2]])$column2, c("11", "12"))
})

test_that("table 8 has three quantities beside one another at most", {
  metrics <- paste0(c("file_share", "file_size_mean", "on_time", "queue_seen", "stalled_share"), "[3-6]")
  tables <- module$table_08(interval_item("table-08", c("queue_mean", metrics), "1", 50, "exponential"))
  expect_equal(vapply(tables[-1], function(table) nrow(table$spans), 0L), c(3L, 2L))
})

test_that("table 9 has both quantities for each distribution, and below them the other rules for ties", {
  metrics <- c("loss_ratio", "goodput_per_connection_mean[3-6]", "stalled_share[3-6]")
  parts <- interval_parts("table-09", metrics, c("%", "kbit/s", "%"), c(50, 750))
  # At B 750 nothing stalls; the ties are simulated for B 50, and there not for E.
  parts$claims <- parts$claims[!(endsWith(point, "750") & startsWith(metric, "stalled"))]
  at <- list("exponential-exponential", 50, "departure-first")
  names(at) <- c(sizes_path, "links.bottleneck.buffer", "links.bottleneck.ties")
  ties <- function(metric, unit, value) {
    synthetic_observation("engset/table-09-ties", "t", at, "packetsim", metric, unit, value, value / 10)
  }
  observations <- rbind(
    parts$observations, ties("goodput_per_connection_mean[3-6]", "bit/s", 160e3), ties("stalled_share[3-6]", "1", 0.65)
  )
  tables <- module$table_09(engset_item("table-09", observations, claims = parts$claims))
  expect_length(tables, 7)
  expect_equal(tables[[2]]$spans$text, sprintf("E, $B$ = %d:\n$h_2$ (kbit/s)", c(50, 750)))
  expect_equal(nrow(texts_of(tables[[1]])), 4)
  rates <- tables[[6]]
  expect_equal(rates$headings, c("Size (packets)", "E, $B$ = 50", "EE(7), $B$ = 50"))
  expect_equal(unlist(texts_of(rates), use.names = FALSE), c("3\u20136", "", "160 \u00b1 16"))
  expect_equal(rates$spans$text, "departures first: $h_2$ (kbit/s)")
  expect_equal(rates$spans$to, 3L)
  expect_equal(unlist(texts_of(tables[[7]]), use.names = FALSE), c("3\u20136", "", "65 \u00b1 7"))
})
