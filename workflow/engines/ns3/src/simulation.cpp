// SPDX-License-Identifier: GPL-2.0-only
#include "simulation.hpp"

#include <algorithm>
#include <variant>

#include "kit/local_loop/settings_of.hpp"
#include "ns3/simulator.h"

namespace tcp_atlas {
namespace {

constexpr std::int64_t kProgressReports = 20;

std::int32_t whole(std::uint32_t number) { return static_cast<std::int32_t>(number); }

kit::WindowView window_of(const PacketSender& sender) {
  return {.cwnd = whole(sender.GetWindow()),
          .ssthresh = whole(sender.GetThreshold()),
          .deflated = whole(sender.GetDeflatedWindow())};
}

}  // namespace

Simulation::Simulation(const kit::Point& point, std::uint64_t seed)
    : point_(point),
      file_size_random_(kit::Draws::of_sizes(seed)),
      off_time_random_(kit::Draws::of_times(seed)),
      sources_(static_cast<std::size_t>(point.source_count())),
      network_(point, seed, *this) {
  for (const kit::SourceGroup& group : point.groups) {
    file_sizes_.emplace_back(group.workload.file_size);
    off_times_.emplace_back(group.workload.off_time);
  }
  if (std::holds_alternative<kit::LocalLoop>(point.topology)) {
    const kit::local_loop::Settings settings = checked(kit::local_loop::network_of(point));
    loop_users_.emplace(settings, 0, seed);
    loop_monitor_.emplace(settings);
  }
  if (point.any_come_and_go()) {
    throw kit::Unsupported(
        "sources.workload: has to have neither start_s, stop_s nor transfer_packets for ns3");
  }
  if (point.any_arrivals()) {
    throw kit::Unsupported("sources.workload.kind: has to be on-off, bulk or http for ns3");
  }
  if (point.cross_traffic.kind != kit::CrossTrafficSpec::Kind::kNone &&
      std::holds_alternative<kit::Dumbbell>(point.topology) &&
      point.dumbbell().bottleneck.queue != kit::Queue::kDropTail) {
    throw kit::Unsupported(
        "cross_traffic: has to be absent for ns3 unless links.bottleneck.queue is drop-tail");
  }
  if (point.stop.loss_events > 0) {
    throw kit::Unsupported("stop: has to have no loss_events for ns3");
  }
  if (point.probes.any()) {
    probes_.emplace(point);
  }
  kit::Random start_random(seed, kit::Stream::kStart);
  for (std::uint32_t source = 0; source < sources_.size(); ++source) {
    watch(source);
    wait(source, draw_start(source, start_random));
  }
}

void Simulation::watch(std::uint32_t source) {
  PacketSender& sender = this->sender(source);
  sender.TraceConnectWithoutContext(
      "Acknowledgement", ns3::Callback<void, std::uint32_t>(
                             [this, source](std::uint32_t missing) { acknowledged(source, missing); }));
  sender.TraceConnectWithoutContext("RoundTrip", ns3::Callback<void, ns3::Time>([this](ns3::Time sample) {
                                      ++sums_.rtt_samples;
                                      sums_.rtt_s += kit::seconds(sample.GetTimeStep());
                                      if (loop_monitor_) {
                                        loop_monitor_->sampled(sample.GetTimeStep());
                                      }
                                    }));
  sender.TraceConnectWithoutContext(
      "Completed", ns3::Callback<void, std::uint32_t>(
                       [this, source](std::uint32_t packets) { completed(source, packets); }));
  sender.TraceConnectWithoutContext(
      "Timeout",
      ns3::Callback<void, std::uint32_t>([this, source](std::uint32_t /*packet*/) { timed_out(source); }));
  if (!probes_) {
    return;
  }
  sender.TraceConnectWithoutContext("Sent",
                                    ns3::Callback<void, std::uint32_t>([this, source](std::uint32_t packet) {
                                      probes_->packet_sent(whole(source), whole(packet), now());
                                    }));
  sender.TraceConnectWithoutContext("Reacted", ns3::Callback<void>([this, source] { reacted(source); }));
}

void Simulation::acknowledged(std::uint32_t source, std::uint32_t missing) {
  const PacketSender& sender = this->sender(source);
  if (probes_) {
    probes_->acknowledgement(whole(source), whole(missing), now());
  }
  if (missing > sender.GetUna()) {
    acknowledged_ += missing - sender.GetUna();
    network_.groups().count_acknowledged(whole(source), whole(missing - sender.GetUna()));
  }
  sources_[source].acknowledging = true;
  sources_[source].recovering = sender.InRecovery();
}

void Simulation::timed_out(std::uint32_t source) {
  const PacketSender& sender = this->sender(source);
  if (probes_) {
    probes_->timed_out(whole(source),
                       {.packet = whole(sender.GetUna()),
                        .cwnd = whole(sender.GetWindow()),
                        .slow_start = sender.GetWindow() <= sender.GetThreshold(),
                        .in_recovery = sender.InRecovery()},
                       now());
  }
  if (loop_monitor_) {
    ++loop_monitor_->sums().timeouts;
  }
}

void Simulation::reacted(std::uint32_t source) {
  const PacketSender& sender = this->sender(source);
  if (sources_[source].acknowledging) {
    sources_[source].acknowledging = false;
    probes_->acknowledged(whole(source), sources_[source].recovering, sender.InRecovery(), now());
  }
  probes_->window_moved(whole(source), window_of(sender), now());
}

std::size_t Simulation::index_of_group(std::uint32_t source) {
  return network_.groups().group_of(whole(source));
}

const kit::SourceGroup& Simulation::group_of(std::uint32_t source) {
  return point_.groups[index_of_group(source)];
}

kit::Picoseconds Simulation::draw_start(std::uint32_t source, kit::Random& start_random) {
  if (loop_users_) {
    return loop_users_->start();
  }
  const kit::Workload& workload = group_of(source).workload;
  const kit::Picoseconds start = kit::draw_start(workload.start_spread_s, start_random);
  return start + off_times_[index_of_group(source)].draw_first(workload, off_time_random_);
}

void Simulation::wait(std::uint32_t source, kit::Picoseconds pause) {
  sources_[source].pause = pause;
  ns3::Simulator::Schedule(time(pause), &Simulation::start_file, this, source);
}

std::uint32_t Simulation::draw_file(std::uint32_t source) {
  if (loop_users_ && !group_of(source).workload.bulk()) {
    return static_cast<std::uint32_t>(std::min(loop_users_->burst(), kit::kMostPackets + 1));
  }
  return static_cast<std::uint32_t>(file_sizes_[index_of_group(source)].draw(file_size_random_));
}

void Simulation::start_file(std::uint32_t source) {
  if (over_) {
    return;
  }
  const std::uint32_t packets = draw_file(source);
  const kit::SourceGroup& group = group_of(source);
  PacketSender& sender = this->sender(source);
  Source& state = sources_[source];
  state.started = now();
  state.left = packets;
  state.seen = false;
  if (probes_) {
    probes_->transfer_started(whole(source), whole(packets));
  }
  const bool idle = group.tcp.idle_restart_s && state.pause > kit::picoseconds(*group.tcp.idle_restart_s);
  if (loop_monitor_) {
    loop_monitor_->burst_began(source, packets, now());
    loop_monitor_->sums().idle_restarts += idle ? 1 : 0;
  }
  // Only once all has been acknowledged does a new connection begin: else a later end of the last file would
  // be taken for this one's.
  const bool lives_on = group.workload.kind == kit::Workload::Kind::kHttp && sender.GetTransfer() > 0;
  if (lives_on && !(idle && sender.IsDone())) {
    state.first = sender.GetFilePackets();
    if (state.first + packets > kit::kMostPackets) {
      kit::numbers_ended();
    }
    sender.ContinueTransfer(packets);
  } else {
    state.first = 0;
    sender.StartTransfer(packets);
  }
  if (probes_) {
    probes_->window_started(whole(source), window_of(sender), now());
  }
}

void Simulation::completed(std::uint32_t source, std::uint32_t packets) {
  if (group_of(source).workload.ends_at == kit::Workload::EndsAt::kSource) {
    file_ended(source, packets);
  }
}

void Simulation::file_ended(std::uint32_t source, std::uint32_t packets) {
  const kit::Picoseconds duration = now() - sources_[source].started;
  sources_[source].acknowledging = false;
  if (probes_) {
    probes_->transfer_completed(whole(source), sources_[source].recovering, duration, now());
  }
  ++completed_;
  ++sums_.connections;
  sums_.packets += packets;
  sums_.duration += duration;
  network_.groups().count_connection(whole(source), whole(packets), duration);
  network_.monitor().transfer_completed(now());
  if (point_.stop.connections > 0) {
    const std::int64_t measured = completed_ - point_.stop.warmup_connections;
    if (measured == 0) {
      warm_up_ended();
    }
    if (progress_ && measured > 0 &&
        measured * kProgressReports / point_.stop.connections !=
            (measured - 1) * kProgressReports / point_.stop.connections) {
      progress_(measured, point_.stop.connections);
    }
    if (measured == point_.stop.connections) {
      ns3::Simulator::Stop();
      return;
    }
  }
  if (!loop_users_) {
    if (group_of(source).workload.bulk()) {
      kit::numbers_ended();
    }
    wait(source, off_times_[index_of_group(source)].draw(off_time_random_));
    return;
  }
  const double think_s = loop_users_->think_time();
  loop_monitor_->burst_ended(packets, sources_[source].started, sources_[source].arrived, now(), think_s);
  wait(source, kit::LoopUsers::pause(think_s));
}

bool Simulation::is_current(const SegmentHeader& packet) {
  const std::uint32_t source = packet.GetSource();
  return packet.GetTransfer() == sender(source).GetTransfer() && packet.GetNumber() > sources_[source].first;
}

void Simulation::packet_sent(std::uint32_t /*source*/) {
  if (loop_monitor_) {
    loop_monitor_->sent();
  }
  if (++sent_ == target_) {
    ns3::Simulator::Stop();
  }
}

void Simulation::packet_transmitted(std::uint32_t source) {
  if (loop_monitor_) {
    loop_monitor_->transmitted(source, ++sources_[source].transmitted, now());
  }
}

void Simulation::packet_arrived(const SegmentHeader& packet, std::size_t found) {
  if (!is_current(packet)) {
    return;
  }
  const std::uint32_t source = packet.GetSource();
  BottleneckMonitor& monitor = network_.monitor();
  const bool first = !sources_[source].seen;
  if (first) {
    sources_[source].seen = true;
    monitor.transfer_began(now());
  }
  if (!probes_) {
    return;
  }
  if (first) {
    probes_->transfer_seen_at_bottleneck(whole(source), monitor.active());
  }
  probes_->packet_arrived(whole(source), whole(packet.GetNumber()), found, now());
}

void Simulation::packet_dropped(const SegmentHeader& packet) {
  if (probes_ && is_current(packet)) {
    probes_->packet_dropped(whole(packet.GetSource()), whole(packet.GetNumber()));
  }
  if (loop_monitor_) {
    loop_monitor_->dropped();
  }
}

void Simulation::packet_delivered(std::uint32_t source, const Delivery& delivery) {
  if (loop_monitor_ && delivery.measured) {
    loop_monitor_->carried(delivery.round_trip);
  }
  if (!delivery.first) {
    return;
  }
  if (loop_monitor_) {
    loop_monitor_->delivered(source, now());
    loop_monitor_->sums().useful -= delivery.measured ? 0 : 1;
  }
  Source& state = sources_[source];
  if (--state.left != 0) {
    return;
  }
  state.arrived = now();
  if (!over_ && group_of(source).workload.ends_at == kit::Workload::EndsAt::kDestination) {
    file_ended(source, sender(source).GetFilePackets() - state.first);
  }
}

void Simulation::warm_up_ended() {
  sums_ = {};
  acknowledged_ = 0;
  network_.restart_measurements();
  if (probes_) {
    probes_->warm_up_ended(now());
  }
  if (loop_monitor_) {
    loop_monitor_->restart(now());
  }
}

void Simulation::run_for_a_time() {
  const kit::Picoseconds warmup = kit::picoseconds(point_.stop.warmup_s);
  const kit::Picoseconds length = kit::picoseconds(point_.stop.duration_s);
  ns3::Simulator::Schedule(time(warmup), &Simulation::warm_up_ended, this);
  for (std::int64_t report = 1; progress_ && report <= kProgressReports; ++report) {
    ns3::Simulator::Schedule(time(warmup + length / kProgressReports * report),
                             [this, report] { progress_(report, kProgressReports); });
  }
  ns3::Simulator::Stop(time(warmup + length));
  ns3::Simulator::Run();
}

// What one event makes senders send belongs together: the warm-up's last packets, and the run's.
void Simulation::run_until_packets_are_sent() {
  const auto run_until = [this](std::int64_t packets) {
    target_ = packets;
    if (sent_ < target_) {
      ns3::Simulator::Run();
    }
  };
  run_until(point_.stop.warmup_packets);
  warm_up_ended();
  const std::int64_t warmup = sent_;
  kit::run_in_parts(point_.stop.packets, progress_, [&](std::int64_t end) { run_until(warmup + end); });
}

kit::Measurements Simulation::run(const kit::Progress& progress) {
  progress_ = progress;
  if (point_.stop.duration_s > 0) {
    run_for_a_time();
  } else if (point_.stop.packets > 0) {
    run_until_packets_are_sent();
  } else {
    ns3::Simulator::Run();
  }
  over_ = true;
  kit::Measurements result = network_.close();
  result.counters.connections_completed = completed_;
  result.connections = sums_;
  result.packets.acknowledged = acknowledged_;
  if (probes_) {
    probes_->measured_until(result.end);
    result.probes = probes_->results();
  }
  if (loop_monitor_) {
    result.loop = loop_monitor_->measurements(result.end).loop;
  }
  return result;
}

}  // namespace tcp_atlas
