// A parameter point, as docs/formats.md describes it, checked. The structs have the names of the file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
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

// The last ones are the Linux kernel's queue disciplines.
enum class Queue { kDropTail, kFairIndividual, kFairShared, kCake, kCodel, kFq, kFqCodel, kPie, kRed, kStep };

// Which packets a link loses at random (see loss_process.hpp); the share of them is `loss_probability`.
struct Losses {
  enum class Kind { kIndependent, kEvenlySpaced, kBursts, kTimedBursts, kNone };  // none: the share is 0
  Kind kind = Kind::kIndependent;
  double burst_packets = 1;  // mean length
  double burst_loss = 1;     // probability within one
  double burst_time_s = 1;   // mean, of bursts in time
};

// The wait from which on the queue `step` marks packets, unless the point says another one.
inline constexpr double kStepThreshold_s = 0.001;

// Of random early detection.
struct Red {
  std::int32_t min_packets, max_packets;  // the thresholds of the mean queue
  double max_drop;                        // the probability at the larger one
  double weight;                          // of one packet in the mean queue
};

// A link's rate from a time on, counted from the beginning of the run.
struct RateStep {
  double at_s = 0;
  double rate_bit_per_s = 0;
};

// Tokens for bytes, which come at a rate up to the burst.
struct TokenBucket {
  double rate_bit_per_s = 0;
  std::int64_t burst_bytes = 0;
};

// Of a propagation delay: what each packet's differs by, on the link of the bottleneck.
struct Jitter {
  bool normal = false;  // or uniform
  double standard_deviation_s = 0;
  bool reorders = false;              // packets may overtake one another
  std::vector<double> delays_s = {};  // each added to some packets', drawn; empty: by the distribution
};

// A share of the packets is later by so much, and the others pass them.
struct Reordering {
  double share = 0;
  double delay_s = 0;
};

// What a link's delay is longer by from a time on, counted from the beginning of the run.
struct DelayStep {
  double at_s = 0;
  double extra_delay_s = 0;
};

struct Bottleneck : Link {
  using Queue = kit::Queue;
  // What comes first when a packet arrives at the instant of a departure; random: a fair coin each time.
  enum class Ties { kDepartureFirst, kArrivalFirst, kRandom };
  double loss_probability = 0;      // random loss behind the queue
  std::int32_t buffer_packets = 0;  // the packet in service included; of each source with kFairIndividual
  Queue queue = Queue::kDropTail;
  Ties ties = Ties::kDepartureFirst;
  // Of active queue management; absent: as the engine has it.
  std::optional<double> target_s = std::nullopt, interval_s = std::nullopt;
  std::optional<bool> ecn = std::nullopt;  // whether it marks packets whose senders understand that
  std::optional<std::int32_t> flows = std::nullopt, flow_limit_packets = std::nullopt;  // of flow queueing
  std::optional<bool> mtu_rule_counts_all = std::nullopt;  // of FQ-CoDel: packets of all flows, or of each
  bool rules_of_linux = true;  // of managed queues, where they differ from the RFCs'
  // Of random early detection.
  std::optional<std::int32_t> min_threshold_packets = std::nullopt, max_threshold_packets = std::nullopt;
  std::optional<double> max_drop = std::nullopt, weight = std::nullopt;
  Losses losses = {};
  std::vector<RateStep> rate_steps = {};  // in order of time
  double rate_period_s = 0;               // after which they begin anew; 0: they do not
  std::optional<TokenBucket> token_bucket = std::nullopt;
  std::optional<Jitter> jitter = std::nullopt;
  std::optional<Reordering> reordering = std::nullopt;
  std::vector<DelayStep> delay_steps = {};  // in order of time

  // What a point does not say is the same in every engine: the larger threshold is a quarter of the buffer
  // and the smaller one a third of that, as tc-red(8) has them.
  Red red() const {
    const std::int32_t twelfth = std::max(1, buffer_packets / 12);
    return {.min_packets = min_threshold_packets.value_or(twelfth),
            .max_packets = max_threshold_packets.value_or(3 * twelfth),
            .max_drop = max_drop.value_or(0.1),
            .weight = weight.value_or(1.0 / 512)};
  }

  bool reorders() const { return reordering || (jitter && jitter->reorders); }
  bool delay_varies() const { return jitter || reordering || !delay_steps.empty(); }
  bool varies() const { return !rate_steps.empty() || token_bucket; }
  // At which packets leave, one by one.
  double highest_rate_bit_per_s() const {
    double rate = rate_bit_per_s;
    for (const RateStep& step : rate_steps) {
      rate = std::max(rate, step.rate_bit_per_s);
    }
    return rate;
  }
  // At which a full queue may have to be sent.
  double lowest_rate_bit_per_s() const {
    double rate = token_bucket ? std::min(rate_bit_per_s, token_bucket->rate_bit_per_s) : rate_bit_per_s;
    for (const RateStep& step : rate_steps) {
      rate = step.rate_bit_per_s > 0 ? std::min(rate, step.rate_bit_per_s) : rate;
    }
    return rate;
  }
};

// The link that acknowledgements come back over; the buffer counts them, and the one in service.
struct ReturnLink {
  double rate_bit_per_s = 0;
  std::int32_t buffer_packets = 0;
  double loss_probability = 0;
};

// A further drop-tail link in a row with the bottleneck.
struct Hop : Link {
  std::int32_t buffer_packets = 0;  // the packet in service included
};

// Sources behind access links of their own, one bottleneck or several in a row, one egress link.
struct Dumbbell {
  Bottleneck bottleneck;
  Link egress;
  std::optional<ReturnLink> way_back = std::nullopt;  // absent: acknowledgements do not queue
  std::vector<Hop> hops = {};                         // behind the bottleneck, in order

  // Whether packets or acknowledgements find other things on their way than a constant delay.
  bool has_detours() const { return bottleneck.delay_varies() || way_back || !hops.empty(); }
};

// Fractional Brownian traffic in a router, as shares of its rate; the deviation is that of a slot's load.
struct Load {
  double mean = 0;
  double standard_deviation = 0;
  double hurst = 0;
  double slot_s = 0;
};

// A link with its queue, and the propagation delay to the next station.
struct Station : Link {
  // Whether a user's first packet takes room in the shared buffer.
  enum class HeadOfLine { kInBuffer, kApart };
  std::string name;
  std::int32_t buffer_packets = 0;  // of the shared station or a loaded one
  std::optional<Queue> queue;       // of the station that all users share
  HeadOfLine head_of_line = HeadOfLine::kInBuffer;
  bool drops_arriving = false;  // at a full shared buffer, whosever queue is the longest
  std::optional<Load> load;
};

// Users, each over a path of his own but for one station, in the order that packets pass.
struct LocalLoop {
  std::vector<Station> stations;
};

using Topology = std::variant<Dumbbell, LocalLoop>;

// A receiver that acknowledges every so many packets, or after the timeout; the first packets of a connection
// one by one.
struct DelayedAck {
  std::int32_t packets = 2;
  double timeout_s = 0;
  std::int32_t quick_acks = 0;
};

// What is sent in a recovery: by RFC 6675, or in proportion to what arrives (RFC 9937).
enum class SackRecovery { kRfc6675, kPrr };
// How a sender with selective acknowledgements finds losses: by later packets that arrive, or by time (RFC
// 8985).
enum class LossDetection { kRfc6675, kRackTlp };

struct Tcp {
  std::string variant = "newreno";  // each engine knows its own
  std::int32_t rwnd_packets = 0;
  std::int32_t initial_window_packets = 0;
  double min_rto_s = 0;
  double max_rto_s = 0;
  double clock_tick_s = 0;  // of the retransmission timer; 0: it runs continuously
  std::optional<double> idle_restart_s =
      std::nullopt;  // a longer pause ends in slow start; absent: none does
  std::optional<DelayedAck> delayed_ack = std::nullopt;  // absent: every packet is acknowledged
  std::optional<bool> sack = std::nullopt, ecn = std::nullopt,
                      timestamps = std::nullopt;               // absent: as the variant has them
  std::optional<SackRecovery> sack_recovery = std::nullopt;    // absent: as the variant has it
  std::optional<LossDetection> loss_detection = std::nullopt;  // absent: by RFC 6675
  bool linux_rules = false;                   // windows as Linux 6.1 has them, where that and the RFCs differ
  bool linux_timers = false;                  // min_rto_s is the least that a timeout has above SRTT
  std::optional<bool> pacing = std::nullopt;  // absent: as the variant has it
  bool impatient = false;                     // NewReno, of partial acknowledgements (RFC 6582, section 4)
  VariantParameters own = {};                 // of the variant, if it has any
  std::int32_t packet_bytes = 1500;           // the point's
};

struct FileSize {
  enum class Distribution { kFixed, kExponential, kExponentialPareto, kExponentialExponential, kLognormal };
  Distribution distribution = Distribution::kFixed;
  double mean_packets = 0;
  double minimum_packets = 0;
  double tail_share = 0;                  // H, of the two distributions with a tail
  double tail_index = 0;                  // alpha of the Pareto tail
  double tail_mean_ratio = 0;             // omega: mean of the exponential tail over the mean size
  double standard_deviation_packets = 0;  // lognormal
};

struct OffTime {
  enum class Distribution { kFixed, kExponential, kLognormal };
  Distribution distribution = Distribution::kFixed;
  double mean_s = 0;
  double standard_deviation_s = 0;  // lognormal
};

// Files that arrive at once, and are fetched over so many connections.
struct Page {
  std::int32_t objects = 1;
  std::int32_t connections = 1;

  std::int32_t at_once() const { return std::min(objects, connections); }
};

struct Workload {
  // Files on a connection each; one transfer without end but the stop rule's; files on one connection that
  // lives on; files that come by themselves, and find a source or none.
  enum class Kind { kOnOff, kBulk, kHttp, kArrivals };
  // The first off time is what is left of one, by its equilibrium law, or a whole one.
  enum class FirstThink { kEquilibrium, kWhole };
  // A file's time ends when the acknowledgement of its last packet is back, or when that packet arrives.
  enum class EndsAt { kSource, kDestination };
  Kind kind = Kind::kOnOff;
  FileSize file_size = {};
  OffTime off_time = {};
  double start_spread_s = 0;  // within which bulk sources begin
  // Of bulk sources that come and go, from the beginning of the run; absent: not before the run ends, once.
  double start_s = 0;
  std::optional<double> stop_s = std::nullopt, period_s = std::nullopt;
  std::int32_t transfer_packets = 0;  // after which a source stops by itself; 0: it does not
  FirstThink first_think = FirstThink::kEquilibrium;
  EndsAt ends_at = EndsAt::kSource;
  double load = 0;  // of arrivals, as a share of the bottleneck's rate
  Page page = {};   // that arrives

  bool persistent() const { return kind == Kind::kHttp || page.objects > 1; }
  bool bulk() const { return kind == Kind::kBulk; }
  bool comes_and_goes() const { return start_s > 0 || stop_s || transfer_packets > 0; }
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
  bool queue_trace = false;
  bool recovery_trace = false;
  bool window_mean = false;
  bool time_to_byte = false;
  bool transfer_times = false;
  std::vector<SizeInterval> size_intervals;  // empty: not asked for

  bool any() const {
    return capacity_sharing || drop_positions || loss_recovery || loss_cycles || window_trace || filter_log ||
           queue_trace || recovery_trace || window_mean || time_to_byte || transfer_times ||
           !size_intervals.empty();
  }
};

// Packets that reach the bottleneck whatever happens there.
struct CrossTrafficSpec {
  enum class Kind { kNone, kDeterministic, kPoisson };
  Kind kind = Kind::kNone;
  double rate_bit_per_s = 0;                   // before the first step
  std::int32_t packet_bytes = 0;               // 0: the point's
  std::optional<double> phase = std::nullopt;  // of the first packet, in periods; absent: drawn
  std::vector<RateStep> rate_steps = {};       // in order of time
};

// Sources that do not differ from one another.
struct SourceGroup {
  std::string name = "sources";
  std::int32_t count = 0;
  Workload workload;
  Tcp tcp;
  Link access = {};          // of a dumbbell
  double extra_delay_s = 0;  // added to the return delay
  // Of a dumbbell: its packets take the way back of others, and its acknowledgements do not queue.
  bool returns = false;
  std::int32_t packet_bytes = 0;             // 0: the point's
  std::int32_t first_hop = 0, last_hop = 0;  // that they pass; 0: the bottleneck
};

// One rule, with its warm-up: connections, loss events of an isolated flow, a duration, or packets that all
// sources send. A transfer is one connection of so many packets, without a warm-up.
struct Stop {
  std::int64_t connections = 0;
  std::int64_t warmup_connections = 0;
  std::int64_t loss_events = 0;
  std::int64_t warmup_loss_events = 0;
  double duration_s = 0;
  double warmup_s = 0;
  std::int64_t transfer_packets = 0;
  std::int64_t packets = 0;
  std::int64_t warmup_packets = 0;
};

// The iteration of Baccelli, Hong and Liu 2001, sections 5.3 and 5.4.
struct FixedPoint {
  enum class Scheme { k0, k1, k2, kExact };
  enum class Condition { kUsers, kBacklogged, kNothing };
  enum class Averaging { kNone, kLinear };
  enum class Gaps { kExponential, kConstant };
  enum class Service { kLognormal, kExponential };
  enum class LossDetection { kInstantaneous, kDuplicateAcks };
  enum class GapAfter { kRelease, kDue };
  enum class Haste { kNone, kRate, kQueue };
  Scheme scheme = Scheme::k1;
  std::int32_t references = 1;
  Condition condition = Condition::kUsers;
  std::int64_t step_packets = 1;
  std::int32_t min_steps = 3;
  std::int32_t max_steps = 3;
  Averaging averaging = Averaging::kNone;
  double change = 0;
  double environment = 0;
  double fairness = 0;
  Gaps gaps = Gaps::kExponential;
  Service service = Service::kLognormal;
  LossDetection loss_detection = LossDetection::kInstantaneous;
  GapAfter gap_after = GapAfter::kRelease;
  Haste haste = Haste::kNone;
};

struct Point {
  std::string study;
  std::string set;
  std::string name;
  Topology topology = Dumbbell();
  double return_delay_s = 0;  // from every receiver to its source
  std::int32_t packet_bytes = 0;
  std::int32_t ack_bytes = 0;
  std::vector<SourceGroup> groups;  // flows are numbered from 0, group after group
  Stop stop = {};
  Probes probes = {};
  CrossTrafficSpec cross_traffic = {};
  std::optional<FixedPoint> fixed_point = std::nullopt;  // of local loops

  const Dumbbell& dumbbell() const { return std::get<Dumbbell>(topology); }
  Dumbbell& dumbbell() { return std::get<Dumbbell>(topology); }

  // Of a group's packets, or of cross traffic's: `own`, if that says something.
  std::int32_t bytes_of(std::int32_t own) const { return own > 0 ? own : packet_bytes; }
  // Of each flow's packets, and of cross traffic's.
  std::vector<std::int32_t> sizes() const {
    std::vector<std::int32_t> bytes;
    for (const SourceGroup& group : groups) {
      bytes.insert(bytes.end(), static_cast<std::size_t>(group.count), bytes_of(group.packet_bytes));
    }
    bytes.push_back(bytes_of(cross_traffic.packet_bytes));
    return bytes;
  }
  // Whether some packets have sizes of their own.
  bool has_sizes() const {
    return cross_traffic.packet_bytes > 0 ||
           std::ranges::any_of(groups, [](const SourceGroup& group) { return group.packet_bytes > 0; });
  }

  std::int32_t source_count() const {
    std::int32_t count = 0;
    for (const SourceGroup& group : groups) {
      count += group.count;
    }
    return count;
  }

  bool any_come_and_go() const {
    return std::ranges::any_of(groups,
                               [](const SourceGroup& group) { return group.workload.comes_and_goes(); });
  }

  bool any_arrivals() const {
    return std::ranges::any_of(
        groups, [](const SourceGroup& group) { return group.workload.kind == Workload::Kind::kArrivals; });
  }

  // Whether no source is on-off, so that no connection is ever completed.
  bool all_bulk() const {
    return std::ranges::all_of(groups, [](const SourceGroup& group) { return group.workload.bulk(); });
  }
};

// Reads and checks a point. Throws InputError.
Point read_point(const std::filesystem::path& file);

// The same from parsed JSON; `file` is only named in messages.
Point parse_point(const Json& json, const std::string& file);

// The JSON in a file. Throws InputError.
Json read_json(const std::filesystem::path& file);

}  // namespace kit
