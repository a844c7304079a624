# The page's data of invented results, with the files that render makes.
explored <- function() {
  folder <- synthetic_project(envir = environment())
  results <- file.path(folder, "results")
  points <- file.path(results, "points", "engset")
  dir.create(points, recursive = TRUE, showWarnings = FALSE)
  for (set in unique(sub("^engset/", "", synthetic_results("engset")$claims$set))) {
    writeLines('{"points": [{"point": "a", "kind": "dumbbell"}]}', file.path(points, paste0(set, ".json")))
  }
  provenance <- list(tcp_atlas = "0.1.0", scale = "smoke", seed = 7)
  read <- function(study, name, kinds) list(table = paste0("<p>", study, "/", name, "</p>"))
  explore_data(results, provenance, read)
}
# Several seconds' work, shared by the tests.
page <- explored()

test_that("the page knows every comparison and every item, with what makes it again", {
  claims <- synthetic_results("engset")$claims
  expect_setequal(names(page$claims), claims$claim)
  deviating <- page$claims[[claims[verdict == "deviates"]$claim[1]]]
  expect_equal(deviating$reason, "A burst")
  expect_equal(deviating$verdict, "deviates")
  expect_match(page$items[["engset/table-06"]]$command, "scale=smoke seed=7 -- results/tables/engset/table-06.html")
  expect_equal(page$items[["engset/table-06"]]$table, "<p>engset/table-06</p>")
  expect_true("my-link/load" %in% names(page$items))
})

page_of <- function(data) explore_page(data, file.path(dirname(figures), "pages"))

# The data that the page's script reads.
read_by <- function(html) {
  json <- sub("(?s)^.*<script id=\"atlas\" type=\"application/json\">(.*?)</script>.*$", "\\1", html, perl = TRUE)
  list(json = json, data = jsonlite::fromJSON(json, simplifyVector = FALSE))
}

test_that("the page holds all that it needs, and loads nothing", {
  html <- page_of(page)
  expect_false(grepl("<(script|link|img)[^>]+(src|href)=[\"'](?!data:)", html, perl = TRUE))
  read <- read_by(html)
  expect_setequal(names(read$data$claims), names(page$claims))
  expect_equal(read$data$papers$engset$name, "Zaragoza (2014)")
  expect_equal(read$data$metrics$loss_ratio, "Loss ratio")
  # Nothing of the data may end the script.
  page$items[["engset/table-06"]]$table <- "<SCRIPT>1</SCRIPT>"
  expect_equal(read_by(page_of(page))$data$items[["engset/table-06"]]$table, "<SCRIPT>1</SCRIPT>")
})

test_that("a scenario of one's own, with which nothing is compared, has a page too", {
  page$claims <- json_object(list())
  expect_equal(read_by(page_of(page))$data$claims, stats::setNames(list(), character()))
})

test_that("items have the names that papers give them, in the order of their numbers", {
  names <- c("table-10", "figure-8.13", "text-5.1", "figure-map", "table-02", "figure-8.5", "figure-1b")
  labels <- c("Table 10", "Figure 8.13", "Section 5.1", "Map", "Table 2", "Figure 8.5", "Figure 1b")
  expect_equal(item_label(names), labels)
  sorted <- c("Figure 1b", "Figure 8.5", "Figure 8.13", "Section 5.1", "Table 2", "Table 10", "Map")
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
