// SPDX-License-Identifier: GPL-2.0-only
// What packets and acknowledgements of a packet-oriented TCP carry.
#pragma once

#include <cstdint>
#include <ostream>

#include "ns3/header.h"

namespace tcp_atlas {

// Sequence numbers count packets from 1, anew in every transfer. In an acknowledgement `number` is the first
// packet that the receiver misses.
class SegmentHeader : public ns3::Header {
 public:
  static constexpr std::uint32_t kBytes = 12;

  SegmentHeader() = default;
  SegmentHeader(std::uint32_t source, std::uint32_t transfer, std::uint32_t number)
      : m_source(source), m_transfer(transfer), m_number(number) {}

  static ns3::TypeId GetTypeId();
  ns3::TypeId GetInstanceTypeId() const override { return GetTypeId(); }

  std::uint32_t GetSource() const { return m_source; }
  std::uint32_t GetTransfer() const { return m_transfer; }
  std::uint32_t GetNumber() const { return m_number; }

  std::uint32_t GetSerializedSize() const override { return kBytes; }
  void Serialize(ns3::Buffer::Iterator start) const override;
  std::uint32_t Deserialize(ns3::Buffer::Iterator start) override;
  void Print(std::ostream& stream) const override;

 private:
  std::uint32_t m_source = 0;
  std::uint32_t m_transfer = 0;
  std::uint32_t m_number = 0;
};

}  // namespace tcp_atlas
