#include "kit/point/read_sources.hpp"

#include <cmath>
#include <set>
#include <type_traits>
#include <variant>

namespace kit {
namespace {

// Packets of an endless transfer: with a window beside them, as many as sequence numbers can tell apart.
constexpr double kEndless = 2e9;

// Reads the variant's own parameters; a variant that is not in the list has none.
template <class... Own>
VariantParameters read_own(JsonReader& tcp, const std::string& variant,
                           std::type_identity<std::variant<std::monostate, Own...>> /*all*/) {
  VariantParameters own;
  ((Own::kVariant == variant && (own = Own::read(tcp), true)) || ...);
  return own;
}

Tcp read_tcp(JsonReader& group) {
  JsonReader reader = group.object("tcp");
  Tcp tcp{.variant = reader.word("variant"),
          .rwnd_packets = reader.count("rwnd_packets", kPackets),
          .initial_window_packets = reader.count("initial_window_packets", kPackets),
          .min_rto_s = reader.number("min_rto_s", kTimer),
          .max_rto_s = reader.number("max_rto_s", kTimer),
          .clock_tick_s = reader.has("clock_tick_s") ? reader.number("clock_tick_s", kTimer) : 0};
  if (tcp.max_rto_s < tcp.min_rto_s) {
    reader.fail("max_rto_s", "is less than min_rto_s");
  }
  tcp.own = read_own(reader, tcp.variant, std::type_identity<VariantParameters>());
  reader.finish();
  return tcp;
}

FileSize read_file_size(JsonReader& workload) {
  using Distribution = FileSize::Distribution;
  JsonReader reader = workload.object("file_size");
  FileSize size;
  size.distribution = static_cast<Distribution>(reader.choice(
      "distribution", {"fixed", "exponential", "exponential-pareto", "exponential-exponential"}));
  size.mean_packets = reader.number("mean_packets", kFilePackets);
  if (size.distribution == Distribution::kFixed) {
    if (std::floor(size.mean_packets) != size.mean_packets) {
      reader.fail("mean_packets", "must be a whole number for a fixed size");
    }
    reader.ignore({"minimum_packets"});
  } else {
    size.minimum_packets = reader.number("minimum_packets", kFilePackets);
    if (size.mean_packets < size.minimum_packets) {
      reader.fail("mean_packets", "is less than minimum_packets");
    }
  }
  if (size.distribution == Distribution::kExponentialPareto) {
    size.tail_share = reader.number("tail_share", kShare);
    size.tail_index = reader.number("tail_index", kTailIndex);
    // The body's mean B of section 3.2 must come out positive.
    if (size.mean_packets <= size.minimum_packets * (1 + size.tail_share / (size.tail_index - 1))) {
      reader.fail("mean_packets",
                  "is too small for this tail_share and tail_index: nothing is left for the body");
    }
  }
  if (size.distribution == Distribution::kExponentialExponential) {
    size.tail_share = reader.number("tail_share", kShare);
    size.tail_mean_ratio = reader.number("tail_mean_ratio", kFactor);
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
                         .mean_s = reader.number("mean_s", kPause)};
  reader.finish();
  return off_time;
}

SourceGroup read_group(JsonReader& reader) {
  SourceGroup group{.name = reader.text("name"),
                    .count = reader.count("count", kSources),
                    .file_size = {.distribution = FileSize::Distribution::kFixed, .mean_packets = kEndless},
                    .off_time = {},
                    .tcp = read_tcp(reader),
                    .access = read_link(reader, "access"),
                    .extra_delay_s = reader.number("extra_delay_s", kDelay)};
  JsonReader workload = reader.object("workload");
  group.bulk = workload.choice("kind", {"on-off", "bulk"}) == 1;
  if (!group.bulk) {
    group.file_size = read_file_size(workload);
    group.off_time = read_off_time(workload);
  } else if (workload.has("start_spread_s")) {
    group.start_spread_s = workload.number("start_spread_s", kDelay);
  }
  workload.finish();
  reader.finish();
  return group;
}

}  // namespace

Link read_link(JsonReader& reader, const std::string& key) {
  JsonReader link = reader.object(key);
  const Link result{.rate_bit_per_s = link.number("rate_bit_per_s", kRate),
                    .delay_s = link.number("delay_s", kDelay)};
  link.finish();
  return result;
}

std::vector<SourceGroup> read_sources(JsonReader& point) {
  std::vector<SourceGroup> groups;
  std::set<std::string> names;
  std::int64_t sources = 0;
  for (JsonReader& reader : point.objects("sources")) {
    groups.push_back(read_group(reader));
    if (!names.insert(groups.back().name).second) {
      reader.fail("name", "is '" + JsonReader::cut(groups.back().name) +
                              "', as that of another group; each group its own");
    }
    sources += groups.back().count;
    if (static_cast<double>(sources) > kSources.high) {
      reader.fail("count", "makes " + std::to_string(sources) + " sources; must be at most 1000000");
    }
  }
  if (groups.empty()) {
    point.fail("sources", "is empty; at least one group");
  }
  return groups;
}

}  // namespace kit
