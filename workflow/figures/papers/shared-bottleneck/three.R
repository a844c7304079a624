# What the authors may have run to see three slow starts a cycle in case 3 of table 2.

# Each guess: its slow starts, and how far it is from what is printed, the nearest first. Met: at least 2.5 slow starts,
# and throughput and round-trip time within the tolerances of the table.
table_three_slow_starts <- function(data) {
  printed <- printed_cases(data, "table-2")[case == 3]
  points <- simulated_points(data)
  points[, `:=`(
    throughput_error = goodput / printed$printed_throughput - 1,
    round_trip_error = rtt_path_mean / printed$printed_round_trip - 1,
    slow_starts = slow_starts_per_cycle,
    range = range_text(slow_starts_per_cycle_lowest, slow_starts_per_cycle_highest, 2)
  )]
  points[, `:=`(
    off = (abs(throughput_error) + abs(round_trip_error) + abs(slow_starts / 3 - 1)) / 3,
    met = slow_starts >= 2.5 & abs(throughput_error) <= near$throughput & abs(round_trip_error) <= near$round_trip
  )]
  setorder(points, off)
  percent <- function(x) format_number(100 * x, 1)
  packets_per_s <- function(path) format_number(points[[path]] / packet_bits, 0)
  columns_to_table(list(
    list(heading = "$B$", cells = format_number(points[["links.bottleneck.buffer"]], 0)),
    list(heading = "$BW_{\\mathrm{in}}$\n(packets/s)", cells = packets_per_s("links.access.rate")),
    list(heading = "$\\lambda$\n(packets/s)", cells = packets_per_s("cross_traffic.rate")),
    list(heading = "Packets\n(B)", cells = format_number(points$packet_size, 0)),
    list(heading = "slow\nstarts", cells = format_number(points$slow_starts, 2)),
    list(heading = "least to\ngreatest", cells = points$range),
    list(heading = "error of\nthp (%)", cells = percent(points$throughput_error)),
    list(heading = "error of\nrtt (%)", cells = percent(points$round_trip_error)),
    list(heading = "mean\n(%)", cells = percent(points$off)),
    list(heading = "met", cells = ifelse(points$met, "yes", ""))
  ), groups = 0)
}
