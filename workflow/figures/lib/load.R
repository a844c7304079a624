# Loads the library: every file beside this one, into the global environment, and the packages that they use.

suppressPackageStartupMessages(library(data.table))

# For those that draw: to load it takes a tabulating command as long as its tables do.
load_graphics <- function() {
  suppressPackageStartupMessages(library(ggplot2))
}

load_library <- function(figures) {
  for (file in setdiff(list.files(file.path(figures, "lib"), "\\.R$"), "load.R")) {
    source(file.path(figures, "lib", file), local = globalenv())
  }
}

# A study's own functions and labels (<figures>/<study>.R, and the files in a folder of that name), in an environment
# of their own; empty when it has none.
load_study <- function(figures, study) {
  module <- new.env(parent = globalenv())
  own <- file.path(figures, paste0(study, ".R"))
  parts <- list.files(file.path(figures, study), "\\.R$", full.names = TRUE)
  for (file in c(own[file.exists(own)], parts)) {
    sys.source(file, envir = module)
  }
  module
}
