# Runs a command as a user would: list(status, lines), the lines of standard error.
run <- function(command, ...) {
  stderr <- withr::local_tempfile()
  status <- system2(
    "Rscript", shQuote(c(file.path(figures, "bin", command), ...)),
    stdout = FALSE, stderr = stderr
  )
  list(status = status, lines = readLines(stderr))
}

fails_with <- function(result, message) {
  expect_equal(result$status, 1)
  expect_length(result$lines, 1)
  expect_match(result$lines[1], message, fixed = TRUE)
}

test_that("render writes tables and figures, silently", {
  folder <- synthetic_project()
  at <- c("--results", file.path(folder, "results"))
  out <- file.path(folder, "tables")
  items <- c("table-06", "figure-12")
  result <- run(
    "render.R", "--study", "engset", "--items", paste(items, collapse = ","), "--kind", "table", at, "--out", out
  )
  expect_equal(result, list(status = 0L, lines = character()))
  expect_setequal(list.files(out), outer(items, c("tex", "html", "csv"), paste, sep = "."))
  out <- file.path(folder, "figures")
  result <- run("render.R", "--study", "my-link", "--items", "load", "--kind", "figure", at, "--out", out)
  expect_equal(result, list(status = 0L, lines = character()))
  expect_setequal(list.files(out), paste0("load.", c("pdf", "svg", "png", "csv", "json")))
})

test_that("the scorecard writes its pieces and the picture", {
  folder <- synthetic_project()
  results <- file.path(folder, "results")
  out <- file.path(results, "report", "scorecard.tex")
  result <- run("scorecard.R", "--results", results, "--out", out)
  expect_equal(result, list(status = 0L, lines = character()))
  expect_setequal(list.files(dirname(out)), c(
    paste0("scorecard.", c("tex", "html")),
    outer(c("scorecard", "scorecard-papers", "scorecard-rest", "distances"), c(".pdf", ".svg", ".png"), paste0)
  ))
  expect_true(file.exists(file.path(results, "scorecard.png")))
})

test_that("the benchmark's numbers become pieces of the report, which has them only if asked", {
  folder <- synthetic_project()
  results <- file.path(folder, "results")
  out <- file.path(results, "report", "speed.tex")
  expect_equal(run("speed.R", "--results", results, "--out", out), list(status = 0L, lines = character()))
  expect_setequal(list.files(dirname(out)), paste0("speed.", c("tex", "html")))
  page <- readLines(file.path(dirname(out), "speed.html"), encoding = "UTF-8")
  expect_true(any(grepl("packetsim", page, fixed = TRUE)))
  at <- c("--results", results, "--paper", folder)
  body_of <- function(...) {
    generated <- file.path(folder, "generated")
    expect_equal(run("report.R", at, "--out", generated, ...)$status, 0)
    readLines(file.path(generated, "body.tex"))
  }
  expect_false("\\input{speed}" %in% body_of())
  expect_true("\\input{speed}" %in% body_of("--speed"))
})

test_that("mistakes are told in one line", {
  folder <- synthetic_project()
  at <- c("--results", file.path(folder, "results"))
  out <- c("--out", file.path(folder, "out"))
  render <- function(...) run("render.R", ..., at, out)
  engset <- c("--study", "engset", "--items")
  fails_with(render(engset, "table-06", "--kind", "tabel"), "--kind tabel: unknown; allowed are figure, table")
  fails_with(render("--study", "engset", "--kind", "table"), "--items is missing; --help lists the options")
  fails_with(render("--itme", "x"), "--help lists the options")
  fails_with(render(engset, "none", "--kind", "table"), "engset/none: no such item")
  fails_with(run("scorecard.R", "--results", file.path(folder, "nowhere")), "claims.csv: no such file")
  writeLines("program,version", file.path(folder, "results", "bench.csv"))
  fails_with(run("speed.R", at), "bench.csv: column case is missing; needed are program, version, case")
  expect_false(file.exists(file.path(folder, "out.tex")))
})

test_that("a study has the code of its own paper only, whatever its name", {
  for (study in c("lint", "report", "render", "load", "R", "bin", "lib", "tests", "papers", ".", "..", "my-link")) {
    expect_equal(ls(load_study(figures, study)), character(), info = study)
  }
  expect_true("plot_figure_12" %in% ls(paper_module("engset")))
})
