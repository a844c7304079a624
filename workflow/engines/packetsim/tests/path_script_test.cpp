// Links in a row and a way back that queues against an independent script: FIFO links, and windows that never
// change.

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <set>
#include <tuple>
#include <vector>

#include "detours.hpp"
#include "run/simulate.hpp"

namespace packetsim {
namespace {

// Each packet's every step is an event, and so is each acknowledgement's; nothing is shared with the engine.
struct PathScript {
  struct Step {  // over a link, of which the packet takes some time, and then for a while to the next
    std::size_t link;
    Picoseconds service, delay;
  };
  struct Flow {
    std::int64_t window;
    std::vector<Step> there = {}, back = {};
    std::int64_t sent = 0, received = 0, una = 0, before = 0;
  };
  struct Link {
    std::size_t buffer = 100'000;
    std::deque<Picoseconds> departures = {};
    double packet_time = 0;  // integral of the packets here
    std::int64_t dropped = 0;
  };

  void run(Picoseconds warmup, Picoseconds end) {
    for (std::size_t flow = 0; flow < flows.size(); ++flow) {
      send(flow, 0);
    }
    for (; std::get<0>(*events.begin()) <= end; events.erase(events.begin())) {
      const auto [now, order, name, step, number] = *events.begin();
      Flow& flow = flows[name];
      if (step == flow.there.size() + flow.back.size()) {
        flow.una = std::max(flow.una, number);
        flow.before = now <= warmup ? flow.una : flow.before;
        send(name, now);
        continue;
      }
      const std::int64_t carried = step == flow.there.size() ? ++flow.received : number;
      const Step& over = step < flow.there.size() ? flow.there[step] : flow.back[step - flow.there.size()];
      Link& link = links[over.link];
      while (!link.departures.empty() && link.departures.front() <= now) {
        link.departures.pop_front();
      }
      if (link.departures.size() == link.buffer) {
        link.dropped += now > warmup ? 1 : 0;
        continue;
      }
      const Picoseconds gone = (link.departures.empty() ? now : link.departures.back()) + over.service;
      link.departures.push_back(gone);
      link.packet_time += static_cast<double>(std::clamp(gone, warmup, end) - std::clamp(now, warmup, end));
      events.emplace(gone + over.delay, events_so_far++, name, step + 1, carried);
    }
  }

  void send(std::size_t name, Picoseconds now) {
    for (Flow& flow = flows[name]; flow.sent < flow.una + flow.window; ++flow.sent) {
      events.emplace(now, events_so_far++, name, 0, flow.sent);
    }
  }

  std::vector<Flow> flows = {};
  std::vector<Link> links = std::vector<Link>(4);  // the three in a row, the way back; each flow's own
  std::set<std::tuple<Picoseconds, std::int64_t, std::size_t, std::size_t, std::int64_t>> events = {};
  std::int64_t events_so_far = 0;
};

// Links of 8, 5 and 7 Mbit/s, another flow on each and one over all of them, and acknowledgements that queue
// behind each other and an upload's packets, or find no room there.
TEST(Paths, LinksInARowAndTheWayBack) {
  for (const bool uploads : {true, false}) {
    const auto time = [](double bytes, double rate) { return picoseconds(8 * bytes / rate); };
    const std::vector<kit::Hop> row = {{{8e6, 0.0113}, 1000}, {{5e6, 0.0071}, 1000}, {{7e6, 0.0039}, 1000}};
    Point point = lone_point({"newreno"}, 61);
    point.ack_bytes = 40;
    point.dumbbell().bottleneck.delay_s = row[0].delay_s;
    point.dumbbell().egress = {.rate_bit_per_s = 33e6, .delay_s = 0.0017};
    point.dumbbell().hops = {row[1], row[2]};
    point.dumbbell().way_back = kit::ReturnLink{.rate_bit_per_s = 4e5, .buffer_packets = uploads ? 1000 : 4};
    point.return_delay_s = 0.0207;
    point.stop = {.duration_s = 50, .warmup_s = 7};
    const kit::SourceGroup longest = point.groups[0];
    point.groups.clear();
    PathScript script;
    script.links[3].buffer = uploads ? 1000 : 4;
    for (std::int32_t number = 0; number < (uploads ? 5 : 4); ++number) {
      kit::SourceGroup& group = point.groups.emplace_back(longest);
      group.name = "group-" + std::to_string(number);
      group.first_hop = number < 3 ? number : 0;
      group.last_hop = number < 3 ? number : 2;
      group.returns = number == 4;
      group.access = {.rate_bit_per_s = 91e6, .delay_s = 0.0011 + 0.00013 * number};
      group.tcp.min_rto_s = 60;
      group.tcp.rwnd_packets = group.tcp.initial_window_packets = 61 - 7 * number;
      const std::size_t own = script.links.size();
      script.links.resize(own + 2);
      PathScript::Flow& flow = script.flows.emplace_back(PathScript::Flow{group.tcp.rwnd_packets});
      flow.there = {{own, time(1000, 91e6), picoseconds(group.access.delay_s)}};
      if (group.returns) {
        flow.there.push_back({3, time(1000, 4e5), picoseconds(0.0207)});
        flow.back = {{own + 1, 0, picoseconds(0.0113) + picoseconds(0.0017)}};
        continue;
      }
      for (auto hop = static_cast<std::size_t>(group.first_hop);
           hop <= static_cast<std::size_t>(group.last_hop); ++hop) {
        flow.there.push_back({hop, time(1000, row[hop].rate_bit_per_s), picoseconds(row[hop].delay_s)});
      }
      flow.there.push_back({own + 1, time(1000, 33e6), picoseconds(0.0017)});
      flow.back = {{3, time(40, 4e5), picoseconds(0.0207)}};
    }
    script.run(picoseconds(7), picoseconds(57));
    const Measurements measured = simulate(point, 1);
    for (std::size_t flow = 0; flow < script.flows.size(); ++flow) {
      EXPECT_EQ(measured.acknowledged[flow], script.flows[flow].una - script.flows[flow].before) << flow;
      EXPECT_GT(measured.acknowledged[flow], 500) << flow;
    }
    EXPECT_EQ(measured.packets.acks_lost, script.links[3].dropped);
    EXPECT_EQ(measured.packets.acks_lost > 1000, !uploads);
    for (std::size_t link = 0; link < 3; ++link) {
      const auto& time_at = link == 0 ? measured.queue_time_at : measured.hops[link - 1].queue_time_at;
      double packet_time = 0;
      for (std::size_t level = 0; level < time_at.size(); ++level) {
        packet_time += static_cast<double>(level) * static_cast<double>(time_at[level]);
      }
      EXPECT_NEAR(packet_time / script.links[link].packet_time, 1, 1e-9) << link;
    }
    expect_conservation(measured.counters);
  }
}

}  // namespace
}  // namespace packetsim
