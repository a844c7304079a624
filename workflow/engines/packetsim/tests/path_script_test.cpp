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
class PathScript {
 public:
  struct Step {  // over a link, of which the packet takes some time, and then for a while to the next
    std::size_t link;
    Picoseconds service, delay;
  };
  struct Flow {
    std::vector<Step> there, back;
    std::int64_t window, sent = 0, received = 0, una = 0, before = 0;
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
    for (bool warm = false; !events_.empty(); events_.erase(events_.begin())) {
      const auto [now, order, name, step, number] = *events_.begin();
      if (!std::exchange(warm, now > warmup) && warm) {
        std::ranges::for_each(flows, [](Flow& flow) { flow.before = flow.una; });
      }
      if (now > end) {
        return;
      }
      Flow& flow = flows[name];
      if (step == flow.there.size() + flow.back.size()) {
        flow.una = std::max(flow.una, number);
        send(name, now);
        continue;
      }
      const bool back = step >= flow.there.size();
      const std::int64_t carried = step == flow.there.size() ? ++flow.received : number;
      const Step& over = back ? flow.back[step - flow.there.size()] : flow.there[step];
      Link& link = links[over.link];
      while (!link.departures.empty() && link.departures.front() <= now) {
        link.departures.pop_front();
      }
      if (link.departures.size() == link.buffer) {
        link.dropped += now > warmup ? 1 : 0;
        continue;
      }
      link.departures.push_back((link.departures.empty() ? now : link.departures.back()) + over.service);
      const Picoseconds gone = link.departures.back();
      link.packet_time += static_cast<double>(std::clamp(gone, warmup, end) - std::clamp(now, warmup, end));
      events_.emplace(gone + over.delay, ++order_, name, step + 1, carried);
    }
  }

  std::vector<Flow> flows;
  std::vector<Link> links;

 private:
  void send(std::size_t name, Picoseconds now) {
    for (Flow& flow = flows[name]; flow.sent < flow.una + flow.window; ++flow.sent) {
      events_.emplace(now, ++order_, name, 0, flow.sent);
    }
  }

  std::set<std::tuple<Picoseconds, std::int64_t, std::size_t, std::size_t, std::int64_t>> events_;
  std::int64_t order_ = 0;
};

double packet_time(const std::vector<Picoseconds>& time_at) {
  double sum = 0;
  for (std::size_t level = 0; level < time_at.size(); ++level) {
    sum += static_cast<double>(level) * static_cast<double>(time_at[level]);
  }
  return sum;
}

// Links of 8, 5 and 7 Mbit/s, another flow on each and one over all of them, and acknowledgements that queue
// behind each other and an upload's packets, or find no room there.
TEST(Paths, LinksInARowAndTheWayBack) {
  for (const std::int32_t back_buffer : {1000, 4}) {
    const bool uploads = back_buffer > 4;
    Point point = lone_point({"newreno"}, 61);
    point.ack_bytes = 40;
    point.dumbbell().bottleneck.delay_s = 0.0113;
    point.dumbbell().egress = {.rate_bit_per_s = 33e6, .delay_s = 0.0017};
    point.dumbbell().hops = {{{5e6, 0.0071}, 1000}, {{7e6, 0.0039}, 1000}};
    point.dumbbell().way_back = kit::ReturnLink{.rate_bit_per_s = 4e5, .buffer_packets = back_buffer};
    point.return_delay_s = 0.0207;
    point.groups[0].last_hop = 2;
    point.groups[0].tcp.min_rto_s = 60;
    point.groups[0].access = {.rate_bit_per_s = 91e6, .delay_s = 0.0011};
    for (std::int32_t hop = 0; hop < 4; ++hop) {
      kit::SourceGroup group = point.groups[0];
      group.name = "group-" + std::to_string(hop);
      group.first_hop = group.last_hop = hop % 3;
      group.returns = hop == 3;
      group.access.delay_s += 0.00013 * (hop + 1);
      group.tcp.rwnd_packets = group.tcp.initial_window_packets = 23 + 4 * hop;
      point.groups.push_back(group);
    }
    point.groups.resize(uploads ? 5 : 4);
    point.stop = {.duration_s = 50, .warmup_s = 7};
    PathScript script;
    script.links.resize(4);  // the three in a row, the way back, and each flow's access and egress
    script.links[3].buffer = static_cast<std::size_t>(back_buffer);
    const kit::Dumbbell& links = point.dumbbell();
    const auto time = [](double bytes, double rate) { return picoseconds(8 * bytes / rate); };
    const std::vector<kit::Link> row = {links.bottleneck, links.hops[0], links.hops[1]};
    for (const kit::SourceGroup& group : point.groups) {
      const std::size_t own = script.links.size();
      script.links.resize(own + 2);
      PathScript::Flow flow{{}, {}, group.tcp.rwnd_packets};
      flow.there = {{own, time(1000, group.access.rate_bit_per_s), picoseconds(group.access.delay_s)}};
      const Picoseconds forth = picoseconds(links.bottleneck.delay_s) + picoseconds(links.egress.delay_s);
      if (group.returns) {
        flow.there.push_back({3, time(1000, 4e5), picoseconds(point.return_delay_s)});
        flow.back = {{own + 1, 0, forth}};
      } else {
        for (std::int32_t hop = group.first_hop; hop <= group.last_hop; ++hop) {
          const auto place = static_cast<std::size_t>(hop);
          flow.there.push_back(
              {place, time(1000, row[place].rate_bit_per_s), picoseconds(row[place].delay_s)});
        }
        flow.there.push_back({own + 1, time(1000, 33e6), picoseconds(links.egress.delay_s)});
        flow.back = {{3, time(40, 4e5), picoseconds(point.return_delay_s)}};
      }
      script.flows.push_back(flow);
    }
    script.run(picoseconds(7), picoseconds(57));
    const Measurements measured = simulate(point, 1);
    for (std::size_t flow = 0; flow < script.flows.size(); ++flow) {
      EXPECT_EQ(measured.acknowledged[flow], script.flows[flow].una - script.flows[flow].before) << flow;
      EXPECT_GT(measured.acknowledged[flow], 500) << flow;
    }
    EXPECT_EQ(measured.packets.acks_lost, script.links[3].dropped);
    EXPECT_EQ(measured.packets.acks_lost > 1000, !uploads);
    const double all[] = {packet_time(measured.queue_time_at), packet_time(measured.hops[0].queue_time_at),
                          packet_time(measured.hops[1].queue_time_at)};
    for (std::size_t link = 0; link < 3; ++link) {
      EXPECT_NEAR(all[link] / script.links[link].packet_time, 1, 1e-9) << link;
    }
    expect_conservation(measured.counters);
  }
}

}  // namespace
}  // namespace packetsim
