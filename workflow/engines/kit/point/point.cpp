#include "kit/point/point.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "kit/point/read_parts.hpp"

namespace kit {
namespace {

// Checks the rule against the sources; a transfer is a connection of so many packets.
void apply_stop(Point& point, const JsonReader& reader) {
  if (point.any_come_and_go() &&
      (std::holds_alternative<LocalLoop>(point.topology) || point.stop.duration_s == 0)) {
    reader.fail(
        "sources.workload",
        "must have neither start_s, stop_s nor transfer_packets but in a dumbbell with stop.duration_s");
  }
  if (point.any_arrivals() &&
      (std::holds_alternative<LocalLoop>(point.topology) || point.stop.loss_events > 0)) {
    reader.fail("sources.workload.kind", "must not be arrivals in a local loop or with stop.loss_events");
  }
  if (point.stop.transfer_packets > 0) {
    if (point.source_count() != 1 || !point.all_bulk()) {
      reader.fail("stop.transfer_packets", "is of one bulk source; no other source may be there");
    }
    point.groups.front().workload.file_size.mean_packets = static_cast<double>(point.stop.transfer_packets);
    point.stop.connections = 1;
  } else if (point.stop.connections > 0 && point.all_bulk()) {
    reader.fail("stop.connections",
                "is never reached by bulk sources; one of duration_s, loss_events, transfer_packets");
  }
}

// Such a queue lets a departure choose whose packet is next before it admits an arrival of the same instant.
void check_fair_queue(const Point& point, const JsonReader& reader) {
  if (point.dumbbell().bottleneck.ties != Bottleneck::Ties::kDepartureFirst) {
    reader.fail("links.bottleneck.ties",
                "must be departure-first unless links.bottleneck.queue is drop-tail");
  }
}

// Products of numbers that are in order one by one.
void check_sizes(const Point& point, const JsonReader& reader) {
  const std::int32_t bytes = std::ranges::max(point.sizes());
  const double bits = 8.0 * bytes;
  const auto check_queue = [&](const std::string& key, double packets, double rate_bit_per_s) {
    if (const double time_s = packets * bits / rate_bit_per_s; time_s > kLongestQueue_s) {
      reader.fail(key, "takes " + std::to_string(time_s) + " s to be sent; must take at most " +
                           std::to_string(kLongestQueue_s) + " s");
    }
  };
  const bool individual = point.dumbbell().bottleneck.queue == Bottleneck::Queue::kFairIndividual;
  check_queue("links.bottleneck.buffer_packets",
              static_cast<double>(point.dumbbell().bottleneck.buffer_packets) *
                  (individual ? point.source_count() : 1),
              point.dumbbell().bottleneck.lowest_rate_bit_per_s());
  if (const auto& bucket = point.dumbbell().bottleneck.token_bucket) {
    if (bucket->burst_bytes < bytes) {
      reader.fail("links.bottleneck.token_bucket.burst_bytes",
                  "has no room for a packet of " + std::to_string(bytes) + " bytes");
    }
    check_queue("links.bottleneck.token_bucket.burst_bytes",
                8.0 * static_cast<double>(bucket->burst_bytes) / bits, bucket->rate_bit_per_s);
  }
  if (const auto& way_back = point.dumbbell().way_back) {
    if (point.ack_bytes == 0) {
      reader.fail("ack_bytes", "is 0, which takes no time on links.return; at least 1");
    }
    const bool data = std::ranges::any_of(point.groups, &SourceGroup::returns);
    check_queue(
        "links.return.buffer_packets",
        way_back->buffer_packets * 8.0 * (data ? std::max(bytes, point.ack_bytes) : point.ack_bytes) / bits,
        way_back->rate_bit_per_s);
  }
  for (std::size_t hop = 0; hop < point.dumbbell().hops.size(); ++hop) {
    const Hop& link = point.dumbbell().hops[hop];
    check_queue("links.hops." + std::to_string(hop) + ".buffer_packets", link.buffer_packets,
                link.rate_bit_per_s);
  }
  double window_bits = 0;
  for (std::size_t index = 0; index < point.groups.size(); ++index) {
    const SourceGroup& group = point.groups[index];
    const std::string key = "sources." + std::to_string(index) + ".tcp.rwnd_packets";
    check_queue(key, group.tcp.rwnd_packets, group.access.rate_bit_per_s);
    check_queue(key, group.tcp.rwnd_packets, point.dumbbell().egress.rate_bit_per_s);
    window_bits += static_cast<double>(group.count) * group.tcp.rwnd_packets;
    if (window_bits > kMostWindowBits) {
      reader.fail(key, "makes the windows of all sources " + std::to_string(window_bits) +
                           " packets; must be at most " + std::to_string(kMostWindowBits));
    }
  }
  if (point.cross_traffic.kind != CrossTrafficSpec::Kind::kNone) {
    std::vector<RateStep> rates = point.cross_traffic.rate_steps;
    rates.push_back({.rate_bit_per_s = point.cross_traffic.rate_bit_per_s});
    for (const RateStep& step : rates) {
      if (step.rate_bit_per_s > 0) {
        check_queue("cross_traffic.rate_bit_per_s", 1, step.rate_bit_per_s);
      }
    }
  }
}

// Which links each group's packets pass.
void apply_path(Point& point, const JsonReader& reader) {
  const auto* dumbbell = std::get_if<Dumbbell>(&point.topology);
  const auto last = dumbbell == nullptr ? 0 : static_cast<std::int32_t>(dumbbell->hops.size());
  for (std::size_t index = 0; index < point.groups.size(); ++index) {
    SourceGroup& group = point.groups[index];
    const std::string key = "sources." + std::to_string(index);
    if (group.last_hop == kAllHops) {
      group.last_hop = last;
    } else if (group.first_hop > group.last_hop || group.last_hop > last || group.returns) {
      reader.fail(key + ".hops", "must be first and last in order, at most " + std::to_string(last + 1) +
                                     ", of a group that does not return");
    }
    if (group.packet_bytes > 0 && dumbbell == nullptr) {
      reader.fail(key + ".packet_bytes", "is of dumbbells; must be absent");
    }
    if (group.returns && (dumbbell == nullptr || !dumbbell->way_back)) {
      reader.fail(key + ".direction", "is return, but there is no links.return");
    }
  }
}

template <auto read>
Topology topology(JsonReader& point) {
  return read(point);
}

}  // namespace

Point parse_point(const Json& json, const std::string& file) {
  JsonReader reader(json, file);
  Point point;
  reader.choice<bool>("schema", {{"tcp-atlas/point/3", true}});
  point.study = reader.text("study");
  point.set = reader.text("set");
  point.name = reader.text("point");
  point.topology = reader.choice<Topology (*)(JsonReader&)>(
      "kind", {{"dumbbell", topology<read_dumbbell>}, {"local-loop", topology<read_local_loop>}})(reader);
  point.return_delay_s = reader.number("return_delay_s", kReturnDelay);
  point.packet_bytes = reader.count("packet_bytes", kPacketBytes);
  point.groups = read_sources(reader);
  for (SourceGroup& group : point.groups) {
    group.tcp.packet_bytes = point.bytes_of(group.packet_bytes);
  }
  apply_path(point, reader);
  point.stop = read_stop(reader);
  apply_stop(point, reader);
  if (reader.has("cross_traffic")) {
    point.cross_traffic = read_cross_traffic(reader);
  }
  point.probes = read_probes(reader, point);
  if (reader.has("fixed_point")) {
    point.fixed_point = read_fixed_point(reader);
  }
  // Contained in return_delay_s but for a queue on the way back.
  if (reader.has("ack_bytes")) {
    point.ack_bytes = reader.count("ack_bytes", kAckBytes);
  }
  if (const auto* dumbbell = std::get_if<Dumbbell>(&point.topology)) {
    if (dumbbell->bottleneck.queue != Queue::kDropTail) {
      check_fair_queue(point, reader);
    }
    check_sizes(point, reader);
  }
  // These are for models and for the driver of the replications; what is there is in order all the same.
  if (reader.has("seed")) {
    reader.whole("seed", kSeed);
  }
  for (const char* key : {"parameters", "replications", "known"}) {
    if (reader.has(key)) {
      reader.object(key);
    }
  }
  reader.finish();
  return point;
}

}  // namespace kit
