// SPDX-License-Identifier: GPL-2.0-only
#include "local_loop.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "kit/main/clock.hpp"
#include "ns3/boolean.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "path_tag.hpp"

namespace tcp_atlas {
namespace {

using kit::Picoseconds;
using kit::local_loop::Readings;

constexpr std::int64_t kEndless = 2'000'000'000;  // packets: nobody sends more in a run

void refuse_unless(bool is, const std::string& key, const char* allowed) {
  if (!is) {
    throw kit::Unsupported(key + ": has to be " + allowed + " for ns3");
  }
}

const kit::local_loop::Settings& checked(const kit::local_loop::Settings& settings) {
  const auto station = [](std::size_t index) { return "stations." + std::to_string(index); };
  const std::string shared = station(settings.shared);
  refuse_unless(!settings.backbone, settings.backbone ? station(settings.backbone->station) + ".load" : "",
                "left out");
  refuse_unless(settings.buffer.fifo || settings.buffer.individual, shared + ".queue",
                "fair-individual or drop-tail");
  refuse_unless(settings.readings.head_of_line_in_buffer, shared + ".head_of_line", "in-buffer");
  refuse_unless(settings.readings.loss_detection == Readings::LossDetection::kDuplicateAcks,
                "sources.0.tcp.variant", "lifelong-reno");
  use_picoseconds();
  return settings;
}

ns3::Ptr<PacketLifelongReno> sender_of(const kit::local_loop::Settings& settings) {
  const ns3::Time tick = time(settings.tcp.tick_s);
  const ns3::Time least = settings.tcp.min_rto_ticks * tick;
  const auto sender = ns3::CreateObject<PacketLifelongReno>();
  sender->SetAttribute("ReceiverWindow",
                       ns3::UintegerValue(static_cast<std::uint64_t>(settings.tcp.max_window)));
  sender->SetAttribute("InitialWindow", ns3::UintegerValue(1));
  sender->SetAttribute("PacketSize", ns3::UintegerValue(bytes_in_device(settings.packet_bytes)));
  sender->SetAttribute("InitialRto", ns3::TimeValue(ns3::Seconds(3)));  // RFC 2988
  sender->SetAttribute("MinRto", ns3::TimeValue(least));
  sender->SetAttribute("MaxRto", ns3::TimeValue(std::max(least, ns3::Time(ns3::Seconds(64)))));
  sender->SetAttribute("ClockTick", ns3::TimeValue(tick));
  sender->SetAttribute("OncePerWindow",
                       ns3::BooleanValue(settings.readings.halving == Readings::Halving::kPerWindow));
  return sender;
}

}  // namespace

LocalLoop::LocalLoop(const kit::local_loop::Settings& settings, std::uint64_t seed)
    : settings_(checked(settings)),
      return_delay_(time(settings.return_delay_s)),
      draws_(settings, 0, seed),
      monitor_(settings),
      queue_(static_cast<std::size_t>(settings.buffer.packets) + 1),
      users_(static_cast<std::size_t>(settings.users)) {
  build_shared_link();
  for (std::uint32_t user = 0; user < users_.size(); ++user) {
    build_user(user);
  }
  for (std::uint32_t user = 0; user < users_.size(); ++user) {
    ns3::Simulator::Schedule(time(draws_.start()), &LocalLoop::start_burst, this, user);
  }
  ns3::Simulator::Schedule(time(kit::kClockEnd), [this] {
    if (end_ == kit::kNever) {
      kit::clock_ended();
    }
  });
}

LocalLoop::~LocalLoop() { ns3::Simulator::Destroy(); }

std::uint64_t LocalLoop::rate(std::size_t station) const {
  return whole_rate(settings_.path[station].rate_bit_per_s, "stations." + std::to_string(station));
}

DeviceQueue LocalLoop::shared_queue() {
  const QueueWatcher watcher{
      ns3::MakeCallback(&LocalLoop::queue_changed, this),
      ns3::Callback<void, ns3::Ptr<const ns3::Packet>>([this](ns3::Ptr<const ns3::Packet>) { dropped(); })};
  if (settings_.buffer.fifo) {
    return drop_tail_queue(settings_.buffer.packets, watcher);
  }
  return fair_queue(settings_.buffer.packets, false, watcher);
}

void LocalLoop::build_shared_link() {
  const double delay_s = settings_.path[settings_.shared].delay_s;
  const auto [sending, receiving] = connect(ns3::CreateObject<ns3::Node>(), ns3::CreateObject<ns3::Node>(),
                                            rate(settings_.shared), time(delay_s), shared_queue());
  shared_ = sending;
  shared_->TraceConnectWithoutContext("PhyTxEnd", ns3::MakeCallback(&LocalLoop::departed, this));
  const Picoseconds delay = kit::picoseconds(delay_s);
  receiving->SetReceiveCallback(ns3::NetDevice::ReceiveCallback(
      [this, delay](ns3::Ptr<ns3::NetDevice>, ns3::Ptr<const ns3::Packet> packet, std::uint16_t,
                    const ns3::Address&) {
        const Packet carried = packet->Copy();
        if (!settings_.buffer.fifo) {
          count_from(carried, now() - delay);
        }
        users_[header_of(carried).GetSource()].from_shared(carried);
        return true;
      }));
}

LocalLoop::Hop LocalLoop::build_links(std::uint32_t user, std::size_t first, std::size_t end, Hop hop) {
  auto to = ns3::CreateObject<ns3::Node>();
  for (std::size_t station = end; station-- > first;) {
    const auto from = ns3::CreateObject<ns3::Node>();
    const auto [sending, receiving] =
        connect(from, to, rate(station), time(settings_.path[station].delay_s), endless_queue());
    receiving->SetReceiveCallback(
        ns3::NetDevice::ReceiveCallback([hop](ns3::Ptr<ns3::NetDevice>, ns3::Ptr<const ns3::Packet> packet,
                                              std::uint16_t, const ns3::Address&) {
          hop(packet->Copy());
          return true;
        }));
    if (station == 0) {
      sending->TraceConnectWithoutContext(
          "PhyTxBegin",
          ns3::Callback<void, ns3::Ptr<const ns3::Packet>>([this, user](ns3::Ptr<const ns3::Packet> packet) {
            tag_when_it_began(packet);
            monitor_.transmitted(user, ++users_[user].transmitted, now());
          }));
    }
    hop = [device = sending](Packet packet) { send_on(device, packet); };
    to = from;
  }
  return hop;
}

void LocalLoop::build_user(std::uint32_t user) {
  User& of = users_[user];
  // An event of its own at the same time comes after every departure of that time.
  const Hop to_shared = build_links(user, 0, settings_.shared, [this](Packet packet) {
    ns3::Simulator::ScheduleNow(&LocalLoop::arrived, this, packet);
  });
  of.from_shared = build_links(user, settings_.shared + 1, settings_.path.size(),
                               [this, user](Packet packet) { delivered(user, packet); });

  of.sender = sender_of(settings_);
  of.sender->SetAttribute("Source", ns3::UintegerValue(user));
  of.sender->SetTransmit(ns3::Callback<void, Packet>([this, to_shared](Packet packet) {
    packet_sent();
    to_shared(packet);
  }));
  of.sender->TraceConnectWithoutContext(
      "Timeout", ns3::Callback<void, std::uint32_t>([this](std::uint32_t) { ++monitor_.sums().timeouts; }));
  of.sender->TraceConnectWithoutContext("RoundTrip", ns3::Callback<void, ns3::Time>([this](ns3::Time sample) {
                                          monitor_.sampled(sample.GetTimeStep());
                                        }));

  of.receiver = ns3::CreateObject<PacketTcpReceiver>();
  of.receiver->SetTransmit(ns3::Callback<void, Packet>([this, &of](Packet acknowledgement) {
    ns3::Simulator::Schedule(return_delay_, [this, &of, acknowledgement] {
      if (end_ == kit::kNever) {
        of.sender->ReceiveAck(acknowledgement);
      }
    });
  }));
}

void LocalLoop::start_burst(std::uint32_t user) {
  if (end_ != kit::kNever) {
    return;
  }
  User& of = users_[user];
  of.burst_packets = of.burst_left = draws_.burst();
  of.burst_began = now();
  monitor_.burst_began(user, of.burst_packets, now());
  const bool idle = of.pause > kit::picoseconds(settings_.tcp.idle_s);
  monitor_.sums().idle_restarts += idle ? 1 : 0;
  const auto packets = static_cast<std::uint32_t>(std::min(of.burst_packets, kEndless));
  // Only once all has been acknowledged: else a later end of the last burst would be taken for this one's.
  if (of.sender->GetTransfer() == 0 || (idle && of.sender->IsDone())) {
    of.sender->StartTransfer(packets);
  } else {
    of.sender->ContinueTransfer(packets);
  }
}

// The last packet of the burst has reached the destination, or its acknowledgement is to come.
void LocalLoop::end_burst(User& user) {
  const bool at_source = settings_.readings.on_time_ends == Readings::OnTimeEnd::kSource;
  const Picoseconds still = at_source ? return_delay_.GetTimeStep() : 0;
  const double think_s = draws_.think_time();
  monitor_.burst_ended(user.burst_packets, user.burst_began, now() + still, think_s);
  user.pause = kit::LoopUsers::pause(think_s);
  ns3::Simulator::Schedule(time(still + user.pause), &LocalLoop::start_burst, this,
                           static_cast<std::uint32_t>(&user - users_.data()));
}

void LocalLoop::packet_sent() {
  monitor_.sent();
  if (monitor_.sums().sent == target_) {
    ns3::Simulator::Stop();
  }
}

void LocalLoop::arrived(Packet packet) {
  count_from(packet, now());
  arrivals_of_present_ += now();
  send_on(shared_, packet);
}

void LocalLoop::queue_changed(std::uint32_t /*before*/, std::uint32_t present) {
  queue_.make_room_for(present);
  queue_.move_to(present, now());
}

// The packet that arrives, whatever the queue.
void LocalLoop::dropped() {
  arrivals_of_present_ -= now();
  if (end_ == kit::kNever) {
    monitor_.dropped();
  } else {
    ++monitor_.counters().in_flight;
  }
}

void LocalLoop::departed(ns3::Ptr<const ns3::Packet> frame) {
  PathTag tag;
  frame->PeekPacketTag(tag);
  arrivals_of_present_ -= tag.counted;
  if (end_ == kit::kNever) {
    monitor_.sums().sojourn += now() - tag.counted;
  }
}

// Measurements are of packets that the shared router accepted, or with fair queueing let go, in their time,
// whenever they are delivered.
void LocalLoop::delivered(std::uint32_t user, Packet packet) {
  ++(end_ == kit::kNever ? monitor_.counters().delivered : monitor_.counters().in_flight);
  User& of = users_[user];
  const bool is_new = of.receiver->Receive(packet);
  PathTag tag;
  packet->PeekPacketTag(tag);
  if (tag.counted > end_) {
    return;
  }
  const bool measured = tag.counted > restarted_;
  if (measured) {
    monitor_.carried(now() - tag.began + return_delay_.GetTimeStep());
  }
  if (is_new) {
    monitor_.delivered(user, now());
    monitor_.sums().useful -= measured ? 0 : 1;
    if (--of.burst_left == 0) {
      end_burst(of);
    }
  }
}

void LocalLoop::run_until_sent(std::int64_t packets) {
  target_ = packets;
  if (monitor_.sums().sent < target_) {
    ns3::Simulator::Run();
  }
}

void LocalLoop::restart_measurements() {
  restarted_ = now();
  monitor_.restart(now());
  queue_.restart(now());
}

kit::PicosecondSum LocalLoop::sojourn_of_present() const {
  return static_cast<kit::PicosecondSum>(queue_.level()) * now() - arrivals_of_present_;
}

kit::LoopMeasurements LocalLoop::close() {
  end_ = now();
  queue_.close(end_);
  const std::vector<Picoseconds> time_at = queue_.time_at();
  const auto events = static_cast<std::int64_t>(ns3::Simulator::GetEventCount());
  for (const User& user : users_) {
    user.sender->Dispose();
  }
  ns3::Simulator::Run();
  kit::LoopMeasurements result = monitor_.measurements(end_);
  result.queue_time_at = time_at;
  result.counters.events = events;
  return result;
}

}  // namespace tcp_atlas
