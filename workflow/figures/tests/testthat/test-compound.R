module <- paper_module("compound")

test_that("types of oscillation are named, and longer patterns are not", {
  types <- module$types_of(c(3, 6, 4, 0), c(1, 1, 2, 0))
  expect_equal(as.character(types), c("3:1", "1 cut, m > 3", "4:2", NA))
})

# 417 packets fill the path; growth to 460, a plateau and linear growth to 497.
test_that("the phases of a cycle are told apart by the window", {
  window <- c(248, 248, 300, 416, 430, 460, 460, 460, 480, 497)
  expect_equal(
    as.character(module$phases_of(window, 417)),
    c("recovery", "recovery", "phase 1", "phase 1", "phase 2", "phase 3", "phase 3", "phase 3", "phase 4", "phase 4")
  )
})

test_that("a cycle ends where the window falls", {
  trace <- data.table(time_s = 0:5, value = c(250, 400, 500, 250, 400, 500))
  expect_equal(module$first_cycle(trace)$time_s, 0:2)
  expect_equal(nrow(module$first_cycle(trace[1:3])), 3)
})

# A path of 50 ms with packets of 1500 bytes, of which the paper prints `claims`.
compound_data <- function(set, observations, points, claims = printed(), envir = parent.frame()) {
  document <- list(
    packet_bytes = 1500, return_delay_s = 0.025, links = list(bottleneck = list(delay_s = 0.025)),
    sources = list(list(tcp = list(gamma_packets = 30)))
  )
  sets <- paste0("compound/", c(set, if (set == "figure-12") "figure-12-borders"))
  list(
    study = "compound", name = set, sets = sets, observations = observations, points = points, claims = claims,
    labels = paper_labels("compound"), whole = with_documents(sets, document, envir)
  )
}

# Printed numbers, each a row.
printed <- function(metric = character(), published = character(), rate = 0) {
  data.table(
    metric, published, kind = rep("model", length(metric)), row = seq_along(metric), tolerance = rep(3, length(metric)),
    set = rep("compound/figure-14", length(metric)), links.bottleneck.rate = rep_len(rate, length(metric)),
    point = rep("p", length(metric))
  )
}

test_that("a product of path follows from the points, whatever the paper's are", {
  data <- compound_data("figure-05", NULL, NULL)
  expect_equal(module$bdp(data, 100e6), 100e6 * 0.05 / 12000)
  other <- list(packet_bytes = 500, return_delay_s = 0.05, links = list(bottleneck = list(delay_s = 0.01)))
  data$whole <- with_documents(data$sets, other)
  expect_equal(module$bdp(data, 100e6), 1500)
})
