labels <- labels_for(figures, "engset", "packetsim")

named <- function(metric, against = "", along = "", relation = "=", unit = "%") {
  quantity_symbols(data.table(metric, against, along, relation, unit), labels)
}

test_that("a quantity says what it is against and along what it changes", {
  expect_equal(named("goodput_per_connection", unit = "kbit/s"), "$h$ (kbit/s)")
  expect_equal(
    named("goodput_per_connection", "tcp.rwnd = 44 packets"), "$h$ / that with $W_R$ 44 packets \u2212 1 (%)"
  )
  expect_equal(
    named("queue_mean", "sources.workload.file_size.distribution = exponential"), "$Q$ / that with E \u2212 1 (%)"
  )
  expect_equal(named("goodput_per_connection_mean", "goodput_per_connection"), "$h_2$ / $h$ \u2212 1 (%)")
  expect_equal(named("loss_ratio", "set = figure-13"), "$L$ / that in figure-13 \u2212 1 (%)")
  expect_equal(named("loss_ratio", "", "sources.count", "decreasing"), "change of $L$ with $N$ (%)")
  expect_equal(named("loss_ratio", "", "sources.count", "<="), "mean of $L$ with $N$ (%)")
  expect_equal(named("loss_ratio", "", "*", ">="), "mean of $L$ (%)")
  expect_equal(named("timeouts_per_drop[*]", "", "", "decreasing"), "change of TO per drop * (%)")
})

test_that("a printed number shows its relation", {
  claims <- data.table(
    relation = c("=", "<=", ">=", "increasing", "decreasing", "="), published = c("1.0", "0", "-5", "0", "-4", "")
  )
  expect_equal(
    published_texts(claims), c("1.0", "\u2264 0", "\u2265 -5", "rises", "falls by more than 4", "")
  )
})

test_that("a table of statements has a row per sentence with the number of each kind of source", {
  table <- table_of_statements(synthetic_data("engset/table-06"))
  expect_equal(table$headings, c("Statement", "Quantity", "Published", "model", "simulation"))
  expect_equal(table$body$column1, c("h", "h", "L", "h", "h", "L"))
  expect_equal(table$body$column3, c("547.8", "563.1", "0.29", "344.6", "347.1", ""))
  expect_equal(table$body$column4[1:2], c("547.8 \u2713", ""))
  expect_equal(table$body$column5[3], "0.52 \u00b1 0.02 \u2717[a]")
})

test_that("of a sentence on many settings the numbers stand from the least to the largest, a row per verdict", {
  data <- synthetic_data("engset/table-06")
  many <- data$claims[rep(3, 9)]
  many[, `:=`(row = 10 + 1:9, value = c(5, 1, 2, -3.5, 9, 8, 7, 6, NA), published = "0.0")]
  many[c(1:5, 9), `:=`(reason = paste("a step of", 1:6, "%"), note = paste("L; a step of", 1:6, "%"))]
  many[6:8, `:=`(verdict = "reproduced", reason = "", note = "L")]
  data$claims <- rbind(data$claims, many)
  table <- table_of_statements(data)
  expect_equal(table$headings, c("Statement", "Quantity", "Published", "Cases", "model", "simulation", "to"))
  expect_equal(table$body$column4, c("1", "1", "1", "1", "1", "1", "6", "3"))
  expect_equal(table$body$column6[7:8], c("-3.5 \u2717[c]", "6.0 \u2713"))
  expect_equal(table$notes[["c"]], "a step of \u2026 %")
  expect_equal(table$body$column7[6:8], c("", "9.0", "8.0"))
})

test_that("a percent sign in a statement survives in its CSV", {
  expect_equal(csv_text(atlas_table(data.table(said = "above 1 % the model"))), "said\nabove 1 % the model")
})
