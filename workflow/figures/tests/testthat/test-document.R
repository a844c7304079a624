test_that("numbers of the text are counted, not typed", {
  numbers <- study_numbers(synthetic_results("engset"))
  expect_equal(numbers[["engset/claims"]], "6")
  expect_equal(numbers[["engset/table-06/reproduced"]], "3")
  expect_equal(numbers[["engset/table-06/holds"]], "1")
  expect_equal(numbers[["engset/pairs"]], "0")
  expect_equal(numbers[["engset/cause/bursts/numbers"]], "1")
  expect_equal(numbers[["engset/cause/unused/sentences"]], "0")
  # 2 points of table 6 and 4 of figure 12, all simulated, 3 replications each.
  expect_equal(numbers[["engset/points"]], "6")
  expect_equal(numbers[["engset/replications"]], "18")
  expect_equal(study_numbers(synthetic_results("my-link"))[["my-link/simulated-points"]], "4")
})

test_that("comparisons of engines are counted by set and engine, and those of the simulators apart", {
  pairs <- data.table(
    set = "engines/kernel-cubic", engine = c("linux", "linux", "ns2", "ns3"), reference = "packetsim",
    verdict = c("agrees", "differs", "differs", "agrees")
  )
  numbers <- pair_numbers("engines", pairs)
  expect_equal(numbers[["engines/pairs"]], "4")
  expect_equal(numbers[["engines/kernel-cubic/differs"]], "2")
  expect_equal(numbers[["engines/kernel-cubic/linux/agrees"]], "1")
  expect_equal(numbers[["engines/kernel-cubic/ns2/agrees"]], "0")
  expect_equal(numbers[["engines/simulators/pairs"]], "1")
  expect_equal(pair_numbers("engines", pairs[0])[["engines/simulators/agrees"]], "0")
})

test_that("the first page says which engine the machine lacks, and nothing where it lacks none", {
  reason <- "User-Mode Linux is not installed (by ./atlas setup); the engine linux is left out"
  lacking <- provenance_numbers(list(scale = "quick", left_out = list(linux = reason)))
  expect_match(lacking[["engines-left-out"]], reason, fixed = TRUE)
  expect_match(lacking[["engines-left-out"]], "No result of linux", fixed = TRUE)
  expect_identical(provenance_numbers(list(scale = "quick", left_out = list()))[["engines-left-out"]], "")
})

test_that("provenance and run length are numbers too", {
  numbers <- provenance_numbers(list(scale = "quick", seed = 7, commit = list(id = "abc")))
  expect_equal(numbers[["provenance/commit/id"]], "abc")
  expect_match(numbers[["run-length"]], "a tenth")
  expect_equal(tex_numbers(c("a/b" = "50 %")), "\\defineval{a/b}{50 \\%}")
})

test_that("captions say how many numbers were reproduced, and how many statements hold", {
  data <- synthetic_data("engset/table-06")
  expect_equal(
    verdict_sentence(data$claims), "3 of 6 numbers reproduced, 1 deviates, 1 inconsistent in the paper, 1 unavailable."
  )
  expect_equal(statement_sentence(data$statements), "1 of 1 statement holds.")
  two <- rbind(data$statements, copy(data$statements)[, `:=`(statement = "two", verdict = "smoke")])
  expect_equal(statement_sentence(two), "1 of 2 statements hold, 1 from runs too short to judge.")
  two[2, verdict := "undecided"]
  expect_equal(statement_sentence(two), "1 of 2 statements hold, 1 undecided.")
  caption <- tex_caption("engset", "table-06", "A & B", data$claims, data$statements, "How.")
  expect_match(caption, "\\textbf{A \\& B}", fixed = TRUE)
})

test_that("a study with prose uses it, one without gets a section", {
  paper <- withr::local_tempdir()
  dir.create(file.path(paper, "sections"))
  file.create(file.path(paper, "sections", "engset.tex"))
  body <- tex_body(synthetic_studies(), paper)
  expect_true("\\input{sections/engset}" %in% body)
  expect_true("\\section{My \\& your link}" %in% body)
  expect_true("\\input{report/generated/my-link}" %in% body)
  alone <- tex_body(synthetic_studies()[2], paper)
  expect_false(any(grepl("\\section", alone, fixed = TRUE)))
  expect_equal(alone[1], "\\paragraph{The question.} How many users at 50 \\%?")
})

test_that("a study from elsewhere brings its section", {
  folder <- withr::local_tempdir()
  studies <- synthetic_studies()[1][, folder := ..folder]
  expect_match(tex_body(studies, "paper")[1], "\\section{", fixed = TRUE)
  file.create(file.path(folder, "section.tex"))
  expect_equal(tex_body(studies, "paper")[1], sprintf("\\input{%s/section.tex}", folder))
})

test_that("items with more sentences than numbers are in the appendix", {
  results <- synthetic_results("engset")
  expect_false(any(grepl("table-06", tex_extra(results))))
  results$items[item == "table-06", `:=`(numbers = "9", statements = "10")]
  expect_match(tex_extra(results), "What Zaragoza (2014) says in words", fixed = TRUE, all = FALSE)
  expect_match(tex_extra(results), "table-06", all = FALSE)
  expect_false(any(grepl("table-06", tex_study(results))))
})

test_that("the findings are those of the studies that there are", {
  paper <- withr::local_tempdir()
  dir.create(file.path(paper, "findings"))
  expect_null(tex_findings(synthetic_studies(), paper))
  file.create(file.path(paper, "findings", c("engset.tex", "other.tex")))
  findings <- tex_findings(synthetic_studies(), paper)
  expect_equal(findings[3:4], c("\\item \\input{findings/engset}", "\\end{itemize}"))
})

test_that("the report can be typeset, and shows the numbers", {
  folder <- synthetic_project("50 % & more of $h_0$ at #1: \u03c1 \u2264 1, caf\u00e9 ~ {x} \\ \u4e2d")
  results <- file.path(folder, "results")
  at <- c("--results", results)
  rscript <- function(...) system2("Rscript", shQuote(c(...)), stdout = TRUE, stderr = TRUE)
  # The sections' own prose speaks of items that are not invented here.
  file.copy(file.path(dirname(dirname(figures)), "paper"), folder, recursive = TRUE)
  paper <- file.path(folder, "paper")
  unlink(file.path(paper, "findings"), recursive = TRUE)
  dir.create(file.path(paper, "findings"))
  writeLines("\\val{engset/cause/bursts/numbers} bursts.", file.path(paper, "findings", "engset.tex"))
  writeLines("Of \\val{engset/claims} comparisons, \\val{engset/reproduced} are reproduced.",
             file.path(paper, "sections", "engset.tex"))
  render <- function(kind, study, item) {
    out <- file.path(results, paste0(kind, "s"), study)
    rscript(file.path(figures, "bin", "render.R"), "--study", study, "--items", item, "--kind", kind, "--out", out, at)
  }
  render("table", "engset", "table-06")
  render("figure", "engset", "figure-12")
  render("table", "my-link", "load")
  render("figure", "my-link", "load")
  rscript(file.path(figures, "bin", "scorecard.R"), at, "--out", file.path(results, "report", "scorecard.tex"))
  speed <- file.path(results, "report", "speed.tex")
  rscript(file.path(figures, "bin", "speed.R"), "--results", results, "--out", speed)
  generated <- file.path(results, "report", "generated")
  rscript(file.path(figures, "bin", "report.R"), at, "--paper", paper, "--speed", "--out", generated)
  for (study in c("engset", "my-link")) {
    rscript(file.path(figures, "bin", "report.R"), at, "--study", study, "--out", generated)
  }
  withr::local_envvar(TEXINPUTS = sprintf("%s:%s:", paper, results))
  log <- system2("latexmk", shQuote(c(
    "-pdf", "-interaction=nonstopmode", "-halt-on-error", paste0("-outdir=", folder), file.path(paper, "report.tex")
  )), stdout = TRUE, stderr = TRUE)
  expect_null(attr(log, "status"), info = tail(log, 20))
  text <- system2("pdftotext", c("-layout", shQuote(file.path(folder, "report.pdf")), "-"), stdout = TRUE)
  text <- paste(text, collapse = "\n")
  expect_match(text, "Of 6 comparisons, 3 are reproduced")
  expect_match(text, "50 % & more of \\$h.?0\\$ at #1")
  expect_match(text, "562\\.8 *\u00b1 *1\\.2")
  expect_match(text, "My & your link")
  # 2 million packets in 0.1 s, ns-2's 50,000 in 1 s.
  expect_match(text, "packetsim handled 20 million packets per core-second, 612 instructions each")
  expect_match(text, "400 times what ns-2 did")
  boxes <- grep("Overfull \\hbox", readLines(file.path(folder, "report.log"), warn = FALSE), fixed = TRUE, value = TRUE)
  expect_equal(boxes, character())
})

test_that("which of the sampled sets differ is counted, not typed", {
  pair <- function(sampled, verdict) {
    data.table(set = "engines/all", sampled_set = sampled, verdict = verdict)
  }
  results <- list(study = "engines", equivalence = rbind(
    pair("engset/figure-13", "differs"), pair("engset/figure-13", "agrees"), pair("engset/table-06", "agrees"),
    pair("", "differs"), pair("compound/gamma", "")
  ))
  expect_equal(
    set_numbers(results), c("engines/compared-sets" = "2", "engines/differing-sets" = "engset figure-13")
  )
})

test_that("runs that are too short to judge by have no findings, and every section says so", {
  short <- synthetic_results("engset")$claims[1][, verdict := "smoke"]
  judged <- synthetic_results("engset")$claims
  expect_match(judged_text(short), "too short to judge")
  expect_identical(judged_text(judged), "")
  paper <- withr::local_tempdir()
  dir.create(file.path(paper, "findings"))
  file.create(file.path(paper, "findings", "engset.tex"))
  text <- tex_findings(synthetic_studies(), paper, judged = FALSE)
  expect_false(any(grepl("\\input", text, fixed = TRUE)))
  expect_match(text, "too short to judge", all = FALSE)
})

test_that("which engine is nearest to the printed numbers is counted, not typed", {
  claim <- function(row, engine, error, item = "means") {
    data.table(item = item, set = "s/a", row = row, from_sources(engine), relative_error = error)
  }
  claims <- rbind(
    claim("1", "linux", -0.01), claim("1", "ns3", 0.02), claim("2", "linux", 0.03), claim("2", "ns3", 0.01),
    claim("2", "model:markov", 0), claim("3", "linux", 0.01), claim("1", "ns3", 0.01, "alone")
  )
  expect_equal(
    nearest_numbers("seawind", claims), c("seawind/means/nearest/linux" = "1", "seawind/means/nearest/ns3" = "1")
  )
  expect_equal(nearest_numbers("seawind", claims[item == "alone"]), character())
})

test_that("provenance has a row for each part, and one name for the files of a folder", {
  table <- table_provenance(list(
    seed = 7L, scenarios = list("scenarios/now/a.yaml", "config/own.yaml", "scenarios/now/b.yaml"),
    commit = list(id = "abc", dirty = FALSE), left_out = list(), inputs = list(a = "digest")
  ))
  expect_equal(table$columns[[1]]$main, c("seed", "scenarios", "commit"))
  expect_equal(table$columns[[2]]$main, c("7", "scenarios/now (2 files), config/own.yaml", "id abc; dirty no"))
})
