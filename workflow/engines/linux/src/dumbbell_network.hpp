// The network inside of the guest:
//
//   sources of group 0 --> +--------+                 +-----------+
//   sources of group 1 --> | router | == bottleneck ==> receivers |
//            ^             +--------+                 +-----------+
//            +----------- acknowledgements, delayed ---------+
//
// Each box, and each group, is a network namespace; each arrow is a pair of virtual Ethernet devices. The
// queue discipline "link" (uml/link.c) on the router's device to the receivers is the whole way there, that
// on a receivers' device to a group the whole way back; a queue there is on a device of its own, before a
// namespace in which the ways part.
#pragma once

#include <cstdint>
#include <vector>

#include "file_descriptor.hpp"
#include "kit/point/point.hpp"
#include "uml/dumbbell.h"

namespace linux_engine {

constexpr std::uint32_t kReceiverAddress = 0x0afa0002;  // 10.250.0.2

constexpr std::uint16_t port_of(std::size_t group) { return static_cast<std::uint16_t>(5'001 + group); }

class DumbbellNetwork {
 public:
  // Throws std::runtime_error.
  DumbbellNetwork(const kit::Point& point, std::uint64_t seed);

  int sender_namespace(std::size_t group) const { return groups_[group].get(); }
  int listener(std::size_t group) const { return listeners_[group].get(); }

 private:
  FileDescriptor receivers_, router_, parting_;
  std::vector<FileDescriptor> groups_, listeners_;
};

// The options of the way there. Its histograms have `levels` levels.
link_options way_there(const kit::Point& point, std::uint64_t seed, std::uint32_t levels);

// The delays of the link behind the bottleneck's queue as LINK_DELAYS takes them, drawn as packetsim draws
// them with the same seed: as many as the run has packets, or four million.
std::vector<std::uint64_t> packet_delays(const kit::Point& point, std::uint64_t seed);

// Of the bottleneck's queue: a full buffer's and what lies below, or as many as a queue discipline may hold.
std::uint32_t queue_levels(const kit::Point& point);

}  // namespace linux_engine
