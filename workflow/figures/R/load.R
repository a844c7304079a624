# Parts loaded on demand: the graphics, and the code of one study.

# For the commands that draw.
load_graphics <- function() {
  suppressPackageStartupMessages(library(ggplot2))
}

# The functions of a study of this repository (studies/<study>.R, and the files of a folder of that name) in an
# environment of their own; empty for a study that has none.
load_study <- function(figures, study) {
  module <- new.env(parent = parent.env(environment()))
  code <- file.path(figures, "studies", paste0(study, ".R"))
  if (file.exists(code)) {
    for (file in c(code, list.files(file.path(figures, "studies", study), "\\.R$", full.names = TRUE))) {
      sys.source(file, envir = module)
    }
  }
  module
}
