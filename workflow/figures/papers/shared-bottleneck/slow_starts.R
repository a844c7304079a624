# How many slow starts a cycle holds over the map, what the paper's criterion says of it, and where there are three.

# Columns of each point of the map: the simulated count, rounded; the model's quantities; whether the point is used to
# choose the empirical criterion: every other point is, in each direction of the grid.
slow_start_points <- function(data) {
  wanted <- c("burst_window", "ssthresh", "criterion_slow_starts", "slow_starts_per_cycle")
  predicted <- data$observations[startsWith(engine, "model:") & metric %in% wanted]
  predicted <- dcast(predicted, set + point ~ metric, value.var = "value")
  setnames(predicted, "slow_starts_per_cycle", "burst_criterion")
  simulated <- data$observations[!startsWith(engine, "model:") & metric == "slow_starts_per_cycle"]
  points <- predicted[simulated[, .(set, point, mean_count = value)], on = c("set", "point")]
  points <- data$points[points, on = c("set", "point")]
  place <- function(path) as.integer(factor(points[[path]]))
  sum_of_places <- place("links.bottleneck.buffer") + place("propagation") + place("cross_traffic.rate")
  points[, `:=`(
    kind = get("cross_traffic.kind"), share = exogenous_share(points), count = pmin(round(mean_count), 3),
    chosen_on = sum_of_places %% 2 == 0
  )]
  points[]
}

# The rule "three where W_b <= burst and W_th >= threshold" with the two limits for which hits are the greatest share of
# hits, misses and false alarms. NULL where no point has three.
three_rule <- function(points) {
  if (!any(points$count == 3)) {
    return(NULL)
  }
  limits <- CJ(burst = unique(points$burst_window), threshold = unique(points$ssthresh))
  limits[, score := mapply(function(burst, threshold) {
    score <- three_score(points, list(burst = burst, threshold = threshold))
    score$hits / (score$hits + score$misses + score$alarms)
  }, burst, threshold)]
  as.list(limits[which.max(score)])
}

says_three <- function(points, rule) {
  points$burst_window <= rule$burst & points$ssthresh >= rule$threshold
}

three_score <- function(points, rule) {
  said <- says_three(points, rule)
  three <- points$count == 3
  list(hits = sum(said & three), misses = sum(!said & three), alarms = sum(said & !three), right = mean(said == three))
}

# Above: one slow start or more, by the paper's criterion and by W_b against W_th. Below: three, by ours.
table_slow_starts <- function(data) {
  points <- slow_start_points(data)
  list(one_or_two_table(points), three_table(points))
}

one_or_two_table <- function(points) {
  counts <- function(rule, name) {
    points[, .(
      rule = name, points = .N, one = rate(.SD[[rule]][count == 1] == 1), two = rate(.SD[[rule]][count >= 2] == 2),
      right = rate((.SD[[rule]] == 2) == (count >= 2))
    ), by = kind]
  }
  rows <- rbind(counts("criterion_slow_starts", "criterion (26)"), counts("burst_criterion", "$W_b \\le W_{th}$"))
  columns_to_table(list(
    list(heading = "Rule", cells = rows$rule), list(heading = "Traffic", cells = rows$kind),
    list(heading = "points", cells = as.character(rows$points)),
    list(heading = "one slow start,\nrule says one", cells = rows$one),
    list(heading = "two or three,\nrule says two", cells = rows$two), list(heading = "right", cells = rows$right)
  ), groups = 1)
}

three_table <- function(points) {
  deterministic <- points[kind == "deterministic"]
  rule <- three_rule(deterministic[chosen_on == TRUE])
  if (is.null(rule)) {
    return(table_of_text("No point that the criterion is chosen on has three slow starts a cycle."))
  }
  samples <- list(
    "deterministic, half that it is chosen on" = deterministic[chosen_on == TRUE],
    "deterministic, other half" = deterministic[chosen_on == FALSE], "Poisson, all" = points[kind == "poisson"]
  )
  scores <- rbindlist(lapply(samples, function(sample) three_score(sample, rule)))
  three <- scores$hits + scores$misses
  columns_to_table(list(
    list(heading = "Rule", cells = rep(rule_text(rule), length(samples))),
    list(heading = "Points", cells = names(samples)),
    list(heading = "three\nsimulated", cells = as.character(three)),
    list(heading = "of them\nthe rule says", cells = share_text(scores$hits, three)),
    list(heading = "false\nalarms", cells = sprintf("%d", scores$alarms)),
    list(heading = "of what it says\nis three", cells = share_text(scores$hits, scores$hits + scores$alarms)),
    list(heading = "right", cells = sprintf("%.1f %%", 100 * scores$right))
  ), groups = 1)
}

rule_text <- function(rule) {
  sprintf(
    "$W_b \\le$ %s, $W_{th} \\ge$ %s", format_number(rule$burst, 1), format_number(rule$threshold, 1)
  )
}

# "97 of 100 (97 %)"; of nothing, nothing.
rate <- function(right) {
  share_text(sum(right), length(right))
}

share_text <- function(part, whole) {
  ifelse(whole == 0, "", sprintf("%d of %d (%.0f %%)", part, whole, 100 * part / whole))
}

# The simulated count over the map; a dot where the empirical criterion says three, a cross where (26) is wrong.
plot_figure_slow_starts <- function(data) {
  points <- slow_start_points(data)
  rule <- three_rule(points[kind == "deterministic" & chosen_on == TRUE])
  points[, `:=`(
    tau = factor(1000 * propagation), buffer = factor(get("links.bottleneck.buffer")), panel = map_panel(kind, share),
    wrong = (criterion_slow_starts == 2) != (count >= 2),
    says_three = if (is.null(rule)) FALSE else says_three(points, rule)
  )]
  plot <- ggplot(points, aes(tau, buffer)) +
    geom_tile(aes(fill = pmin(mean_count, 3))) +
    geom_point(data = points[wrong == TRUE], shape = 4, size = 0.7, stroke = 0.3, colour = "grey30") +
    geom_point(data = points[says_three == TRUE], shape = 16, size = 0.7) +
    facet_wrap(vars(panel), ncol = 5) +
    scale_fill_gradientn(
      "Slow starts a cycle, simulated", colours = c("white", "#56B4E9", "#C8321E"), limits = c(1, 3),
      oob = scales::squish
    ) +
    map_axes()
  sized(plot, 6.6, 5.6)
}
