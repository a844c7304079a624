# Runs all tests of the figures, tables and report; exit status 1 if any fails.
#
#   Rscript workflow/figures/tests/testthat.R [--junit report.xml] [--fix]

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
tests <- dirname(gsub("~+~", " ", script, fixed = TRUE))
source(file.path(dirname(tests), "bin", "load.R"))
library(ggplot2)
library(testthat)

# testthat compares pictures only where it is told that it is not on CRAN.
Sys.setenv(NOT_CRAN = "true")

options <- list(
  optparse::make_option("--junit", default = "", help = "write a JUnit file here"),
  optparse::make_option("--fix", action = "store_true", default = FALSE, help = "then accept the pictures that changed")
)

run_tests <- function(figures) {
  asked <- tcpatlas$parse_options(options, "Runs the tests of the R code.")
  reporters <- list(SummaryReporter$new())
  if (nzchar(asked$junit)) {
    reporters <- c(reporters, JunitReporter$new(file = asked$junit))
  }
  listed <- ListReporter$new()
  test_dir(
    file.path(figures, "tests", "testthat"),
    reporter = MultiReporter$new(c(reporters, listed)), env = new.env(parent = tcpatlas), stop_on_failure = FALSE
  )
  if (asked$fix) {
    snapshot_accept(path = file.path(figures, "tests", "testthat"))
  }
  results <- as.data.table(as.data.frame(listed$get_results()))
  failed <- results[failed > 0 | error, .N]
  cat(sprintf("%d passed, %d failed\n", nrow(results) - failed, failed))
  quit(status = as.integer(failed > 0 || nrow(results) == 0), save = "no")
}

tcpatlas$run_command(run_tests, figures)
