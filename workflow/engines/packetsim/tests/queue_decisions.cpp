// What an actively managed queue does with recorded arrivals, for tests against independent scripts.
//
//   queue_decisions QUEUE BUFFER_PACKETS SERVICE_PS SEED <arrivals
//
// Each line of the input is the time of an arrival in picoseconds, its flow, and whether its transport
// understands marks. Prints a line for each event: the time, what happened to the packet (left, marked: left
// with a mark, dropped) and its number, counted from 0.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>

#include "queues/codel_manager.hpp"
#include "queues/fq_codel_queue.hpp"
#include "queues/pie.hpp"
#include "queues/red.hpp"
#include "queues/step.hpp"

namespace {

using packetsim::Ecn;
using packetsim::ManagedPacket;
using packetsim::Picoseconds;

void print(Picoseconds time, const char* what, const ManagedPacket& packet) {
  std::printf("%lld %s %llu\n", static_cast<long long>(time), what,
              static_cast<unsigned long long>(packet.payload));
}

template <class Queue>
void replay(Queue queue) {
  const auto depart_until = [&](Picoseconds end) {
    while (queue.next_departure() <= end && queue.next_departure() != packetsim::kNever) {
      const Picoseconds now = queue.next_departure();
      const ManagedPacket left =
          queue.depart([&](const ManagedPacket& packet) { print(now, "dropped", packet); });
      print(now, left.ecn == Ecn::kMarked ? "marked" : "left", left);
    }
  };
  Picoseconds time = 0;
  std::size_t flow = 0;
  bool capable = false;
  for (std::uint64_t number = 0; std::cin >> time >> flow >> capable; ++number) {
    depart_until(time);
    const Ecn ecn = capable ? Ecn::kCapable : Ecn::kNotCapable;
    queue.arrive(flow, {.payload = number, .arrived = time, .sent = 0, .ecn = ecn},
                 [&](const ManagedPacket& packet) { print(time, "dropped", packet); });
  }
  depart_until(packetsim::kNever - 1);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fputs("usage: queue_decisions QUEUE BUFFER_PACKETS SERVICE_PS SEED\n", stderr);
    return 2;
  }
  const std::string kind = argv[1];
  const auto buffer = static_cast<std::int32_t>(std::stol(argv[2]));
  const Picoseconds service = std::stoll(argv[3]);
  const std::uint64_t seed = std::stoull(argv[4]);
  if (kind == "codel") {
    replay(packetsim::CodelQueue(packetsim::CodelManager({}), buffer, service));
  } else if (kind == "pie") {
    replay(packetsim::PieQueue({{}, service, seed}, buffer, service));
  } else if (kind == "red") {
    replay(packetsim::RedQueue({{}, service, seed}, buffer, service));
  } else if (kind == "step") {
    replay(packetsim::StepQueue({10 * service, service}, buffer, service));
  } else if (kind == "fq-codel") {
    replay(packetsim::FqCodelQueue(64, {}, buffer, 1500, service));
  } else {
    std::fputs("queue_decisions: one of codel, pie, red, step, fq-codel\n", stderr);
    return 2;
  }
  return 0;
}
