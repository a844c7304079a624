# The speed of the simulators (bench.csv, by ./atlas bench), as a table and numbers for the text.

# The packet rate relative to ns-2; NA without ns-2.
times_ns2 <- function(bench) {
  bench$packets_per_core_second / bench[program == "ns-2", packets_per_core_second][1]
}

# A row per program: median, lowest and highest rate, ratio to ns-2's, instructions by callgrind, memory.
table_speed <- function(bench) {
  rate <- function(seconds) format_number(bench$packets / seconds / 1e6, digits = 3)
  counted <- function(heading, column) {
    list(heading = heading, cells = format_number(bench[[paste0(column, "_per_packet")]], digits = 3))
  }
  table <- columns_to_table(list(
    list(heading = "Program", cells = literal(bench$program)),
    list(heading = "Version", cells = literal(bench$version)),
    list(heading = "median", cells = rate(bench$cpu_s)),
    list(heading = "least", cells = rate(bench$cpu_s_high)),
    list(heading = "most", cells = rate(bench$cpu_s_low)),
    list(heading = "Times\nns-2", cells = format_number(times_ns2(bench), digits = 3)),
    counted("instructions", "instructions"),
    counted("mispre-\ndictions", "mispredictions"),
    counted("L1\nmisses", "l1_misses"),
    counted("LL\nmisses", "ll_misses"),
    list(heading = "Peak memory\n(MB)", cells = format_number(bench$peak_memory_bytes / 1e6, digits = 3))
  ))
  table$spans <- data.table::data.table(
    text = c("Million packets per core-second", "Per packet"), from = c(3L, 7L), to = c(5L, 10L)
  )
  table
}

# ---- the section of the report ----

tex_speed_section <- c("\\input{speed}", "\\input{report/speed}", "\\FloatBarrier")

speed_caption <- function(bench) {
  paste(
    sprintf(
      "The point of %s with %d sources, median of %d %s made in turn on one core (%s).",
      bench$case[1], bench$sources[1], bench$repeats[1], ngettext(bench$repeats[1], "run", "runs"), bench$cpu[1]
    ),
    "Branches and caches (32 kB, 8 MB) are callgrind's models of them."
  )
}

tex_speed <- function(bench) {
  c(
    "\\begin{table}[htbp]", "\\centering",
    sprintf("\\caption{\\textbf{Speed of the simulators.} %s}", tex_escape(speed_caption(bench))),
    "\\label{tab:speed}", "\\small", tex_table(table_speed(bench)), "\\end{table}"
  )
}

html_speed <- function(bench) {
  c(html_table(table_speed(bench)), sprintf("<p class=\"legend\">%s</p>", html_escape(speed_caption(bench))))
}

# Numbers for the text: each program's rate and its ratio to ns-2's; instructions and memory.
speed_numbers <- function(bench) {
  of_programs <- function(name, values) {
    stats::setNames(trim_zeros(format_number(values, digits = 3)), sprintf("speed/%s/%s", bench$program, name))
  }
  c(
    of_programs("million-packets", bench$packets_per_core_second / 1e6),
    of_programs("times-ns-2", times_ns2(bench)),
    of_programs("instructions", bench$instructions_per_packet),
    of_programs("memory", bench$peak_memory_bytes / 1e6)
  )
}
