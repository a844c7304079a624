module <- paper_module("rfc9438")

window_claim <- function(row, tcp, loss, published, engine, value) {
  data.table(
    row = row, set = "rfc9438/one", point = paste0("p", loss), links.bottleneck.loss = loss, quantity = "cwnd_mean",
    statistic = "value", metric = "cwnd_mean", unit = "packets", published = published, kind = "model",
    from_sources(engine), value = value, ci_low = value, ci_high = value, verdict = "reproduced", reason = "",
    row_note = tcp, reference = "", case = ""
  )
}

test_that("a loss rate has a row, and each TCP its printed, computed and simulated windows", {
  data <- list(labels = paper_labels("rfc9438"), claims = rbind(
    window_claim(1, "Reno", 0.01, "12", "model:rfc9438", 12), window_claim(1, "Reno", 0.01, "12", "packetsim", 11),
    window_claim(2, "Reno", 0.001, "38", "model:rfc9438", 38),
    window_claim(3, "HSTCP", 0.001, "38", "model:rfc9438", 38.4),
    window_claim(4, "CUBIC (C 0.4)", 0.01, "12", "model:rfc9438", 12)
  ))
  tables <- module$table_1(data)
  table <- tables[[1]]
  expect_equal(table$headings[-1], c("paper", "formula", "packetsim", "paper", "formula"))
  expect_equal(table$columns[[2]]$main, c("12", "38"))
  expect_equal(nzchar(table$columns[[4]]$main), c(TRUE, FALSE))
  expect_equal(table$columns[[5]]$main, c("", "38"))
  expect_equal(tables[[2]]$spans$text, "CUBIC (C 0.4)")
  expect_equal(table$spans, data.table(text = c("Reno", "HSTCP"), from = c(2L, 5L), to = c(4L, 6L)))
})
