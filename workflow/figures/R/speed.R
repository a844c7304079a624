# How fast the simulators are: what ./atlas bench wrote into bench.csv, as a table, a figure and numbers for the text.

# The rows of the programs that ran the same point; the others are of packetsim alone.
compared <- function(bench) {
  bench[!case %in% c(names(growth_axes), "fair-queue")]
}

growth_axes <- list(
  sources = list(column = "sources", path = "sources.count"),
  buffer = list(column = "buffer_packets", path = "bottleneck.buffer")
)

# How many times as many packets as ns-2; NA where ns-2 is not there.
times_ns2 <- function(rows) {
  rows$packets_per_core_second / rows[program == "ns-2", packets_per_core_second][1]
}

# A row per program: median rate, lowest and highest, over ns-2's, what callgrind counted, memory.
table_speed <- function(bench) {
  rows <- compared(bench)
  rate <- function(seconds) format_number(rows$packets / seconds / 1e6, digits = 3)
  counted <- function(heading, column) {
    list(heading = heading, cells = format_number(rows[[paste0(column, "_per_packet")]], digits = 3))
  }
  table <- columns_to_table(list(
    list(heading = "Program", cells = literal(rows$program)),
    list(heading = "Version", cells = literal(rows$version)),
    list(heading = "median", cells = rate(rows$cpu_s)),
    list(heading = "least", cells = rate(rows$cpu_s_high)),
    list(heading = "most", cells = rate(rows$cpu_s_low)),
    list(heading = "Times\nns-2", cells = format_number(times_ns2(rows), digits = 3)),
    counted("instructions", "instructions"),
    counted("mispre-\ndictions", "mispredictions"),
    counted("L1\nmisses", "l1_misses"),
    counted("LL\nmisses", "ll_misses"),
    list(heading = "Peak memory\n(MB)", cells = format_number(rows$peak_memory_bytes / 1e6, digits = 3))
  ))
  table$spans <- data.table::data.table(
    text = c("Million packets per core-second", "Per packet"), from = c(3L, 7L), to = c(5L, 10L)
  )
  table
}

# packetsim's rate and memory, against the number of sources and against the buffer.
plot_growth <- function(bench) {
  shown <- growth_rows(bench)
  rate <- growth_panels(shown, aes(x, packets / cpu_s / 1e6), "Million packets\nper core-second") +
    geom_errorbar(
      aes(ymin = packets / cpu_s_high / 1e6, ymax = packets / cpu_s_low / 1e6),
      width = 0, linewidth = 0.4, colour = source_colours("packetsim")
    ) +
    scale_y_continuous(limits = c(0, NA), labels = axis_numbers) +
    theme(strip.text = element_blank())
  memory <- growth_panels(shown, aes(x, peak_memory_bytes / 1e6), "Peak memory (MB)") +
    scale_y_log10(labels = axis_numbers)
  sized(patchwork::wrap_plots(rate, memory, ncol = 1), 6.6, 3.8)
}

# The rows to draw, with the columns axis (a factor of headings) and x.
growth_rows <- function(bench) {
  headings <- vapply(growth_axes, function(axis) {
    with_unit(parameter_heading(axis$path, common_labels), parameter_unit(axis$path, common_labels))
  }, "")
  shown <- bench[case %in% names(growth_axes)]
  shown[, axis := factor(headings[case], headings, plot_label(headings))]
  shown[, x := ifelse(case == "sources", sources, buffer_packets)]
  shown[]
}

# A panel for each axis, its heading below it.
growth_panels <- function(shown, mapping, y_title) {
  ggplot(shown, mapping) +
    geom_line(linewidth = 0.45, colour = source_colours("packetsim")) +
    geom_point(size = 1.6, shape = source_shapes("packetsim"), colour = source_colours("packetsim")) +
    facet_wrap(vars(axis), nrow = 1, scales = "free_x", strip.position = "bottom", labeller = label_parsed) +
    scale_x_log10(labels = scales::label_math(10^.x, format = log10)) +
    labs(x = NULL, y = y_title) +
    theme_atlas() +
    theme(strip.placement = "outside", strip.text = element_text(face = "plain", hjust = 0.5))
}

# ---- the section of the report ----

tex_speed_section <- c("\\input{speed}", "\\input{report/speed}", "\\FloatBarrier")

speed_captions <- function(bench) {
  rows <- compared(bench)
  fair <- bench[case == "fair-queue"]
  c(
    table = paste(
      sprintf(
        "The point of %s with %d sources, median of %d %s made in turn on one core (%s).",
        rows$case[1], rows$sources[1], rows$repeats[1], ngettext(rows$repeats[1], "run", "runs"), rows$cpu[1]
      ),
      "Branches and caches (32 kB, 8 MB) are callgrind's models of them."
    ),
    figure = paste(c(
      "packetsim's cost as the scenario grows: left, link and buffer grow with the sources; right, the buffer alone.",
      "Bars reach from the slowest to the fastest run.",
      sprintf(
        "With %s sources behind a fair queue: %s million packets per core-second.",
        format(fair$sources, big.mark = ","), format_number(fair$packets_per_core_second / 1e6, digits = 3)
      )
    ), collapse = " ")
  )
}

tex_speed <- function(bench) {
  captions <- tex_escape(speed_captions(bench))
  c(
    "\\begin{table}[htbp]", "\\centering", sprintf("\\caption{\\textbf{Speed of the simulators.} %s}", captions[1]),
    "\\label{tab:speed}", "\\small", tex_table(table_speed(bench)), "\\end{table}",
    "\\begin{figure}[htbp]", "\\centering", "\\includegraphics[max width=\\linewidth]{report/speed.pdf}",
    sprintf("\\caption{\\textbf{How cost grows.} %s}", captions[2]), "\\label{fig:speed}", "\\end{figure}"
  )
}

# `picture` is plot_growth() as lines of HTML.
html_speed <- function(bench, picture) {
  captions <- sprintf("<p class=\"legend\">%s</p>", html_escape(speed_captions(bench)))
  c(html_table(table_speed(bench)), captions[1], picture, captions[2])
}

# Numbers of the text: of each program its rate, and how many times ns-2's it is; instructions and memory.
speed_numbers <- function(bench) {
  rows <- compared(bench)
  of_programs <- function(name, values) {
    stats::setNames(trim_zeros(format_number(values, digits = 3)), sprintf("speed/%s/%s", rows$program, name))
  }
  c(
    of_programs("million-packets", rows$packets_per_core_second / 1e6),
    of_programs("times-ns-2", times_ns2(rows)),
    of_programs("instructions", rows$instructions_per_packet),
    of_programs("memory", rows$peak_memory_bytes / 1e6)
  )
}
