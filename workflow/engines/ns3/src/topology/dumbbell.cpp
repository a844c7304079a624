// SPDX-License-Identifier: GPL-2.0-only
#include "topology/dumbbell.hpp"

namespace tcp_atlas {
namespace {

constexpr std::uint64_t kNoTransmissionTime =
    1'000'000'000'000'000'000;  // bit/s: under a picosecond a packet

}  // namespace

Dumbbell::Dumbbell(const kit::Dumbbell& links, const kit::Point& point)
    : Topology(links.bottleneck, "links.bottleneck"),
      egress_(links.egress),
      groups_(point.groups),
      members_(point),
      ends_(static_cast<std::size_t>(point.source_count())) {
  if (links.has_detours()) {
    throw kit::Unsupported("links: has to have none of return, jitter, reordering, delay_steps for ns3");
  }
  if (links.bottleneck.varies()) {
    throw kit::Unsupported("links.bottleneck: has to have neither rate_steps nor token_bucket for ns3");
  }
}

Device Dumbbell::to_shared(std::uint32_t source, const Hop& hop) {
  const kit::Link& access = group_of(source).access;
  return build_link(ends_[source].sending, entry(), whole_rate(access.rate_bit_per_s, "sources.access"),
                    time(access.delay_s), hop);
}

Hop Dumbbell::from_shared(std::uint32_t source, const Hop& hop) {
  const Device egress =
      build_link(exit(), ends_[source].receiving, whole_rate(egress_.rate_bit_per_s, "links.egress"),
                 time(egress_.delay_s), hop);
  return [egress](const Packet& packet) { send_on(egress, packet); };
}

Hop Dumbbell::back(std::uint32_t source, ns3::Time delay, const Hop& hop) {
  const Ends& ends = ends_[source];
  const Device back = build_link(ends.receiving, ends.sending, kNoTransmissionTime, delay, hop);
  return [back](const Packet& acknowledgement) { send_on(back, acknowledgement); };
}

const kit::SourceGroup& Dumbbell::group_of(std::uint32_t source) const {
  return groups_[members_.group_of(static_cast<std::int32_t>(source))];
}

}  // namespace tcp_atlas
