# Checks the style of all R code of the project, and that every name it uses is defined; exit status 1 if not.
#
#   Rscript workflow/figures/bin/lint.R
#
# Columns are no variables. A file may use those of the results, metrics and parameters, and those that it makes or
# names itself; a misspelt one is reported.

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
figures <- normalizePath(dirname(dirname(gsub("~+~", " ", script, fixed = TRUE))))

code_in <- function(folder, ...) list.files(file.path(figures, folder), "\\.R$", full.names = TRUE, ...)

workflow <- dirname(figures)
documents <- new.env()
sys.source(file.path(figures, "R", "data.R"), envir = documents)
columns <- c(
  unlist(documents$result_columns, use.names = FALSE), names(yaml::read_yaml(file.path(workflow, "metrics.yaml"))),
  # Of data.table's own syntax, of points without a dot, of tail_of(), and of what ggplot2 builds.
  ".", "rtt", "propagation", "packet_size", "low", "high", "PANEL", "x", "y", "xmin", "xmax", "ymin", "ymax",
  "colour", "shape"
)

# The names and texts of a file's code: columns that it makes (those before := or =) or names ("rate"), and parameters
# (with a dot inside).
named_in <- function(file) {
  code <- utils::getParseData(parse(file, keep.source = TRUE))
  code <- code[code$terminal, ]
  before <- c(code$token[-1] %in% c("LEFT_ASSIGN", "EQ_SUB"), FALSE)
  assigned <- before & (code$token %in% c("SYMBOL_SUB", "STR_CONST") | c(code$text[-1] == ":=", FALSE))
  texts <- gsub("^[\"']|[\"']$", "", code$text)
  dotted <- code$token == "SYMBOL" & grepl("^[a-z_]+([.][a-z_]+)+$", code$text)
  unique(texts[assigned | code$token == "STR_CONST" | dotted])
}

lint_one <- function(file) {
  package <- asNamespace("tcpatlas")
  unlockBinding(".__global__", package)
  assign(".__global__", c(columns, named_in(file)), envir = package)
  lintr::lint(file)
}

# Lints files that see the package and, of one study, each other: a copy of the package that holds the study too is
# loaded in its place.
lint_within <- function(files, study = character()) {
  copy <- file.path(tempdir(), "tcpatlas")
  unlink(copy, recursive = TRUE)
  dir.create(file.path(copy, "R"), recursive = TRUE)
  file.copy(file.path(figures, c("DESCRIPTION", "NAMESPACE")), copy)
  names <- c(basename(code_in("R")), sprintf("zz_study_%02d.R", seq_along(study)))
  file.copy(c(code_in("R"), study), file.path(copy, "R", names))
  # For lint_one() to replace.
  writeLines("utils::globalVariables(\".\")", file.path(copy, "R", "zz_globals.R"))
  pkgload::load_all(copy, export_all = FALSE, helpers = FALSE, attach_testthat = FALSE, quiet = TRUE)
  on.exit(pkgload::unload("tcpatlas"))
  unlist(lapply(files, lint_one), recursive = FALSE)
}

lint_study <- function(name) {
  files <- c(file.path(figures, "studies", paste0(name, ".R")), code_in(file.path("studies", name)))
  files <- files[file.exists(files)]
  lint_within(files, files)
}

studies <- sub("\\.R$", "", basename(code_in("studies")))
lints <- c(
  lint_within(c(code_in("R"), code_in("bin"), code_in("tests", recursive = TRUE))),
  unlist(lapply(studies, lint_study), recursive = FALSE)
)
class(lints) <- "lints"
if (length(lints) > 0) {
  print(lints)
}
cat(sprintf("%d lints\n", length(lints)))
quit(status = as.integer(length(lints) > 0), save = "no")
