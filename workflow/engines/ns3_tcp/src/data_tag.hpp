// SPDX-License-Identifier: GPL-2.0-only
// What a packet with data carries along for the measurements.
#pragma once

#include <cstdint>
#include <ostream>

#include "kit/main/units.hpp"
#include "ns3/tag.h"

namespace ns3_tcp {

// Its flow and when its transmission on the access link began.
class DataTag : public ns3::Tag {
 public:
  static ns3::TypeId GetTypeId() {
    static const ns3::TypeId id =
        ns3::TypeId("ns3_tcp::DataTag").SetParent<ns3::Tag>().AddConstructor<DataTag>();
    return id;
  }
  ns3::TypeId GetInstanceTypeId() const override { return GetTypeId(); }
  std::uint32_t GetSerializedSize() const override { return sizeof(std::uint32_t) + sizeof(std::uint64_t); }
  void Serialize(ns3::TagBuffer buffer) const override {
    buffer.WriteU32(flow);
    buffer.WriteU64(static_cast<std::uint64_t>(began));
  }
  void Deserialize(ns3::TagBuffer buffer) override {
    flow = buffer.ReadU32();
    began = static_cast<kit::Picoseconds>(buffer.ReadU64());
  }
  void Print(std::ostream& stream) const override { stream << "flow=" << flow << " began=" << began; }

  std::uint32_t flow = 0;
  kit::Picoseconds began = 0;
};

}  // namespace ns3_tcp
