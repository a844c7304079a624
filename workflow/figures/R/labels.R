# Titles and symbols of everything in the results. load_catalogue() adds the metrics and the engines; labels.csv
# has those of a study, which take precedence. Names without an entry are shown without underscores.

common_labels <- list(
  # metric = c(title, symbol, unit in which to show it if not its own), from workflow/metrics.yaml.
  metrics = list(),
  # Dotted path, or its end = c(name, symbol, SI unit).
  parameters = list(
    "access.rate" = c("access rate", "$C_1$", "bit/s"),
    "bottleneck.rate" = c("bottleneck rate", "$C$", "bit/s"),
    "egress.rate" = c("egress rate", "$C_3$", "bit/s"),
    "access.delay" = c("access delay", "", "s"),
    "bottleneck.buffer" = c("buffer", "$B$", "packets"),
    "bottleneck.buffer_bdp" = c("buffer, in bandwidth-delay products", "", ""),
    "bottleneck.delay" = c("bottleneck delay", "", "s"),
    "bottleneck.loss" = c("random loss", "$p$", "1"),
    "loss_process.kind" = c("losses", "", ""),
    "loss_process.burst" = c("mean burst", "$b$", "packets"),
    "loss_process.burst_loss" = c("loss in a burst", "$h$", "1"),
    "bottleneck.loss_growth" = c("growth of loss", "$\\alpha$", ""),
    "bottleneck.queue" = c("queue", "", ""),
    "bottleneck.ties" = c("ties", "", ""),
    "cross_traffic.rate" = c("cross-traffic rate", "$\\lambda$", "bit/s"),
    "cross_traffic.kind" = c("cross traffic", "", ""),
    "rtt_distribution.mean" = c("mean round-trip time", "", "s"),
    "rtt_distribution.standard_deviation" = c("standard deviation of round-trip time", "", "s"),
    "rtt" = c("round-trip time", "$\\mathrm{RTT}_0$", "s"),
    "propagation" = c("propagation time", "$D$", "s"),
    "packet_size" = c("packet size", "$P$", "B"),
    "ack_size" = c("acknowledgement size", "", "B"),
    "cross_traffic.phase" = c("phase", "phase", ""),
    "stop.transfer" = c("transfer", "", "packets"),
    "stop.connections" = c("connections", "connections", ""),
    "tcp.variant" = c("TCP variant", "", ""),
    "tcp.arithmetic" = c("arithmetic", "", ""),
    "tcp.damping" = c("damping", "", ""),
    "tcp.gamma" = c("gamma", "$\\gamma$", "packets"),
    "tcp.recovery" = c("recovery", "", ""),
    "tcp.sack_recovery" = c("recovery", "", ""),
    "tcp.loss_detection" = c("loss detection", "", ""),
    "tcp.ecn" = c("ECN", "", ""),
    "tcp.pacing" = c("pacing", "", ""),
    "tcp.rwnd" = c("receiver window", "$W_R$", "packets"),
    "tcp.initial_window" = c("initial window", "", "packets"),
    "tcp.min_rto" = c("minimum RTO", "", "s"),
    "tcp.max_rto" = c("maximum RTO", "", "s"),
    "sources.count" = c("sources", "$N$", ""),
    "file_size.mean" = c("mean file size", "$F$", "packets"),
    "file_size.minimum" = c("smallest file", "", "packets"),
    "file_size.distribution" = c("file sizes", "", ""),
    "off_time.mean" = c("mean OFF time", "$\\mathrm{OFF}$", "s"),
    "off_time.distribution" = c("OFF times", "", "")
  ),
  # What the column `engine` names = title; the engines' from their engine.yaml, all of a study's from its labels.csv.
  sources = list(published = "published"),
  # Value of a parameter that is a word = how people write it.
  values = list(
    newreno = "NewReno", tahoe = "Tahoe", reno = "Reno", compound = "Compound", float = "floating point",
    linux = "Linux integers", deterministic = "periodic", poisson = "Poisson", "fair-individual" = "own buffers",
    "fair-shared" = "shared buffer", "rate-halving" = "rate halving",
    "departure-first" = "departures first", "arrival-first" = "arrivals first", random = "at random",
    "evenly-spaced" = "evenly spaced"
  )
)

merge_labels <- function(common, of_study) {
  for (kind in names(of_study)) {
    common[[kind]] <- utils::modifyList(common[[kind]], of_study[[kind]])
  }
  common
}

words <- function(name) {
  gsub("[_-]", " ", name)
}

capitalised <- function(text) {
  paste0(toupper(substring(text, 1, 1)), substring(text, 2))
}

# The name of each metric and, for "name[x]", the part in brackets: list(name = "goodput_per_connection", of = "3-6").
metric_parts <- function(metrics) {
  bracketed <- grepl("^.+\\[.*\\]$", metrics)
  list(
    name = sub("^(.+?)\\[.*\\]$", "\\1", metrics, perl = TRUE),
    of = ifelse(bracketed, sub("^.+?\\[(.*)\\]$", "\\1", metrics, perl = TRUE), "")
  )
}

metric_name <- function(metric, labels) {
  parts <- metric_parts(metric)
  entry <- labels$metrics[[parts$name]]
  name <- if (is.null(entry)) capitalised(words(parts$name)) else entry[1]
  trimws(paste(name, parts$of))
}

# The symbol where there is one, else the name: for narrow table headings.
metric_symbol <- function(metric, labels) {
  parts <- metric_parts(metric)
  entry <- labels$metrics[[parts$name]]
  if (is.null(entry) || !nzchar(entry[2])) metric_name(metric, labels) else trimws(paste(entry[2], parts$of))
}

# The unit and factor in which values of a metric are best shown, as si_scale(); shares may be shown in percent.
metric_scale <- function(metric, values, unit, labels) {
  shown <- labels$metrics[[metric_parts(metric)$name]][3]
  if (identical(shown, "%") && unit == "1") list(unit = "%", factor = 0.01) else si_scale(values, unit)
}

# "Connection rate $h$ (kbit/s)": for axes and headings with room.
metric_heading <- function(metric, unit, labels) {
  symbol <- metric_symbol(metric, labels)
  has_symbol <- grepl("^\\$[^$]*\\$$", symbol)
  with_unit(paste0(metric_name(metric, labels), if (has_symbol) paste0(" ", symbol)), unit)
}

# The value in SI units of one of the units of published numbers.
unit_factor <- function(unit) {
  unname(c("%" = 0.01, "ms" = 1e-3, "s" = 1, "kbit/s" = 1e3, "packets" = 1, "packets/s" = 1, "1" = 1)[unit])
}

# Appends the unit in parentheses; pure numbers (unit "1" or none) have nothing to append.
with_unit <- function(text, unit) {
  bare <- is.na(unit) | unit %in% c("", "1")
  ifelse(bare, text, sprintf("%s (%s)", text, unit))
}

# c(name, symbol, unit) of a swept parameter: the entry whose path is the longest end of the given one.
parameter_entry <- function(path, labels) {
  paths <- names(labels$parameters)
  ends <- paths[path == paths | endsWith(path, paste0(".", paths))]
  if (length(ends) == 0) {
    return(c(words(sub("^.*\\.", "", path)), "", ""))
  }
  labels$parameters[[ends[which.max(nchar(ends))]]]
}

parameter_name <- function(path, labels) {
  parameter_entry(path, labels)[1]
}

parameter_symbol <- function(path, labels) {
  entry <- parameter_entry(path, labels)
  if (nzchar(entry[2])) entry[2] else capitalised(entry[1])
}

# "Sources $N$": for axes.
parameter_heading <- function(path, labels) {
  entry <- parameter_entry(path, labels)
  trimws(paste(capitalised(entry[1]), entry[2]))
}

parameter_unit <- function(path, labels) {
  parameter_entry(path, labels)[3]
}

# "packetsim", "model engset", "model engset / packetsim": display titles for the column `engine`.
source_name <- function(sources, labels) {
  vapply(as.character(sources), function(source) {
    title <- labels$sources[[source]]
    if (is.null(title)) source else title
  }, "", USE.NAMES = FALSE)
}

# The same for models, from the column `model`.
model_name <- function(models, labels) source_name(paste0("model:", models), labels)

# A parameter's value as people write it: text values by their short names, numbers with their unit.
value_text <- function(value, path, labels) {
  vapply(value, function(one) {
    words <- if (is.character(one)) labels$values[[one]]
    if (!is.null(words)) words else format_quantity(one, parameter_unit(path, labels))
  }, "", USE.NAMES = FALSE)
}

# "Zaragoza (2014)", "Blanc et al. (2008)"; a study without a paper has its title. `entry` is its row of
# studies.csv.
study_name <- function(entry) {
  if (!nzchar(entry$authors)) {
    return(entry$title)
  }
  authors <- strsplit(entry$authors, "; ", fixed = TRUE)[[1]]
  who <- if (length(authors) > 2) paste(authors[1], "et al.") else paste(authors, collapse = " and ")
  sprintf("%s (%s)", who, entry$year)
}

study_names <- function(studies) vapply(seq_len(nrow(studies)), function(row) study_name(studies[row]), "")

# "Table 6" for "table-06", "Figure 1b" for "figure-1b", "Section 5.1" for "text-5.1"; others have their own words.
item_label <- function(names) {
  number <- "^(table|figure|text)-0*([0-9][0-9.]*[a-z]?)$"
  kind <- c(table = "Table", figure = "Figure", text = "Section")[sub(number, "\\1", names)]
  inner <- capitalised(words(sub("^(table|figure)-", "", names)))
  ifelse(grepl(number, names), paste(kind, sub(number, "\\2", names)), inner)
}

# Natural order: "Table 2" before "Table 10".
natural_order <- function(texts) {
  padded <- vapply(strsplit(texts, "(?<=[0-9])(?=[^0-9])|(?<=[^0-9])(?=[0-9])", perl = TRUE), function(parts) {
    paste(ifelse(grepl("^[0-9]+$", parts), sprintf("%08s", parts), parts), collapse = "")
  }, "")
  order(!grepl("[0-9][a-z]?$", texts), padded)
}

# "NewReno, $N$ 50": the texts of each of `count` rows beside one another, without empty ones; `columns` are a list.
listed_texts <- function(columns, count) {
  vapply(seq_len(count), function(row) {
    parts <- vapply(columns, function(texts) texts[row], "")
    paste(parts[nzchar(parts)], collapse = ", ")
  }, "")
}

# Of printed numbers; of sentences; of two engines.
verdicts <- c("reproduced", "deviates", "undecided", "inconsistent", "not-reproducible", "unavailable", "smoke")
statement_verdicts <- c("holds", "fails", "undecided", "inconsistent", "unavailable", "smoke")
equivalence_verdicts <- c("agrees", "differs", "smoke")

verdict_marks <- c(
  reproduced = "\u2713", holds = "\u2713", agrees = "\u2713", deviates = "\u2717", fails = "\u2717", differs = "\u2717",
  undecided = "?", inconsistent = "\u2260", "not-reproducible" = "\u2205", unavailable = "\u2013", smoke = "\u25cb"
)

verdict_meanings <- c(
  reproduced = "within the tolerance",
  deviates = "outside the tolerance",
  undecided = "the interval reaches across the tolerance",
  inconsistent = "the paper contradicts itself here",
  "not-reproducible" = "cannot be computed from what the paper gives",
  unavailable = "the paper or our run gives no number",
  smoke = "run too short to judge",
  holds = "as the paper says", fails = "not as the paper says",
  agrees = "the engines agree within the tolerance", differs = "the engines differ by more"
)
