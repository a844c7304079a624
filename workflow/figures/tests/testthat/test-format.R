test_that("decimals of printed numbers are counted", {
  expect_equal(decimals_of(c("547.8", "0.004", "12", "22.0", "", NA)), c(1, 3, 0, 1, 0, NA))
})

test_that("numbers get four significant digits, and lose none before the point", {
  expect_equal(format_number(c(0, 3.14159, 123.456, 99999, 0.00123456)), c("0", "3.142", "123.5", "99999", "0.001235"))
  expect_equal(format_number(c(NA, Inf, -Inf)), c("", "\u221e", "-\u221e"))
})

test_that("large and small numbers get an exponent without idle zeros", {
  expect_equal(format_number(c(1234567, 4.2e-5, -2e-10, 1e6)), c("1.235e6", "4.2e-5", "-2e-10", "1e6"))
})

test_that("decimals are rounded away from 0 at a tie, and nothing is minus zero", {
  expect_equal(format_number(c(5.125, 0.285, -0.04), c(2, 2, 1)), c("5.13", "0.29", "0.0"))
})

test_that("a half-width is shown with one digit, with two if it starts with 1", {
  expect_equal(format_measured(489.84, 482.54, 497.14), "490 \u00b1 7")
  expect_equal(format_measured(489.84, 488.61, 491.07), "489.8 \u00b1 1.2")
  expect_equal(format_measured(0.0123, 0.0119, 0.0127), "0.0123 \u00b1 0.0004")
})

test_that("beside a printed number there are at least its decimals and at most two more", {
  expect_equal(format_measured(489.84, 482.54, 497.14, "489.8"), "489.8 \u00b1 7.3")
  expect_equal(format_measured(0.12345, 0.1233, 0.1236, "0.1"), "0.123")
  expect_equal(format_measured(154.94, NA, NA, "154.9"), "154.9")
  expect_equal(format_measured(40, NA, NA, "40.00"), "40.00")
})

test_that("the larger half of an interval counts, and an interval of no width is none", {
  expect_equal(half_width(1, 0.9, 1.2), 0.2)
  expect_equal(format_measured(100, 100, 100), "100")
  expect_equal(format_measured(c(1.25, NA, 7), interval = "exact"), c("1.250 exact", "", "7 exact"))
  expect_equal(format_measured(94.2, 91, 94.4, "94.2", interval = "band"), "94.2 [91.0, 94.4]")
  expect_equal(format_measured(96.44, NA, NA, "96.4", interval = c("exact", "confidence")), c("96.4 exact", "96.4"))
})

test_that("intervals of large and small numbers share the exponent", {
  expect_equal(format_measured(4.2e-5, 4e-5, 4.4e-5), "(4.2 \u00b1 0.2)e-5")
  expect_equal(format_measured(1234567, 1222222, 1246912), "(1.235 \u00b1 0.012)e6")
})

test_that("units get the prefix that fits the smallest value", {
  expect_equal(si_scale(c(2e6, 1e7), "bit/s"), list(unit = "Mbit/s", factor = 1e6))
  expect_equal(si_scale(c(0, 0.05), "s"), list(unit = "ms", factor = 1e-3))
  expect_equal(si_scale(c(5, 1000), "packets"), list(unit = "packets", factor = 1))
  expect_equal(si_scale(numeric(), "s"), list(unit = "s", factor = 1))
})

test_that("quantities are written as people write them", {
  expect_equal(format_quantity(1e7, "bit/s"), "10 Mbit/s")
  expect_equal(format_quantity(0.05, "s"), "50 ms")
  expect_equal(format_quantity(200, "packets"), "200 packets")
  expect_equal(format_quantity(0.001, "1"), "0.001")
  expect_equal(format_quantity("newreno"), "newreno")
  expect_equal(format_quantity(TRUE), "yes")
})

test_that("zeros are trimmed after a point only", {
  expect_equal(trim_zeros(c("50.0", "0.50", "100", "1.5e10")), c("50", "0.5", "100", "1.5e10"))
})

test_that("changes carry their sign", {
  expect_equal(signed_percent(c(0.0213, -0.05, NA)), c("+2.1 %", "\u22125.0 %", ""))
})
