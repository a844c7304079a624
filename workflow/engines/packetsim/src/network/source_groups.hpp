// The groups of sources on a dumbbell: what their senders, paths and workloads have in common.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "kit.hpp"
#include "kit/main/group_counts.hpp"
#include "kit/point/point.hpp"
#include "kit/random/distributions.hpp"
#include "network/flow_pool.hpp"
#include "tcp/delayed_receiver.hpp"
#include "tcp/tcp_state.hpp"

namespace packetsim {

struct Group {
  Group(const Point& point, const SourceGroup& group)
      : limits(limits_of(group.tcp)),
        bytes(point.bytes_of(group.packet_bytes)),
        access_time(transmission_time(bytes, group.access.rate_bit_per_s)),
        egress_time(transmission_time(bytes, point.dumbbell().egress.rate_bit_per_s)),
        access_delay(picoseconds(group.access.delay_s)),
        return_delay(group.returns               ? delay_forth(point)
                     : point.dumbbell().way_back ? 0
                                                 : delay_back(point, group)),
        after_queue(point.dumbbell().way_back && !group.returns ? delay_back(point, group) : kNever),
        way_there(access_time + access_delay),
        way_back(group.returns ? return_delay : picoseconds(point.dumbbell().egress.delay_s) + return_delay),
        file_sizes(group.workload.file_size),
        off_time(group.workload.off_time),
        workload(group.workload),
        tcp(group.tcp),
        persistent(workload.persistent()),
        ends_at_receiver(persistent && workload.ends_at == Workload::EndsAt::kDestination),
        long_pause(tcp.idle_restart_s ? picoseconds(*tcp.idle_restart_s) : kNever),
        delay(DelayedReceiver::rules(tcp, access_delay + delay_forth(point) + delay_back(point, group))),
        receivers_act(delay || ends_at_receiver),
        start(picoseconds(workload.start_s)),
        length(workload.stop_s ? picoseconds(*workload.stop_s) - start : kNever),
        period(workload.period_s ? picoseconds(*workload.period_s) : kNever),
        arrives(workload.kind == Workload::Kind::kArrivals),
        gap_s(arrives ? 8.0 * bytes * workload.file_size.mean_packets * workload.page.objects /
                            (workload.load * point.dumbbell().bottleneck.rate_bit_per_s)
                      : 0),
        returns(group.returns),
        to_receiver(delay_back(point, group)),
        first_hop(group.first_hop),
        last_hop(group.last_hop) {}

  // Whether its packets do not begin at the bottleneck.
  bool elsewhere() const { return returns || first_hop > 0; }

  static Picoseconds delay_forth(const Point& point) {
    return picoseconds(point.dumbbell().bottleneck.delay_s) + picoseconds(point.dumbbell().egress.delay_s);
  }

  static Picoseconds delay_back(const Point& point, const SourceGroup& group) {
    return picoseconds(point.return_delay_s) + picoseconds(group.extra_delay_s);
  }

  // When a bulk source goes that comes now.
  Picoseconds stop_after(Picoseconds now) const { return start + (now - start) / period * period + length; }
  // When one comes again that came at `started` and is done now: starts that find it busy are left out.
  Picoseconds next_start(Picoseconds started, Picoseconds now) const {
    return started + std::max<Picoseconds>((now - started + period - 1) / period, 1) * period;
  }

  TcpLimits limits;
  std::int32_t bytes;  // of a packet
  Picoseconds access_time;
  Picoseconds egress_time;
  Picoseconds access_delay;
  Picoseconds return_delay;  // of acknowledgements
  Picoseconds after_queue;   // the same from a queue on the way back on; kNever: there is none
  Picoseconds way_there;     // to the bottleneck, from an idle source
  Picoseconds way_back;      // from the egress link's sender to the source, or to a queue on the way
  FileSizeSampler file_sizes;
  OffTimeSampler off_time;
  Workload workload;
  Tcp tcp;
  bool persistent;         // a source's connection, which carries all of its files
  bool ends_at_receiver;   // a file's time
  Picoseconds long_pause;  // a longer one has the connection begin anew
  std::optional<DelayedReceiver::Rules> delay;
  bool receivers_act;  // beyond answering each packet
  // Of bulk sources that come and go; kNever: once, and not before the run ends.
  Picoseconds start;
  Picoseconds length;
  Picoseconds period;
  bool arrives;             // what its sources carry, by itself
  double gap_s;             // mean time from one arrival to the next
  bool returns;             // its packets queue on the way back of others, and its acknowledgements nowhere
  Picoseconds to_receiver;  // from that queue
  std::int32_t first_hop;   // 0: the bottleneck
  std::int32_t last_hop;
};

// All sources are alike: what they have in common is looked up nowhere, and nothing is counted for each of
// them (see GroupCounts).
class OneGroup {
 public:
  static constexpr bool kMany = false;

  explicit OneGroup(const Point& point) : group_(point, point.groups.front()) {}

  const Group& of(std::size_t /*flow*/) const { return group_; }
  std::int32_t largest_rwnd() const { return group_.limits.rwnd; }
  bool any_delays() const { return group_.delay.has_value(); }
  bool any_persistent() const { return group_.persistent; }
  void start_at(std::int32_t ssthresh) { group_.limits.ssthresh = ssthresh; }

  static void restart() {}
  static void count_carried(std::int32_t /*flow*/, Picoseconds /*round_trip*/) {}
  static void count_acknowledged(std::int32_t /*flow*/, std::int32_t /*packets*/) {}
  static void count_connection(std::int32_t /*flow*/, std::int32_t /*packets*/, Picoseconds /*duration*/) {}

 private:
  Group group_;
};

// Any number of groups, with counts for each group and source.
class ManyGroups : public GroupCounts {
 public:
  static constexpr bool kMany = true;

  explicit ManyGroups(const Point& point)
      : GroupCounts(point),
        reports_(point.groups.size() > 1 || point.any_come_and_go() || point.any_arrivals()),
        pool_(point) {
    for (const SourceGroup& group : point.groups) {
      groups_.emplace_back(point, group);
    }
  }

  const Group& of(std::size_t flow) const { return groups_[group_of(static_cast<std::int32_t>(flow))]; }

  bool any_delays() const {
    return std::ranges::any_of(groups_, [](const Group& group) { return group.delay.has_value(); });
  }

  bool any_persistent() const { return std::ranges::any_of(groups_, &Group::persistent); }
  bool reports() const { return reports_; }  // each group's measurements
  FlowPool& pool() { return pool_; }

  std::int32_t largest_rwnd() const {
    return std::ranges::max(groups_, {}, [](const Group& group) { return group.limits.rwnd; }).limits.rwnd;
  }

 private:
  std::vector<Group> groups_;
  bool reports_;
  FlowPool pool_;
};

}  // namespace packetsim
