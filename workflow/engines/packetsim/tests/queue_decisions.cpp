// What a queue does with recorded arrivals, for tests against independent scripts.
//
//   queue_decisions QUEUE BUFFER_PACKETS SERVICE_PS SEED [AT_S:BIT_PER_S | bucket:BIT_PER_S:BYTES]...
//   <arrivals
//
// The link sends 1500 bytes in SERVICE_PS, until its rate steps; a token bucket may hold it back. Each line
// of the input is the time of an arrival in picoseconds, its flow, and whether its transport understands
// marks. Prints a line for each event: the time, what happened to the packet (left, marked: left with a mark,
// dropped) and its number, counted from 0.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <iostream>
#include <string>
#include <utility>

#include "kit/random/tie_rule.hpp"
#include "queues/codel_manager.hpp"
#include "queues/fair_queue.hpp"
#include "queues/fq_codel_queue.hpp"
#include "queues/link.hpp"
#include "queues/pie.hpp"
#include "queues/red.hpp"
#include "queues/step.hpp"
#include "queues/varying_drop_tail_queue.hpp"

namespace {

using packetsim::Ecn;
using packetsim::Picoseconds;

constexpr std::int32_t kBytes = 1500;

void print(Picoseconds time, const char* what, std::uint64_t packet) {
  std::printf("%lld %s %llu\n", static_cast<long long>(time), what, static_cast<unsigned long long>(packet));
}

// Calls depart_until(time), and arrive(number, time, flow, capable) for each line.
template <class DepartUntil, class Arrive>
void replay(DepartUntil depart_until, Arrive arrive) {
  Picoseconds time = 0;
  std::size_t flow = 0;
  bool capable = false;
  for (std::uint64_t number = 0; std::cin >> time >> flow >> capable; ++number) {
    depart_until(time);
    arrive(number, time, flow, capable);
  }
  depart_until(packetsim::kNever - 1);
}

template <class Queue>
void replay(Queue queue) {
  const auto depart_until = [&](Picoseconds end) {
    while (queue.next_departure() <= end && queue.next_departure() != packetsim::kNever) {
      const Picoseconds now = queue.next_departure();
      const auto left = queue.depart([&](const auto& packet) { print(now, "dropped", packet.payload); });
      bool marked = false;
      if constexpr (requires { left.ecn; }) {
        marked = left.ecn == Ecn::kMarked;
      }
      print(now, marked ? "marked" : "left", left.payload);
    }
  };
  replay(depart_until, [&](std::uint64_t number, Picoseconds time, std::size_t flow, bool capable) {
    typename Queue::Packet packet{number, time};
    if constexpr (requires { packet.ecn; }) {
      packet.ecn = capable ? Ecn::kCapable : Ecn::kNotCapable;
    }
    queue.arrive(flow, packet, [&](const auto& dropped) { print(time, "dropped", dropped.payload); });
  });
}

// Departures are known on arrival.
void replay(packetsim::VaryingDropTailQueue queue) {
  std::deque<std::pair<Picoseconds, std::uint64_t>> departures;
  const auto depart_until = [&](Picoseconds end) {
    for (; !departures.empty() && departures.front().first <= end; departures.pop_front()) {
      print(departures.front().first, "left", departures.front().second);
    }
  };
  replay(depart_until, [&](std::uint64_t number, Picoseconds time, std::size_t /*flow*/, bool /*capable*/) {
    const Picoseconds departure = queue.arrive(time);
    if (departure == packetsim::kNever) {
      print(time, "dropped", number);
    } else {
      departures.emplace_back(departure, number);
    }
  });
}

void add(kit::Bottleneck& bottleneck, const std::string& word) {
  const std::size_t colon = word.find(':');
  const std::string first = word.substr(0, colon);
  const std::string rest = word.substr(colon + 1);
  if (first == "bucket") {
    bottleneck.token_bucket = kit::TokenBucket{std::stod(rest), std::stoll(rest.substr(rest.find(':') + 1))};
  } else {
    bottleneck.rate_steps.push_back({std::stod(first), std::stod(rest)});
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fputs("usage: queue_decisions QUEUE BUFFER_PACKETS SERVICE_PS SEED [STEP | BUCKET]...\n", stderr);
    return 2;
  }
  const std::string kind = argv[1];
  const auto buffer = static_cast<std::int32_t>(std::stol(argv[2]));
  const Picoseconds service = std::stoll(argv[3]);
  const std::uint64_t seed = std::stoull(argv[4]);
  kit::Bottleneck bottleneck{{.rate_bit_per_s = 8e12 * kBytes / static_cast<double>(service)}};
  for (int i = 5; i < argc; ++i) {
    add(bottleneck, argv[i]);
  }
  const packetsim::Link link(bottleneck, kBytes);
  if (kind == "drop-tail") {
    replay(packetsim::VaryingDropTailQueue(buffer, link, {}));
  } else if (kind == "fair-individual" || kind == "fair-shared") {
    replay(packetsim::FairQueue(64, buffer, kind == "fair-shared", link));
  } else if (kind == "codel" || kind == "codel-rfc") {
    replay(packetsim::CodelQueue(packetsim::CodelManager({.as_linux = kind == "codel"}), buffer, link));
  } else if (kind == "pie" || kind == "pie-rfc") {
    replay(packetsim::PieQueue({{.as_linux = kind == "pie"}, seed}, buffer, link));
  } else if (kind == "red" || kind == "red-rfc") {
    const packetsim::RedLimits limits{.min_packets = 5,
                                      .max_packets = 15,
                                      .max_probability = 0.1,
                                      .weight = 0.002,
                                      .as_linux = kind == "red"};
    replay(packetsim::RedQueue({limits, seed}, buffer, link));
  } else if (kind == "step" || kind == "step-rfc") {
    replay(packetsim::StepQueue(packetsim::StepManager(10 * service, kind == "step"), buffer, link));
  } else if (kind == "fq-codel" || kind == "fq-codel-rfc") {
    packetsim::FqCodelLimits limits;
    limits.counts_all = limits.codel.as_linux = kind == "fq-codel";
    limits.queues = 0;
    replay(packetsim::FqCodelQueue(64, limits, buffer, kBytes, link, seed));
  } else {
    std::fputs(
        "queue_decisions: one of drop-tail, fair-individual, fair-shared, codel, pie, red, step, fq-codel, "
        "codel-rfc, pie-rfc, red-rfc, fq-codel-rfc\n",
        stderr);
    return 2;
  }
  return 0;
}
