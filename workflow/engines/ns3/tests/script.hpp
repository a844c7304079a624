// SPDX-License-Identifier: GPL-2.0-only
// A sender fed by hand (kit/tests/sender_script.hpp).
#pragma once

#include <cstdint>
#include <utility>

#include "kit/tests/sender_script.hpp"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "tcp/packet_sender.hpp"
#include "tcp/segment_header.hpp"

namespace tcp_atlas {

using kit::Packets;

template <class Sender>
class Script {
 public:
  explicit Script(const kit::ScriptLimits& limits = {}, std::int32_t file = 1000)
      : sender(ns3::CreateObject<Sender>()) {
    sender->SetAttribute("ReceiverWindow", ns3::UintegerValue(static_cast<std::uint64_t>(limits.rwnd)));
    sender->SetAttribute("InitialWindow",
                         ns3::UintegerValue(static_cast<std::uint64_t>(limits.initial_window)));
    sender->SetTransmit(ns3::Callback<void, ns3::Ptr<ns3::Packet>>([this](ns3::Ptr<ns3::Packet> packet) {
      SegmentHeader header;
      packet->PeekHeader(header);
      sent_.push_back(static_cast<std::int32_t>(header.GetNumber()));
    }));
    sender->TraceConnectWithoutContext(
        "Timeout", ns3::Callback<void, std::uint32_t>([](std::uint32_t) { ns3::Simulator::Stop(); }));
    sender->StartTransfer(static_cast<std::uint32_t>(file));
  }

  ~Script() {
    sender->Dispose();
    ns3::Simulator::Destroy();
  }

  Packets started() { return std::exchange(sent_, {}); }

  Packets ack(std::int32_t missing, std::uint32_t transfer = 1) {
    wait(ns3::MilliSeconds(1));
    const auto packet = ns3::Create<ns3::Packet>();
    packet->AddHeader(SegmentHeader(0, transfer, static_cast<std::uint32_t>(missing)));
    sender->ReceiveAck(packet);
    return std::exchange(sent_, {});
  }

  Packets timeout() {
    sent_.clear();
    ns3::Simulator::Run();
    return std::exchange(sent_, {});
  }

  // Waits so long, or until the timer runs out; returns what it made the sender send.
  Packets wait(ns3::Time time) {
    sent_.clear();
    const ns3::EventId stop = ns3::Simulator::Schedule(time, [] { ns3::Simulator::Stop(); });
    ns3::Simulator::Run();
    ns3::Simulator::Cancel(stop);
    return std::exchange(sent_, {});
  }

  void ack_all_below(std::int32_t missing) {
    while (whole(sender->GetUna()) < missing) {
      ack(whole(sender->GetUna()) + 1);
    }
  }

  std::int32_t cwnd() const { return whole(sender->GetWindow()); }
  std::int32_t ssthresh() const { return whole(sender->GetThreshold()); }
  std::int32_t outstanding() const { return whole(sender->GetNext() - sender->GetUna()); }
  bool in_recovery() const { return sender->InRecovery(); }

  ns3::Ptr<Sender> sender;

 private:
  static std::int32_t whole(std::uint32_t number) { return static_cast<std::int32_t>(number); }

  Packets sent_;
};

}  // namespace tcp_atlas
