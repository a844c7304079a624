# Verdicts summed up, of printed numbers, of statements and of pairs of engines: how many have each, which numbers
# deviate and why, and a picture of all numbers.

# The three kinds of comparison, each with its verdicts, those first that are always shown.
comparisons <- list(
  claims = list(title = "Printed numbers", verdicts = verdicts, always = c("reproduced", "deviates")),
  statements = list(title = "Sentences", verdicts = statement_verdicts, always = c("holds", "fails")),
  equivalence = list(
    title = "The simulators against each other", verdicts = equivalence_verdicts, always = c("agrees", "differs")
  )
)

# A row per group of `by`, a last one for all if there are several, and a column per verdict; verdicts that nobody
# has are left out.
table_of_verdicts <- function(rows, comparison, by, headings = capitalised(by)) {
  counts <- rows[, c(lapply(stats::setNames(nm = comparison$verdicts), function(one) sum(verdict == one)), total = .N),
    by = by
  ]
  present <- colSums(counts[, comparison$verdicts, with = FALSE]) > 0
  columns <- c(comparison$verdicts[comparison$verdicts %in% comparison$always | present], "total")
  sums <- if (nrow(counts) > 1) counts[, lapply(.SD, sum), .SDcols = columns]
  groups <- lapply(by, function(column) c(counts[[column]], if (!is.null(sums)) if (column == by[1]) "all" else ""))
  columns_to_table(c(
    Map(function(heading, texts) list(heading = heading, cells = texts), headings, groups),
    lapply(columns, function(column) {
      list(heading = capitalised(column), cells = as.character(c(counts[[column]], sums[[column]])))
    })
  ), groups = length(by) - 1)
}

# The claims that count: of each printed number the one by its best-placed engine or model.
counted_numbers <- function(claims) {
  claims[counted == "true"]
}

# A row per sentence, with the verdict on all its cases by the best-placed engine: the first of these that a case has.
summed_verdicts <- c("fails", "smoke", "undecided", "holds", "inconsistent", "unavailable")

counted_sentences <- function(statements) {
  statements[counted == "true"][order(match(verdict, summed_verdicts)), .SD[1], by = "statement"]
}

# The three tables of counts, those with rows, by title: a printed number and a sentence count once, and the engines'
# own comparison is apart.
scorecard_tables <- function(results) {
  tables <- list(
    claims = if (nrow(results$claims) > 0) {
      table_of_verdicts(counted_numbers(results$claims), comparisons$claims, "paper")
    },
    statements = if (nrow(results$statements) > 0) {
      table_of_verdicts(counted_sentences(results$statements), comparisons$statements, "paper")
    },
    equivalence = if (nrow(judged_pairs(results)) > 0) {
      pairs <- judged_pairs(results)[, .(study = sub("/.*$", "", set), engine, reference, verdict)]
      pairs[, pair := paste(source_name(engine, common_labels), "/", source_name(reference, common_labels))]
      table_of_verdicts(pairs, comparisons$equivalence, c("study", "pair"), c("Study", "Engines"))
    }
  )
  tables <- Filter(Negate(is.null), tables)
  stats::setNames(tables, vapply(names(tables), function(name) comparisons[[name]]$title, ""))
}

# The rows of equivalence.csv that a rule judges.
judged_pairs <- function(results) {
  results$equivalence[nzchar(verdict)]
}

# How far ours is from the printed number, in tolerances.
tolerances_off <- function(claims) {
  (claims$value - suppressWarnings(as.numeric(claims$published))) / claims$tolerance
}

# Every printed number as a point: how far ours is from it, in tolerances, a line per item. The scale is linear
# near 0 and logarithmic further out, and ends at 100. No taller than a page.
plot_scorecard <- function(claims) {
  shown <- counted_numbers(claims)
  shown <- shown[, off := tolerances_off(shown)][is.finite(off)]
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

verdict_shapes <- c(
  reproduced = 16L, deviates = 17L, undecided = 6L, inconsistent = 15L, "not-reproducible" = 0L, unavailable = 4L,
  smoke = 1L
)

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
