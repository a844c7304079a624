# Small invented results in the documented columns, for tests: numbers here are made up, not computed by the project.

synthetic_point <- function(set, point, parameters) {
  list(set = set, point = point, parameters = jsonlite::toJSON(parameters, auto_unbox = TRUE, digits = NA))
}

observation <- function(at, engine, metric, unit, value, half = NA, replications = if (is.na(half)) NA else 3) {
  data.table(
    set = at$set, point = at$point, parameters = as.character(at$parameters), engine = engine, metric = metric,
    unit = unit, value = value, ci_low = value - half, ci_high = value + half, replications = replications
  )
}

claim <- function(at, item, metric, unit, published, kind, engine, value, half, tolerance, verdict, note = "") {
  data.table(
    claim = sprintf("%s/%s/%s", item, at$point, metric), paper = "engset", item = item, point = at$point,
    metric = metric, unit = unit, published = published, kind = kind, engine = engine, value = value,
    ci_low = value - half, ci_high = value + half,
    relative_error = value / as.numeric(published) - 1, tolerance = tolerance, verdict = verdict, note = note
  )
}
