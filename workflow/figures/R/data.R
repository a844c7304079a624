# Reads results and published items, and cuts out what one item needs. The columns are those of docs/formats.md.

result_columns <- list(
  observations = c(
    "set", "point", "parameters", "engine", "metric", "unit", "value", "ci_low", "ci_high", "replications"
  ),
  distributions = c(
    "set", "point", "parameters", "engine", "distribution", "unit", "x", "probability", "ci_low", "ci_high"
  ),
  traces = c("set", "point", "parameters", "engine", "trace", "unit", "time_s", "value"),
  claims = c(
    "claim", "paper", "item", "point", "metric", "unit", "published", "kind", "engine", "value", "ci_low", "ci_high",
    "relative_error", "tolerance", "verdict", "note"
  ),
  bench = c(
    "program", "version", "case", "sources", "buffer_packets", "repeats", "packets", "cpu_s", "cpu_s_low", "cpu_s_high",
    "packets_per_core_second", "instructions_per_packet", "peak_memory_bytes", "cpu"
  )
)

numeric_columns <- c(
  "value", "ci_low", "ci_high", "relative_error", "tolerance", "probability", "x", "replications", "time_s",
  "sources", "buffer_packets", "repeats", "packets", "cpu_s", "cpu_s_low", "cpu_s_high", "packets_per_core_second",
  "instructions_per_packet", "peak_memory_bytes"
)

# Reads one of the result files. Errors name the file, the column and what is allowed. `published` stays text:
# its digits are those printed. Given a study, only what is about its sets.
read_result <- function(results, name, study = NULL) {
  path <- file.path(results, paste0(name, ".csv"))
  table <- read_csv_texts(path, if (!is.null(study)) paste0(study, "/"))
  needed <- result_columns[[name]]
  missing <- setdiff(needed, names(table))
  if (length(missing) > 0) {
    stop_plainly("%s: column %s is missing; needed are %s", path, missing[1], paste(needed, collapse = ", "))
  }
  for (column in intersect(numeric_columns, needed)) {
    data.table::set(table, j = column, value = read_numbers(table[[column]], path, column, attr(table, "lines")))
  }
  if (name == "claims") {
    check_verdicts(table, path)
  }
  table[]
}

# A CSV file, every cell as text; of one with a column `set`, only the rows whose set begins with `sets`, if given. Its
# attribute `lines` says where in the file the rows stand.
read_csv_texts <- function(path, sets = NULL) {
  if (!file.exists(path)) {
    stop_plainly("%s: no such file", path)
  }
  table <- tryCatch(
    data.table::fread(path, sep = ",", header = TRUE, colClasses = "character", na.strings = NULL, encoding = "UTF-8"),
    error = function(error) stop_plainly("%s: cannot be read as CSV: %s", path, one_line(error)),
    warning = function(warning) stop_plainly("%s: cannot be read as CSV: %s", path, one_line(warning))
  )
  kept <- if (is.null(sets) || !"set" %in% names(table)) seq_len(nrow(table)) else which(startsWith(table$set, sets))
  table <- table[kept]
  data.table::setattr(table, "lines", kept + 1L)
  # fread leaves quotes inside quoted cells doubled.
  for (column in names(table)) {
    doubled <- grep("\"\"", table[[column]], fixed = TRUE)
    data.table::set(table, doubled, column, gsub("\"\"", "\"", table[[column]][doubled], fixed = TRUE))
  }
  table
}

read_numbers <- function(text, path, column, lines) {
  numbers <- suppressWarnings(as.numeric(text))
  unread <- which(is.na(numbers))
  wrong <- unread[nzchar(text[unread]) & !tolower(text[unread]) %in% c("nan", "na")]
  if (length(wrong) > 0) {
    stop_plainly("%s: line %d: %s: '%s' is no number", path, lines[wrong[1]], column, text[wrong[1]])
  }
  numbers
}

check_verdicts <- function(claims, path) {
  wrong <- which(!claims$verdict %in% verdicts)
  if (length(wrong) > 0) {
    stop_plainly(
      "%s: line %d: verdict: '%s' is none of %s",
      path, wrong[1] + 1L, claims$verdict[wrong[1]], paste(verdicts, collapse = ", ")
    )
  }
}

# All results or, which is quicker, what one study observed; the claims always are of all.
read_results <- function(results, published, study = NULL) {
  list(
    observations = read_result(results, "observations", study),
    distributions = read_result(results, "distributions", study),
    traces = read_result(results, "traces", study),
    claims = read_claims(results, published)
  )
}

# The claims, with more columns: `row`, the row of <item>.csv that a claim speaks of ("engset/table-06/3/packetsim" is
# of row 3; claims of several engines share it), that row's `against`, `along` and `relation`, and `reason`, the note
# without what <item>.csv itself notes there.
read_claims <- function(results, published) {
  claims <- read_result(results, "claims")
  claims[, row := as.integer(sub("^[^/]*/[^/]*/([0-9]+)/.*$", "\\1", claim))]
  claims[, `:=`(reason = note, against = "", along = "", relation = "")]
  items <- unique(claims[, .(paper, item)])
  for (index in seq_len(nrow(items))) {
    rows <- claims[items[index], on = c("paper", "item"), which = TRUE]
    own <- read_published(published, items$paper[index], items$item[index])[claims$row[rows]]
    for (column in intersect(c("against", "along", "relation"), names(own))) {
      data.table::set(claims, rows, column, own[[column]])
    }
    data.table::set(claims, rows, "reason", without_start(claims$note[rows], own$note))
  }
  claims[]
}

# "printed on page 3; saturated" without its start "printed on page 3" is "saturated".
without_start <- function(text, start) {
  begins <- !is.na(start) & nzchar(start) & startsWith(text, start)
  ifelse(begins, sub("^; ", "", substring(text, nchar(start) + 1)), text)
}

read_published <- function(published, study, name) {
  path <- file.path(published, study, paste0(name, ".csv"))
  table <- read_csv_texts(path)
  if (!"note" %in% names(table)) {
    stop_plainly("%s: column note is missing", path)
  }
  table
}

# The items of a study, a named list in the order of items.yaml; empty for a study without published numbers.
read_items <- function(published, study) {
  path <- file.path(published, study, "items.yaml")
  if (!file.exists(path)) {
    return(list())
  }
  content <- tryCatch(
    yaml::read_yaml(path),
    error = function(error) stop_plainly("%s: cannot be read as YAML: %s", path, one_line(error))
  )
  if (!is.list(content$items) || is.null(names(content$items))) {
    stop_plainly("%s: items: missing; a mapping from item names to title and sets is needed", path)
  }
  for (name in names(content$items)) {
    for (key in c("title", "sets")) {
      if (is.null(content$items[[name]][[key]])) {
        stop_plainly("%s: items.%s.%s: missing", path, name, key)
      }
    }
  }
  content$items
}

# One row per point: set, point, and a column per swept parameter (dotted path), in SI units.
points_of <- function(observations) {
  distinct <- unique(observations[, .(set, point, parameters)])
  values <- lapply(distinct$parameters, function(json) {
    parsed <- jsonlite::fromJSON(json, simplifyVector = TRUE)
    if (length(parsed) == 0) data.table::data.table(dummy = NA) else data.table::as.data.table(parsed)
  })
  parameters <- data.table::rbindlist(values, fill = TRUE)
  if ("dummy" %in% names(parameters)) {
    parameters[, dummy := NULL]
  }
  cbind(distinct[, .(set, point)], parameters)
}

parameter_columns <- function(points) {
  setdiff(names(points), c("set", "point"))
}

# The parameters (of `paths`) that tell the rows apart.
varying_parameters <- function(rows, paths = parameter_columns(rows)) {
  Filter(function(path) data.table::uniqueN(rows[[path]]) > 1, paths)
}

# What one item needs: its entry in items.yaml, its claims (with the set and the parameters that answer each), and the
# observations, distributions and traces of its sets; `study_claims` are the claims of all items of the study. `name` is
# the part after the slash; a set of a study without published numbers is an item of its own.
item_data <- function(results, published, study, name, labels) {
  entry <- read_items(published, study)[[name]]
  is_set <- is.null(entry)
  sets <- paste0(study, "/", if (is_set) name else entry$sets)
  observations <- results$observations[set %in% sets]
  if (nrow(observations) == 0) {
    stop_plainly(
      "%s/%s: neither a published item nor a set with observations; sets with observations are %s",
      study, name, paste(unique(results$observations$set), collapse = ", ")
    )
  }
  points <- points_of(observations)
  claims <- results$claims[paper == study & item == name]
  several <- length(entry$sets) > 1 && nrow(claims) > 0
  set_of_row <- if (several) read_published(published, study, name)$set[claims$row] else entry$sets
  claims[, set := rep_len(paste0(study, "/", set_of_row), .N)]
  list(
    study = study, name = name, title = if (is_set) words(name) else entry$title, is_set = is_set, sets = sets,
    points = points, claims = join_in_order(claims, points, c("set", "point")),
    observations = observations, distributions = results$distributions[set %in% sets],
    traces = results$traces[set %in% sets], study_claims = results$claims[paper == study], labels = labels
  )
}

# The columns of `right` beside those of `left`, whose rows and order stay.
join_in_order <- function(left, right, by) {
  extra <- setdiff(names(right), by)
  rows <- match(do.call(paste, left[, ..by]), do.call(paste, right[, ..by]))
  cbind(left, right[rows, extra, with = FALSE])
}

# P(X > x) from a distribution's probabilities of 0, 1, 2, ..., with an interval that holds at least at the
# probabilities' own confidence: the half-width of a sum is at most the sum of the half-widths (reached when all terms
# move together), and the tail and its complement have the same one.
# Needs the columns x, probability, ci_low, ci_high of one distribution; gives x, tail, low, high.
tail_of <- function(distribution) {
  ordered <- distribution[order(x)]
  half <- half_width(ordered$probability, ordered$ci_low, ordered$ci_high)
  below <- cumsum(half)
  above <- sum(half) - below
  tail <- pmax(0, 1 - cumsum(ordered$probability))
  width <- pmin(below, above)
  data.table::data.table(x = ordered$x, tail = tail, low = pmax(0, tail - width), high = pmin(1, tail + width))
}

# The value of one metric of one point from one source, as list(value, ci_low, ci_high, unit); NULL when there is none.
observed <- function(observations, point, source, metric) {
  wanted <- list(point = point, engine = source, metric = metric)
  row <- observations[wanted, on = c("point", "engine", "metric"), nomatch = NULL]
  if (nrow(row) == 0) NULL else as.list(row[1, .(value, ci_low, ci_high, unit)])
}
