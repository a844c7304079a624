# Loads the package without installing it: every file of R/ into one environment, `tcpatlas`, which takes a tenth of the
# time of pkgload::load_all(). ggplot2 is left to the commands that draw: to load it takes longer than a table.

suppressPackageStartupMessages(library(data.table))

figures <- dirname(dirname(normalizePath(sys.frame(1)$ofile)))
tcpatlas <- new.env(parent = globalenv())
for (file in list.files(file.path(figures, "R"), "\\.R$", full.names = TRUE)) {
  sys.source(file, envir = tcpatlas)
}
tcpatlas$load_catalogue(dirname(figures))
