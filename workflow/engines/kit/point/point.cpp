#include "kit/point/point.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "kit/point/json_reader.hpp"
#include "kit/point/read_sources.hpp"

namespace kit {
namespace {

constexpr std::int64_t kMaxStop = std::int64_t{1} << 53;

// Seconds: picoseconds in 63 bits reach to 9.2 million.
constexpr double kLongestRun = 4e6;

Bottleneck read_bottleneck(JsonReader& links) {
  JsonReader reader = links.object("bottleneck");
  Bottleneck bottleneck;
  bottleneck.rate_bit_per_s = reader.positive("rate_bit_per_s");
  bottleneck.delay_s = reader.not_negative("delay_s");
  bottleneck.loss_probability = reader.number("loss_probability", 0, 1);
  bottleneck.buffer_packets = reader.count("buffer_packets", 1);
  bottleneck.queue =
      static_cast<Bottleneck::Queue>(reader.choice("queue", {"drop-tail", "fair-individual", "fair-shared"}));
  if (reader.has("ties")) {
    bottleneck.ties =
        static_cast<Bottleneck::Ties>(reader.choice("ties", {"departure-first", "arrival-first", "random"}));
  }
  reader.finish();
  return bottleneck;
}

SizeInterval read_interval(const Json& interval, const JsonReader& reader) {
  const auto bound = [](const Json& value) {
    return value.is_number_integer() && value >= 1 && value <= INT32_MAX;
  };
  if (!interval.is_array() || interval.size() != 2 || !bound(interval[0]) ||
      !(bound(interval[1]) || interval[1].is_null()) || (bound(interval[1]) && interval[1] < interval[0])) {
    reader.fail("intervals", "has " + interval.dump() + "; must be [low, high] in packets, or [low, null]");
  }
  const auto low = interval[0].get<std::int32_t>();
  if (interval[1].is_null()) {
    return {low, INT32_MAX, ">" + std::to_string(low - 1)};
  }
  const auto high = interval[1].get<std::int32_t>();
  return {low, high, std::to_string(low) + "-" + std::to_string(high)};
}

std::vector<SizeInterval> read_intervals(const Json& intervals, const JsonReader& reader) {
  if (!intervals.is_array() || intervals.empty()) {
    reader.fail("intervals", "must be a list of [low, high] in packets");
  }
  std::vector<SizeInterval> result;
  for (const auto& interval : intervals) {
    result.push_back(read_interval(interval, reader));
    if (result.size() > 1 && result.back().low <= result[result.size() - 2].high) {
      reader.fail("intervals",
                  "has " + interval.dump() +
                      ", which overlaps the one before it; must be disjoint and in increasing order");
    }
  }
  return result;
}

Probes read_probes(JsonReader& reader, const Point& point) {
  const auto is_bulk_tahoe = [](const SourceGroup& group) {
    return group.bulk && group.tcp.variant == "tahoe";
  };
  Probes probes;
  for (JsonReader& probe : reader.objects("probes")) {
    switch (probe.choice("kind", {"capacity-sharing", "drop-positions", "loss-recovery", "loss-cycles",
                                  "window-trace", "filter-log", "size-intervals"})) {
      case 0:
        probes.capacity_sharing = true;
        break;
      case 1:
        probes.drop_positions = true;
        break;
      case 2:
        probes.loss_recovery = true;
        break;
      case 3:
        if (!std::ranges::all_of(point.groups, is_bulk_tahoe)) {
          probe.fail("kind", "must not be loss-cycles unless all sources are bulk with tcp.variant tahoe");
        }
        probes.loss_cycles = true;
        break;
      case 4:
        probes.window_trace = true;
        break;
      case 5:
        if (!point.all_bulk()) {
          probe.fail("kind", "must not be filter-log unless all sources are bulk");
        }
        probes.filter_log = true;
        break;
      default:
        probes.size_intervals = read_intervals(probe.list("intervals"), probe);
        break;
    }
    probe.finish();
  }
  return probes;
}

CrossTrafficSpec read_cross_traffic(JsonReader& point) {
  JsonReader reader = point.object("cross_traffic");
  CrossTrafficSpec cross_traffic;
  cross_traffic.kind = reader.choice("kind", {"deterministic", "poisson"}) == 0
                           ? CrossTrafficSpec::Kind::kDeterministic
                           : CrossTrafficSpec::Kind::kPoisson;
  cross_traffic.rate_bit_per_s = reader.positive("rate_bit_per_s");
  if (reader.has("phase")) {
    cross_traffic.phase = reader.number("phase", 0, 1);
  }
  reader.finish();
  return cross_traffic;
}

void read_stop(JsonReader& reader, Point& point) {
  JsonReader stop = reader.object("stop");
  if (stop.has("duration_s")) {
    point.stop_s = stop.number("duration_s", 0, kLongestRun, false);
    point.warmup_s = stop.number("warmup_s", 0, kLongestRun);
  } else if (stop.has("loss_events")) {
    point.stop_loss_events = stop.whole("loss_events", 1, kMaxStop);
    point.warmup_loss_events = stop.whole("warmup_loss_events", 0, kMaxStop);
  } else if (stop.has("transfer_packets")) {
    const std::int32_t packets = stop.count("transfer_packets", 1);
    if (point.source_count() != 1 || !point.all_bulk()) {
      stop.fail("transfer_packets", "is of one bulk source; no other source may be there");
    }
    point.groups.front().file_size.mean_packets = packets;
    point.stop_connections = 1;
  } else {
    point.stop_connections = stop.whole("connections", 1, kMaxStop);
    point.warmup_connections = stop.whole("warmup_connections", 0, kMaxStop);
    if (point.all_bulk()) {
      stop.fail("connections",
                "is never reached by bulk sources; one of duration_s, loss_events, transfer_packets");
    }
  }
  stop.finish();
}

// No paper says whose turn cross traffic would take. A fair queue lets a departure choose whose packet is
// next before it admits an arrival of the same instant.
void check_fair_queue(const Point& point, const JsonReader& reader) {
  if (point.cross_traffic.kind != CrossTrafficSpec::Kind::kNone) {
    reader.fail("cross_traffic", "must be absent unless links.bottleneck.queue is drop-tail");
  }
  if (point.bottleneck.ties != Bottleneck::Ties::kDepartureFirst) {
    reader.fail("links.bottleneck.ties",
                "must be departure-first unless links.bottleneck.queue is drop-tail");
  }
}

}  // namespace

Point parse_point(const Json& json, const std::string& file) {
  JsonReader reader(json, file);
  Point point;
  reader.choice("schema", {"tcp-atlas/point/2"});
  reader.choice("kind", {"dumbbell"});
  point.study = reader.text("study");
  point.set = reader.text("set");
  point.name = reader.text("point");

  JsonReader links = reader.object("links");
  point.bottleneck = read_bottleneck(links);
  point.egress = read_link(links, "egress");
  links.finish();

  point.return_delay_s = reader.not_negative("return_delay_s");
  point.packet_bytes = reader.count("packet_bytes", 1);
  point.groups = read_sources(reader);
  read_stop(reader, point);
  if (reader.has("cross_traffic")) {
    point.cross_traffic = read_cross_traffic(reader);
  }
  point.probes = read_probes(reader, point);
  if (point.bottleneck.queue != Bottleneck::Queue::kDropTail) {
    check_fair_queue(point, reader);
  }
  // ack_bytes is contained in return_delay_s; the rest is for the driver of the replications.
  reader.ignore({"ack_bytes", "parameters", "replications", "seed"});
  reader.finish();
  return point;
}

Point read_point(const std::filesystem::path& file) { return parse_point(read_json(file), file.string()); }

Json read_json(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) {
    throw InputError(file.string() + ": cannot be read: " + std::strerror(errno));
  }
  try {
    return Json::parse(stream);
  } catch (const Json::parse_error& error) {
    throw InputError(file.string() + ": is not JSON: byte " + std::to_string(error.byte));
  }
}

}  // namespace kit
