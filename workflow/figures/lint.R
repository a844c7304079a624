# Checks the style of all R code of the project; exit status 1 if anything is found.
#
#   Rscript workflow/figures/lint.R

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
figures <- dirname(gsub("~+~", " ", script, fixed = TRUE))
found <- lintr::lint_dir(figures, relative_path = FALSE)
if (length(found) > 0) {
  print(found)
}
cat(sprintf("%d lints\n", length(found)))
quit(status = as.integer(length(found) > 0), save = "no")
