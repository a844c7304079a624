# Summaries of verdicts on published numbers, sentences and pairs of engines: counts, and the distance of each number.

# The claims that count: one per printed number, by its best-placed engine or model.
counted_numbers <- function(claims) {
  claims[counted == "true"]
}

# The same for the numbers that we replicate, without those computed from printed numbers or a standard's formula.
replicated_numbers <- function(claims) {
  counted_numbers(claims)[class == "replication"]
}

# A row per sentence, with the verdict on all its cases by the best-placed engine: the first of these that a case has.
summed_verdicts <- c("fails", "smoke", "undecided", "holds", "inconsistent", "unavailable")

counted_sentences <- function(statements) {
  statements[counted == "true"][order(match(verdict, summed_verdicts)), .SD[1], by = "statement"]
}

# The rows of equivalence.csv that a rule judges.
judged_pairs <- function(results) {
  results$equivalence[nzchar(verdict)]
}

# The distance of ours from the printed number, in tolerances.
tolerances_off <- function(claims) {
  (claims$value - suppressWarnings(as.numeric(claims$published))) / claims$tolerance
}

scorecard_papers <- "Published numbers replicated, by paper"

# A row for each bar of the scorecard and verdict: section, name, verdict and count. Numbers by paper and by kind;
# separately, those computed from printed numbers or the formulas of standards; sentences by paper; pairs of simulators.
# A number that would be reproduced if it were 20 % off is `weak`, and so is a sentence that holds by
# construction. `studies` are the rows of studies.csv.
scorecard_rows <- function(results, studies) {
  names <- study_names(studies)
  named <- function(rows) names[match(rows$paper, studies$study)]
  weak <- function(claims) copy(claims)[verdict == "reproduced" & power == "none", verdict := "weak"]
  numbers <- weak(replicated_numbers(results$claims))
  arithmetic <- weak(counted_numbers(results$claims)[class == "arithmetic"])
  beside <- weak(results$claims[counted == "beside"])
  formulas <- weak(counted_numbers(results$claims)[class == "formula"])
  simulated <- weak(results$claims[counted == "simulated"])
  sentences <- counted_sentences(results$statements)
  sentences[verdict == "holds" & nzchar(by_construction), verdict := "weak"]
  pairs <- judged_pairs(results)
  kinds <- c(model = "Models", simulation = "Simulations", measurement = "Measurements", redone = "Redone by others")
  compared <- paste(source_name(pairs$engine, common_labels), "and", source_name(pairs$reference, common_labels))
  part <- function(section, name, rows) data.table(section = rep(section, nrow(rows)), name, verdict = rows$verdict)
  rows <- rbind(
    part(scorecard_papers, paste0(named(numbers), ifelse(numbers$kind == "redone", ", redone", "")), numbers),
    part("Published numbers replicated, by what was published", unname(kinds[numbers$kind]), numbers),
    part("Arithmetic from published inputs", named(arithmetic), arithmetic),
    part("Arithmetic from published inputs", rep("the same, from our runs", nrow(beside)), beside),
    part("A standard's own formulas", named(formulas), formulas),
    part("A standard's own formulas", rep("the same, simulated", nrow(simulated)), simulated),
    part("Published sentences, by paper", named(sentences), sentences),
    part("Our simulators against each other", compared[nzchar(pairs$verdict)], pairs)
  )
  rows[, .(count = .N), by = .(section, name, verdict)]
}

# The scorecard: a stacked bar for each paper, with how many of its numbers are reproduced.
plot_scorecard <- function(rows) {
  if (nrow(rows) == 0) {
    return(empty_plot("No published number was compared."))
  }
  bars <- unique(rows[, .(section, name)])
  bars[, y := -(seq_len(.N) + 1.1 * match(section, unique(section)))]
  shown <- data.table::copy(rows)[, share := count / sum(count), by = .(section, name)]
  shown[, verdict := factor(verdict, rev(names(scorecard_colours)))]
  shown <- shown[order(-as.integer(verdict))][bars, on = c("section", "name")]
  shown[, right := cumsum(share), by = .(section, name)]
  good <- shown[, .(
    text = sprintf("%d of %d", sum(count[verdict %in% c("reproduced", "weak", "holds", "agrees")]), sum(count))
  ), by = y]
  heads <- bars[, .(y = max(y) + 0.95), by = section]
  meanings <- legend_meanings[legend_meanings %in% legend_meanings[as.character(shown$verdict)]]
  meanings <- meanings[!duplicated(meanings)]
  plot <- ggplot(shown) +
    geom_rect(aes(
      xmin = right - share, xmax = right, ymin = y - 0.36, ymax = y + 0.36,
      fill = factor(legend_meanings[as.character(verdict)], meanings)
    ), colour = "white", linewidth = 0.3) +
    geom_text(
      aes(right - share / 2, y, label = count),
      data = shown[share > 0.05], colour = "white", size = 2.7, family = figure_font
    ) +
    geom_text(aes(1.01, y, label = text), data = good, hjust = 0, size = 2.8, family = figure_font) +
    geom_text(aes(0, y, label = section), data = heads, hjust = 0, size = 2.9, fontface = 2, family = figure_font) +
    scale_fill_manual(NULL, values = stats::setNames(scorecard_colours[names(meanings)], meanings), drop = FALSE) +
    guides(fill = guide_legend(nrow = 2)) +
    scale_x_continuous(limits = c(0, 1.13), breaks = NULL, expand = expansion(0)) +
    scale_y_continuous(breaks = bars$y, labels = bars$name, expand = expansion(add = 0.3)) +
    labs(x = NULL, y = NULL) +
    theme_atlas() +
    theme(
      panel.border = element_blank(), panel.grid.major = element_blank(), axis.ticks = element_blank(),
      legend.key.width = grid::unit(4, "mm"), legend.key.height = grid::unit(3, "mm"),
      axis.text.y = element_text(size = 8.5)
    )
  sized(plot, 6.6, 0.5 + 0.205 * (nrow(bars) + 1.1 * nrow(heads)))
}

# Numbers that would be reproduced if they were 20 % off stand next to the other reproduced ones.
scorecard_colours <- append(verdict_colours, c(weak = "#7FB8A4"), 3)

# The words of the scorecard's legend for each verdict.
legend_meanings <- c(
  reproduced = "reproduced, holds", holds = "reproduced, holds", agrees = "reproduced, holds",
  weak = "reproduced, would be if 20 % off",
  deviates = "deviates, fails", fails = "deviates, fails", differs = "deviates, fails", undecided = "undecided",
  inconsistent = "paper inconsistent or silent", "not-reproducible" = "paper inconsistent or silent",
  unavailable = "no verdict", smoke = "no verdict"
)

# Every published number as a mark: its distance from ours, in tolerances, a line per paper. The scale is linear near 0
# and logarithmic further out, and ends at 100.
plot_distances <- function(claims, studies) {
  shown <- replicated_numbers(claims)
  shown <- shown[, off := tolerances_off(shown)][is.finite(off)]
  if (nrow(shown) == 0) {
    return(empty_plot("No published number was compared."))
  }
  papers <- rev(studies$study[studies$study %in% shown$paper])
  names <- study_names(studies)[match(papers, studies$study)]
  shown[, line := match(paper, papers)]
  shown[, place := line + spread(.N), by = line]
  present <- verdicts[verdicts %in% shown$verdict]
  plot <- ggplot(shown, aes(off, place, colour = verdict, shape = verdict)) +
    annotate("rect", xmin = -1, xmax = 1, ymin = -Inf, ymax = Inf, fill = "grey93") +
    geom_vline(xintercept = 0, colour = "grey70", linewidth = 0.3) +
    geom_point(size = 1.1, stroke = 0.5, alpha = 0.75) +
    scale_colour_manual(NULL, values = verdict_colours, breaks = present) +
    scale_shape_manual(NULL, values = verdict_shapes, breaks = present) +
    guides(colour = guide_legend(override.aes = list(size = 2, alpha = 1))) +
    scale_x_continuous(
      trans = symmetric_log, limits = c(-100, 100), oob = scales::oob_squish,
      breaks = c(-100, -10, -3, -1, 0, 1, 3, 10, 100),
      labels = c("\u2264 \u2212100", "\u221210", "\u22123", "\u22121", 0, 1, 3, 10, "\u2265 100")
    ) +
    scale_y_continuous(breaks = seq_along(papers), labels = names, expand = expansion(add = 0.1)) +
    labs(x = "(computed \u2212 published) / tolerance", y = NULL) +
    theme_atlas() +
    theme(panel.grid.major.y = element_blank(), axis.text = element_text(size = 8), plot.margin = margin(3, 14, 3, 3))
  sized(plot, 6.6, 0.6 + 0.22 * length(papers))
}

verdict_shapes <- c(
  reproduced = 16L, deviates = 17L, undecided = 6L, inconsistent = 15L, "not-reproducible" = 0L, unavailable = 4L,
  smoke = 1L
)

# Evenly spread offsets, so that points on one line do not hide each other; the same for the same claims.
spread <- function(count) {
  if (count == 1) 0 else 0.38 * (((seq_len(count) * 0.618034) %% 1) * 2 - 1)
}

symmetric_log <- scales::trans_new("symmetric log", function(x) asinh(2 * x), function(y) sinh(y) / 2)

# The reason why an item is empty: engines of its sets that this machine lacks, or else the run.
nothing_made <- function(data) {
  if (nzchar(data$missing)) data$missing else "No point of this item was simulated by the engines that it compares."
}

empty_plot <- function(message) {
  plot <- ggplot() +
    annotate("text", x = 0, y = 0, label = message, family = figure_font, size = 3.2, colour = "grey30") +
    theme_void()
  sized(plot, 6.6, 0.8)
}
