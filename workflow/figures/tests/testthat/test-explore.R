# What the page knows of invented results, with the files that render makes.
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
  list(known = explore_data(results, figures, provenance, read), provenance = provenance)
}

test_that("the page knows every comparison and every item, with what makes it again", {
  known <- explored()$known
  claims <- synthetic_results("engset")$claims
  expect_setequal(names(known$claims), claims$claim)
  expect_setequal(known$table$claim, claims$claim)
  deviating <- known$claims[[claims[verdict == "deviates"]$claim[1]]]
  expect_equal(deviating$reason, "a burst")
  expect_equal(deviating$verdict, "deviates")
  expect_match(known$items[["engset/table-06"]]$command, "scale=smoke seed=7 -- results/tables/engset/table-06.html")
  expect_equal(known$items[["engset/table-06"]]$table, "<p>engset/table-06</p>")
  expect_true("my-link/load" %in% names(known$items))
})

test_that("the page holds all that it needs, and loads nothing", {
  skip_if_not_installed("DT")
  skip_if_not_installed("plotly")
  one <- explored()
  page <- explore_page(one$known, one$provenance, file.path(figures, "explore"))
  expect_false(any(grepl("<(script|link|img)[^>]+(src|href)=[\"'](?!data:)", page, perl = TRUE)))
  json <- page[grep("<script id=\"atlas\"", page, fixed = TRUE) + 1]
  told <- jsonlite::fromJSON(json, simplifyVector = FALSE)
  expect_setequal(names(told$claims), names(one$known$claims))
  # Nothing of the data may end the script.
  expect_false(grepl("</script", json, ignore.case = TRUE))
})

test_that("a scenario of one's own, with which nothing is compared, has a page too", {
  known <- list(claims = list(), items = list(), points = list(), table = data.table())
  page <- paste(explore_page(known, list(tcp_atlas = "0", scale = "smoke", seed = 1), file.path(figures, "explore")),
                collapse = "\n")
  expect_false(grepl("id=\"scatter\"", page, fixed = TRUE))
  expect_match(page, "id=\"items\"", fixed = TRUE)
})
