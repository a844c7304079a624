// SPDX-License-Identifier: GPL-2.0-only
#include "ns3_dumbbell.hpp"

#include "ns3/simulator.h"

namespace tcp_atlas {
namespace {

constexpr std::int64_t kProgressReports = 20;

std::int32_t whole(std::uint32_t number) { return static_cast<std::int32_t>(number); }

kit::WindowView window_of(const PacketTcpSender& sender) {
  return {.cwnd = whole(sender.GetWindow()), .ssthresh = whole(sender.GetThreshold())};
}

}  // namespace

Dumbbell::Dumbbell(const kit::Point& point, std::uint64_t seed)
    : point_(point),
      file_size_random_(seed, kit::Stream::kFileSize),
      off_time_random_(seed, kit::Stream::kOffTime),
      sources_(static_cast<std::size_t>(point.source_count())),
      network_(point, seed,
               {.arrived = [this](const SegmentHeader& packet,
                                  std::size_t found) { packet_arrived(packet, found); },
                .dropped = [this](const SegmentHeader& packet) { packet_dropped(packet); }}) {
  for (const kit::SourceGroup& group : point.groups) {
    file_sizes_.emplace_back(group.workload.file_size);
  }
  if (point.probes.any()) {
    probes_.emplace(point);
  }
  kit::Random start_random(seed, kit::Stream::kStart);
  for (std::uint32_t source = 0; source < sources_.size(); ++source) {
    watch(source);
    wait_off_time(source, kit::draw_start(group_of(source).workload.start_spread_s, start_random));
  }
}

void Dumbbell::watch(std::uint32_t source) {
  PacketTcpSender& sender = this->sender(source);
  sender.TraceConnectWithoutContext(
      "Acknowledgement", ns3::Callback<void, std::uint32_t>(
                             [this, source](std::uint32_t missing) { acknowledged(source, missing); }));
  sender.TraceConnectWithoutContext("RoundTrip", ns3::Callback<void, ns3::Time>([this](ns3::Time sample) {
                                      ++sums_.rtt_samples;
                                      sums_.rtt_s += kit::seconds(sample.GetTimeStep());
                                    }));
  sender.TraceConnectWithoutContext(
      "Completed", ns3::Callback<void, std::uint32_t>(
                       [this, source](std::uint32_t packets) { transfer_completed(source, packets); }));
  if (!probes_) {
    return;
  }
  sender.TraceConnectWithoutContext("Sent",
                                    ns3::Callback<void, std::uint32_t>([this, source](std::uint32_t packet) {
                                      probes_->packet_sent(whole(source), whole(packet), now());
                                    }));
  sender.TraceConnectWithoutContext(
      "Timeout",
      ns3::Callback<void, std::uint32_t>([this, source](std::uint32_t /*packet*/) { timed_out(source); }));
  sender.TraceConnectWithoutContext("Reacted", ns3::Callback<void>([this, source] { reacted(source); }));
}

void Dumbbell::acknowledged(std::uint32_t source, std::uint32_t missing) {
  const PacketTcpSender& sender = this->sender(source);
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

void Dumbbell::timed_out(std::uint32_t source) {
  const PacketTcpSender& sender = this->sender(source);
  probes_->timed_out(whole(source),
                     {.packet = whole(sender.GetUna()),
                      .cwnd = whole(sender.GetWindow()),
                      .slow_start = sender.GetWindow() <= sender.GetThreshold(),
                      .in_recovery = sender.InRecovery()},
                     now());
}

void Dumbbell::reacted(std::uint32_t source) {
  const PacketTcpSender& sender = this->sender(source);
  if (sources_[source].acknowledging) {
    sources_[source].acknowledging = false;
    probes_->acknowledged(whole(source), sources_[source].recovering, sender.InRecovery(), now());
  }
  probes_->window_moved(whole(source), window_of(sender), now());
}

const kit::SourceGroup& Dumbbell::group_of(std::uint32_t source) {
  return point_.groups[network_.groups().group_of(whole(source))];
}

void Dumbbell::wait_off_time(std::uint32_t source, kit::Picoseconds longer) {
  ns3::Simulator::Schedule(
      time(kit::draw_off_time(group_of(source).workload.off_time, off_time_random_) + longer),
      &Dumbbell::start_transfer, this, source);
}

void Dumbbell::start_transfer(std::uint32_t source) {
  if (over_) {
    return;
  }
  const std::int32_t packets = file_sizes_[network_.groups().group_of(whole(source))].draw(file_size_random_);
  sources_[source].started = now();
  if (probes_) {
    probes_->transfer_started(whole(source), packets);
  }
  sender(source).StartTransfer(static_cast<std::uint32_t>(packets));
}

void Dumbbell::transfer_completed(std::uint32_t source, std::uint32_t packets) {
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
  wait_off_time(source);
}

bool Dumbbell::is_probed(const SegmentHeader& packet) {
  return probes_ && packet.GetTransfer() == sender(packet.GetSource()).GetTransfer();
}

void Dumbbell::packet_arrived(const SegmentHeader& packet, std::size_t found) {
  BottleneckMonitor& monitor = network_.monitor();
  const std::uint32_t source = packet.GetSource();
  const bool first = monitor.first_of_transfer(source, packet.GetTransfer(), now());
  if (!is_probed(packet)) {
    return;
  }
  if (first) {
    probes_->transfer_seen_at_bottleneck(whole(source), monitor.active());
  }
  probes_->packet_arrived(whole(source), whole(packet.GetNumber()), found);
}

void Dumbbell::packet_dropped(const SegmentHeader& packet) {
  if (is_probed(packet)) {
    probes_->packet_dropped(whole(packet.GetSource()), whole(packet.GetNumber()));
  }
}

void Dumbbell::warm_up_ended() {
  sums_ = {};
  acknowledged_ = 0;
  network_.restart_measurements();
  if (probes_) {
    probes_->warm_up_ended(now());
  }
}

void Dumbbell::stop_after_a_time() {
  const kit::Picoseconds warmup = kit::picoseconds(point_.stop.warmup_s);
  const kit::Picoseconds length = kit::picoseconds(point_.stop.duration_s);
  ns3::Simulator::Schedule(time(warmup), &Dumbbell::warm_up_ended, this);
  for (std::int64_t report = 1; progress_ && report <= kProgressReports; ++report) {
    ns3::Simulator::Schedule(time(warmup + length / kProgressReports * report),
                             [this, report] { progress_(report, kProgressReports); });
  }
  ns3::Simulator::Stop(time(warmup + length));
}

kit::Measurements Dumbbell::run(const kit::Progress& progress) {
  progress_ = progress;
  if (point_.stop.loss_events > 0) {
    throw kit::Unsupported(
        "stop.loss_events: stops compound only; one of connections, duration_s, transfer_packets");
  }
  if (point_.stop.connections == 0) {
    stop_after_a_time();
  }
  ns3::Simulator::Run();
  over_ = true;
  kit::Measurements result = network_.close();
  result.counters.connections_completed = completed_;
  result.connections = sums_;
  result.packets.acknowledged = acknowledged_;
  if (probes_) {
    result.probes = probes_->results();
  }
  return result;
}

}  // namespace tcp_atlas
