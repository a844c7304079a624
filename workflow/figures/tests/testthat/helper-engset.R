# Items of the engset study made of invented results.

# Data as the functions of items ask for them; the points are those of the observations.
engset_item <- function(name, observations, distributions = NULL, claims = NULL) {
  points <- points_of(observations)
  list(
    study = "engset", name = name, sets = unique(observations$set), points = points,
    observations = observations[!endsWith(metric, "_error")],
    errors = observations[endsWith(metric, "_error")][, metric := sub("_error$", "", metric)],
    distributions = distributions,
    claims = join_in_order(
      if (is.null(claims)) engset_claims("none", "none", "none", "1", "0", 0)[0] else claims, points, c("set", "point")
    ),
    labels = paper_labels("engset")
  )
}

# A distribution over 0, 1, 2, ..., each probability known to within `half`.
engset_distribution <- function(set, point, distribution, probability, engine = "packetsim", half = 0.01) {
  data.table(
    set = set, point = point, from_sources(engine), distribution = distribution, unit = "1",
    x = seq_along(probability) - 1, probability = probability, ci_low = probability - half,
    ci_high = probability + half
  )
}

# Claims on one point, one a metric, of packetsim; reproduced.
engset_claims <- function(set, point, metric, unit, published, value) {
  data.table(
    set = set, point = point, metric = metric, unit = unit, published = published, kind = "simulation",
    from_sources("packetsim"), value = value, ci_low = value - 1, ci_high = value + 1, verdict = "reproduced",
    note = "", reason = "", reference = "", row_note = "", case = "", quantity = metric, statistic = "value",
    counted = "true", row = seq_along(metric), tolerance = 1
  )
}

# The drawn data of each layer of a plot.
layers_of <- function(plot) {
  lapply(ggplot2::ggplot_build(plot)$data, as.data.table)
}

panels_of <- function(plot) {
  nrow(ggplot2::ggplot_build(plot)$layout$layout)
}

# Draws a plot to its end: some warnings come no earlier.
expect_drawn <- function(plot) {
  svglite::svgstring(width = 7, height = 5)
  on.exit(grDevices::dev.off())
  expect_no_warning(print(plot))
}
