// SPDX-License-Identifier: GPL-2.0-only
// What a packet carries along for the measurements.
#pragma once

#include <cstdint>
#include <ostream>

#include "kit/main/units.hpp"
#include "ns3/tag.h"

namespace tcp_atlas {

// When its transmission on the access link began, and the time that decides whether it is one of the
// measured: when the bottleneck accepted it or, from a fair queue, let it go.
class PathTag : public ns3::Tag {
 public:
  static ns3::TypeId GetTypeId() {
    static const ns3::TypeId id =
        ns3::TypeId("tcp_atlas::PathTag").SetParent<ns3::Tag>().AddConstructor<PathTag>();
    return id;
  }
  ns3::TypeId GetInstanceTypeId() const override { return GetTypeId(); }
  std::uint32_t GetSerializedSize() const override { return 2 * sizeof(std::uint64_t); }
  void Serialize(ns3::TagBuffer buffer) const override {
    buffer.WriteU64(static_cast<std::uint64_t>(began));
    buffer.WriteU64(static_cast<std::uint64_t>(counted));
  }
  void Deserialize(ns3::TagBuffer buffer) override {
    began = static_cast<kit::Picoseconds>(buffer.ReadU64());
    counted = static_cast<kit::Picoseconds>(buffer.ReadU64());
  }
  void Print(std::ostream& stream) const override { stream << "began=" << began << " counted=" << counted; }

  static constexpr kit::Picoseconds kTooLate = -1;  // after the end of the measurements

  kit::Picoseconds began = 0;
  kit::Picoseconds counted = 0;
};

}  // namespace tcp_atlas
