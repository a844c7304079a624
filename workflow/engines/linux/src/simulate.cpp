#include "simulate.hpp"

#include <sys/prctl.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "capture.hpp"
#include "dumbbell_network.hpp"
#include "host_settings.hpp"
#include "kit/main/group_counts.hpp"
#include "kit/probes/occupancy.hpp"
#include "kit/probes/window_trace.hpp"
#include "sources.hpp"
#include "transfer_log.hpp"
#include "workload.hpp"

namespace linux_engine {
namespace {

// Devices become active by work that the kernel puts off for up to a second; idle time costs nothing.
constexpr Nanoseconds kSettlingTime = kOpening + kNanosecondsPerSecond;
constexpr Nanoseconds kSample = 10'000'000;  // of the first window
constexpr Nanoseconds kNever = INT64_MAX / 2;
constexpr std::int64_t kNeverCompleted = INT64_MAX;

kit::Picoseconds picoseconds(Nanoseconds time) { return time * 1'000; }
std::int64_t whole(std::uint64_t count) { return static_cast<std::int64_t>(count); }

// How many transfers are under way at each time.
class ActiveSources {
 public:
  explicit ActiveSources(std::size_t sources) : active_(sources + 1) {}

  void begins(Nanoseconds at) { beginnings_.push(at); }
  void ended(Nanoseconds at) {
    move_to(at);
    active_.move_to(active_.level() - 1, picoseconds(at));
  }
  void restart(Nanoseconds at) {
    move_to(at);
    active_.restart(picoseconds(at));
  }
  std::vector<kit::Picoseconds> close(Nanoseconds at) {
    move_to(at);
    active_.close(picoseconds(at));
    return active_.time_at();
  }

 private:
  void move_to(Nanoseconds at) {
    for (; !beginnings_.empty() && beginnings_.top() <= at; beginnings_.pop()) {
      active_.move_to(active_.level() + 1, picoseconds(beginnings_.top()));
    }
  }

  kit::Occupancy active_;
  std::priority_queue<Nanoseconds, std::vector<Nanoseconds>, std::greater<>> beginnings_;
};

class Run {
 public:
  Run(const kit::Point& point, std::uint64_t seed, std::filesystem::path capture)
      : point_(point),
        capture_(std::move(capture)),
        network_(point, seed),
        sources_(point, network_),
        workload_(point, seed),
        groups_(point),
        active_(static_cast<std::size_t>(point.source_count())),
        begin_(monotonic_now() + kSettlingTime) {
    if (const kit::Bottleneck& link = point.dumbbell().bottleneck; link.delay_varies()) {
      sources_.vary_delay(packet_delays(point, seed),
                          nanoseconds(link.reordering ? link.reordering->delay_s : 0));
    }
    for (std::uint32_t source = 0; source < static_cast<std::uint32_t>(point.source_count()); ++source) {
      begin(workload_.first(source, begin_));
    }
  }

  kit::Measurements measurements() {
    const kit::Stop& stop = point_.stop;
    run_until(begin_, kNeverCompleted);
    if (stop.duration_s > 0) {
      run_until(begin_ + nanoseconds(stop.warmup_s), kNeverCompleted);
      restart(begin_ + nanoseconds(stop.warmup_s));
      run_until(measured_since_ + nanoseconds(stop.duration_s), kNeverCompleted);
      return close(measured_since_ + nanoseconds(stop.duration_s));
    }
    run_until(kNever, stop.warmup_connections);
    restart(stop.warmup_connections > 0 ? last_end_ : begin_);
    run_until(kNever, stop.warmup_connections + stop.connections);
    return close(last_end_);
  }

 private:
  void begin(const sources_transfer& transfer) {
    next_.push_back(transfer);
    active_.begins(whole(transfer.at_ns));
  }

  // Until a time, or until so many connections have been completed.
  void run_until(Nanoseconds end, std::int64_t connections) {
    while (completed_ < connections) {
      // What ends at the same instant is seen in one order; the rest of it waits.
      while (!ended_.empty() && completed_ < connections) {
        complete(ended_.front());
        ended_.erase(ended_.begin());
      }
      if (completed_ >= connections) {
        return;
      }
      const auto ended = sources_.exchange(next_, point_.probes.window_trace ? sample(end) : end);
      next_.clear();
      if (ended.empty() && monotonic_now() >= end) {
        return;
      }
      ended_.assign(ended.begin(), ended.end());
    }
  }

  // Notes the first source's window every 10 ms; returns when the next one is due.
  Nanoseconds sample(Nanoseconds end) {
    const Nanoseconds now = monotonic_now();
    if (now >= begin_) {
      const sources_state& first = sources_.states().front();
      // The kernel's window is not inflated in a recovery.
      const auto cwnd = static_cast<std::int32_t>(first.cwnd);
      trace_.window_moved(
          0, {.cwnd = cwnd, .ssthresh = static_cast<std::int32_t>(first.ssthresh), .deflated = cwnd},
          picoseconds(now));
    }
    return std::min(end, std::max(now, begin_) + kSample);
  }

  void complete(const sources_completion& ended) {
    const std::uint32_t source = ended.source;
    const Nanoseconds begun = whole(ended.begun_ns), now = whole(ended.ended_ns);
    ++completed_;
    last_end_ = now;
    active_.ended(now);
    ++sums_.connections;
    sums_.packets += workload_.file_packets(source);
    sums_.duration += picoseconds(now - begun);
    ++sums_.rtt_samples;
    sums_.rtt_s += ended.srtt_us * 1e-6;
    groups_.count_connection(static_cast<std::int32_t>(source), workload_.file_packets(source),
                             picoseconds(now - begun));
    if (!workload_.bulk(source)) {
      begin(workload_.next(source, now));
    }
  }

  // Packets that are acknowledged, of each source.
  std::vector<std::int64_t> acknowledged() {
    std::vector<std::int64_t> packets;
    for (const sources_state& state : sources_.states()) {
      const std::size_t group = groups_.group_of(static_cast<std::int32_t>(packets.size()));
      packets.push_back(whole(state.acknowledged_bytes) / segment_bytes(point_, point_.groups[group].tcp));
    }
    return packets;
  }

  // Packets that all sources have sent, those without data too, and those of them that were there before.
  struct Sent {
    std::int64_t packets = 0, again = 0;
  };
  Sent sent() {
    Sent all;
    for (const sources_state& state : sources_.states()) {
      all.packets += whole(state.sent_packets);
      all.again += whole(state.resent_packets);
    }
    return all;
  }

  link_counters way_back() const {
    return point_.dumbbell().way_back ? sources_.way_back() : link_counters{};
  }

  void restart(Nanoseconds now) {
    measured_since_ = now;
    trace_.warm_up_ended(picoseconds(now));
    sums_ = {};
    groups_.restart();
    active_.restart(now);
    acknowledged_before_ = acknowledged();
    sent_before_ = sent();
    link_before_ = sources_.link();
    back_before_ = way_back();
  }

  kit::Measurements close(Nanoseconds now) {
    const LinkState link = sources_.link();
    const auto counted = [&](__u64 link_counters::*counter) { return whole(link.counters.*counter); };
    const auto since = [&](__u64 link_counters::*counter) {
      return whole(link.counters.*counter - link_before_.counters.*counter);
    };
    kit::Measurements found;
    found.end = picoseconds(now - begin_);
    found.measured = picoseconds(now - measured_since_);
    found.counters = {.connections_completed = completed_,
                      .packets_sent = counted(&link_counters::sent),
                      .packets_delivered = counted(&link_counters::delivered),
                      .packets_dropped = counted(&link_counters::dropped),
                      .packets_lost = counted(&link_counters::lost),
                      .packets_in_flight = counted(&link_counters::sent) -
                                           counted(&link_counters::delivered) -
                                           counted(&link_counters::dropped) - counted(&link_counters::lost),
                      .events = counted(&link_counters::sent)};
    found.connections = sums_;
    found.queue_drops = since(&link_counters::dropped);
    found.random_losses = since(&link_counters::lost);
    for (std::size_t level = 0; level < link.time_at.size(); ++level) {
      found.queue_time_at.push_back(picoseconds(whole(link.time_at[level] - link_before_.time_at[level])));
      found.queue_arrivals_at.push_back(whole(link.arrivals_at[level] - link_before_.arrivals_at[level]));
    }
    found.active_time_at = active_.close(now);
    count_packets(link, found);
    const Sent all = sent();
    found.probes.ratio("retransmission_ratio", "1", static_cast<double>(all.again - sent_before_.again),
                       static_cast<double>(all.packets - sent_before_.packets));
    if (point_.probes.filter_log) {
      read_log(found);
    }
    if (point_.probes.window_trace) {
      trace_.report(found.probes);
    }
    return found;
  }

  // Of a transfer, which goes from its first packet to its last, as tcptrace has it.
  void read_log(kit::Measurements& found) const {
    const std::vector<link_log_record> records = sources_.log();
    write_capture(records, capture_);
    std::vector<LoggedPacket> log;
    for (const link_log_record& packet : records) {
      log.push_back({.time = whole(packet.time_ns),
                     .from = packet.from_sender != 0 ? End::kSender : End::kReceiver,
                     .bytes = packet.bytes,
                     .payload = packet.payload,
                     .seq = packet.seq,
                     .ack = packet.ack,
                     .window = packet.window});
    }
    const kit::Tcp& tcp = point_.groups.front().tcp;
    read_transfer(log, {.mss_bytes = segment_bytes(point_, tcp), .rwnd_segments = tcp.rwnd_packets},
                  found.probes);
    found.end = found.measured = picoseconds(log.back().time - log.front().time);
  }

  void count_packets(const LinkState& link, kit::Measurements& found) {
    found.groups = groups_.measurements();
    found.acknowledged = acknowledged();
    // A packet waits as long on the way back as the acknowledgements that get through on average.
    const link_counters back = way_back();
    kit::PacketSums& all = found.packets;
    all.acks = whole(back.arrived - back_before_.arrived);
    all.acks_lost = whole(back.dropped - back_before_.dropped + back.lost - back_before_.lost);
    all.ack_delay_ps = static_cast<double>(back.waited_ns - back_before_.waited_ns) * 1e3;
    const double waited_ps =
        all.acks > all.acks_lost ? all.ack_delay_ps / static_cast<double>(all.acks - all.acks_lost) : 0;
    for (std::size_t source = 0; source < found.acknowledged.size(); ++source) {
      found.acknowledged[source] -= acknowledged_before_[source];
      const std::size_t group = groups_.group_of(static_cast<std::int32_t>(source));
      found.groups[group].packets.acknowledged += found.acknowledged[source];
    }
    for (std::size_t index = 0; index < point_.groups.size(); ++index) {
      const auto& [arrived, way_ns] = link.counters.group[index];
      const auto& before = link_before_.counters.group[index];
      kit::PacketSums& packets = found.groups[index].packets;
      const double delay_s = point_.return_delay_s + point_.groups[index].extra_delay_s;
      packets.carried = whole(arrived - before.arrived);
      packets.round_trip_ps =
          static_cast<double>(way_ns - before.way_ns) * 1e3 +
          static_cast<double>(packets.carried) * (delay_s * kit::kPicosecondsPerSecond + waited_ps);
      found.packets.carried += packets.carried;
      found.packets.round_trip_ps += packets.round_trip_ps;
      found.packets.acknowledged += packets.acknowledged;
    }
    if (point_.groups.size() == 1) {
      found.groups.clear();
      found.acknowledged.clear();
    }
  }

  const kit::Point& point_;
  std::filesystem::path capture_;
  DumbbellNetwork network_;
  Sources sources_;
  Workload workload_;
  kit::GroupCounts groups_;
  ActiveSources active_;
  Nanoseconds begin_, measured_since_ = 0, last_end_ = 0;
  std::vector<sources_transfer> next_;
  std::vector<sources_completion> ended_;
  std::int64_t completed_ = 0;
  kit::ConnectionSums sums_;
  kit::WindowTrace trace_;
  std::vector<std::int64_t> acknowledged_before_;
  Sent sent_before_;
  LinkState link_before_;
  link_counters back_before_ = {};
};

}  // namespace

kit::Measurements simulate(const kit::Point& point, std::uint64_t seed,
                           const std::filesystem::path& capture) {
  ::prctl(PR_SET_TIMERSLACK, 1UL);  // nanoseconds
  return Run(point, seed, capture).measurements();
}

}  // namespace linux_engine
