// SPDX-License-Identifier: GPL-2.0-only
#include "segment_header.hpp"

namespace tcp_atlas {

NS_OBJECT_ENSURE_REGISTERED(SegmentHeader);

ns3::TypeId SegmentHeader::GetTypeId() {
  static const ns3::TypeId id =
      ns3::TypeId("tcp_atlas::SegmentHeader").SetParent<ns3::Header>().AddConstructor<SegmentHeader>();
  return id;
}

void SegmentHeader::Serialize(ns3::Buffer::Iterator start) const {
  start.WriteHtonU32(m_source);
  start.WriteHtonU32(m_transfer);
  start.WriteHtonU32(m_number);
}

std::uint32_t SegmentHeader::Deserialize(ns3::Buffer::Iterator start) {
  m_source = start.ReadNtohU32();
  m_transfer = start.ReadNtohU32();
  m_number = start.ReadNtohU32();
  return kBytes;
}

void SegmentHeader::Print(std::ostream& stream) const {
  stream << "source=" << m_source << " transfer=" << m_transfer << " number=" << m_number;
}

}  // namespace tcp_atlas
