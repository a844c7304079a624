# The kernel's own TCP: three kernels in the nine sets, and formulas and simulator over a map of points.

kernel_names <- c(
  newreno = "Linux of 2002, without SACK", "linux-2.4" = "Linux of 2002", "linux-6.1" = "Linux 6.1, its defaults"
)
kernel_colours <- stats::setNames(series_colours[c(3, 1, 2)], kernel_names)
formula_names <- c(markov = "ET", floyd_fall = "FF", padhye = "PFTK")

# Throughput of the nine sets by kernel, against p.
plot_figure_kernels <- function(data) {
  rows <- data$observations[engine == "linux" & metric == "goodput"]
  if (nrow(rows) == 0) {
    return(empty_plot(nothing_made(data)))
  }
  shown <- join_in_order(rows, data$points, c("set", "point"))
  shown[, kernel := factor(kernel_names[tcp.variant], kernel_names)]
  places <- unique(shown[, .(set, links.bottleneck.loss, links.bottleneck.rate)])
  printed <- places[printed_transfers(data), on = "set", nomatch = NULL]
  on_axes <- function(rows) {
    rows[, `:=`(link = link_names(links.bottleneck.rate), loss = factor(100 * links.bottleneck.loss))]
  }
  printed <- on_axes(printed)[, .(x = loss, y = value, link)]
  plot <- ggplot(on_axes(shown), aes(loss, value)) +
    geom_pointrange(
      aes(ymin = ci_low, ymax = ci_high, colour = kernel), position = position_dodge(width = 0.6), size = 0.2
    ) +
    layer_published(printed, "published, one transfer each") +
    facet_wrap(vars(link), scales = "free") +
    scale_colour_manual(NULL, values = kernel_colours) +
    scale_y_continuous(limits = c(0, NA)) +
    labs(x = plot_expression("Loss probability $p$ (%)"), y = "Throughput ATp (packets/s)") +
    theme_atlas()
  sized(plot, 6.6, 3.2)
}

# The errors of the formulas at the points of the map, in percent, and what limits each point.
map_errors <- function(data) {
  with_kernel <- any(data$observations$engine == "linux")
  measured <- if (with_kernel) "linux" else "packetsim"
  rows <- data$errors[metric == "goodput" & model %in% names(formula_names) & against == measured]
  shown <- join_in_order(rows, data$points, c("set", "point"))
  shown[, `:=`(formula = factor(formula_names[model], formula_names), error = 100 * value)]
  list(errors = shown, measured = if (with_kernel) "Linux" else "packetsim")
}

error_steps <- c(-Inf, -50, -20, -10, 10, 20, 50, 100, Inf)
error_names <- c(
  "below \u221250", "\u221250 to \u221220", "\u221220 to \u221210", "within 10", "10 to 20", "20 to 50", "50 to 100",
  "above 100"
)
error_colours <- c("#084594", "#4292C6", "#C6DBEF", "#F7F7F7", "#FEE0B6", "#FDB863", "#E08214", "#7F3B08")

# The error of each formula over p and rwnd, a column of panels for each link.
plot_figure_map <- function(data) {
  map <- map_errors(data)
  shown <- map$errors[, step := cut(error, error_steps, error_names)]
  rates <- sort(unique(shown$links.bottleneck.rate))
  shown[, link := factor(links.bottleneck.rate, rates, paste(rates / 1000, "kbit/s"))]
  plot <- ggplot(shown, aes(factor(100 * links.bottleneck.loss), factor(tcp.rwnd), fill = step)) +
    geom_tile(colour = "white", linewidth = 0.2) +
    facet_grid(vars(formula), vars(link)) +
    scale_fill_manual(
      sprintf("Formula over %s, minus one (%%)", map$measured),
      values = stats::setNames(error_colours, error_names), drop = FALSE
    ) +
    labs(x = plot_expression("Loss probability $p$ (%)"), y = "rwnd (packets)") +
    theme_atlas() +
    theme(panel.grid.major = element_blank(), axis.text.x = element_text(size = 6, angle = 90, vjust = 0.5, hjust = 1))
  sized(plot, 6.6, 4.4)
}

limits <- c("loss", "rwnd", "the link")

# The limit of a transfer: the smallest of three windows, of which the last is what the empty path and the queue hold.
limited_by <- function(data, points) {
  segments <- points$links.bottleneck.rate / (8 * fixed_number(data, "packet_bytes"))
  way_back <- lapply(stats::setNames(nm = unique(points$set)), numbers_of_points, data = data, path = "return_delay_s")
  empty_path <- fixed_number(data, "links.bottleneck.delay_s") +
    mapply(function(name, point) way_back[[name]][[point]], points$set, points$point)
  held <- segments * empty_path + fixed_number(data, "links.bottleneck.buffer_packets")
  limits[apply(cbind(sqrt(1.5 / points$links.bottleneck.loss), points$tcp.rwnd, held), 1, which.min)]
}

table_map <- function(data) {
  map <- map_errors(data)
  summary_of <- function(rows, ours) {
    rows <- copy(rows)[, limit := factor(limited_by(data, rows), limits)]
    sums <- function(rows) rows[, .(points = .N, median = stats::median(error), within = 100 * mean(abs(error) <= 20))]
    by_limit <- rows[, sums(.SD), by = limit][order(limit)]
    rbind(by_limit, sums(rows)[, limit := "all"], use.names = TRUE)[, what := ours]
  }
  parts <- lapply(split(map$errors, by = "formula"), function(rows) {
    summary_of(rows, sprintf("%s over %s", rows$formula[1], map$measured))
  })
  pairs <- same_drops(data)[metric == "goodput"]
  if (nrow(pairs) > 0) {
    pairs[, error := 100 * (1 / (1 + value / 100) - 1)]
    parts <- c(parts, list(summary_of(pairs, "packetsim over Linux")))
  }
  shown <- rbindlist(parts)
  columns_to_table(list(
    list(heading = "Compared", cells = shown$what), list(heading = "Limited by", cells = as.character(shown$limit)),
    list(heading = "Points", cells = as.character(shown$points)),
    list(heading = "Median error (%)", cells = format_number(shown$median, digits = 3)),
    list(heading = "Within 20 % (%)", cells = format_number(shown$within, digits = 3))
  ), groups = 1)
}

# The differences of the kernel's TCP from packetsim's on the same drops, in percent.
same_drops <- function(data) {
  rows <- data$equivalence[engine == "linux" & reference == "packetsim"]
  join_in_order(rows, data$points, c("set", "point"))
}

compared <- c(
  goodput = "Throughput ATp", rtt_sample_mean = "Mean RTT sample", loss_estimate = "Loss estimate",
  outstanding_mean = "Mean of outstanding segments"
)

plot_figure_same_drops <- function(data) {
  rows <- same_drops(data)[metric %in% names(compared) & is.finite(value)]
  if (nrow(rows) == 0) {
    return(empty_plot(nothing_made(data)))
  }
  shown <- rows[, .(
    middle = stats::median(value), low = stats::quantile(value, 0.1), high = stats::quantile(value, 0.9)
  ), by = .(metric, loss = links.bottleneck.loss)]
  shown[, panel := factor(compared[metric], compared)]
  plot <- ggplot(shown, aes(factor(100 * loss), middle, ymin = low, ymax = high)) +
    geom_hline(yintercept = 0, colour = "grey60", linewidth = 0.3) +
    geom_pointrange(size = 0.2, colour = "#0072B2") +
    facet_wrap(vars(panel), scales = "free_y") +
    labs(x = plot_expression("Loss probability $p$ (%)"), y = "Linux over packetsim, minus one (%)") +
    theme_atlas()
  sized(plot, 6.6, 4.2)
}
