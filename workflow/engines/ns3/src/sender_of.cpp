// SPDX-License-Identifier: GPL-2.0-only
#include "sender_of.hpp"

#include <cstdint>
#include <variant>

#include "kit/main/units.hpp"
#include "kit/point/point.hpp"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/uinteger.h"
#include "tcp/packet_compound.hpp"
#include "tcp/packet_newreno.hpp"
#include "tcp/packet_reno.hpp"
#include "tcp/packet_tahoe.hpp"

namespace tcp_atlas {
namespace {

ns3::Ptr<PacketSender> compound_of(const kit::CompoundParameters& parameters) {
  const auto sender = ns3::CreateObject<PacketCompound>();
  sender->SetAttribute("Arithmetic", ns3::EnumValue(parameters.linux_integers ? PacketCompound::LINUX
                                                                              : PacketCompound::FLOAT));
  sender->SetAttribute("Recovery", ns3::EnumValue(parameters.rate_halving ? PacketSackSender::RATE_HALVING
                                                                          : PacketSackSender::PAUSE));
  sender->SetAttribute("Alpha", ns3::DoubleValue(parameters.alpha));
  sender->SetAttribute("K", ns3::DoubleValue(parameters.k));
  sender->SetAttribute("Beta", ns3::DoubleValue(parameters.beta));
  sender->SetAttribute("Zeta", ns3::DoubleValue(parameters.zeta));
  sender->SetAttribute("Gamma", ns3::DoubleValue(parameters.gamma_packets));
  sender->SetAttribute("Damping", ns3::UintegerValue(static_cast<std::uint64_t>(parameters.damping)));
  return sender;
}

ns3::Ptr<PacketSender> variant_of(const kit::Tcp& tcp) {
  if (tcp.variant == "newreno") {
    return ns3::CreateObject<PacketNewReno>();
  }
  if (tcp.variant == "reno") {
    return ns3::CreateObject<PacketReno>();
  }
  if (tcp.variant == "tahoe") {
    return ns3::CreateObject<PacketTahoe>();
  }
  if (tcp.variant == "compound") {
    return compound_of(std::get<kit::CompoundParameters>(tcp.own));
  }
  throw kit::Unsupported("sources: the TCP variant '" + tcp.variant +
                         "' is unknown to ns3; one of newreno, reno, tahoe, compound");
}

ns3::TimeValue time_value(double seconds) {
  return ns3::TimeValue(ns3::PicoSeconds(static_cast<std::uint64_t>(kit::picoseconds(seconds))));
}

}  // namespace

ns3::Ptr<PacketSender> sender_of(const kit::Tcp& tcp) {
  const auto sender = variant_of(tcp);
  sender->SetAttribute("ReceiverWindow", ns3::UintegerValue(static_cast<std::uint64_t>(tcp.rwnd_packets)));
  sender->SetAttribute("InitialWindow",
                       ns3::UintegerValue(static_cast<std::uint64_t>(tcp.initial_window_packets)));
  sender->SetAttribute("MinRto", time_value(tcp.min_rto_s));
  sender->SetAttribute("MaxRto", time_value(tcp.max_rto_s));
  sender->SetAttribute("ClockTick", time_value(tcp.clock_tick_s));
  return sender;
}

}  // namespace tcp_atlas
