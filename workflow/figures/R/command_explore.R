# The command bin/explore.R.

explore_options <- list(
  optparse::make_option("--results", default = "results", help = "folder of the result files [%default]"),
  optparse::make_option("--out", default = "results/explore.html", help = "the page [%default]"),
  optparse::make_option("--lab", action = "store_true", default = FALSE, help = "link to the laboratory, lab.html"),
  optparse::make_option("--now", action = "store_true", default = FALSE, help = "with what holds today, now.csv")
)

explore_command <- function(figures) {
  asked <- parse_options(explore_options, "Writes the page to explore all results.")
  provenance <- read_provenance(asked$results)
  read <- function(study, name, kinds) rendered_parts(asked$results, study, name, kinds)
  now <- if (asked$now) read_now(asked$results)["sentence", on = "what"]
  data <- explore_data(asked$results, provenance, read, now)
  write_lines(explore_page(data, file.path(dirname(figures), "pages"), asked$lab), asked$out)
}

# The rendered files of an item, for inclusion in the page.
rendered_parts <- function(results, study, name, kinds) {
  stem <- function(kind) file.path(results, paste0(kind, "s"), study, name)
  parts <- list()
  if ("figure" %in% kinds) {
    parts$figure <- jsonlite::read_json(paste0(stem("figure"), ".json"))
  }
  if ("table" %in% kinds) {
    page <- readLines(paste0(stem("table"), ".html"), encoding = "UTF-8")
    parts$table <- paste(page[seq(grep("^<h1>", page)[1] + 1, grep("^</body>", page)[1] - 1)], collapse = "\n")
  }
  parts
}
