test_that("metrics have names, symbols and units, known or not", {
  expect_equal(metric_heading("goodput_per_connection", "kbit/s", common_labels), "Goodput per connection $h$ (kbit/s)")
  expect_equal(metric_heading("my_metric", "1", common_labels), "My metric")
  expect_equal(metric_symbol("goodput_per_connection[3-6]", common_labels), "$h$ 3-6")
})

test_that("parameters are known by the end of their path", {
  expect_equal(parameter_symbol("tcp.rwnd", common_labels), "$W_R$")
  expect_equal(parameter_unit("links.bottleneck.rate", common_labels), "bit/s")
  expect_equal(parameter_symbol("links.access.rate", common_labels), "$C_1$")
  expect_equal(parameter_symbol("sources.workload.think_time", common_labels), "Think time")
})

test_that("sources have the titles of engine.yaml and of labels.csv", {
  labels <- merge_labels(common_labels, list(sources = list("model:tahoe" = "ours")))
  expect_equal(source_name(c("ns3", "model:tahoe", "model:other"), labels), c("ns-3", "ours", "model:other"))
  expect_equal(model_name("tahoe", labels), "ours")
})

test_that("the labels of a study go before the common ones", {
  labels <- paper_labels("fixed-point")
  expect_equal(metric_symbol("goodput_per_connection", labels), "$\\lambda_g$")
  expect_equal(parameter_heading("sources.count", labels), "Users $N$")
  expect_equal(value_text("duplicate-acks", "tcp.loss_detection", labels), "duplicate ACKs")
  expect_equal(value_text(c(0.05, 0.1), "rtt", labels), c("50 ms", "100 ms"))
  expect_equal(metric_symbol("goodput_per_connection", paper_labels("my-link")), "$h$")
})

test_that("the texts of a row are listed without empty ones", {
  expect_equal(listed_texts(list(c("a", "", ""), c("b", "c", "")), 3), c("a, b", "c", ""))
  expect_equal(listed_texts(list(), 2), c("", ""))
})

test_that("shares are shown in percent where the labels say so", {
  expect_equal(metric_scale("loss_ratio", 0.02, "1", common_labels), list(unit = "%", factor = 0.01))
  expect_equal(metric_scale("loss_ratio[3-6]", 0.02, "1", common_labels), list(unit = "%", factor = 0.01))
  expect_equal(metric_scale("utilisation", 0.9, "1", common_labels), list(unit = "1", factor = 1))
})

test_that("every source has one colour and shape, whoever stands beside it", {
  expect_equal(styles_of(c("packetsim", "ns3"))[source == "packetsim"], styles_of("packetsim"))
  expect_equal(styles_of(c("model:b", "model:a"))$colour, rev(model_styles$colour[1:2]))
  expect_equal(anyDuplicated(c(source_styles$colour, model_styles$colour[-1])), 0)
  expect_equal(anyDuplicated(source_styles$shape), 0)
})

test_that("every engine has a title, a colour and a shape", {
  engines <- names(engine_files(dirname(figures)))
  expect_true(all(c("packetsim", "ns3") %in% engines))
  expect_true(all(engines %in% source_styles$source))
  expect_true(all(engines %in% names(common_labels$sources)))
})

test_that("a metric's name and what it is of are told apart", {
  parts <- metric_parts(c("queue_mean", "on_time[3-6]", "file_share[>4096]"))
  expect_equal(parts$name, c("queue_mean", "on_time", "file_share"))
  expect_equal(parts$of, c("", "3-6", ">4096"))
})
