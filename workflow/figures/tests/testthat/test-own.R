test_that("a set of one's own shows the metrics that it names, in that order, and the appendix all", {
  results <- synthetic_results("my-link")
  results$items[, metrics := "loss_ratio queue_max"]
  labels <- paper_labels("my-link")
  data <- item_data(results, "load", labels)
  expect_equal(unique(texts_of(table_set(data))[[1]]), c("Loss ratio $L$ (%)", "Longest queue $Q_{max}$ (packets)"))
  plot <- plot_set(data)
  expect_equal(levels(plot$data$panel), plot_label(unique(texts_of(table_set(data))[[1]])))
  appendix <- tex_own_appendix(results, labels)
  expect_match(appendix, "Goodput per connection", all = FALSE)
})

test_that("only a model that is off for certain is warned of", {
  data <- synthetic_data("my-link/load")
  data$metrics <- c("loss_ratio", "queue_max")
  error <- function(metric, value, low, high) {
    data.table(
      set = "my-link/load", point = "count-10_buffer-50", from_sources("model:engset/packetsim"), metric = metric,
      unit = "1", value = value, ci_low = low, ci_high = high
    )
  }
  data$errors <- rbind(
    error("loss_ratio", 0.3, 0.05, 0.55), error("loss_ratio", 0.5, 0.2, 0.8), error("loss_ratio", 9.8, 9, 10.6),
    error("queue_max", -0.12, NA, NA), error("goodput_per_connection", 2, 1.9, 2.1)
  )
  warnings <- model_warnings(data)
  expect_equal(warnings$metric, c("loss_ratio", "queue_max"))
  expect_equal(warnings$low, c(0.5, -0.12))
  expect_match(
    tex_warnings(warnings),
    "the model engset off by more than 10\\,\\% in loss ratio (+50 \\% to +980 \\%), longest queue",
    fixed = TRUE
  )
  data$errors <- data$errors[1]
  expect_null(tex_warnings(model_warnings(data)))
})

test_that("the report on a scenario of one's own opens with its title and says nothing of papers", {
  folder <- synthetic_project()
  results <- file.path(folder, "results")
  fwrite(synthetic_studies()[2], file.path(results, "studies.csv"))
  paper <- file.path(dirname(dirname(figures)), "paper")
  generated <- file.path(results, "report", "generated")
  run <- function(script, ...) {
    command <- shQuote(c(file.path(figures, "bin", script), "--results", results, ...))
    output <- system2("Rscript", command, stdout = TRUE, stderr = TRUE)
    expect_equal(output, character())
  }
  for (kind in c("figure", "table")) {
    out <- file.path(results, paste0(kind, "s"), "my-link")
    run("render.R", "--study", "my-link", "--items", "load", "--kind", kind, "--out", out)
  }
  run("report.R", "--paper", paper, "--out", generated)
  run("report.R", "--study", "my-link", "--out", generated)
  withr::local_envvar(TEXINPUTS = sprintf("%s:%s:", paper, results))
  log <- system2("latexmk", shQuote(c(
    "-pdf", "-interaction=nonstopmode", "-halt-on-error", paste0("-outdir=", folder), file.path(paper, "report.tex")
  )), stdout = TRUE, stderr = TRUE)
  expect_null(attr(log, "status"), info = tail(log, 20))
  pdf <- file.path(folder, "report.pdf")
  first <- paste(system2("pdftotext", c("-l", "1", shQuote(pdf), "-"), stdout = TRUE), collapse = " ")
  expect_match(first, "My & your link.*The question. +How many users at 50 %\\?")
  whole <- paste(system2("pdftotext", c(shQuote(pdf), "-"), stdout = TRUE), collapse = " ")
  expect_match(whole, "Provenance")
  expect_no_match(whole, "paper|publish|printed|claim|Scorecard")
})

test_that("a user's scenario that is named like a paper has neither its figure code nor its prose", {
  studies <- data.table(study = c("compound", "compound"), folder = c("scenarios/papers/compound", ""))
  expect_equal(code_of(studies), c("compound", ""))
  expect_length(ls(load_study(figures, code_of(studies)[2])), 0)
  expect_null(tex_findings(studies[2], file.path(dirname(dirname(figures)), "paper")))
})
