# Checks the style of all R code of the project, and that every name it uses is defined; exit status 1 if not.
#
#   Rscript workflow/figures/bin/lint.R

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
figures <- normalizePath(dirname(dirname(gsub("~+~", " ", script, fixed = TRUE))))

inside <- function(folder, ...) list.files(file.path(figures, folder), "\\.R$", full.names = TRUE, ...)

# Lints files that see the package and, of one paper, each other: a copy of the package that holds the paper too is
# loaded in its place.
lint_within <- function(files, paper = character()) {
  copy <- file.path(tempdir(), "tcpatlas")
  unlink(copy, recursive = TRUE)
  dir.create(file.path(copy, "R"), recursive = TRUE)
  file.copy(file.path(figures, c("DESCRIPTION", "NAMESPACE")), copy)
  names <- c(basename(inside("R")), sprintf("zz_paper_%02d.R", seq_along(paper)))
  file.copy(c(inside("R"), paper), file.path(copy, "R", names))
  pkgload::load_all(copy, export_all = FALSE, helpers = FALSE, attach_testthat = FALSE, quiet = TRUE)
  on.exit(pkgload::unload("tcpatlas"))
  unlist(lapply(files, lintr::lint), recursive = FALSE)
}

lint_paper <- function(name) {
  files <- c(file.path(figures, "papers", paste0(name, ".R")), inside(file.path("papers", name)))
  files <- files[file.exists(files)]
  lint_within(files, files)
}

papers <- sub("\\.R$", "", basename(inside("papers")))
found <- c(
  lint_within(c(inside("R"), inside("bin"), inside("tests", recursive = TRUE))),
  unlist(lapply(papers, lint_paper), recursive = FALSE)
)
class(found) <- "lints"
if (length(found) > 0) {
  print(found)
}
cat(sprintf("%d lints\n", length(found)))
quit(status = as.integer(length(found) > 0), save = "no")
