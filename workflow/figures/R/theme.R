# The common look of all figures: theme, palette, and a fixed colour and shape per engine and model.

figure_font <- "TeX Gyre Heros"
figure_base_size <- 8.5

# Colours of Okabe and Ito: told apart by colour-blind readers, and by lightness in grey print. Every source keeps its
# colour and its shape through the whole report; load_catalogue() adds the engines'.
source_styles <- data.table::data.table(
  source = c("published", "model"), colour = c("#000000", "#D98200"), shape = c(5L, 1L)
)

# Further models of the same study: same family of hollow shapes, colours of their own.
model_styles <- data.table::data.table(
  colour = c("#D98200", "#56B4E9", "#999933", "#332288", "#E7A9C8", "#8DA0CB"),
  shape = c(1L, 2L, 0L, 6L, 7L, 10L)
)

# Colours of curves that are not sources; red, green, amber and purple are the verdicts'.
series_colours <- c("#0072B2", "#D98200", "#56B4E9", "#4D4D4D", "#CC79A7", "#999933")

verdict_colours <- c(
  reproduced = "#117755", holds = "#117755", agrees = "#117755", deviates = "#C8321E", fails = "#C8321E",
  differs = "#C8321E", undecided = "#8A5F00", inconsistent = "#7B4FA3", "not-reproducible" = "#7B4FA3",
  unavailable = "#6B6B6B", smoke = "#6B6B6B"
)

# Colour and shape of each source in `sources`, in the order given; the models of a study take the models' styles in
# alphabetical order, so that the same study always has the same colours.
styles_of <- function(sources) {
  sources <- unique(as.character(sources))
  models <- sort(sources[is_model(sources)])
  styles <- data.table::data.table(source = sources, colour = "#555555", shape = 3L)
  matched <- match(styles$source, source_styles$source)
  styles[!is.na(matched), c("colour", "shape") := source_styles[matched[!is.na(matched)], .(colour, shape)]]
  place <- (match(styles$source, models) - 1L) %% nrow(model_styles) + 1L
  styles[!is.na(place), c("colour", "shape") := model_styles[place[!is.na(place)], .(colour, shape)]]
  styles[]
}

# Sources other than engines.
is_model <- function(sources) !sources %in% source_styles$source

source_colours <- function(sources) {
  styles <- styles_of(sources)
  stats::setNames(styles$colour, styles$source)
}

source_shapes <- function(sources) {
  styles <- styles_of(sources)
  stats::setNames(styles$shape, styles$source)
}

# The colours of sources; the legend shows each as it is drawn: models as lines, what was simulated as points.
scale_models_as_lines <- function(sources, labels) {
  model <- is_model(sources)
  ggplot2::scale_colour_manual(
    NULL, values = source_colours(sources), breaks = sources, labels = source_name(sources, labels),
    guide = ggplot2::guide_legend(override.aes = list(
      linetype = ifelse(model, "solid", "blank"), shape = ifelse(model, NA, 16L)
    ))
  )
}

# The same hue, lighter: a second curve of the same source. 0 leaves it, 1 is white.
lighter <- function(colour, amount) {
  mixed <- grDevices::colorRamp(c(colour, "#FFFFFF"))(amount)
  grDevices::rgb(mixed, maxColorValue = 255)
}

# Published values over a plot: hollow diamonds, hairlines for the tolerance, and their own legend.
# `printed` has the columns x, y and, where the tolerance is one of y, low and high.
layer_published <- function(printed, label = "published") {
  printed <- printed[!is.na(x) & !is.na(y)]
  if (nrow(printed) == 0) {
    return(NULL)
  }
  c(
    if ("low" %in% names(printed)) {
      list(ggplot2::geom_linerange(
        ggplot2::aes(x, ymin = low, ymax = high), printed,
        linewidth = 0.25, colour = "black", inherit.aes = FALSE, na.rm = TRUE
      ))
    },
    list(
      ggplot2::geom_point(
        ggplot2::aes(x, y, fill = label), printed,
        shape = 23L, size = 1.7, stroke = 0.5, colour = "black", inherit.aes = FALSE
      ),
      ggplot2::scale_fill_manual(
        NULL, values = stats::setNames("#FFFFFF00", label), guide = ggplot2::guide_legend(order = 9)
      )
    )
  )
}

theme_atlas <- function() {
  ggplot2::theme_bw(base_size = figure_base_size, base_family = figure_font) +
    ggplot2::theme(
      panel.grid.minor = ggplot2::element_blank(),
      panel.grid.major = ggplot2::element_line(colour = "grey92", linewidth = 0.3),
      panel.border = ggplot2::element_rect(colour = "grey40", fill = NA, linewidth = 0.4),
      axis.ticks = ggplot2::element_line(colour = "grey40", linewidth = 0.3),
      axis.text = ggplot2::element_text(colour = "grey20"),
      strip.background = ggplot2::element_blank(),
      strip.text = ggplot2::element_text(face = "bold", hjust = 0, margin = ggplot2::margin(2, 0, 3, 0)),
      legend.position = "bottom",
      legend.key = ggplot2::element_blank(),
      legend.key.width = grid::unit(8, "mm"),
      legend.margin = ggplot2::margin(0, 0, 0, 0),
      legend.title = ggplot2::element_text(size = ggplot2::rel(0.95)),
      plot.margin = ggplot2::margin(3, 4, 3, 3)
    )
}
