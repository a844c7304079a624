#include "kit/point/point.hpp"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>

#include "kit/point/json_reader.hpp"

namespace kit {
namespace {

// Flow numbers share a 64-bit word with kind, transfer and sequence number (see payload.hpp).
constexpr std::int32_t kMaxSources = 1 << 20;
constexpr std::int64_t kMaxStop = std::int64_t{1} << 53;

// Packets of a transfer without end: as many as sequence numbers can tell apart.
constexpr double kEndless = INT32_MAX - 1;

// Seconds: picoseconds in 63 bits reach to 9.2 million.
constexpr double kLongestRun = 4e6;

Link read_link(JsonReader& reader) {
  return {.rate_bit_per_s = reader.positive("rate_bit_per_s"), .delay_s = reader.not_negative("delay_s")};
}

Link read_plain_link(JsonReader& links, const std::string& key) {
  JsonReader reader = links.object(key);
  const Link link = read_link(reader);
  reader.finish();
  return link;
}

Bottleneck read_bottleneck(JsonReader& links) {
  JsonReader reader = links.object("bottleneck");
  Bottleneck bottleneck;
  static_cast<Link&>(bottleneck) = read_link(reader);
  bottleneck.loss_probability = reader.number("loss_probability", 0, 1);
  bottleneck.buffer_packets = reader.count("buffer_packets", 1);
  bottleneck.queue =
      static_cast<Bottleneck::Queue>(reader.choice("queue", {"drop-tail", "fair-individual", "fair-shared"}));
  reader.finish();
  return bottleneck;
}

// Limits: Blanc, Collange and Avrachenkov 2008, section 2.1.1.
CompoundParameters read_compound(JsonReader& tcp) {
  CompoundParameters compound{.linux_integers = tcp.choice("arithmetic", {"float", "linux"}) == 1,
                              .alpha = tcp.positive("alpha"),
                              .k = tcp.number("k", 0, 1, false),
                              .beta = tcp.number("beta", 0, 1, false),
                              .zeta = tcp.positive("zeta"),
                              .gamma_packets = tcp.number("gamma_packets", 1, 1e9),
                              .damping = tcp.count("damping", 1),
                              .rate_halving = tcp.choice("recovery", {"pause", "rate-halving"}) == 1};
  if (compound.k == 1) {
    tcp.fail("k", "is 1; must be more than 0 and less than 1");
  }
  if (compound.beta == 1) {
    tcp.fail("beta", "is 1; must be more than 0 and less than 1");
  }
  if (compound.linux_integers) {
    const double shift = -std::log2(compound.alpha);
    if (shift < 0 || shift != std::floor(shift)) {
      tcp.fail("alpha", "must be 1, 1/2, 1/4, 1/8, ... with arithmetic linux");
    }
    if (compound.k != 0.75) {
      tcp.fail("k", "must be 0.75 with arithmetic linux");
    }
  }
  return compound;
}

Tcp read_tcp(JsonReader& point) {
  JsonReader reader = point.object("tcp");
  Tcp tcp{.variant =
              static_cast<Tcp::Variant>(reader.choice("variant", {"newreno", "compound", "tahoe", "reno"})),
          .rwnd_packets = reader.count("rwnd_packets", 1),
          .initial_window_packets = reader.count("initial_window_packets", 1),
          .min_rto_s = reader.positive("min_rto_s"),
          .max_rto_s = reader.positive("max_rto_s"),
          .clock_tick_s = reader.has("clock_tick_s") ? reader.positive("clock_tick_s") : 0};
  if (tcp.max_rto_s < tcp.min_rto_s) {
    reader.fail("max_rto_s", "is less than min_rto_s");
  }
  if (tcp.variant == Tcp::Variant::kCompound) {
    tcp.compound = read_compound(reader);
  }
  reader.finish();
  return tcp;
}

FileSize read_file_size(JsonReader& workload) {
  using Distribution = FileSize::Distribution;
  JsonReader reader = workload.object("file_size");
  FileSize size;
  size.distribution = static_cast<Distribution>(reader.choice(
      "distribution", {"fixed", "exponential", "exponential-pareto", "exponential-exponential"}));
  size.mean_packets = reader.number("mean_packets", 1, 1e9);
  if (size.distribution == Distribution::kFixed) {
    if (std::floor(size.mean_packets) != size.mean_packets) {
      reader.fail("mean_packets", "must be a whole number for a fixed size");
    }
    reader.ignore({"minimum_packets"});
  } else {
    size.minimum_packets = reader.number("minimum_packets", 1, 1e9);
    if (size.mean_packets < size.minimum_packets) {
      reader.fail("mean_packets", "is less than minimum_packets");
    }
  }
  if (size.distribution == Distribution::kExponentialPareto) {
    size.tail_share = reader.number("tail_share", 0, 1, false);
    size.tail_index = reader.number("tail_index", 1, 1e9, false);
    // The body's mean B of section 3.2 must come out positive.
    if (size.mean_packets <= size.minimum_packets * (1 + size.tail_share / (size.tail_index - 1))) {
      reader.fail("mean_packets",
                  "is too small for this tail_share and tail_index: nothing is left for the body");
    }
  }
  if (size.distribution == Distribution::kExponentialExponential) {
    size.tail_share = reader.number("tail_share", 0, 1, false);
    size.tail_mean_ratio = reader.positive("tail_mean_ratio");
    if (size.mean_packets * (1 - size.tail_share * size.tail_mean_ratio) <= size.minimum_packets) {
      reader.fail("tail_mean_ratio", "is too large for this mean_packets: nothing is left for the body");
    }
  }
  reader.finish();
  return size;
}

OffTime read_off_time(JsonReader& workload) {
  JsonReader reader = workload.object("off_time");
  const OffTime off_time{.exponential = reader.choice("distribution", {"fixed", "exponential"}) == 1,
                         .mean_s = reader.not_negative("mean_s")};
  reader.finish();
  return off_time;
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

Probes read_probes(const Json& json, const JsonReader& reader, const std::string& file, const Point& point) {
  if (!json.contains("probes") || !json["probes"].is_array()) {
    reader.fail("probes", "must be a list");
  }
  Probes probes;
  for (std::size_t i = 0; i < json["probes"].size(); ++i) {
    JsonReader probe(json["probes"][i], file, "probes." + std::to_string(i));
    switch (probe.choice("kind", {"capacity-sharing", "drop-positions", "loss-recovery", "loss-cycles",
                                  "window-trace", "size-intervals"})) {
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
        if (!point.bulk || point.tcp.variant != Tcp::Variant::kTahoe) {
          probe.fail("kind", "must not be loss-cycles unless tcp.variant is tahoe and the sources are bulk");
        }
        probes.loss_cycles = true;
        break;
      case 4:
        probes.window_trace = true;
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

// Connections complete, transfers without end stop by time, and the lone flow of Compound TCP by its losses.
void read_stop(JsonReader& reader, Point& point) {
  JsonReader stop = reader.object("stop");
  if (point.tcp.variant == Tcp::Variant::kCompound) {
    point.stop_loss_events = stop.whole("loss_events", 1, kMaxStop);
    point.warmup_loss_events = stop.whole("warmup_loss_events", 0, kMaxStop);
  } else if (point.bulk || stop.has("duration_s")) {
    point.stop_s = stop.number("duration_s", 0, kLongestRun, false);
    point.warmup_s = stop.number("warmup_s", 0, kLongestRun);
  } else {
    point.stop_connections = stop.whole("connections", 1, kMaxStop);
    point.warmup_connections = stop.whole("warmup_connections", 0, kMaxStop);
  }
  stop.finish();
}

// No paper says whose turn cross traffic would take.
void check_fair_queue(const Point& point, const JsonReader& reader) {
  if (point.cross_traffic.kind != CrossTrafficSpec::Kind::kNone) {
    reader.fail("cross_traffic", "must be absent unless links.bottleneck.queue is drop-tail");
  }
}

// What the lone flow of Compound TCP does not go together with.
void check_compound(const Point& point, const JsonReader& reader) {
  if (point.bottleneck.queue != Bottleneck::Queue::kDropTail) {
    reader.fail("links.bottleneck.queue", "must be drop-tail with tcp.variant compound");
  }
  if (point.source_count != 1) {
    reader.fail("sources.count", "must be 1 with tcp.variant compound");
  }
  if (point.cross_traffic.kind != CrossTrafficSpec::Kind::kNone) {
    reader.fail("cross_traffic", "must be absent with tcp.variant compound");
  }
  const double propagation_s =
      point.access.delay_s + point.bottleneck.delay_s + point.egress.delay_s + point.return_delay_s;
  const double most_in_flight = propagation_s * point.bottleneck.rate_bit_per_s / (8.0 * point.packet_bytes) +
                                point.bottleneck.buffer_packets;
  if (point.tcp.rwnd_packets < most_in_flight + 2) {
    reader.fail("tcp.rwnd_packets",
                "never fills the buffer, so that no loss event ends the run; must be at least " +
                    std::to_string(std::llround(std::ceil(most_in_flight)) + 2));
  }
}

}  // namespace

Point parse_point(const Json& json, const std::string& file) {
  JsonReader reader(json, file);
  Point point;
  reader.choice("schema", {"tcp-atlas/point/1"});
  point.study = reader.text("study");
  point.set = reader.text("set");
  point.name = reader.text("point");

  JsonReader links = reader.object("links");
  point.access = read_plain_link(links, "access");
  point.bottleneck = read_bottleneck(links);
  point.egress = read_plain_link(links, "egress");
  links.finish();

  point.return_delay_s = reader.not_negative("return_delay_s");
  point.packet_bytes = reader.count("packet_bytes", 1);
  point.tcp = read_tcp(reader);

  JsonReader sources = reader.object("sources");
  point.source_count = static_cast<std::int32_t>(sources.whole("count", 1, kMaxSources));
  JsonReader workload = sources.object("workload");
  point.bulk = workload.choice("kind", {"on-off", "bulk"}) == 1;
  if (point.tcp.variant == Tcp::Variant::kCompound && !point.bulk) {
    workload.fail("kind", "must be bulk with tcp.variant compound");
  }
  if (point.bulk) {
    point.file_size = {.distribution = FileSize::Distribution::kFixed, .mean_packets = kEndless};
    point.off_time = {};
  } else {
    point.file_size = read_file_size(workload);
    point.off_time = read_off_time(workload);
  }
  workload.finish();
  sources.finish();

  read_stop(reader, point);
  if (reader.has("cross_traffic")) {
    point.cross_traffic = read_cross_traffic(reader);
  }

  point.probes = read_probes(json, reader, file, point);
  if (point.bottleneck.queue != Bottleneck::Queue::kDropTail) {
    check_fair_queue(point, reader);
  }
  if (point.tcp.variant == Tcp::Variant::kCompound) {
    check_compound(point, reader);
  }
  // ack_bytes is contained in return_delay_s; the rest is for the driver of the replications.
  reader.ignore({"probes", "ack_bytes", "parameters", "replications", "seed"});
  reader.finish();
  return point;
}

Point read_point(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) {
    throw InputError(file.string() + ": cannot be read: " + std::strerror(errno));
  }
  try {
    return parse_point(Json::parse(stream), file.string());
  } catch (const Json::parse_error& error) {
    throw InputError(file.string() + ": is not JSON: byte " + std::to_string(error.byte));
  }
}

}  // namespace kit
