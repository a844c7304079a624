# The same on-off dumbbell for ns-2, to compare speed with: NewReno sources of exponential file sizes behind access
# links of their own, a drop-tail bottleneck, egress links of their own.
#
#   ns dumbbell.tcl SOURCES BUFFER CONNECTIONS SEED
#
# prints "packets CONNECTION_RATE": data packets sent, and the bits of all files over the sum of their durations. The
# parameters are table 6 of Zaragoza 2014.

if {$argc != 4} {
  puts stderr "usage: ns dumbbell.tcl SOURCES BUFFER CONNECTIONS SEED"
  exit 1
}
lassign $argv sources buffer wanted seed
set mean_packets 12
set minimum_packets 3
set off_s 1.0
set packet_bytes 1500
set header_bytes 40

Agent/TCP set packetSize_ [expr {$packet_bytes - $header_bytes}]
Agent/TCP set window_ 44
Agent/TCP set windowInit_ 2
Agent/TCP set minrto_ 1.0
Agent/TCP set maxrto_ 64
Agent/TCP set tcpTick_ 0.0001
Agent/TCP set syn_ false
Agent/TCP set delay_growth_ false
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
  global ns completed wanted file_packets duration
  $self instvar began_ size_
  incr completed
  incr file_packets $size_
  set duration [expr {$duration + [$ns now] - $began_}]
  if {$completed == $wanted} {
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
$ns duplex-link $router_in $router_out 10Mb 21.34ms DropTail
$ns queue-limit $router_in $router_out $buffer
set senders {}
for {set i 0} {$i < $sources} {incr i} {
  set from [$ns node]
  set to [$ns node]
  $ns duplex-link $from $router_in 100Mb 0ms DropTail
  $ns duplex-link $router_out $to 2Mb 0ms DropTail
  set tcp [new Agent/TCP/Newreno]
  set sink [new Agent/TCPSink]
  $ns attach-agent $from $tcp
  $ns attach-agent $to $sink
  $ns connect $tcp $sink
  set source_of($tcp) [new Source $tcp $sink]
  lappend senders $tcp
}
$ns run
