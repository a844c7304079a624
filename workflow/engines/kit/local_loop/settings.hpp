// A local loop: users behind a shared router, each over a path of his own (Baccelli, Hong and Liu 2001).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kit/random/virtual_wait.hpp"

namespace kit::local_loop {

inline constexpr std::size_t kMaxStations = 8;

// A queue and the propagation to the next station, or behind the destination to none.
struct Station {
  double rate_bit_per_s = 0;
  double delay_s = 0;
};

// Sizes of bursts in packets, think times in seconds: lognormal (section 3).
struct Workload {
  double burst_mean = 50;
  double burst_sd = 50;
  double think_mean_s = 30;
  double think_sd_s = 30;
};

// The router in the backbone that other traffic loads (section 7.2).
struct Backbone {
  std::size_t station = 2;
  FractionalLoad load{};
  std::int32_t buffer_packets = 10000;  // the load's packets are as large as the users'
};

// Whose packet a full buffer loses. Of several longest queues it is that of the arriving packet, or else the
// one that has been so long for the longest time.
enum class Drop { kLongestQueueFirst, kArriving };

struct SharedBuffer {
  std::int32_t packets = 10000;  // of each user, or of all
  bool individual = false;
  Drop drop = Drop::kLongestQueueFirst;
  bool fifo = false;     // no fair queueing: packets leave in the order of arrival
  bool managed = false;  // a queue with active queue management, as the RFCs recommend
};

struct Tcp {
  std::int32_t max_window = 40;
  double tick_s = 0.5;
  std::int32_t min_rto_ticks = 2;
  double idle_s = 10;  // after a longer pause a connection begins again in slow start
};

// What the paper leaves open. The defaults are the readings that the text suggests, not those that fit best.
struct Readings {
  // Losses are seen when they happen (section 4), or when three later packets have been acknowledged.
  enum class LossDetection { kInstantaneous, kDuplicateAcks } loss_detection = LossDetection::kInstantaneous;
  // The window halves once for all losses among packets sent before the last halving, or for each loss.
  enum class Halving { kPerWindow, kPerLoss } halving = Halving::kPerWindow;
  // Whether half of an odd window is the larger or the smaller half.
  bool half_up = false;
  // Whether acknowledgements of packets that were sent before the last halving let the window grow.
  bool old_acks_grow_window = false;
  // Whether the first packet of each user's queue takes room in the shared router's buffer.
  bool head_of_line_in_buffer = true;
  // A packet times out an RTO after it was sent, the timer begins anew with every acknowledgement (RFC 6298),
  // or the first packet of a window alone is timed.
  enum class Timer { kPerPacket, kRestarted, kPerWindow } timer = Timer::kPerPacket;
  // The RTO's estimator sees the round trip of every packet, or of one packet a window.
  enum class RttSamples { kEveryPacket, kFirstOfWindow } rtt_samples = RttSamples::kFirstOfWindow;
  // The first think time is what is left of one, by its equilibrium law, or a whole one.
  bool think_from_equilibrium = true;
  // An on time ends when the last packet has reached the destination, or when its acknowledgement is back.
  enum class OnTimeEnd { kDestination, kSource } on_time_ends = OnTimeEnd::kSource;
};

struct Settings {
  std::int32_t users = 5000;
  std::int32_t packet_bytes = 1500;
  std::vector<Station> path;
  std::size_t shared = 3;  // the station with the shared queue
  double return_delay_s = 0.06;
  SharedBuffer buffer;
  std::optional<Backbone> backbone;
  std::optional<Workload> workload;  // none: each user sends without end
  double start_spread_s = 1;         // users without workload begin uniformly within it
  Tcp tcp;
  Readings readings;
  std::vector<std::int32_t> quality_packets = {10, 20, 50, 100};  // xi of section 8
};

// Throws std::invalid_argument, a line with the key and what is allowed.
void check(const Settings& settings);

// Throws std::invalid_argument(key: must be allowed) unless the condition holds.
void require(bool condition, const char* key, const char* allowed);

}  // namespace kit::local_loop
