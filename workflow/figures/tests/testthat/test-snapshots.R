# Pictures of invented results as they were when someone last looked at them. Fonts and packages are Debian 12's, so the
# SVG is the same everywhere. After a change on purpose: look at tests/_snaps/snapshots/*.new.svg, then run
# Rscript -e 'testthat::snapshot_accept("snapshots/", "workflow/figures/tests")'.

expect_picture <- function(plot, name) {
  stem <- file.path(withr::local_tempdir(), name)
  size <- size_of(plot)
  svglite::svglite(paste0(stem, ".svg"), size[["width"]], size[["height"]])
  print(plot)
  grDevices::dev.off()
  expect_snapshot_file(paste0(stem, ".svg"), compare = compare_file_text)
}

test_that("figures look as they did", {
  local_edition(3)
  expect_picture(plot_set(synthetic_data("my-link/load")), "set")
  expect_picture(paper_module("engset")$plot_figure_12(synthetic_data("engset/figure-12")), "figure-12")
  expect_picture(plot_distances(synthetic_data("engset/table-06")$claims, synthetic_studies()), "distances")
})
