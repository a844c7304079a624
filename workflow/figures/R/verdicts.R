# Claims summed up: how many were reproduced, which deviate and why, and a picture of them all.

# A row per paper and kind: how many claims have each verdict, and how many there are.
count_verdicts <- function(claims) {
  counts <- claims[, c(lapply(stats::setNames(verdicts, verdicts), function(one) sum(verdict == one)), total = .N),
    by = .(paper, kind)
  ]
  counts[order(match(paper, unique(claims$paper)), match(kind, c("model", "simulation", "measurement", "equivalence")))]
}

# The counts as a table, with a last row for all; verdicts that nobody has are left out, apart from the first two.
table_scorecard <- function(claims) {
  counts <- count_verdicts(claims)
  shown <- verdicts[verdicts %in% c("reproduced", "deviates") | colSums(counts[, ..verdicts]) > 0]
  columns <- c(shown, "total")
  sums <- counts[, lapply(.SD, sum), .SDcols = columns]
  counts <- rbind(counts[, c("paper", "kind", columns), with = FALSE], cbind(paper = "all", kind = "", sums))
  columns_to_table(c(
    list(list(heading = "Paper", cells = counts$paper), list(heading = "Printed as", cells = counts$kind)),
    lapply(columns, function(column) list(heading = capitalised(column), cells = as.character(counts[[column]])))
  ), groups = 1)
}

# How far ours is from the printed number, in tolerances: within -1 and 1 where it is reproduced. A bound that holds is
# no distance away.
tolerances_off <- function(claims) {
  off <- (claims$value - suppressWarnings(as.numeric(claims$published))) / claims$tolerance
  off[claims$verdict == "reproduced" & abs(off) > 1] <- 0
  off
}

# The claims that deviate, those of one item, quantity, source and reason (whatever its percentages) in one row: how
# many of how many, and the worst of them.
deviating_claims <- function(claims) {
  judged <- data.table::copy(claims)[, off := abs(tolerances_off(claims))]
  judged[, of := sum(verdict %in% c("reproduced", "deviates")), by = .(paper, item, metric, unit, kind, engine)]
  judged[, alike := shared_reasons(reason)]
  groups <- c("paper", "item", "metric", "unit", "kind", "engine", "alike")
  judged[verdict == "deviates"][order(-off, na.last = TRUE), c(list(deviating = .N), .SD[1]), by = groups]
}

# A sentence about each row of deviating_claims(): what, how many, the worst, and why, as labels.
deviation_texts <- function(claims, labels) {
  rows <- deviating_claims(claims)
  ours <- format_measured(rows$value, rows$ci_low, rows$ci_high, rows$published)
  percent <- ifelse(is.finite(rows$relative_error), sprintf(" (%s)", signed_percent(rows$relative_error)), "")
  data.table::data.table(
    item = paste0(rows$paper, "/", rows$item),
    text = sprintf(
      "%s from %s: %d of %d, the worst %s where %s is printed%s. %s",
      quantity_symbols(rows, labels), source_name(rows$engine, labels), rows$deviating, rows$of,
      ifelse(nzchar(ours), ours, "nothing"), rows$published, percent,
      ifelse(nzchar(rows$reason), paste0(literal(capitalised(rows$reason)), "."), "No reason is known.")
    )
  )
}

# Every claim as a point: how far ours is from the printed number, in tolerances, a line per item. The scale is linear
# near 0 and logarithmic further out, and ends at 100. No taller than a page.
plot_scorecard <- function(claims) {
  shown <- data.table::copy(claims)[, off := tolerances_off(claims)][is.finite(off)]
  if (nrow(shown) == 0) {
    return(empty_plot("No published number was compared."))
  }
  items <- rev(unique(paste0(shown$paper, "/", shown$item)))
  shown[, line := match(paste0(paper, "/", item), items)]
  shown[, place := line + spread(.N), by = line]
  present <- verdicts[verdicts %in% shown$verdict]
  plot <- ggplot(shown, aes(off, place, colour = verdict, shape = verdict)) +
    annotate("rect", xmin = -1, xmax = 1, ymin = -Inf, ymax = Inf, fill = "grey93") +
    geom_vline(xintercept = 0, colour = "grey70", linewidth = 0.3) +
    geom_point(size = 1.6, stroke = 0.6, alpha = 0.85) +
    scale_colour_manual(NULL, values = verdict_colours, breaks = present) +
    scale_shape_manual(NULL, values = verdict_shapes, breaks = present) +
    scale_x_continuous(
      trans = symmetric_log, limits = c(-100, 100), oob = scales::oob_squish,
      breaks = c(-100, -10, -3, -1, 0, 1, 3, 10, 100),
      labels = c("\u2264 \u2212100", "\u221210", "\u22123", "\u22121", 0, 1, 3, 10, "\u2265 100")
    ) +
    scale_y_continuous(breaks = seq_along(items), labels = items, expand = expansion(add = 0.55)) +
    labs(x = "(ours \u2212 published) / tolerance", y = NULL) +
    theme_atlas() +
    theme(panel.grid.major.y = element_blank())
  sized(plot, 6.6, min(1 + 0.32 * length(items), 8.8))
}

verdict_shapes <- c(reproduced = 16L, deviates = 17L, inconsistent = 15L, unavailable = 4L, smoke = 1L)

# Evenly spread offsets, so that points on one line do not hide each other; the same for the same claims.
spread <- function(count) {
  if (count == 1) 0 else 0.3 * (((seq_len(count) * 0.618034) %% 1) * 2 - 1)
}

symmetric_log <- scales::trans_new("symmetric log", function(x) asinh(2 * x), function(y) sinh(y) / 2)

empty_plot <- function(message) {
  plot <- ggplot() +
    annotate("text", x = 0, y = 0, label = message, family = figure_font, size = 3.2, colour = "grey30") +
    theme_void()
  sized(plot, 6.6, 0.8)
}
