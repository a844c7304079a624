// SPDX-License-Identifier: GPL-2.0-only
#include "variants.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "kit/main/units.hpp"
#include "kit/point/point.hpp"
#include "ns3/boolean.h"
#include "ns3/uinteger.h"
#include "tcp/packet_lifelong_reno.hpp"
#include "tcp/packet_newreno.hpp"
#include "tcp/packet_reno.hpp"
#include "tcp/packet_tahoe.hpp"

namespace tcp_atlas {
namespace {

ns3::Ptr<PacketSender> lifelong_reno_of(const kit::Tcp& tcp) {
  const auto sender = ns3::CreateObject<PacketLifelongReno>();
  const auto& parameters = std::get<kit::LifelongRenoParameters>(tcp.own);
  sender->SetAttribute("OncePerWindow", ns3::BooleanValue(parameters.halving == kit::Halving::kPerWindow));
  sender->SetAttribute("InitialRto", ns3::TimeValue(ns3::Seconds(3)));  // RFC 2988
  return sender;
}

template <class Sender>
ns3::Ptr<PacketSender> without_parameters(const kit::Tcp& /*tcp*/) {
  return ns3::CreateObject<Sender>();
}

struct Variant {
  std::string_view name;
  ns3::Ptr<PacketSender> (*sender_of)(const kit::Tcp& tcp);
};

constexpr std::array kVariants = {
    Variant{"newreno", without_parameters<PacketNewReno>},
    Variant{"reno", without_parameters<PacketReno>},
    Variant{"tahoe", without_parameters<PacketTahoe>},
    Variant{"lifelong-reno", lifelong_reno_of},
};

ns3::Ptr<PacketSender> variant_of(const kit::Tcp& tcp) {
  std::string names;
  for (const Variant& variant : kVariants) {
    if (variant.name == tcp.variant) {
      return variant.sender_of(tcp);
    }
    names.append(names.empty() ? "" : ", ").append(variant.name);
  }
  throw kit::Unsupported("sources: the TCP variant '" + tcp.variant + "' is unknown to ns3; one of " + names);
}

ns3::TimeValue time_value(double seconds) {
  return ns3::TimeValue(ns3::PicoSeconds(static_cast<std::uint64_t>(kit::picoseconds(seconds))));
}

}  // namespace

ns3::Ptr<PacketSender> sender_of(const kit::Tcp& tcp) {
  if (tcp.sack || tcp.ecn || tcp.timestamps || tcp.pacing || tcp.sack_recovery || tcp.loss_detection) {
    throw kit::Unsupported(
        "sources.tcp: has to have none of sack, ecn, timestamps, pacing, sack_recovery, loss_detection for "
        "ns3");
  }
  const auto sender = variant_of(tcp);
  sender->SetAttribute("ReceiverWindow", ns3::UintegerValue(static_cast<std::uint64_t>(tcp.rwnd_packets)));
  sender->SetAttribute("InitialWindow",
                       ns3::UintegerValue(static_cast<std::uint64_t>(tcp.initial_window_packets)));
  sender->SetAttribute("MinRto", time_value(tcp.min_rto_s));
  sender->SetAttribute("MaxRto", time_value(tcp.max_rto_s));
  sender->SetAttribute("ClockTick", time_value(tcp.clock_tick_s));
  return sender;
}

ns3::Ptr<PacketTcpReceiver> receiver_of(const kit::Tcp& tcp) {
  const auto receiver = ns3::CreateObject<PacketTcpReceiver>();
  if (tcp.delayed_ack) {
    receiver->SetAttribute("PacketsPerAck",
                           ns3::UintegerValue(static_cast<std::uint64_t>(tcp.delayed_ack->packets)));
    receiver->SetAttribute("AckDelay", time_value(tcp.delayed_ack->timeout_s));
    receiver->SetAttribute("QuickAcks",
                           ns3::UintegerValue(static_cast<std::uint64_t>(tcp.delayed_ack->quick_acks)));
  }
  return receiver;
}

}  // namespace tcp_atlas
