// SPDX-License-Identifier: GPL-2.0-only
#include "link_scale.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "kit/main/units.hpp"
#include "tcp/segment_header.hpp"

namespace tcp_atlas {
namespace {

constexpr std::uint32_t kHeaders = kFramingBytes + SegmentHeader::kBytes;
constexpr std::uint32_t kLargestPacket = UINT32_MAX / 8;  // bytes: a device counts a packet's bits in 32 bits
constexpr double kHighestRate = 1e17;                     // bit/s, of a point
constexpr double kHighestScaledRate = 9e18;               // bit/s: ns-3 divides by it with 63 bits
constexpr double kLargestScale = 1e6;                     // to be searched

void refuse_fast_link(const kit::Link& link, const std::string& name) {
  if (link.rate_bit_per_s > kHighestRate) {
    throw kit::Unsupported(name + ".rate_bit_per_s: is too high for ns3; at most 1e17");
  }
}

void refuse_large_packets(std::uint32_t bytes) {
  if (bytes > kLargestPacket) {
    throw kit::Unsupported("packet_bytes: is too large for ns3; at most " + std::to_string(kLargestPacket));
  }
}

bool keeps_time(const kit::Link& link, std::uint32_t bytes, std::uint32_t scale) {
  const auto rate = static_cast<double>(scaled_rate(link, scale));
  return kit::transmission_time(std::int64_t{bytes} * scale, rate) ==
         kit::transmission_time(bytes, link.rate_bit_per_s);
}

}  // namespace

std::uint32_t link_scale(const kit::Point& point) {
  const auto bytes = static_cast<std::uint32_t>(point.packet_bytes);
  refuse_large_packets(bytes);
  refuse_fast_link(point.bottleneck, "links.bottleneck");
  refuse_fast_link(point.egress, "links.egress");
  std::vector<kit::Link> links = {point.bottleneck, point.egress};
  for (std::size_t index = 0; index < point.groups.size(); ++index) {
    links.push_back(point.groups[index].access);
    refuse_fast_link(links.back(), "sources." + std::to_string(index) + ".access");
  }
  const double fastest = std::ranges::max(links, {}, &kit::Link::rate_bit_per_s).rate_bit_per_s;
  const std::uint32_t most =
      std::min(kLargestPacket / bytes,
               static_cast<std::uint32_t>(std::min(kHighestScaledRate / fastest, kLargestScale)));
  std::uint32_t scale = (kHeaders + bytes - 1) / bytes;
  const auto all_keep_time = [&] {
    return std::ranges::all_of(links, [&](const kit::Link& link) { return keeps_time(link, bytes, scale); });
  };
  while (scale < most && !all_keep_time()) {
    ++scale;
  }
  return scale;
}

std::uint64_t scaled_rate(const kit::Link& link, std::uint32_t scale) {
  return static_cast<std::uint64_t>(std::max(std::round(link.rate_bit_per_s * scale), 1.0));
}

}  // namespace tcp_atlas
