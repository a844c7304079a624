// SPDX-License-Identifier: GPL-2.0-only
#include "flow.hpp"

#include <array>
#include <string_view>

#include "links.hpp"
#include "ns3/boolean.h"
#include "ns3/inet-socket-address.h"
#include "ns3/tcp-bbr.h"
#include "ns3/tcp-cubic.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-prr-recovery.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/uinteger.h"

namespace ns3_tcp {
namespace {

constexpr std::uint16_t kPort = 5001;
constexpr std::uint32_t kFramingBytes = 2;        // of a point-to-point device
constexpr std::uint32_t kHeaderBytes = 40;        // of IPv4 and TCP
constexpr std::uint32_t kTimestampBytes = 12;     // RFC 7323's option, padded
constexpr std::int32_t kEveryPacket = 1'000'000;  // quick acknowledgements: those of a whole run

struct Variant {
  std::string_view name;
  ns3::TypeId (*type)();
};

constexpr std::array kVariants = {Variant{"bbr", &ns3::TcpBbr::GetTypeId},
                                  Variant{"cubic", &ns3::TcpCubic::GetTypeId}};

ns3::TypeId variant_of(const kit::Tcp& tcp) {
  for (const Variant& variant : kVariants) {
    if (variant.name == tcp.variant) {
      return variant.type();
    }
  }
  throw kit::Unsupported("sources.tcp.variant: bbr or cubic for ns-3's own TCP");
}

std::uint32_t packets_per_ack(const kit::Tcp& tcp) {
  if (!tcp.delayed_ack || tcp.delayed_ack->quick_acks >= kEveryPacket) {
    return 1;
  }
  if (tcp.delayed_ack->quick_acks > 0) {
    throw kit::Unsupported("sources.tcp.delayed_ack.quick_acks: 0, or at least 1000000 for ns-3's own TCP");
  }
  return static_cast<std::uint32_t>(tcp.delayed_ack->packets);
}

std::uint32_t segment_bytes(const kit::Tcp& tcp, std::int32_t packet_bytes) {
  const std::uint32_t options = tcp.timestamps.value_or(false) ? kTimestampBytes : 0;
  return static_cast<std::uint32_t>(packet_bytes) - kFramingBytes - kHeaderBytes - options;
}

}  // namespace

Flow::Flow(const kit::Tcp& tcp, std::int32_t packet_bytes, ns3::Ptr<ns3::Node> source,
           ns3::Ptr<ns3::Node> sink, ns3::Ipv4Address sink_address)
    : segment_bytes_(segment_bytes(tcp, packet_bytes)), sink_address_(sink_address) {
  const auto protocol = source->GetObject<ns3::TcpL4Protocol>();
  protocol->SetAttribute("SocketType", ns3::TypeIdValue(variant_of(tcp)));
  protocol->SetAttribute("RecoveryType", ns3::TypeIdValue(ns3::TcpPrrRecovery::GetTypeId()));
  listener_ = socket(sink, tcp);
  listener_->SetAcceptCallback(
      ns3::MakeNullCallback<bool, ns3::Ptr<ns3::Socket>, const ns3::Address&>(),
      ns3::Callback<void, ns3::Ptr<ns3::Socket>, const ns3::Address&>([](ns3::Ptr<ns3::Socket> accepted,
                                                                         const ns3::Address&) {
        accepted->SetRecvCallback(ns3::Callback<void, ns3::Ptr<ns3::Socket>>([](ns3::Ptr<ns3::Socket> from) {
          while (from->Recv() != nullptr) {
          }
        }));
      }));
  listener_->Bind(ns3::InetSocketAddress(ns3::Ipv4Address::GetAny(), kPort));
  listener_->Listen();
  sender_ = socket(source, tcp);
  sender_->TraceConnectWithoutContext(
      "HighestRxAck", ns3::Callback<void, ns3::SequenceNumber32, ns3::SequenceNumber32>(
                          [this](ns3::SequenceNumber32 before, ns3::SequenceNumber32 acknowledged) {
                            acknowledged_bytes_ += acknowledged - before;
                          }));
}

ns3::Ptr<ns3::TcpSocketBase> Flow::socket(ns3::Ptr<ns3::Node> node, const kit::Tcp& tcp) const {
  const auto result = ns3::DynamicCast<ns3::TcpSocketBase>(
      ns3::Socket::CreateSocket(node, ns3::TcpSocketFactory::GetTypeId()));
  // The receiver's window of the point is a limit of the sender's buffer: in ns-3 3.37 a sender that is out
  // of window in a recovery with SACK sends a segment of no data, and ends the program.
  const std::uint64_t window = static_cast<std::uint64_t>(tcp.rwnd_packets) * segment_bytes_;
  result->SetAttribute("SegmentSize", ns3::UintegerValue(segment_bytes_));
  result->SetAttribute("RcvBufSize", ns3::UintegerValue(2 * window));
  result->SetAttribute("SndBufSize", ns3::UintegerValue(window));
  result->SetAttribute("InitialCwnd",
                       ns3::UintegerValue(static_cast<std::uint64_t>(tcp.initial_window_packets)));
  result->SetAttribute("DelAckCount", ns3::UintegerValue(packets_per_ack(tcp)));
  if (tcp.delayed_ack) {
    result->SetAttribute("DelAckTimeout", ns3::TimeValue(tcp_atlas::time(tcp.delayed_ack->timeout_s)));
  }
  result->SetAttribute("MinRto", ns3::TimeValue(tcp_atlas::time(tcp.min_rto_s)));
  result->SetAttribute("Sack", ns3::BooleanValue(tcp.sack.value_or(true)));
  result->SetAttribute("Timestamp", ns3::BooleanValue(tcp.timestamps.value_or(false)));
  return result;
}

void Flow::start() {
  sender_->SetConnectCallback(
      ns3::Callback<void, ns3::Ptr<ns3::Socket>>([this](ns3::Ptr<ns3::Socket>) { fill(); }),
      ns3::MakeNullCallback<void, ns3::Ptr<ns3::Socket>>());
  sender_->SetSendCallback(ns3::Callback<void, ns3::Ptr<ns3::Socket>, std::uint32_t>(
      [this](ns3::Ptr<ns3::Socket>, std::uint32_t) { fill(); }));
  sender_->Bind();
  sender_->Connect(ns3::InetSocketAddress(sink_address_, kPort));
}

// Whole packets only, so that none goes out with less data than another.
void Flow::fill() {
  while (sender_->GetTxAvailable() >= segment_bytes_ &&
         sender_->Send(ns3::Create<ns3::Packet>(segment_bytes_), 0) >= 0) {
  }
}

}  // namespace ns3_tcp
