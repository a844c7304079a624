# Bogoiavlenskaia, Kojo, Mutka and Alanko 2002, report C-2002-13: the items whose shape is the report's own.

bases <- c(
  cwnd_by_rounds = "by rounds", cwnd_by_segments = "by segments", cwnd_by_time = "over time"
)
basis_colours <- c("by rounds" = "#0072B2", "by segments" = "#D98200", "over time" = "#117733")
curve_colours <- c("#0072B2", "#D98200", "#117733", "#882255")

# One metric of the model with the swept parameters beside it.
curve_of <- function(data, wanted, sets = data$sets) {
  rows <- data$observations[metric == wanted & engine == "model:markov" & set %in% sets]
  data$points[rows, on = c("set", "point"), nomatch = NULL]
}

percent <- function(p) sprintf("p = %s", format(p, scientific = FALSE, trim = TRUE, drop0trailing = TRUE))

# Figures 8.1 to 8.4: the three distributions of cwnd, a panel for each p.
plot_figure_8_1 <- function(data) {
  shown <- data$distributions[distribution %in% names(bases) & set == data$sets[1] & x >= 2]
  shown <- join_in_order(shown, data$points, c("set", "point"))
  shown[, basis := factor(bases[distribution], bases)]
  shown[, panel := factor(percent(links.bottleneck.loss), percent(sort(unique(links.bottleneck.loss))))]
  plot <- ggplot(shown, aes(x, probability, colour = basis)) +
    geom_line(linewidth = 0.5) +
    facet_wrap(vars(panel), ncol = 2, scales = "free_y") +
    scale_colour_manual(NULL, values = basis_colours) +
    labs(x = "Congestion window (segments)", y = "Probability") +
    theme_atlas()
  sized(plot, 6.6, 4.4)
}

# Figure 8.6: the distribution by rounds, a curve for each growth of the loss.
plot_figure_8_6 <- function(data) {
  shown <- data$distributions[distribution == "cwnd_by_rounds" & x >= 2]
  shown <- join_in_order(shown, data$points, c("set", "point"))
  shown[, curve := factor(links.bottleneck.loss_growth)]
  plot <- ggplot(shown, aes(x, probability, colour = curve)) +
    geom_line(linewidth = 0.5) +
    scale_colour_manual(plot_expression("$\\alpha$"), values = curve_colours) +
    labs(x = "Congestion window (segments)", y = "Probability") +
    theme_atlas()
  sized(plot, 5, 3)
}

# Figure 8.5: mean and standard deviation of cwnd against p.
plot_figure_8_5 <- function(data) {
  shown <- rbind(
    curve_of(data, "cwnd_mean__rounds")[, part := "Mean"],
    curve_of(data, "cwnd_sd__rounds")[, part := "Standard deviation"]
  )
  shown[, curve := factor(tcp.rwnd)]
  plot <- against_loss(shown[links.bottleneck.loss <= 0.02], "Congestion window (segments)", "w_max (segments)") +
    facet_wrap(vars(part), scales = "free_y")
  sized(plot, 6.6, 3)
}

against_loss <- function(shown, title, legend) {
  ggplot(shown[links.bottleneck.loss <= 0.1], aes(links.bottleneck.loss, value, colour = curve)) +
    geom_line(linewidth = 0.55) +
    scale_colour_manual(legend, values = curve_colours) +
    scale_y_continuous(limits = c(0, NA)) +
    labs(x = plot_expression("Loss probability $p$"), y = title) +
    theme_atlas()
}

# A figure of mean or standard deviation of throughput against p, with a curve for each value of one parameter.
plot_throughput <- function(wanted, title, path, shown_as, legend) {
  function(data) {
    shown <- curve_of(data, wanted, data$sets[1])
    shown[, curve := factor(shown_as(shown[[path]]))]
    sized(against_loss(shown, title, legend), 5, 3)
  }
}

mean_title <- "Mean throughput (segments/s)"
sd_title <- "Standard deviation (segments/s)"
thousandth <- function(rate) rate / 1000 # a segment is a kilobit
milliseconds <- function(time) time * 1000
link_legend <- "Link (segments/s)"
window_legend <- "w_max (segments)"
plot_figure_8_7 <- plot_throughput("throughput_markov", mean_title, "links.bottleneck.rate", thousandth, link_legend)
plot_figure_8_8 <- plot_throughput("throughput_markov", mean_title, "tcp.rwnd", identity, window_legend)
plot_figure_8_9 <- plot_throughput("throughput_sd", sd_title, "links.bottleneck.rate", thousandth, link_legend)
plot_figure_8_10 <- plot_throughput("throughput_sd", sd_title, "tcp.rwnd", identity, window_legend)
plot_figure_8_11 <- plot_throughput(
  "throughput_markov", mean_title, "rtt_distribution.mean", milliseconds, "Mean RTT (ms)"
)

# Figure 8.12: its caption speaks of the standard deviation of throughput, the text beside it of the mean: both.
plot_figure_8_12 <- function(data) {
  shown <- rbind(
    curve_of(data, "throughput_markov")[, part := "Mean"],
    curve_of(data, "throughput_sd")[, part := "Standard deviation"]
  )
  shown[, curve := factor(milliseconds(rtt_distribution.standard_deviation))]
  plot <- against_loss(shown, "Throughput (segments/s)", "Standard deviation of the RTT (ms)") +
    facet_wrap(vars(part), scales = "free_y")
  sized(plot, 6.6, 3)
}

plot_figure_8_13 <- function(data) {
  shown <- rbind(
    curve_of(data, "throughput_above_half")[, curve := "above half of the link"],
    curve_of(data, "throughput_below_half")[, curve := "below half of the link"]
  )
  sized(against_loss(shown, "Probability", NULL), 5, 3)
}

# The engine that measured what a row is about: also of a model that was fed with it.
measured_by <- function(engine) sub("^model:.*@", "", engine)

# Tables 7.1 and 8.1 to 8.8: a row for each printed transfer, and below them our transfers.
table_of_set <- function(data) {
  errors <- startsWith(data$claims$quantity, "markov_miss")
  tables <- list(set_table(data, !errors), set_table(data, errors))
  if (nrow(data$statements) > 0) c(tables, list(table_of_statements(data))) else tables
}
table_7_1 <- table_8_1 <- table_8_2 <- table_8_3 <- table_8_4 <- table_8_5 <- table_8_6 <- table_8_7 <- table_8_8 <-
  table_of_set

set_table <- function(data, chosen) {
  data <- with_claims(data, chosen)
  notes <- claim_notes(data$claims)
  claims <- copy(data$claims)[, `:=`(
    source = measured_by(engine), column = sub("__.*$", "", quantity), transfer = sub("^connection ", "", case)
  )]
  # Of an engine that is not there, only that it is not is known: the notes say so.
  engines <- unique(claims[verdict != "unavailable"]$source)
  claims[, letter := names(notes)[match(reason, notes)]]
  claims[!noted(claims) | is.na(letter), letter := ""]
  claims[, printed := cells(published, "", verdict, letter)]
  # Why printed numbers are outside the ends of the first engine is said beside them, of the others beside their means.
  claims[source != engines[1], letter := letter[nzchar(letter)][1], by = .(source, column)]
  of_first <- claims[source == engines[1]]
  asked <- unique(of_first, by = "column")[, .(column, quantity, unit)]
  ours <- rbind(
    unique(claims[source %in% engines], by = c("source", "column"))[source == engines[1], letter := ""],
    live_transfers(data, engines, asked),
    fill = TRUE
  )
  sources <- unique(ours$source)
  live <- setdiff(sources, engines)
  if (length(live) > 0) notes <- stats::setNames(c(notes, live_note), note_letters(length(notes) + 1))
  transfers <- unique(of_first$transfer)
  trim <- function(x) if (is.na(x)) "" else format_number(x, digits = 4)
  columns <- lapply(asked$column, function(one) {
    means <- ours[column == one][list(source = sources), on = "source"]
    shown <- Map(function(value, low, high, letter) {
      cells(vapply(c(value, low, high), trim, ""), note = c(fcoalesce(letter, ""), "", ""))
    }, means$value, means$ci_low, means$ci_high, means$letter)
    mine <- of_first[column == one]
    heading <- with_unit(metric_symbol(one, data$labels), mine$unit[1])
    list(heading = heading, cells = c(mine$printed[match(transfers, mine$transfer)], unlist(shown, recursive = FALSE)))
  })
  names <- unlist(lapply(sources, function(source) {
    ends <- paste0(source_name(source, data$labels), c(", mean", ", lower end", ", upper end"))
    cells(ends, note = c(if (source %in% live) names(notes)[length(notes)] else "", "", ""))
  }), recursive = FALSE)
  first <- list(heading = "", cells = c(cells(paste("printed,", transfers)), names))
  columns_to_table(c(list(first), columns), notes = notes)
}

# Each set's printed throughput beside ours by both values of p; the other one of sets 2 to 9, where there is one.
other_p <- c("2" = 0.005, "3" = 0.005, "4" = 0.0025, "5" = 0.025, "6" = 0.005, "8" = 0.0005, "9" = 0.00025)
readings <- c("p of the text" = "#D98200", "p of the caption" = "#0072B2", "p of both" = "#117733")

plot_figure_readings <- function(data) {
  ours <- goodput_of_replications(data)
  own <- ours[grepl("/set-[0-9]$", set)][, `:=`(
    number = as.integer(sub("^.*-", "", set)), reading = "p of the caption"
  )]
  own[number == 2, reading := "p of the text"]
  own[number %in% c(1, 7), reading := "p of both"]
  other <- rbindlist(lapply(names(other_p), function(one) {
    rate <- own[number == as.integer(one)]$links.bottleneck.rate
    rows <- ours[grepl("/other-p-", set) & links.bottleneck.rate %in% rate]
    rows <- rows[abs(links.bottleneck.loss / other_p[[one]] - 1) < 1e-6]
    rows[, `:=`(number = as.integer(one), reading = if (one == "2") "p of the caption" else "p of the text")]
  }))
  printed <- unique(data$whole$claims[quantity == "goodput" & kind == "measurement"], by = c("item", "row"))
  printed <- printed[, .(number = as.integer(sub("^.*-", "", set)), value = as.numeric(published))]
  link_of <- function(number) factor(ifelse(number <= 4, "28.8 kbit/s", "0.5 Mbit/s"), c("28.8 kbit/s", "0.5 Mbit/s"))
  shown <- rbind(own, other)[, link := link_of(number)]
  plot <- ggplot(shown, aes(factor(number), value)) +
    geom_pointrange(
      aes(ymin = lowest, ymax = highest, colour = reading), position = position_dodge(width = 0.6), size = 0.2
    ) +
    geom_point(data = printed[, link := link_of(number)], shape = 4, size = 1.6) +
    facet_wrap(vars(link), scales = "free") +
    scale_colour_manual(NULL, values = readings) +
    scale_y_continuous(limits = c(0, NA)) +
    labs(x = "Set", y = "Throughput ATp (packets/s)") +
    theme_atlas()
  sized(plot, 6.6, 3.2)
}

# packetsim's mean, lowest and highest goodput, with the parameters of the points.
goodput_of_replications <- function(data) {
  rows <- data$observations[engine == "packetsim" & grepl("^goodput(_lowest|_highest)?$", metric)]
  wide <- dcast(rows, set + point ~ metric, value.var = "value")
  setnames(wide, c("goodput", "goodput_lowest", "goodput_highest"), c("value", "lowest", "highest"))
  data$points[wide, on = c("set", "point"), nomatch = NULL]
}
