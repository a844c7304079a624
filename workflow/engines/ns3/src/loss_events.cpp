// SPDX-License-Identifier: GPL-2.0-only
#include "loss_events.hpp"

#include "links.hpp"
#include "ns3/uinteger.h"

namespace tcp_atlas {

void LossEvents::watch(ns3::Ptr<PacketSender> sender, std::uint64_t seed) {
  sender_ = sender;
  const auto threshold = static_cast<std::uint64_t>(loss_events_.first_threshold(seed));
  sender->SetAttribute("InitialThreshold", ns3::UintegerValue(threshold));
  sender->TraceConnectWithoutContext("RoundTripEnded",
                                     ns3::MakeCallback(&LossEvents::round_trip_ended, this));
  sender->TraceConnectWithoutContext("Cut", ns3::MakeCallback(&LossEvents::window_cut, this));
}

std::int64_t LossEvents::dropped() {
  return loss_events_.dropped(static_cast<std::int32_t>(sender_->GetWindow()), now())
             ? loss_events_.events() - 1 - warmup_
             : -1;
}

void LossEvents::restart() { loss_events_.warm_up_ended(now()); }

void LossEvents::round_trip_ended(const PacketCompound::RoundTripEnd& end) {
  loss_events_.round_trip_ended({.window = static_cast<std::int32_t>(end.window),
                                 .delay_window = static_cast<std::int32_t>(end.delayWindow),
                                 .backlog = end.backlog,
                                 .cut = end.cut},
                                static_cast<std::int32_t>(sender_->GetWindow()), now());
}

void LossEvents::window_cut(std::uint32_t before, std::uint32_t after) {
  loss_events_.window_cut(static_cast<std::int32_t>(before), static_cast<std::int32_t>(after), now());
}

// Throughput is not what the paper looks at.
void LossEvents::write_to(kit::Measurements& result) {
  result.packets = {};
  loss_events_.measured_until(result.end);
  result.probes = loss_events_.results();
}

}  // namespace tcp_atlas
