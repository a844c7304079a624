# Sources without end that share one station of their paths, by ns-2's own Reno, queues and links.
#
#   ns local_loop.tcl NAME VALUE ...
#
# takes the names below and prints a line "NAME VALUE" for each of what it measured after the warm-up, and of the whole run.
# `queue` is drop-tail (one for all, of `buffer_packets`) or fair-individual (fair queueing, so many for each); `starts_s`
# has a time for each source. A source's own stations before the shared one are one link here.

set names {
  queue buffer_packets starts_s rwnd_packets initial_window_packets min_rto_s max_rto_s clock_tick_s packet_bytes
  own_bit_per_s own_delay_s shared_bit_per_s shared_delay_s destination_bit_per_s return_delay_s packets warmup_packets
}
if {[llength $argv] != 2 * [llength $names] || [lsort [dict keys $argv]] ne [lsort $names]} {
  puts stderr "usage: ns local_loop.tcl NAME VALUE ..., each of once: [join $names]"
  exit 1
}
dict with argv {}

# ns-2's defaults of spring 2001. Later ones differ: Limited Transmit and headers that count (28 November 2001), a finer
# clock and the initial RTO of RFC 2988 (2002), windows cut to a half with its fraction (24 January 2006).
Agent/TCP set singledup_ 0
Agent/TCP set precisionReduce_ false
Agent/TCP set useHeaders_ false
Agent/TCP set rfc2988_ false
Agent/TCP set rtxcur_init_ 6.0
Agent/TCP set syn_ false
Agent/TCP set delay_growth_ false

Agent/TCP set tcpTick_ $clock_tick_s
Agent/TCP set minrto_ $min_rto_s
Agent/TCP set maxrto_ $max_rto_s
Agent/TCP set windowInit_ $initial_window_packets
Agent/TCP set window_ $rwnd_packets
Agent/TCP set packetSize_ $packet_bytes
FQLink set queueManagement_ DropTail

# The queues of flows are made as their first packets come, with the limit of that time; no other queue ever fills.
Queue set limit_ $buffer_packets

set ns [new Simulator]
$ns use-scheduler Calendar
remove-all-packet-headers
add-packet-header IP TCP Flags

# Lets the monitor see what reaches a fair queue, is dropped by the flows' own queues and leaves it.
FQLink instproc watch {monitor} {
  $self instvar drpT_ queue_
  set arriving [new SnoopQueue/In]
  set leaving [new SnoopQueue/Out]
  set dropped [new SnoopQueue/Drop]
  foreach snoop [list $arriving $leaving $dropped] {
    $snoop set-monitor $monitor
  }
  $self add-to-head $arriving
  $leaving target [$queue_ target]
  $queue_ target $leaving
  $dropped target [[Simulator instance] set nullAgent_]
  set drpT_ $dropped
}

set shared [$ns node]
set behind [$ns node]
$ns simplex-link $shared $behind $shared_bit_per_s $shared_delay_s [expr {$queue eq "drop-tail" ? "DropTail" : "FQ"}]
set monitor [new QueueMonitor]
set waits [new Samples]
$monitor set-delay-samples $waits
if {$queue eq "drop-tail"} {
  [$ns link $shared $behind] attach-monitors [new SnoopQueue/In] [new SnoopQueue/Out] [new SnoopQueue/Drop] $monitor
} else {
  [$ns link $shared $behind] watch $monitor
}

set senders {}
foreach start_s $starts_s {
  set from [$ns node]
  set to [$ns node]
  $ns simplex-link $from $shared $own_bit_per_s $own_delay_s DropTail
  $ns simplex-link $behind $to $destination_bit_per_s 0 DropTail
  # Acknowledgements take no time but the delay.
  $ns simplex-link $to $from 1e12 $return_delay_s DropTail
  set tcp [new Agent/TCP/Reno]
  set sink [new Agent/TCPSink]
  $tcp set fid_ [llength $senders]
  $ns attach-agent $from $tcp
  $ns attach-agent $to $sink
  $ns connect $tcp $sink
  $ns at $start_s "$tcp advanceby 1000000000"
  lappend senders $tcp
}

proc counted {} {
  global senders monitor
  set sum [dict create sent 0 timeouts 0 acknowledged 0 dropped [$monitor set pdrops_] carried [$monitor set pdepartures_]]
  foreach tcp $senders {
    dict incr sum sent [$tcp set ndatapack_]
    dict incr sum timeouts [$tcp set nrexmit_]
    dict incr sum acknowledged [expr {[$tcp set ack_] + 1}]
  }
  return $sum
}

set before {}
set estimates 0
set estimated_s 0.0

# Twice a second: begins to measure, looks at what the senders estimate, and ends.
proc look {} {
  global ns senders waits warmup_packets packets clock_tick_s before began_s estimates estimated_s
  set now [counted]
  if {$before eq "" && [dict get $now sent] >= $warmup_packets} {
    set before $now
    set began_s [$ns now]
    $waits reset
  }
  if {$before ne ""} {
    if {[dict get $now sent] >= $warmup_packets + $packets} {
      finish $now
    }
    foreach tcp $senders {
      # In eighths of a tick; ns-2 traces the whole ones.
      set estimated_s [expr {$estimated_s + ([$tcp set srtt_] >> 3) * $clock_tick_s}]
      incr estimates
    }
  }
  $ns after 0.5 look
}

proc finish {now} {
  global ns waits before began_s estimates estimated_s
  puts "end_s [$ns now]"
  puts "measured_s [expr {[$ns now] - $began_s}]"
  puts "mean_wait_s [$waits mean]"
  puts "mean_estimate_s [expr {$estimated_s / $estimates}]"
  foreach name [dict keys $now] {
    puts "all_$name [dict get $now $name]"
    puts "$name [expr {[dict get $now $name] - [dict get $before $name]}]"
  }
  exit 0
}

$ns after 0.5 look
$ns run
