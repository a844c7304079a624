# The same on-off dumbbell for ns-2, to compare speed with: NewReno sources of exponential file sizes behind access
# links of their own, a drop-tail bottleneck, egress links of their own.
#
#   ns dumbbell.tcl NAME VALUE ...
#
# takes the names below and prints "packets CONNECTION_RATE": data packets sent, and the bits of all files over the sum
# of their durations.

set names {
  connections seed sources mean_packets minimum_packets off_s packet_bytes ack_bytes rwnd_packets
  initial_window_packets min_rto_s max_rto_s access_bit_per_s bottleneck_bit_per_s egress_bit_per_s buffer_packets
  bottleneck_delay_s return_delay_s
}
if {[llength $argv] != 2 * [llength $names] || [lsort [dict keys $argv]] ne [lsort $names]} {
  puts stderr "usage: ns dumbbell.tcl NAME VALUE ..., each of once: [join $names]"
  exit 1
}
dict with argv {}
set header_bytes 40

Agent/TCP set packetSize_ [expr {$packet_bytes - $header_bytes}]
Agent/TCP set window_ $rwnd_packets
Agent/TCP set windowInit_ $initial_window_packets
Agent/TCP set minrto_ $min_rto_s
Agent/TCP set maxrto_ $max_rto_s
Agent/TCP set tcpTick_ 0.0001
Agent/TCP set syn_ false
Agent/TCP set delay_growth_ false
Agent/TCPSink set packetSize_ $ack_bytes
Queue set limit_ 1000

set ns [new Simulator]
$ns use-scheduler Calendar
remove-all-packet-headers
add-packet-header IP TCP Flags
set random [new RNG]
$random seed $seed

set completed 0
set packets 0
set file_packets 0
set duration 0.0

# One source: after an OFF time, a file on a connection that starts anew.
Class Source
Source instproc init {tcp sink} {
  $self instvar tcp_ sink_
  set tcp_ $tcp
  set sink_ $sink
  $self rest
}
Source instproc rest {} {
  global ns random off_s
  $ns after [$random exponential $off_s] "$self begin"
}
Source instproc begin {} {
  global ns random mean_packets minimum_packets packets
  $self instvar tcp_ sink_ began_ size_
  set began_ [$ns now]
  set size_ [expr {round($minimum_packets + [$random exponential [expr {$mean_packets - $minimum_packets}]])}]
  # A reset clears the agent's own count.
  incr packets [$tcp_ set ndatapack_]
  $tcp_ reset
  $sink_ reset
  $tcp_ advanceby $size_
}
Source instproc finished {} {
  global ns completed connections file_packets duration
  $self instvar began_ size_
  incr completed
  incr file_packets $size_
  set duration [expr {$duration + [$ns now] - $began_}]
  if {$completed == $connections} {
    finish
  }
  $self rest
}
Agent/TCP instproc done {} {
  global source_of
  $source_of($self) finished
}

proc finish {} {
  global senders packets file_packets duration packet_bytes
  foreach tcp $senders {
    incr packets [$tcp set ndatapack_]
  }
  puts "$packets [expr {$file_packets * $packet_bytes * 8 / $duration}]"
  exit 0
}

set router_in [$ns node]
set router_out [$ns node]
$ns simplex-link $router_in $router_out $bottleneck_bit_per_s $bottleneck_delay_s DropTail
$ns simplex-link $router_out $router_in $bottleneck_bit_per_s $return_delay_s DropTail
$ns queue-limit $router_in $router_out $buffer_packets
set senders {}
for {set i 0} {$i < $sources} {incr i} {
  set from [$ns node]
  set to [$ns node]
  $ns duplex-link $from $router_in $access_bit_per_s 0 DropTail
  $ns duplex-link $router_out $to $egress_bit_per_s 0 DropTail
  set tcp [new Agent/TCP/Newreno]
  set sink [new Agent/TCPSink]
  $ns attach-agent $from $tcp
  $ns attach-agent $to $sink
  $ns connect $tcp $sink
  set source_of($tcp) [new Source $tcp $sink]
  lappend senders $tcp
}
$ns run
