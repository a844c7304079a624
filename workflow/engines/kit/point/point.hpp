// A parameter point, as docs/formats.md describes it, checked.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "kit/point/json.hpp"
#include "kit/variants/variant_parameters.hpp"

namespace kit {

// Invalid input, in one line: file, key path, what is allowed.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A valid point that an engine does not simulate: key path and what is allowed, without the file.
class Unsupported : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Link {
  double rate_bit_per_s = 0;
  double delay_s = 0;
};

struct Bottleneck : Link {
  enum class Queue { kDropTail, kFairIndividual, kFairShared };
  // What comes first when a packet arrives at the instant of a departure; random: a fair coin each time.
  enum class Ties { kDepartureFirst, kArrivalFirst, kRandom };
  double loss_probability = 0;      // random loss behind the queue
  std::int32_t buffer_packets = 0;  // the packet in service included; of each source with kFairIndividual
  Queue queue = Queue::kDropTail;
  Ties ties = Ties::kDepartureFirst;
};

struct Tcp {
  std::string variant = "newreno";  // each engine knows its own
  std::int32_t rwnd_packets = 0;
  std::int32_t initial_window_packets = 0;
  double min_rto_s = 0;
  double max_rto_s = 0;
  double clock_tick_s = 0;     // of the retransmission timer; 0: it runs continuously
  VariantParameters own = {};  // of the variant, if it has any
};

struct FileSize {
  enum class Distribution { kFixed, kExponential, kExponentialPareto, kExponentialExponential };
  Distribution distribution = Distribution::kFixed;
  double mean_packets = 0;
  double minimum_packets = 0;
  double tail_share = 0;       // H, of the two distributions with a tail
  double tail_index = 0;       // alpha of the Pareto tail
  double tail_mean_ratio = 0;  // omega: mean of the exponential tail over the mean size
};

struct OffTime {
  bool exponential = false;  // or fixed
  double mean_s = 0;
};

struct SizeInterval {
  std::int32_t low;  // packets, both ends included
  std::int32_t high;
  std::string label;  // as metrics carry it: 3-6, or >4096
};

// Optional measurements; see probes/.
struct Probes {
  bool capacity_sharing = false;
  bool drop_positions = false;
  bool loss_recovery = false;
  bool loss_cycles = false;
  bool window_trace = false;
  bool filter_log = false;
  std::vector<SizeInterval> size_intervals;  // empty: not asked for

  bool any() const {
    return capacity_sharing || drop_positions || loss_recovery || loss_cycles || window_trace || filter_log ||
           !size_intervals.empty();
  }
};

// Packets of the point's size that reach the bottleneck whatever happens there.
struct CrossTrafficSpec {
  enum class Kind { kNone, kDeterministic, kPoisson };
  Kind kind = Kind::kNone;
  double rate_bit_per_s = 0;
  std::optional<double> phase = std::nullopt;  // of the first packet, in periods; absent: drawn
};

// Sources that do not differ from one another.
struct SourceGroup {
  std::string name = "sources";
  std::int32_t count = 0;
  bool bulk = false;  // transfers without end but the stop rule's, or on-off sources with the next two
  FileSize file_size;
  OffTime off_time;
  double start_spread_s = 0;  // within which bulk sources begin
  Tcp tcp;
  Link access;
  double extra_delay_s = 0;  // added to the return delay
};

struct Point {
  std::string study;
  std::string set;
  std::string name;
  Bottleneck bottleneck;
  Link egress;
  double return_delay_s = 0;  // from every receiver to its source
  std::int32_t packet_bytes = 0;
  std::vector<SourceGroup> groups;  // flows are numbered from 0, group after group
  // The stop rule: connections of on-off sources, loss events of an isolated flow, or a duration. A bulk
  // source whose transfer ends stops as a connection does, without a warm-up.
  std::int64_t stop_connections = 0;
  std::int64_t warmup_connections = 0;
  std::int64_t stop_loss_events = 0;
  std::int64_t warmup_loss_events = 0;
  double stop_s = 0;
  double warmup_s = 0;
  Probes probes = {};
  CrossTrafficSpec cross_traffic = {};

  std::int32_t source_count() const {
    std::int32_t count = 0;
    for (const SourceGroup& group : groups) {
      count += group.count;
    }
    return count;
  }

  // Whether no source is on-off, so that no connection is ever completed.
  bool all_bulk() const {
    return std::ranges::all_of(groups, [](const SourceGroup& group) { return group.bulk; });
  }
};

// Reads and checks a point. Throws InputError.
Point read_point(const std::filesystem::path& file);

// The same from parsed JSON; `file` is only named in messages.
Point parse_point(const Json& json, const std::string& file);

// The JSON in a file. Throws InputError.
Json read_json(const std::filesystem::path& file);

}  // namespace kit
