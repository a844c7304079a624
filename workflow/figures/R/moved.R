# Draws a figure that moved: its accepted and its new points on the same axes.

# `points` has the columns version, plot, panel, layer, curve, x and y; only some points of each curve are kept.
plot_moved <- function(points, title) {
  shown <- points[!is.na(x) & !is.na(y)]
  shown[, `:=`(version = factor(version, c("accepted", "now")), curve = trimws(paste(layer, curve)))]
  curves <- unique(shown$curve)
  colours <- stats::setNames(grDevices::hcl.colors(length(curves), "Dark 3"), curves)
  panels <- unique(shown[, .(plot, panel)])
  parts <- lapply(seq_len(nrow(panels)), function(index) {
    ggplot(shown[panels[index], on = c("plot", "panel")], aes(x, y, colour = curve)) +
      geom_point(size = 1) +
      facet_wrap(vars(version), nrow = 1, drop = FALSE) +
      scale_colour_manual(NULL, values = colours) +
      labs(x = NULL, y = NULL, subtitle = panels$panel[index]) +
      theme_atlas()
  })
  whole <- patchwork::wrap_plots(parts, ncol = 1) + patchwork::plot_annotation(title = title)
  sized(whole, 6.6, 0.8 + 2.6 * length(parts))
}

moved_options <- list(
  optparse::make_option("--points", default = "results/moved", help = "folder of <study>/<item>.csv [%default]")
)

# The command bin/moved.R: a picture beside each of these files.
moved_command <- function(figures) {
  asked <- parse_options(moved_options, "Draws figures that moved, accepted points beside those of now.")
  load_graphics()
  for (file in list.files(asked$points, "\\.csv$", recursive = TRUE)) {
    points <- read_csv_texts(file.path(asked$points, file))
    points[, `:=`(x = as.numeric(x), y = as.numeric(y))]
    plot <- plot_moved(points, sub("\\.csv$", "", file))
    size <- size_of(plot)
    path <- file.path(asked$points, sub("\\.csv$", ".png", file))
    write_atomically(path, function(temporary) {
      on_device(function() {
        ragg::agg_png(temporary, size[["width"]], min(size[["height"]], 40), units = "in", res = 120)
      }, function() print(plot))
    })
    cat(sprintf("picture: %s\n", path))
  }
}
