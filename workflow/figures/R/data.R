# Reads the results of a study (results/studies/<study>/*.csv, columns as in docs/formats.md) and selects those of one
# item.

# The source of a number: "model:engset/packetsim" is the label of the model engset `against` the engine packetsim.
source_columns <- c("engine", "model", "fed_by", "against", "relation")

result_columns <- list(
  points = c("set", "point", "parameter", "value", "unit"),
  observations = c(
    "set", "point", source_columns, "metric", "unit", "value", "ci_low", "ci_high", "replications", "interval"
  ),
  predictions = c("set", "point", source_columns, "metric", "unit", "value"),
  errors = c("set", "point", source_columns, "metric", "unit", "value", "ci_low", "ci_high"),
  equivalence = c(
    "set", "point", "sampled_set", "engine", "reference", "metric", "unit", "value", "ci_low", "ci_high", "statistic",
    "tolerance", "verdict", "reason", "tolerance_reason"
  ),
  distributions = c("set", "point", source_columns, "distribution", "unit", "x", "probability", "ci_low", "ci_high"),
  traces = c("set", "point", source_columns, "trace", "unit", "time_s", "value"),
  claims = c(
    "claim", "paper", "item", "point", "metric", "unit", "published", "kind", source_columns, "value", "ci_low",
    "ci_high", "relative_error", "tolerance", "verdict", "note", "set", "row", "case", "reference", "row_note",
    "reason", "tolerance_reason", "quantity", "statistic", "counted", "interval", "class", "power", "rivals",
    "cause"
  ),
  statements = c(
    "statement", "paper", "item", "text", "section", "set", "point", "predicate", "metric", "statistic", "reference",
    "along", "unit", "kind", source_columns, "value", "ci_low", "ci_high", "bound", "tolerance", "verdict", "reason",
    "counted", "interval", "by_construction", "cause"
  ),
  causes = c("study", "cause", "text", "shown_by", "tried"),
  studies = c("study", "title", "question", "paper", "folder", "authors", "year", "published_as", "link"),
  items = c(
    "study", "item", "title", "kind", "sets", "appendix", "numbers", "statements", "metrics", "caption", "missing"
  ),
  labels = c("study", "kind", "name", "title", "symbol", "unit"),
  tolerances = c("study", "item", "kind", "metric", "where", "width", "reason", "deviation"),
  bench = c(
    "program", "version", "case", "sources", "buffer_packets", "repeats", "packets", "cpu_s", "cpu_s_low", "cpu_s_high",
    "packets_per_core_second", "instructions_per_packet", "mispredictions_per_packet", "l1_misses_per_packet",
    "ll_misses_per_packet", "peak_memory_bytes", "cpu"
  )
)

numeric_columns <- c(
  "value", "ci_low", "ci_high", "relative_error", "tolerance", "bound", "probability", "x", "replications", "time_s",
  "row", "sources", "buffer_packets", "repeats", "packets", "cpu_s", "cpu_s_low", "cpu_s_high",
  "packets_per_core_second", "instructions_per_packet", "mispredictions_per_packet", "l1_misses_per_packet",
  "ll_misses_per_packet", "peak_memory_bytes"
)

allowed_verdicts <- function(name) {
  switch(name, claims = verdicts, statements = statement_verdicts, equivalence = c("", equivalence_verdicts))
}

# Reads one result file. Errors name the file, the column and what is allowed. `published` stays text, to
# keep the printed digits; so does a parameter's value, which may be a word.
read_result <- function(folder, name) {
  path <- file.path(folder, paste0(name, ".csv"))
  table <- read_csv_texts(path)
  needed <- result_columns[[name]]
  missing <- setdiff(needed, names(table))
  if (length(missing) > 0) {
    abort_with("%s: column %s is missing; needed are %s", path, missing[1], paste(needed, collapse = ", "))
  }
  numeric <- intersect(setdiff(numeric_columns, if (name == "points") "value"), needed)
  for (column in numeric) {
    data.table::set(table, j = column, value = read_numbers(table[[column]], path, column))
  }
  allowed <- allowed_verdicts(name)
  wrong <- which(!table[["verdict"]] %in% allowed)
  if (!is.null(allowed) && length(wrong) > 0) {
    abort_with(
      "%s: line %d: verdict: '%s' is none of %s",
      path, wrong[1] + 1L, table$verdict[wrong[1]], paste(setdiff(allowed, ""), collapse = ", ")
    )
  }
  table[]
}

# A CSV file, every cell as text.
read_csv_texts <- function(path) {
  if (!file.exists(path)) {
    abort_with("%s: no such file", path)
  }
  table <- tryCatch(
    data.table::fread(path, sep = ",", header = TRUE, colClasses = "character", na.strings = NULL, encoding = "UTF-8"),
    error = function(error) abort_with("%s: cannot be read as CSV: %s", path, one_line(error)),
    warning = function(warning) abort_with("%s: cannot be read as CSV: %s", path, one_line(warning))
  )
  # fread leaves quotes inside quoted cells doubled.
  for (column in names(table)) {
    doubled <- grep("\"\"", table[[column]], fixed = TRUE)
    data.table::set(table, doubled, column, gsub("\"\"", "\"", table[[column]][doubled], fixed = TRUE))
  }
  table
}

read_numbers <- function(text, path, column) {
  numbers <- suppressWarnings(as.numeric(text))
  wrong <- which(is.na(numbers) & nzchar(text) & !tolower(text) %in% c("nan", "na"))
  if (length(wrong) > 0) {
    abort_with("%s: line %d: %s: '%s' is no number", path, wrong[1] + 1L, column, text[wrong[1]])
  }
  numbers
}

# All tables of one study. Predictions of models are among the observations; points have a row each.
read_study <- function(results, study) {
  folder <- file.path(results, "studies", study)
  if (!dir.exists(folder)) {
    studies <- list.dirs(file.path(results, "studies"), full.names = FALSE, recursive = FALSE)
    abort_with("%s: no such folder; studies with results are %s", folder, paste(studies, collapse = ", "))
  }
  names <- setdiff(names(result_columns), "bench")
  tables <- lapply(stats::setNames(names, names), function(name) read_result(folder, name))
  tables$study <- study
  tables$results <- results
  tables$observations <- rbind(tables$observations, tables$predictions, fill = TRUE)
  tables$points <- wide_points(tables$points)
  tables
}

# One row per point: set, point, and a column per parameter (dotted path), in SI units; words stay words.
wide_points <- function(long) {
  points <- unique(long[, .(set, point)])
  for (path in setdiff(unique(long$parameter), "")) {
    values <- long[parameter == path][points, on = c("set", "point"), mult = "first"]$value
    numbers <- suppressWarnings(as.numeric(values))
    data.table::set(points, j = path, value = if (all(is.na(numbers) == is.na(values))) numbers else values)
  }
  points[]
}

parameter_columns <- function(points) {
  setdiff(names(points), c("set", "point"))
}

# The parameters (of `paths`) that distinguish the rows.
varying_parameters <- function(rows, paths = parameter_columns(rows)) {
  Filter(function(path) data.table::uniqueN(rows[[path]]) > 1, paths)
}

# The data of one item: its title; its claims and statements (with the parameters of the point that each is about); and
# the points, observations, errors, differences of engines, distributions and traces of its sets. `whole` are the tables
# of the whole study; `metrics` are those to show, none for all. `results` are those of read_study(), and `name` the
# part after the slash. Claims computed from other printed numbers have no answer of ours: they are included only
# with `printed`.
item_data <- function(results, name, labels, printed = FALSE) {
  entry <- results$items[item == name][1]
  if (is.na(entry$item)) {
    abort_with(
      "%s/%s: no such item; items are %s", results$study, name, paste(unique(results$items$item), collapse = ", ")
    )
  }
  sets <- sets_of(results, name)
  of_sets <- function(table) results[[table]][set %in% sets]
  points <- of_sets("points")
  absent <- Filter(function(path) all(is.na(points[[path]])), parameter_columns(points))
  points <- points[, setdiff(names(points), absent), with = FALSE]
  with_parameters <- function(table) join_in_order(results[[table]][item == name], points, c("set", "point"))
  list(
    study = results$study, name = name, title = entry$title, sets = sets, points = points,
    claims = with_parameters("claims")[printed | relation != "printed"], statements = with_parameters("statements"),
    observations = of_sets("observations"), errors = of_sets("errors"), equivalence = of_sets("equivalence"),
    distributions = of_sets("distributions"), traces = of_sets("traces"), whole = results,
    labels = labels, missing = entry$missing, metrics = strsplit(entry$metrics, " ", fixed = TRUE)[[1]]
  )
}

# The sets that an item shows.
sets_of <- function(results, name) {
  paste0(results$study, "/", strsplit(results$items[item == name]$sets[1], " ", fixed = TRUE)[[1]])
}

# A number of each point of a set as the engines read it (results/points), named by points: "packet_bytes",
# "links.bottleneck.delay_s", "sources.1.tcp.gamma_packets".
numbers_of_points <- function(data, path, name) {
  keys <- utils::type.convert(as.list(strsplit(path, ".", fixed = TRUE)[[1]]), as.is = TRUE)
  documents <- read_points(data$whole$results, name)
  numbers <- vapply(documents, function(document) as.numeric(Reduce(`[[`, keys, document)), 0)
  stats::setNames(numbers, vapply(documents, `[[`, "", "point"))
}

# The number that all points of the item's sets have.
fixed_number <- function(data, path, sets = data$sets) {
  numbers <- unique(unlist(lapply(sets, numbers_of_points, data = data, path = path), use.names = FALSE))
  if (length(numbers) != 1) {
    abort_with("%s of %s: %d numbers, not one", path, toString(sets), length(numbers))
  }
  numbers
}

# The points of a set as engines and models read them.
read_points <- function(results, name) {
  jsonlite::read_json(file.path(results, "points", paste0(name, ".json")))$points
}

# A left join: the columns of `right` added to `left`, whose rows keep their order.
join_in_order <- function(left, right, by) {
  extra <- setdiff(names(right), by)
  rows <- match(do.call(paste, left[, by, with = FALSE]), do.call(paste, right[, by, with = FALSE]))
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
