# The trust in each model: its errors over the whole space that it claims.

# The models of several studies stand side by side: each under its own name.

within <- c(0.05, 0.10, 0.25)
steps <- 10L
shown_parameters <- 4L
# The metric that each model is asked for first.
main_metrics <- c("goodput_per_connection", "goodput", "utilisation")
asked_metrics <- c(main_metrics, "guaranteed_goodput[95]", "on_time", "loss_ratio", "queue_mean", "rtt_path_mean")
# The metrics that a formula's bounds are bounds of, and are asked for as.
estimates <- c(goodput_bound = "goodput_per_connection", rtt_bound = "rtt_path_mean")

too_few <- "A run at this scale has too few points to tell."

# The errors of the asked metrics, with the model's own name and the parameters of their points.
model_errors <- function(data) {
  rows <- data$errors[relation == "error" & is.finite(value)]
  rows[metric %in% names(estimates), metric := estimates[metric]]
  join_in_order(rows[metric %in% asked_metrics], data$points, c("set", "point"))
}

# The share of points within each limit, in steps of a parameter with as many points each.
shares_along <- function(rows, path) {
  finite <- rows[is.finite(rows[[path]])]
  step <- ceiling(steps * frank(finite[[path]], ties.method = "first") / nrow(finite))
  ends <- finite[, .(high = max(.SD[[path]])), keyby = .(step = step), .SDcols = path]
  ends[, low := shift(high, fill = min(finite[[path]]))]
  shares <- finite[, .(
    limit = c(within, Inf), share = c(vapply(within, function(one) mean(abs(value) <= one), 0), 1)
  ), by = .(step = step)]
  ends[shares, on = "step"]
}

# The numeric parameters on which a model's errors depend most: whose steps differ most in the share within 10 %.
deciding_parameters <- function(rows) {
  numeric <- Filter(function(path) is.numeric(rows[[path]]), varying_parameters(rows, parameter_paths(rows)))
  spread <- vapply(numeric, function(path) {
    stats::var(shares_along(rows, path)[limit == 0.10, share])
  }, 0)
  utils::head(numeric[order(-spread)], shown_parameters)
}

parameter_paths <- function(rows) {
  Filter(function(path) grepl(".", path, fixed = TRUE) || path == "propagation", names(rows))
}

plot_figure_errors <- function(data) {
  rows <- model_errors(data)
  main <- rows[rows[, .I[metric == intersect(main_metrics, metric)[1]], by = model]$V1]
  if (nrow(main) == 0 || min(main[, .N, by = model]$N) < 5L * steps) {
    return(empty_plot(too_few))
  }
  panels <- lapply(split(main, by = "model"), function(of_model) {
    row <- lapply(deciding_parameters(of_model), function(path) panel_of_shares(of_model, path, data$labels))
    row[[1]] <- row[[1]] + labs(y = "Points (%)")
    # Each model has a row of its own.
    c(row, rep(list(patchwork::plot_spacer()), shown_parameters - length(row)))
  })
  plots <- unlist(panels, recursive = FALSE)
  plot <- patchwork::wrap_plots(plots, ncol = shown_parameters, guides = "collect") &
    theme(legend.position = "bottom")
  sized(plot, 6.6, 0.6 + 1.35 * ceiling(length(plots) / shown_parameters))
}

panel_of_shares <- function(rows, path, labels) {
  shares <- shares_along(rows, path)
  scale <- si_scale(rows[[path]], parameter_unit(path, labels))
  levels <- c(rev(within), Inf)
  names <- c(sprintf("within %d %%", as.integer(100 * rev(within))), "farther off")
  shares[, limit := factor(limit, c(Inf, rev(within)), c("farther off", names[seq_along(within)]))]
  colours <- stats::setNames(c("grey93", "#BFDDEE", "#56A8DC", "#0072B2"), levels(shares$limit))
  # Narrower limits are drawn over wider ones.
  shares[, `:=`(low = low / scale$factor, high = high / scale$factor)]
  ggplot(shares[order(limit)], aes(xmin = low, xmax = high, ymin = 0, ymax = 100 * share)) +
    geom_rect(aes(fill = limit)) +
    scale_fill_manual(NULL, values = colours, breaks = rev(names(colours))) +
    scale_x_log10(labels = axis_numbers, expand = c(0, 0)) +
    scale_y_continuous(expand = c(0, 0)) +
    labs(
      title = model_name(rows$model[1], labels), y = NULL,
      x = plot_expression(with_unit(parameter_heading(path, labels), scale$unit))
    ) +
    theme_atlas() +
    theme(
      plot.title = element_text(size = rel(0.9)), axis.title.x = element_text(size = rel(0.8)),
      plot.margin = margin(2, 8, 2, 2)
    )
}

# A row per traffic, metric and model: the best model of each first.
table_which_model <- function(data) {
  rows <- model_errors(data)
  summed <- rows[, c(
    list(points = .N, median = 100 * stats::median(abs(value))),
    stats::setNames(lapply(within, function(one) 100 * mean(abs(value) <= one)), paste0("w", 100 * within))
  ), by = .(set, metric, model)]
  summed <- summed[order(match(set, data$sets), match(metric, asked_metrics), median)]
  percent <- function(values) format_number(values, decimals = ifelse(values < 9.95, 1, 0))
  shares <- lapply(within, function(one) {
    list(heading = sprintf("within\n%d %%", as.integer(100 * one)), cells = percent(summed[[paste0("w", 100 * one)]]))
  })
  columns_to_table(c(
    list(
      list(heading = "Traffic", cells = traffic_names[sub("^.*/", "", summed$set)]),
      list(heading = "Question", cells = vapply(summed$metric, metric_name, "", data$labels)),
      list(heading = "Model", cells = model_name(summed$model, data$labels)),
      list(heading = "Points", cells = as.character(summed$points)),
      list(heading = "Median\nerror (%)", cells = percent(summed$median))
    ),
    shares
  ), groups = 2, spans = data.table::data.table(text = "Share of points (%)", from = 6, to = 8))
}

traffic_names <- c(
  files = "Users who fetch files", loss = "A transfer with random loss", "cross-traffic" = "Tahoe beside cross traffic",
  compound = "An isolated Compound transfer", "web-users" = "Web users behind one access router",
  "everyday-cubic" = "Everyday links, files by CUBIC", "everyday-newreno" = "Everyday links, files by NewReno",
  "everyday-loss" = "Everyday links with random loss, CUBIC"
)

# The share of points at which the bands hold, by model and metric, and the statements about them.
table_bands <- function(data) {
  rows <- data$errors[endsWith(metric, "_in_band") & nzchar(model)]
  tables <- list(table_of_statements(data))
  if (nrow(rows) == 0) {
    return(tables)
  }
  rows[, of := sub("_in_band$", "", metric)]
  summed <- rows[, .(points = .N, held = 100 * mean(value)), by = .(set, model, of)]
  held <- columns_to_table(list(
    list(heading = "Traffic", cells = traffic_names[sub("^.*/(.*)-test$", "\\1", summed$set)]),
    list(heading = "Model", cells = model_name(summed$model, data$labels)),
    list(heading = "Metric", cells = vapply(summed$of, metric_name, "", data$labels)),
    list(heading = "Points", cells = as.character(summed$points)),
    list(heading = "In the band (%)", cells = format_number(summed$held, decimals = 1))
  ), groups = 2)
  c(list(held), tables)
}
