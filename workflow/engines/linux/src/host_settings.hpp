// How a kernel's TCP is set for a group of sources, and for their receivers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kit/point/point.hpp"

namespace linux_engine {

// Below /proc/sys/net.
struct Sysctl {
  std::string name;
  std::string value;
};

// Throws std::runtime_error.
void set_sysctl(const Sysctl& sysctl);

// What Linux has learnt since the kernels of 2002 (2.4), switched off. Two things have no switch. Reno counts
// segments acknowledged (RFC 3465, appropriate byte counting), where in 2002 it counted acknowledgements: our
// User-Mode Linux has that Reno as "reno2002" (uml/reno2002.c). And recovery reduces the window in proportion
// (PRR, RFC 6937), where 2.4 sent on every second acknowledgement, which comes to the same unless many
// segments are lost at once.
const std::vector<Sysctl>& sysctls_of_2002();

// Of the namespace of a group's sources, or of the receivers.
std::vector<Sysctl> sender_sysctls(const kit::Point& point, const kit::SourceGroup& group);
std::vector<Sysctl> receiver_sysctls(const kit::Point& point);

// The socket buffer that holds a window of so many packets, and at least that of a machine with gigabytes.
std::int64_t buffer_bytes(const kit::Point& point, std::int64_t rwnd_packets);

// Whether a group's receivers have buffers that the kernel enlarges as data arrive, up to the point's window,
// as every machine of today does. A receiver acknowledges each packet while its window grows
// (tcp_grow_window): with the whole buffer at once it would for the first half of the window. Those of a
// smaller window than others' keep the whole buffer, since its limit is one for all.
bool tunes_its_buffer(const kit::Point& point, const kit::SourceGroup& group);

// Of the whole guest, to be set in its first namespace.
std::vector<Sysctl> guest_sysctls();

// What the path takes with a packet of full size, there and back, if nothing waits; and what the shortest
// timeout is above that: the kernel's bound is of what it adds to the round-trip time, and so is the point's
// with Linux's timers.
double empty_round_trip_s(const kit::Point& point, const kit::SourceGroup& group);
double added_to_round_trip_s(const kit::Point& point, const kit::SourceGroup& group);

// The largest segment: a packet less the headers of IP and TCP with its time stamps (RFC 879, RFC 7323).
std::int32_t segment_bytes(const kit::Point& point, const kit::Tcp& tcp);

}  // namespace linux_engine
