# Small invented results in the documented columns. The numbers are made up here; none comes from the project.

as_json <- function(parameters) {
  as.character(jsonlite::toJSON(parameters, auto_unbox = TRUE, digits = NA))
}

# The columns that say who a number is from, of one "packetsim", "model:engset" or "model:engset/packetsim" a row.
from_sources <- function(engines) {
  names <- data.table::tstrsplit(sub("^model:", "", engines), "[/@]")
  model <- startsWith(engines, "model:")
  beside <- if (length(names) > 1) fcoalesce(names[[2]], "") else ""
  fed <- grepl("@", engines, fixed = TRUE)
  data.table(
    engine = engines, model = ifelse(model, names[[1]], ""), fed_by = ifelse(fed, beside, ""),
    against = ifelse(fed, "", beside),
    relation = ifelse(fed, "fed", ifelse(!model, "simulation", ifelse(nzchar(beside), "error", "model")))
  )
}

# One row per metric; `half` is the half-width of the interval, NA for models.
synthetic_observation <- function(set, point, parameters, engine, metric, unit, value, half = NA) {
  data.table(
    set = set, point = point, parameters = as_json(parameters), from_sources(engine), metric = metric, unit = unit,
    value = value, ci_low = value - half, ci_high = value + half, replications = if (is.na(half)) NA else 3,
    interval = synthetic_interval(half)
  )
}

synthetic_interval <- function(half) if (is.na(half)) "" else if (half == 0) "alike" else "confidence"

# A study of one's own: N = 10, 20 by buffer 50, 100; a rate of N * 1000 + buffer bit/s, one percent more by the model.
own_study <- function() {
  grid <- CJ(count = c(10, 20), buffer = c(50, 100))
  rbindlist(Map(function(count, buffer) {
    at <- list(
      "my-link/load", sprintf("count-%d_buffer-%d", count, buffer),
      list("sources.count" = count, "links.bottleneck.buffer" = buffer)
    )
    row <- function(...) do.call(synthetic_observation, c(at, list(...)))
    rate <- 1000 * count + buffer
    rbind(
      row("packetsim", "goodput_per_connection", "bit/s", rate, 100),
      row("packetsim", "loss_ratio", "1", 0.02, 0.001),
      row("packetsim", "queue_max", "packets", buffer, 0),
      row("model:engset", "goodput_per_connection", "bit/s", 1.01 * rate),
      row("model:engset", "loss_ratio", "1", 0.03), row("model:engset", "isolated_rounds", "1", 3),
      row("model:engset/packetsim", "goodput_per_connection", "1", 0.01)
    )
  }, grid$count, grid$buffer))
}

sizes_path <- "sources.workload.file_size.distribution"

# Table 6 with N = 82, 98 and E only, and its claims: each verdict once.
table_06_study <- function() {
  parameters <- function(count) stats::setNames(list(count, "exponential"), c("sources.count", sizes_path))
  observations <- rbindlist(lapply(c(82, 98), function(count) {
    at <- list("engset/table-06", sprintf("count-%d_distribution-exponential", count), parameters(count))
    rbind(
      do.call(synthetic_observation, c(at, list("packetsim", "goodput_per_connection", "bit/s", 1000 * count, 10))),
      do.call(synthetic_observation, c(at, list("model:engset", "goodput_per_connection", "bit/s", 1010 * count)))
    )
  }))
  rate <- "goodput_per_connection"
  claim <- function(row, count, metric, unit, published, kind, engine, value, half, tolerance, verdict, note) {
    data.table(
      claim = sprintf("engset/table-06/%d/%s", row, engine), paper = "engset", item = "table-06",
      point = sprintf("count-%d_distribution-exponential", count), metric = metric, unit = unit,
      published = published, kind = kind, from_sources(engine), value = value, ci_low = value - half,
      ci_high = value + half, relative_error = value / as.numeric(published) - 1, tolerance = tolerance,
      verdict = verdict, note = note, set = "engset/table-06", row = row, case = "", reference = "",
      row_note = sub(";.*$", "", note), reason = sub("^[^;]*(; )?", "", note), tolerance_reason = "",
      quantity = metric, statistic = "value", counted = "true", interval = synthetic_interval(half),
      class = "replication", power = if (verdict == "reproduced") "20 %" else "", rivals = "",
      cause = if (verdict == "deviates") "bursts" else ""
    )
  }
  claims <- rbind(
    claim(1, 82, rate, "kbit/s", "547.8", "model", "model:engset", 547.81, NA, 0.05, "reproduced", "h"),
    claim(2, 82, rate, "kbit/s", "563.1", "simulation", "packetsim", 562.84, 1.23, 5.6, "reproduced", "h"),
    claim(3, 82, "loss_ratio", "%", "0.29", "simulation", "packetsim", 0.52, 0.02, 0.15, "deviates", "L; a burst"),
    claim(4, 98, rate, "kbit/s", "344.6", "model", "model:engset", 344.61, NA, 0.05, "reproduced", "h"),
    claim(5, 98, rate, "kbit/s", "347.1", "simulation", "packetsim", 300, 2, 3, "inconsistent", "h; odd"),
    claim(6, 98, "loss_ratio", "%", "", "simulation", "packetsim", 1.5, 0.1, NA, "unavailable", "L")
  )
  list(observations = observations, claims = claims)
}

# Figure 12 with two distributions and windows over a buffer of 4 packets; the model's curve is the same for all.
figure_12_study <- function() {
  grid <- CJ(size = c("exponential", "exponential-pareto"), rwnd = c(12, 44), sorted = FALSE)
  probabilities <- list("12" = c(0.6, 0.2, 0.1, 0.08, 0.02), "44" = c(0.5, 0.2, 0.15, 0.1, 0.05))
  parts <- Map(function(size, rwnd) {
    parameters <- stats::setNames(list(size, rwnd), c(sizes_path, "tcp.rwnd"))
    at <- list("engset/figure-12", sprintf("distribution-%s_rwnd-%d", size, rwnd), parameters)
    row <- function(...) do.call(synthetic_observation, c(at, list(...)))
    distribution <- function(engine, probability, half) {
      data.table(
        set = at[[1]], point = at[[2]], parameters = as_json(parameters), from_sources(engine),
        distribution = "queue_by_time", unit = "packets", x = 0:4, probability = probability,
        ci_low = probability - half, ci_high = probability + half
      )
    }
    list(
      observations = rbind(
        row("packetsim", "goodput_per_connection", "bit/s", 5e5 + rwnd, 100), row("packetsim", "loss_ratio", "1", 0, 0),
        row("packetsim", "utilisation", "1", 0.5, 0.01), row("model:engset", "goodput_per_connection", "bit/s", 547800),
        row("model:engset", "loss_ratio", "1", 0.00028), row("model:engset", "utilisation", "1", 0.935),
        row("model:engset", "queue_decay", "packets", 24.63)
      ),
      distributions = rbind(
        distribution("packetsim", probabilities[[as.character(rwnd)]], 0.01),
        distribution("model:engset", c(0.4, 0.3, 0.2, 0.06, 0.04), NA)
      )
    )
  }, grid$size, grid$rwnd)
  list(
    observations = rbindlist(lapply(parts, `[[`, "observations")),
    distributions = rbindlist(lapply(parts, `[[`, "distributions"))
  )
}

# The window of a run against time.
synthetic_trace <- function(set, time_s, value, engine = "packetsim", point = "base") {
  data.table(
    set = set, point = point, parameters = "{}", from_sources(engine), trace = "window", unit = "packets",
    time_s = time_s, value = value
  )
}

# Two programs on the same point, 2 million packets in 0.1 s (0.08 to 0.125) and 50,000 in 1 s.
synthetic_bench <- function() {
  row <- function(program, version, case, sources, buffer, packets, cpu_s, instructions) {
    data.table(
      program = program, version = version, case = case, sources = sources, buffer_packets = buffer, repeats = 5,
      packets = packets, cpu_s = cpu_s, cpu_s_low = 0.8 * cpu_s, cpu_s_high = 1.25 * cpu_s,
      packets_per_core_second = packets / cpu_s, instructions_per_packet = instructions,
      mispredictions_per_packet = instructions / 200, l1_misses_per_packet = instructions / 100,
      ll_misses_per_packet = 0, peak_memory_bytes = 4e6, cpu = "Some & Other CPU"
    )
  }
  rbind(
    row("packetsim", "0.1.0", "table-06", 134, 200, 2e6, 0.1, 612.4),
    row("ns-2", "2.35", "table-06", 134, 200, 5e4, 1, 41234)
  )
}

# One row per point: set, point, and a column per parameter, of observations that hold the parameters as JSON.
points_of <- function(observations) {
  distinct <- unique(observations[, .(set, point, parameters)])
  values <- lapply(distinct$parameters, function(json) {
    parsed <- jsonlite::fromJSON(json, simplifyVector = TRUE)
    if (length(parsed) == 0) data.table(none = NA) else as.data.table(parsed)
  })
  parameters <- rbindlist(values, fill = TRUE)
  cbind(distinct[, .(set, point)], parameters[, setdiff(names(parameters), "none"), with = FALSE])
}

# points.csv of the same observations.
long_points <- function(observations) {
  distinct <- unique(observations[, .(set, point, parameters)])
  rbindlist(lapply(seq_len(nrow(distinct)), function(index) {
    parsed <- jsonlite::fromJSON(distinct$parameters[index])
    if (length(parsed) == 0) parsed <- list("")
    data.table(
      distinct[index, .(set, point)], parameter = if (is.null(names(parsed))) "" else names(parsed),
      value = as.character(unlist(parsed)), unit = ""
    )
  }))
}

# The errors of models among observations, with the sources that have a "/".
parts_of <- function(observations) {
  pair <- nzchar(observations$against)
  list(observations = observations[!pair], errors = observations[pair])
}

# An empty table with the columns of a result.
empty_result <- function(name) {
  setnames(as.data.table(rep(list(character()), length(result_columns[[name]]))), result_columns[[name]])
}

# Results in which the `points` of these sets are `document`, as engines and models read them. Gives list(results).
with_documents <- function(sets, document, envir = parent.frame(), points = "base") {
  folder <- withr::local_tempdir(.local_envir = envir)
  for (name in sets) {
    path <- file.path(folder, "points", paste0(name, ".json"))
    dir.create(dirname(path), recursive = TRUE, showWarnings = FALSE)
    documents <- lapply(points, function(point) c(list(point = point), document))
    jsonlite::write_json(list(points = documents), path, auto_unbox = TRUE, digits = NA)
  }
  list(results = folder)
}

# Writes the results of one study.
put_study <- function(folder, study, observations, ...) {
  tables <- list(...)
  parts <- parts_of(observations)
  model <- nzchar(parts$observations$model)
  tables$points <- long_points(observations)
  tables$observations <- parts$observations[!model]
  tables$predictions <- parts$observations[model]
  tables$errors <- parts$errors
  for (name in setdiff(names(result_columns), "bench")) {
    table <- if (is.null(tables[[name]])) empty_result(name) else tables[[name]]
    path <- file.path(folder, "results", "studies", study, paste0(name, ".csv"))
    dir.create(dirname(path), recursive = TRUE, showWarnings = FALSE)
    fwrite(table[, result_columns[[name]], with = FALSE], path)
  }
}

# An item of items.csv.
synthetic_item <- function(study, item, title, kind, sets, metrics = "") {
  data.table(study, item, title, kind, sets, appendix = "false", numbers = "6", statements = "1", metrics = metrics,
    caption = "How to read $N$.", missing = "")
}

synthetic_studies <- function() {
  data.table(
    study = c("engset", "my-link"), title = c("Transfers", "My & your link"),
    question = c("", "How many users at 50 %?"), paper = c("engset", ""), folder = c("scenarios/papers/engset", ""),
    authors = c("Zaragoza", ""), year = c("2014", ""), published_as = c("Engset & more", ""),
    link = c("https://hal.science/hal-00956255", "")
  )
}

synthetic_causes <- function() {
  text <- c("Bursts of W_R & more.", "None.")
  data.table(study = "engset", cause = c("bursts", "unused"), text = text, shown_by = "figure-12", tried = "")
}

# One statement with its verdict.
synthetic_statement <- function(text, verdict, value, reason = "", kind = "simulation", engine = "packetsim") {
  data.table(
    statement = "engset/table-06/1", paper = "engset", item = "table-06", text = text, section = "5.4",
    set = "engset/table-06", point = "count-82_distribution-exponential", predicate = "at most", metric = "loss_ratio",
    statistic = "value", reference = "", along = "", unit = "%", kind = kind, from_sources(engine), value = value,
    ci_low = NA_real_, ci_high = NA_real_, bound = 1, tolerance = 0.1, verdict = verdict, reason = reason,
    counted = "true", interval = "", by_construction = "", cause = ""
  )
}

# Writes all of it into a fresh folder, <folder>/results. Gives the folder.
synthetic_project <- function(title = "Against load & loss", envir = parent.frame()) {
  folder <- withr::local_tempdir(.local_envir = envir)
  table <- table_06_study()
  figure <- figure_12_study()
  items <- rbind(
    synthetic_item("engset", "table-06", title, "table", "table-06"),
    synthetic_item("engset", "figure-12", "P(Q > x) at 100 %", "figure", "figure-12")
  )
  own_items <- synthetic_item("my-link", "load", "load", c("figure", "table"), "load")
  tolerances <- data.table(
    study = "engset", item = "table-06", kind = c("model", "simulation"), metric = c("*", "loss_ratio"), where = "",
    width = c("0.03 % or half of the last printed digit", "10 %"), reason = c("r & s", "t"), deviation = ""
  )
  statements <- synthetic_statement("L stays below 1 %", "holds", 0.5)
  put_study(
    folder, "engset", rbind(table$observations, figure$observations), claims = table$claims, items = items,
    distributions = figure$distributions, traces = synthetic_trace("engset/figure-12", c(0, 1), c(10, 20)),
    tolerances = tolerances, statements = statements, causes = synthetic_causes(), studies = synthetic_studies()[1],
    labels = labels_table("engset")
  )
  models <- data.table(
    study = "my-link", kind = "sources", name = c("model:engset", "model:engset/packetsim"),
    title = c("model engset", "model engset / packetsim"), symbol = "", unit = ""
  )
  put_study(folder, "my-link", own_study(), items = own_items, studies = synthetic_studies()[2], labels = models)
  put <- function(table, name) fwrite(table, file.path(folder, "results", name))
  put(rbind(items, own_items), "items.csv")
  put(table$claims, "claims.csv")
  put(statements, "statements.csv")
  put(synthetic_studies(), "studies.csv")
  put(synthetic_causes(), "causes.csv")
  put(empty_result("equivalence"), "equivalence.csv")
  put(synthetic_bench(), "bench.csv")
  jsonlite::write_json(
    list(
      tcp_atlas = "0.1.0", scale = "quick", seed = 7, scenarios = list("config/own.yaml"),
      commit = list(id = "abc", dirty = FALSE)
    ),
    file.path(folder, "results", "provenance.json"),
    auto_unbox = TRUE
  )
  folder
}

# The figure code of one of the repository's papers.
paper_module <- function(study) load_study(figures, study)

# labels.csv as the workflow makes it of a paper's items.yaml.
labels_table <- function(study) {
  file <- Sys.glob(file.path(dirname(dirname(figures)), "scenarios", "*", study, "items.yaml"))
  text_of <- function(label, part) if (is.list(label) && !is.null(label[[part]])) label[[part]] else ""
  own <- if (length(file) == 1) yaml::read_yaml(file)$labels
  rbind(empty_result("labels"), rbindlist(Map(function(kind, entries) {
    data.table(
      study = study, kind = kind, name = names(entries),
      title = vapply(entries, function(label) if (is.list(label)) label$title else label, ""),
      symbol = vapply(entries, text_of, "", "symbol"), unit = vapply(entries, text_of, "", "unit")
    )
  }, names(own), own)))
}

paper_labels <- function(study) labels_of(list(labels = labels_table(study)))

synthetic_results <- function(study, envir = parent.frame()) {
  read_study(file.path(synthetic_project(envir = envir), "results"), study)
}

synthetic_data <- function(item, envir = parent.frame()) {
  results <- synthetic_results(dirname(item), envir)
  item_data(results, basename(item), labels_of(results))
}

# A table from a data table of texts.
table_of <- function(body, headings = names(body), ...) {
  columns_to_table(Map(function(heading, cells) list(heading = heading, cells = cells), headings, body), ...)
}

# The cells of a table as text, in columns column1, column2, ...
texts_of <- function(table) {
  texts <- lapply(table$columns, cell_texts)
  as.data.table(stats::setNames(texts, paste0("column", seq_along(texts))))
}
