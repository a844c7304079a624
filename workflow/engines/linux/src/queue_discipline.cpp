#include "queue_discipline.hpp"

#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <net/if.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "variants.hpp"

namespace linux_engine {
namespace {

constexpr std::uint32_t kLinkHandle = 0x10000, kLinkClass = 0x10001, kQueueHandle = 0x20000;

std::uint32_t microseconds(double seconds) { return static_cast<std::uint32_t>(std::lround(seconds * 1e6)); }

void add_time(NetlinkRequest& request, int type, const std::optional<double>& seconds) {
  if (seconds) {
    request.add(type, microseconds(*seconds));
  }
}

// Random early detection (Floyd and Jacobson 1993): thresholds of a twelfth and a quarter of the buffer, a
// mean over some 500 packets, and one packet in ten lost or marked at the upper threshold.
void add_red(NetlinkRequest& request, const kit::Point& point, bool ecn) {
  constexpr unsigned char kWeight = 9;  // 2^-9
  constexpr double kMostMarked = 0.1, kLongestIdle = 31;
  const kit::Bottleneck& bottleneck = point.dumbbell().bottleneck;
  const auto packet = static_cast<std::uint32_t>(point.packet_bytes);
  const auto buffer = static_cast<std::uint32_t>(bottleneck.buffer_packets);
  tc_red_qopt options{};
  options.limit = buffer * packet;
  options.qth_min = std::max(1U, buffer / 12) * packet;
  options.qth_max = 3 * options.qth_min;
  options.Wlog = kWeight;
  options.Plog = static_cast<unsigned char>(
      std::lround(std::log2(static_cast<double>(options.qth_max - options.qth_min) / kMostMarked)));
  options.flags = ecn ? TC_RED_ECN : 0;
  // While the queue is idle, the mean decays as if packets went on leaving: cell i is for i cells of idle
  // time, in 64 ns, and says by how many powers of two.
  const double tick_s = 64e-9;
  const double packet_ticks = packet * 8 / bottleneck.rate_bit_per_s / tick_s;
  const double powers_a_tick = -std::log2(1 - std::ldexp(1, -kWeight)) / packet_ticks;
  while (kLongestIdle / powers_a_tick / std::ldexp(1, options.Scell_log) >= 512) {
    ++options.Scell_log;
  }
  std::array<unsigned char, 256> decay{};
  for (std::size_t cell = 0; cell < decay.size(); ++cell) {
    const double powers = std::ldexp(static_cast<double>(cell), options.Scell_log) * powers_a_tick;
    decay[cell] = static_cast<unsigned char>(std::min(kLongestIdle, std::floor(powers)));
  }
  decay.back() = static_cast<unsigned char>(kLongestIdle);
  request.add(TCA_RED_PARMS, &options, sizeof options);
  request.add(TCA_RED_STAB, decay.data(), decay.size());
  request.add(TCA_RED_MAX_P, static_cast<std::uint32_t>(kMostMarked * 0x1p32));
}

// What codel and fq_codel have in common, under names of their own.
struct CodelNames {
  int limit, ecn, target, interval;
};

void add_codel(NetlinkRequest& request, const kit::Bottleneck& bottleneck, std::uint32_t marks,
               const CodelNames& names) {
  request.add(names.limit, static_cast<std::uint32_t>(bottleneck.buffer_packets));
  request.add(names.ecn, marks);
  add_time(request, names.target, bottleneck.target_s);
  add_time(request, names.interval, bottleneck.interval_s);
}

void add_options(NetlinkRequest& request, const kit::Point& point, bool ecn) {
  using kit::Queue;
  const kit::Bottleneck& bottleneck = point.dumbbell().bottleneck;
  const auto limit = static_cast<std::uint32_t>(bottleneck.buffer_packets);
  const std::uint32_t marks = ecn ? 1 : 0;
  switch (bottleneck.queue) {
    case Queue::kCake:
      add_time(request, TCA_CAKE_RTT, bottleneck.interval_s);
      // Of memory: a packet takes some kilobytes of it.
      request.add(TCA_CAKE_MEMORY, limit * (static_cast<std::uint32_t>(point.packet_bytes) + 1'024));
      return;
    case Queue::kCodel:
      add_codel(request, bottleneck, marks,
                {TCA_CODEL_LIMIT, TCA_CODEL_ECN, TCA_CODEL_TARGET, TCA_CODEL_INTERVAL});
      return;
    case Queue::kFq:
      request.add(TCA_FQ_PLIMIT, limit);
      return;
    case Queue::kFqCodel:
      add_codel(request, bottleneck, marks,
                {TCA_FQ_CODEL_LIMIT, TCA_FQ_CODEL_ECN, TCA_FQ_CODEL_TARGET, TCA_FQ_CODEL_INTERVAL});
      return;
    case Queue::kPie:
      request.add(TCA_PIE_LIMIT, limit);
      request.add(TCA_PIE_ECN, marks);
      add_time(request, TCA_PIE_TARGET, bottleneck.target_s);
      return;
    case Queue::kRed:
      add_red(request, point, ecn);
      return;
    default:
      throw std::logic_error("no queue discipline of the kernel's");
  }
}

const char* kind_of(kit::Queue queue) {
  using kit::Queue;
  switch (queue) {
    case Queue::kCake:
      return "cake";
    case Queue::kCodel:
      return "codel";
    case Queue::kFq:
      return "fq";
    case Queue::kFqCodel:
      return "fq_codel";
    case Queue::kPie:
      return "pie";
    default:
      return "red";
  }
}

}  // namespace

NetlinkRequest queue_request(const char* device, std::uint32_t parent, const char* kind) {
  tcmsg message{};
  message.tcm_family = AF_UNSPEC;
  message.tcm_ifindex = static_cast<int>(::if_nametoindex(device));
  message.tcm_handle = parent == TC_H_ROOT ? kLinkHandle : kQueueHandle;
  message.tcm_parent = parent;
  NetlinkRequest request(RTM_NEWQDISC, NLM_F_CREATE | NLM_F_REPLACE, message);
  request.add(TCA_KIND, kind);
  return request;
}

void add_queue_discipline(const char* device, const kit::Point& point) {
  const bool ecn =
      std::ranges::any_of(point.groups, [](const kit::SourceGroup& group) { return has_ecn(group.tcp); });
  NetlinkRequest request = queue_request(device, kLinkClass, kind_of(point.dumbbell().bottleneck.queue));
  const std::size_t options = request.open(TCA_OPTIONS);
  add_options(request, point, ecn);
  request.close(options);
  request.send("adding a queue discipline");
}

}  // namespace linux_engine
