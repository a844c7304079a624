// SPDX-License-Identifier: GPL-2.0-only
// A sender fed by hand.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "tcp/packet_tcp_sender.hpp"
#include "tcp/segment_header.hpp"

namespace tcp_atlas {

using Packets = std::vector<std::uint32_t>;

// `Sender` with a file of a thousand packets under way; each step returns what it made it send.
template <class Sender>
class Script {
 public:
  explicit Script(std::uint32_t receiver_window, std::uint32_t file_packets = 1000)
      : sender(ns3::CreateObject<Sender>()) {
    sender->SetAttribute("ReceiverWindow", ns3::UintegerValue(receiver_window));
    sender->SetTransmit(ns3::Callback<void, ns3::Ptr<ns3::Packet>>([this](ns3::Ptr<ns3::Packet> packet) {
      SegmentHeader header;
      packet->PeekHeader(header);
      sent_.push_back(header.GetNumber());
    }));
    sender->StartTransfer(file_packets);
  }

  ~Script() {
    sender->Dispose();
    ns3::Simulator::Destroy();
  }

  Packets started() { return std::exchange(sent_, {}); }

  // An acknowledgement that misses packet `missing`, a millisecond after the event before it.
  Packets ack(std::uint32_t missing, std::uint32_t transfer = 1) {
    sent_.clear();
    ns3::Simulator::Stop(ns3::MilliSeconds(1));
    ns3::Simulator::Run();
    const auto packet = ns3::Create<ns3::Packet>();
    packet->AddHeader(SegmentHeader(0, transfer, missing));
    sender->ReceiveAck(packet);
    return std::exchange(sent_, {});
  }

  // Acknowledges packet after packet until `missing` is the first without one.
  void ack_all_below(std::uint32_t missing) {
    while (acknowledged_ < missing) {
      ack(++acknowledged_);
    }
  }

  // Waits so long; returns what the timer made it send.
  Packets wait(ns3::Time time) {
    sent_.clear();
    ns3::Simulator::Stop(time);
    ns3::Simulator::Run();
    return std::exchange(sent_, {});
  }

  ns3::Ptr<Sender> sender;

 private:
  Packets sent_;
  std::uint32_t acknowledged_ = 1;
};

}  // namespace tcp_atlas
