# The page's data of invented results, with the files that render makes.
explored <- function(envir = parent.frame()) {
  folder <- synthetic_project(envir = envir)
  results <- file.path(folder, "results")
  points <- file.path(results, "points", "engset")
  dir.create(points, recursive = TRUE, showWarnings = FALSE)
  for (set in unique(sub("^engset/", "", synthetic_results("engset", envir)$claims$set))) {
    writeLines('{"points": [{"point": "a", "kind": "dumbbell"}]}', file.path(points, paste0(set, ".json")))
  }
  provenance <- list(tcp_atlas = "0.1.0", scale = "smoke", seed = 7)
  read <- function(study, name, kinds) list(table = paste0("<p>", study, "/", name, "</p>"))
  list(known = explore_data(results, provenance, read), provenance = provenance)
}

test_that("the page knows every comparison and every item, with what makes it again", {
  known <- explored()$known
  claims <- synthetic_results("engset")$claims
  expect_setequal(names(known$claims), claims$claim)
  deviating <- known$claims[[claims[verdict == "deviates"]$claim[1]]]
  expect_equal(deviating$reason, "A burst")
  expect_equal(deviating$verdict, "deviates")
  expect_match(known$items[["engset/table-06"]]$command, "scale=smoke seed=7 -- results/tables/engset/table-06.html")
  expect_equal(known$items[["engset/table-06"]]$table, "<p>engset/table-06</p>")
  expect_true("my-link/load" %in% names(known$items))
})

page_of <- function(known) explore_page(known, file.path(figures, "explore"))

# The data that the page's script reads.
told_by <- function(page) {
  json <- sub("(?s)^.*<script id=\"atlas\" type=\"application/json\">(.*?)</script>.*$", "\\1", page, perl = TRUE)
  list(json = json, data = jsonlite::fromJSON(json, simplifyVector = FALSE))
}

test_that("the page holds all that it needs, and loads nothing", {
  known <- explored()$known
  page <- page_of(known)
  expect_false(grepl("<(script|link|img)[^>]+(src|href)=[\"'](?!data:)", page, perl = TRUE))
  told <- told_by(page)
  expect_setequal(names(told$data$claims), names(known$claims))
  expect_equal(told$data$papers$engset$name, "Zaragoza (2014)")
  expect_equal(told$data$metrics$loss_ratio, "Loss ratio")
  # Nothing of the data may end the script.
  known$items[["engset/table-06"]]$table <- "<SCRIPT>1</SCRIPT>"
  expect_equal(told_by(page_of(known))$data$items[["engset/table-06"]]$table, "<SCRIPT>1</SCRIPT>")
})

test_that("a scenario of one's own, with which nothing is compared, has a page too", {
  known <- explored()$known
  known$claims <- json_object(list())
  expect_equal(told_by(page_of(known))$data$claims, stats::setNames(list(), character()))
})

test_that("items have the names that papers give them, in the order of their numbers", {
  names <- c("table-10", "figure-8.13", "text-5.1", "figure-map", "table-02", "figure-8.5")
  labels <- c("Table 10", "Figure 8.13", "Section 5.1", "Map", "Table 2", "Figure 8.5")
  expect_equal(item_label(names), labels)
  sorted <- c("Figure 8.5", "Figure 8.13", "Section 5.1", "Table 2", "Table 10", "Map")
  expect_equal(labels[natural_order(labels)], sorted)
})

test_that("papers are named by their authors and year", {
  entry <- function(authors) list(title = "Arena", authors = authors, year = "1997")
  expect_equal(study_name(entry("A; B; C")), "A et al. (1997)")
  expect_equal(study_name(entry("A; B")), "A and B (1997)")
  expect_equal(study_name(entry("")), "Arena")
})

test_that("a remark that only names the quantity again is left out, in Greek too", {
  symbols <- c("$\\rho_0$ (%)", "$h$ (kbit/s)")
  expect_equal(unname(repeats(c("rho_0", "of the files"), symbols)), c(TRUE, FALSE))
})
