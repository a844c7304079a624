// SPDX-License-Identifier: GPL-2.0-only
#include "aqm.hpp"

#include <algorithm>
#include <sstream>
#include <string>

#include "ns3/boolean.h"
#include "ns3/codel-queue-disc.h"
#include "ns3/fq-codel-queue-disc.h"
#include "ns3/pie-queue-disc.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace tcp_atlas {
namespace {

// Of RFC 8289, section 4.4, and RFC 8033, section 4.2.
constexpr double kCodelTarget_s = 0.005;
constexpr double kCodelInterval_s = 0.1;
constexpr double kPieTarget_s = 0.015;
constexpr double kPieUpdate_s = 0.015;
constexpr double kPieBurst_s = 0.15;

std::string as_text(double time_s) {
  std::ostringstream text;
  text << time_s << 's';
  return text.str();
}

// The same attributes of CoDel and FQ-CoDel.
void set_codel_times(ns3::QueueDisc& disc, const kit::Bottleneck& bottleneck) {
  disc.SetAttribute("Target", ns3::StringValue(as_text(bottleneck.target_s.value_or(kCodelTarget_s))));
  disc.SetAttribute("Interval", ns3::StringValue(as_text(bottleneck.interval_s.value_or(kCodelInterval_s))));
}

ns3::Ptr<ns3::QueueDisc> codel(const kit::Bottleneck& bottleneck, std::int32_t packet_bytes) {
  const auto disc = ns3::CreateObject<ns3::CoDelQueueDisc>();
  set_codel_times(*disc, bottleneck);
  disc->SetAttribute("MinBytes", ns3::UintegerValue(static_cast<std::uint64_t>(packet_bytes)));
  return disc;
}

ns3::Ptr<ns3::QueueDisc> fq_codel(const kit::Bottleneck& bottleneck, std::int32_t packet_bytes) {
  const auto disc = ns3::CreateObject<ns3::FqCoDelQueueDisc>();
  set_codel_times(*disc, bottleneck);
  disc->SetQuantum(static_cast<std::uint32_t>(packet_bytes));
  return disc;
}

ns3::Ptr<ns3::QueueDisc> pie(const kit::Bottleneck& bottleneck, std::int32_t packet_bytes) {
  const auto disc = ns3::CreateObject<ns3::PieQueueDisc>();
  disc->SetAttribute("QueueDelayReference",
                     ns3::StringValue(as_text(bottleneck.target_s.value_or(kPieTarget_s))));
  disc->SetAttribute("Tupdate", ns3::StringValue(as_text(bottleneck.interval_s.value_or(kPieUpdate_s))));
  disc->SetAttribute("MaxBurstAllowance", ns3::StringValue(as_text(kPieBurst_s)));
  disc->SetAttribute("UseDerandomization", ns3::BooleanValue(true));  // RFC 8033, section 5.4
  disc->SetAttribute("MeanPktSize", ns3::UintegerValue(static_cast<std::uint64_t>(packet_bytes)));
  return disc;
}

ns3::Ptr<ns3::QueueDisc> disc_of(const kit::Bottleneck& bottleneck, std::int32_t packet_bytes) {
  switch (bottleneck.queue) {
    case kit::Queue::kCodel:
      return codel(bottleneck, packet_bytes);
    case kit::Queue::kFqCodel:
      return fq_codel(bottleneck, packet_bytes);
    default:
      return pie(bottleneck, packet_bytes);
  }
}

}  // namespace

bool is_managed(const kit::Bottleneck& bottleneck) {
  return bottleneck.queue == kit::Queue::kCodel || bottleneck.queue == kit::Queue::kFqCodel ||
         bottleneck.queue == kit::Queue::kPie;
}

DeviceQueue managed_queue(const kit::Bottleneck& bottleneck, std::int32_t packet_bytes,
                          const QueueWatcher& watcher, const ManagedQueue::FlowOf& flow_of) {
  const auto disc = disc_of(bottleneck, packet_bytes);
  const auto waiting = static_cast<std::uint32_t>(std::max(bottleneck.buffer_packets - 1, 1));
  disc->SetMaxSize(ns3::QueueSize(ns3::PACKETS, waiting));
  tell_of_drops(disc, watcher);
  const auto queue = ns3::CreateObject<ManagedQueue>();
  queue->TraceConnectWithoutContext("Present", watcher.changed);
  queue->SetDisc(disc, flow_of);
  return queue;
}

}  // namespace tcp_atlas
