#include "queue_discipline.hpp"

#include <linux/if_ether.h>
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

// A point's buffer holds the packet in service, too, which has left the kernel's queue.
std::int32_t waiting_packets(const kit::Bottleneck& bottleneck) { return bottleneck.buffer_packets - 1; }

// Random early detection (Floyd and Jacobson 1993), without the gentle slope above the larger threshold.
void add_red(NetlinkRequest& request, const kit::Point& point, std::uint32_t marks) {
  constexpr double kLongestIdle = 31;
  const RedSettings red = red_settings(point);
  const kit::Bottleneck& bottleneck = point.dumbbell().bottleneck;
  tc_red_qopt options{};
  options.limit = static_cast<std::uint32_t>(waiting_packets(bottleneck)) * red.packet_bytes;
  options.qth_min = red.min_packets * red.packet_bytes;
  options.qth_max = red.max_packets * red.packet_bytes;
  options.Wlog = red.weight_log;
  options.Plog = static_cast<unsigned char>(
      std::lround(std::log2(static_cast<double>(options.qth_max - options.qth_min) / red.max_drop)));
  options.flags = marks != 0 ? TC_RED_ECN : 0;
  // While the queue is idle, the mean decays as if packets went on leaving: cell i is for i cells of idle
  // time, in 64 ns, and says by how many powers of two.
  const double tick_s = 64e-9;
  const double packet_ticks = point.packet_bytes * 8 / bottleneck.rate_bit_per_s / tick_s;
  const double powers_a_tick = -std::log2(1 - std::ldexp(1, -red.weight_log)) / packet_ticks;
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
  request.add(TCA_RED_MAX_P, static_cast<std::uint32_t>(std::min(red.max_drop * 0x1p32, 0x1p32 - 1)));
}

// What codel and fq_codel have in common, under names of their own.
struct CodelNames {
  int limit, ecn, target, interval;
};

void add_codel(NetlinkRequest& request, const kit::Bottleneck& bottleneck, std::uint32_t marks,
               const CodelNames& names) {
  request.add(names.limit, static_cast<std::uint32_t>(waiting_packets(bottleneck)));
  request.add(names.ecn, marks);
  add_time(request, names.target, bottleneck.target_s);
  add_time(request, names.interval, bottleneck.interval_s);
}

void add_options(NetlinkRequest& request, const kit::Point& point, bool ecn) {
  using kit::Queue;
  const kit::Bottleneck& bottleneck = point.dumbbell().bottleneck;
  const auto limit = static_cast<std::uint32_t>(waiting_packets(bottleneck));
  const std::uint32_t marks = bottleneck.ecn.value_or(ecn) ? 1 : 0;
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
      if (bottleneck.flow_limit_packets) {
        request.add(TCA_FQ_FLOW_PLIMIT, static_cast<std::uint32_t>(*bottleneck.flow_limit_packets));
      }
      return;
    case Queue::kFqCodel:
      add_codel(request, bottleneck, marks,
                {TCA_FQ_CODEL_LIMIT, TCA_FQ_CODEL_ECN, TCA_FQ_CODEL_TARGET, TCA_FQ_CODEL_INTERVAL});
      if (bottleneck.flows) {
        request.add(TCA_FQ_CODEL_FLOWS, static_cast<std::uint32_t>(*bottleneck.flows));
      }
      return;
    case Queue::kPie:
      request.add(TCA_PIE_LIMIT, limit);
      request.add(TCA_PIE_ECN, marks);
      add_time(request, TCA_PIE_TARGET, bottleneck.target_s);
      add_time(request, TCA_PIE_TUPDATE, bottleneck.interval_s);
      return;
    case Queue::kRed:
      add_red(request, point, marks);
      return;
    case Queue::kStep:
      // CoDel that never gets to drop, with a threshold for marks.
      request.add(TCA_CODEL_LIMIT, limit);
      request.add(TCA_CODEL_TARGET, microseconds(60));
      request.add(TCA_CODEL_CE_THRESHOLD, microseconds(bottleneck.target_s.value_or(kit::kStepThreshold_s)));
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
    case Queue::kStep:
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

RedSettings red_settings(const kit::Point& point) {
  const kit::Red red = point.dumbbell().bottleneck.red();
  return {.packet_bytes = static_cast<std::uint32_t>(point.packet_bytes + ETH_HLEN),
          .min_packets = static_cast<std::uint32_t>(red.min_packets),
          .max_packets = static_cast<std::uint32_t>(red.max_packets),
          .max_drop = red.max_drop,
          .weight_log = static_cast<unsigned char>(std::lround(-std::log2(red.weight)))};
}

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
