# Every plot_*() as SVG and every table_*() as TeX, of the small results in frozen/ (see ../freeze.R), as they were when
# someone last looked at them. Fonts and packages are Debian 12's, so the files are the same everywhere. After a change
# on purpose: look at _snaps/pictures/*.new.*, then run Rscript workflow/figures/tests/testthat.R --fix.

expect_as_before <- function(file, name) {
  copy <- file.path(withr::local_tempdir(), paste0(name, sub("^.*\\.", ".", file)))
  file.copy(file, copy)
  expect_snapshot_file(copy, compare = compare_file_text)
}

for (study in list.files(test_path("frozen", "studies"))) {
  test_that(paste("the items of", study, "look as they did"), {
    local_edition(3)
    results <- read_study(test_path("frozen"), study)
    items <- pictured_items(results)
    for (row in seq_len(nrow(items))) {
      file <- pictured(results, items[row], withr::local_tempfile())
      expect_as_before(file, paste(study, items$item[row], sep = "-"))
    }
  })
}

test_that("what is of no paper looks as it did", {
  local_edition(3)
  plots <- list(
    set = plot_set(synthetic_data("my-link/load")), now = plot_now(now_figure_rows(), common_labels),
    distances = plot_distances(synthetic_data("engset/table-06")$claims, synthetic_studies())
  )
  for (name in names(plots)) {
    expect_as_before(save_svg(plots[[name]], withr::local_tempfile()), name)
  }
})
