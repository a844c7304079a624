#include "dumbbell_network.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/ethtool.h>
#include <linux/if_link.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <linux/veth.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>

#include "failure.hpp"
#include "host_settings.hpp"
#include "kit/point/ranges.hpp"
#include "kit/random/normal.hpp"
#include "kit/random/random.hpp"
#include "netlink.hpp"
#include "queue_discipline.hpp"
#include "units.hpp"
#include "variants.hpp"

namespace linux_engine {
namespace {

// Of a link that takes no time to send a packet: in a scenario an instant link has 1 Tbit/s.
constexpr double kInstantRate = 1e11;
constexpr std::uint32_t kNetworkMask = 0xffff0000;
constexpr std::uint32_t kReceiverNetwork = kReceiverAddress & kNetworkMask;
constexpr int kNetworkBits = 16;

FileDescriptor new_namespace() {
  if (::unshare(CLONE_NEWNET) != 0) {
    throw system_failure("making a network namespace");
  }
  return FileDescriptor(::open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC));
}

void enter(const FileDescriptor& network) {
  if (::setns(network.get(), CLONE_NEWNET) != 0) {
    throw system_failure("entering a network namespace");
  }
}

void name_device(NetlinkRequest& request, const char* name, std::int32_t mtu) {
  constexpr std::array<unsigned char, 6> kAddress{2, 0, 0, 0, 0, 1};  // the same for all: nobody has to ask
  request.add(IFLA_IFNAME, name);
  request.add(IFLA_ADDRESS, kAddress.data(), kAddress.size());
  request.add(IFLA_MTU, static_cast<std::uint32_t>(mtu));
}

// A pair of devices, one here, the other there.
void add_pair(const char* here, const char* there, const FileDescriptor& network, std::int32_t mtu) {
  const ifinfomsg link{};
  NetlinkRequest request(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL, link);
  name_device(request, here, mtu);
  const std::size_t info = request.open(IFLA_LINKINFO);
  request.add(IFLA_INFO_KIND, "veth");
  const std::size_t data = request.open(IFLA_INFO_DATA);
  const std::size_t peer = request.add(VETH_INFO_PEER, &link, sizeof link);
  name_device(request, there, mtu);
  request.add(IFLA_NET_NS_FD, static_cast<std::uint32_t>(network.get()));
  request.close(peer);
  request.close(data);
  request.close(info);
  request.send("making a pair of devices");
}

ifreq request_of(const char* device) {
  ifreq request{};
  std::strncpy(request.ifr_name, device, IFNAMSIZ - 1);
  return request;
}

// Packets are the link's from the sender on: nothing builds larger ones, to be cut later.
void start_device(const char* device) {
  const FileDescriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  for (const auto feature : {ETHTOOL_STSO, ETHTOOL_SGSO, ETHTOOL_SGRO}) {
    ethtool_value off{.cmd = static_cast<std::uint32_t>(feature), .data = 0};
    ifreq request = request_of(device);
    request.ifr_data = reinterpret_cast<char*>(&off);
    ::ioctl(socket.get(), SIOCETHTOOL, &request);
  }
  ifinfomsg link{};
  link.ifi_index = static_cast<int>(::if_nametoindex(device));
  NetlinkRequest one_segment(RTM_NEWLINK, 0, link);
  one_segment.add(IFLA_GSO_MAX_SEGS, 1U);
  one_segment.send("switching segmentation offload off");
  ifreq request = request_of(device);
  request.ifr_flags = IFF_UP | IFF_RUNNING | IFF_NOARP;
  if (::ioctl(socket.get(), SIOCSIFFLAGS, &request) != 0) {
    throw system_failure("starting a device");
  }
}

void start_loopback() {
  const FileDescriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ifreq request = request_of("lo");
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  if (::ioctl(socket.get(), SIOCSIFFLAGS, &request) != 0) {
    throw system_failure("starting the loopback device");
  }
}

struct RouteMetrics {
  std::int32_t initial_window = 0, initial_rwnd = 0;
  std::int64_t min_rto_ms = 0;
  bool quick_acks = false;
};

void add_route(std::uint32_t network, const char* device, const RouteMetrics& metrics = {}) {
  const bool local = std::strcmp(device, "lo") == 0;
  rtmsg route{};
  route.rtm_family = AF_INET;
  route.rtm_dst_len = kNetworkBits;
  route.rtm_table = local ? RT_TABLE_LOCAL : RT_TABLE_MAIN;
  route.rtm_protocol = RTPROT_STATIC;
  route.rtm_scope = local ? RT_SCOPE_HOST : RT_SCOPE_LINK;
  route.rtm_type = local ? RTN_LOCAL : RTN_UNICAST;
  NetlinkRequest request(RTM_NEWROUTE, NLM_F_CREATE, route);
  request.add(RTA_DST, htonl(network));
  request.add(RTA_OIF, ::if_nametoindex(device));
  const std::size_t nested = request.open(RTA_METRICS);
  const auto add = [&](int type, std::int64_t value) {
    if (value > 0) {
      request.add(type, static_cast<std::uint32_t>(value));
    }
  };
  add(RTAX_INITCWND, metrics.initial_window);
  add(RTAX_INITRWND, metrics.initial_rwnd);
  add(RTAX_RTO_MIN, metrics.min_rto_ms);
  add(RTAX_QUICKACK, metrics.quick_acks ? 1 : 0);
  request.close(nested);
  request.send("adding a route");
}

void add_link(const char* device, const link_options& options) {
  NetlinkRequest request = queue_request(device, TC_H_ROOT, "link");
  request.add(TCA_OPTIONS, &options, sizeof options);
  request.send("adding a link");
}

// As many of a connection's first packets as a point can say are acknowledged one by one: all of them.
bool acknowledges_every_packet(const kit::Tcp& tcp) {
  return tcp.delayed_ack && static_cast<double>(tcp.delayed_ack->quick_acks) >= kit::kQuickAcks.high;
}

RouteMetrics metrics_of(const kit::Point& point, const kit::SourceGroup& group) {
  return {.initial_window = group.tcp.initial_window_packets,
          .initial_rwnd = group.tcp.rwnd_packets,
          .min_rto_ms = nanoseconds(added_to_round_trip_s(point, group)) / 1'000'000,
          .quick_acks = acknowledges_every_packet(group.tcp)};
}

FileDescriptor listen(const kit::Point& point, std::size_t group) {
  const kit::Tcp& tcp = point.groups[group].tcp;
  const std::string control = congestion_control_of(tcp);
  const int window = tcp.rwnd_packets * segment_bytes(point, tcp);
  const bool tuned = tunes_its_buffer(point, point.groups[group]);
  const int buffer = static_cast<int>(buffer_bytes(point, tcp.rwnd_packets) / 2);  // the kernel doubles it
  FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port_of(group));
  address.sin_addr.s_addr = htonl(kReceiverAddress);
  if (!socket ||
      ::setsockopt(socket.get(), IPPROTO_TCP, TCP_CONGESTION, control.data(),
                   static_cast<socklen_t>(control.size())) != 0 ||
      ::setsockopt(socket.get(), IPPROTO_TCP, TCP_WINDOW_CLAMP, &window, sizeof window) != 0 ||
      (!tuned && ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVBUFFORCE, &buffer, sizeof buffer) != 0) ||
      ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(socket.get(), 65'535) != 0) {
    throw system_failure("listening for connections");
  }
  return socket;
}

// Where the simulators, with the same seed, lose their n-th packet, the n-th here is lost: a draw on (0, 1]
// is a whole number of 2^-53.
std::uint64_t threshold(double probability) { return static_cast<std::uint64_t>(probability * 0x1p53); }

std::uint64_t whole_rate(double bit_per_s) {
  return bit_per_s < kInstantRate ? static_cast<std::uint64_t>(std::llround(bit_per_s)) : 0;
}

}  // namespace

std::uint32_t queue_levels(const kit::Point& point) {
  // A discipline holds its limit beside the packet in service.
  const kit::Bottleneck& bottleneck = point.dumbbell().bottleneck;
  return static_cast<std::uint32_t>(bottleneck.buffer_packets) +
         (bottleneck.queue == kit::Queue::kDropTail ? 1 : 2);
}

// A queue for each flow.
bool is_fair(kit::Queue queue) {
  return queue == kit::Queue::kFq || queue == kit::Queue::kFqCodel || queue == kit::Queue::kCake;
}

link_options way_there(const kit::Point& point, std::uint64_t seed, std::uint32_t levels) {
  const kit::Bottleneck& bottleneck = point.dumbbell().bottleneck;
  const kit::Link& egress = point.dumbbell().egress;
  link_options options{};
  options.rate_bit_per_s = static_cast<std::uint64_t>(std::llround(bottleneck.rate_bit_per_s));
  options.delay_ns = static_cast<std::uint64_t>(nanoseconds(bottleneck.delay_s));
  options.egress_rate_bit_per_s = whole_rate(egress.rate_bit_per_s);
  options.egress_delay_ns = static_cast<std::uint64_t>(nanoseconds(egress.delay_s));
  options.loss_seed = kit::stream_seed(seed, kit::Stream::kLinkLoss);
  options.loss_threshold = threshold(bottleneck.loss_probability);
  options.buffer_packets =
      bottleneck.queue == kit::Queue::kDropTail ? static_cast<std::uint32_t>(bottleneck.buffer_packets) : 0;
  options.one_line = is_fair(bottleneck.queue) ? 0 : 1;
  options.levels = levels;
  options.read_as = LINK_BOTTLENECK;
  options.reorders = bottleneck.jitter && bottleneck.jitter->reorders ? 1 : 0;
  options.log = point.probes.filter_log ? LINK_LOG_SENT : LINK_LOG_NONE;
  options.groups = static_cast<std::uint32_t>(point.groups.size());
  for (std::size_t index = 0; index < point.groups.size(); ++index) {
    const kit::SourceGroup& group = point.groups[index];
    options.group[index].access_rate_bit_per_s = whole_rate(group.access.rate_bit_per_s);
    options.group[index].access_delay_ns = static_cast<std::uint64_t>(nanoseconds(group.access.delay_s));
    options.group[index].count = static_cast<std::uint32_t>(group.count);
  }
  return options;
}

std::vector<std::uint64_t> packet_delays(const kit::Point& point, std::uint64_t seed) {
  constexpr double kMost = 1 << 22;
  const kit::Bottleneck& link = point.dumbbell().bottleneck;
  const kit::Stop& stop = point.stop;
  const double seconds = stop.duration_s > 0 ? stop.duration_s + stop.warmup_s : kMost;
  const auto count = static_cast<std::size_t>(
      std::min(kMost, 1'000 + link.rate_bit_per_s / 8 / point.packet_bytes * seconds));
  kit::Normals random(kit::Random(seed, kit::Stream::kLinkDelay));
  std::vector<std::uint64_t> delays;
  delays.reserve(count);
  while (delays.size() < count) {
    double delay_s = link.delay_s;
    if (link.jitter) {
      const double unit = link.jitter->normal ? random.draw() : std::sqrt(3.0) * (2 * random.uniform() - 1);
      delay_s += link.jitter->standard_deviation_s * unit;
    }
    const bool late = link.reordering && random.uniform() <= link.reordering->share;
    const auto ns = static_cast<std::uint64_t>(nanoseconds(std::max(delay_s, 0.0)));
    delays.push_back(ns * LINK_DELAY_UNIT + (late ? LINK_OVERTAKEN : 0));
  }
  return delays;
}

// The link that acknowledgements share, which none of its packets is larger on than the point says.
link_options way_back(const kit::Point& point, const kit::ReturnLink& link, std::uint64_t seed) {
  link_options options{};
  options.rate_bit_per_s = static_cast<std::uint64_t>(std::llround(link.rate_bit_per_s));
  options.loss_seed = kit::stream_seed(seed, kit::Stream::kReturnLoss);
  options.loss_threshold = threshold(link.loss_probability);
  options.buffer_packets = static_cast<std::uint32_t>(link.buffer_packets);
  options.bytes_each = static_cast<std::uint32_t>(point.ack_bytes);
  options.levels = 1;
  options.read_as = LINK_RETURN;
  return options;
}

DumbbellNetwork::DumbbellNetwork(const kit::Point& point, std::uint64_t seed) {
  for (const Sysctl& sysctl : guest_sysctls()) {
    set_sysctl(sysctl);
  }
  receivers_ = new_namespace();
  start_loopback();
  for (const Sysctl& sysctl : receiver_sysctls(point)) {
    set_sysctl(sysctl);
  }
  add_route(kReceiverNetwork, "lo");
  router_ = new_namespace();
  set_sysctl({"ipv4/ip_forward", "1"});
  set_sysctl({"ipv4/ip_early_demux", "0"});
  add_pair("bottleneck", "eth0", receivers_, point.packet_bytes);
  start_device("bottleneck");
  add_route(kReceiverNetwork, "bottleneck");
  add_link("bottleneck", way_there(point, seed, queue_levels(point)));
  if (point.dumbbell().bottleneck.queue != kit::Queue::kDropTail) {
    add_queue_discipline("bottleneck", point);
  }
  enter(receivers_);
  start_device("eth0");
  // Behind a queue on the way back, ways part in a namespace of its own.
  const auto& shared = point.dumbbell().way_back;
  if (shared) {
    parting_ = new_namespace();
    set_sysctl({"ipv4/ip_forward", "1"});
    set_sysctl({"ipv4/ip_early_demux", "0"});
    add_pair("in", "return", receivers_, point.packet_bytes);
    start_device("in");
    enter(receivers_);
    start_device("return");
    add_link("return", way_back(point, *shared, seed));
  }
  const FileDescriptor& behind = shared ? parting_ : receivers_;
  for (std::size_t index = 0; index < point.groups.size(); ++index) {
    const kit::SourceGroup& group = point.groups[index];
    const std::string number = std::to_string(index);
    const std::string in = "in" + number, back = "back" + number;
    groups_.push_back(new_namespace());
    start_loopback();
    for (const Sysctl& sysctl : sender_sysctls(point, group)) {
      set_sysctl(sysctl);
    }
    add_pair("eth0", in.c_str(), router_, point.packet_bytes);
    add_pair("eth1", back.c_str(), behind, point.packet_bytes);
    start_device("eth0");
    start_device("eth1");
    const RouteMetrics metrics = metrics_of(point, group);
    add_route(SOURCE_NETWORK(index), "lo");
    add_route(kReceiverNetwork, "eth0", metrics);
    enter(router_);
    start_device(in.c_str());
    enter(behind);
    start_device(back.c_str());
    link_options delay{};
    delay.delay_ns = static_cast<std::uint64_t>(nanoseconds(point.return_delay_s + group.extra_delay_s));
    delay.levels = 1;
    delay.log = point.probes.filter_log ? LINK_LOG_RECEIVED : LINK_LOG_NONE;
    add_link(back.c_str(), delay);
    if (shared) {
      add_route(SOURCE_NETWORK(index), back.c_str());
      enter(receivers_);
    }
    add_route(SOURCE_NETWORK(index), shared ? "return" : back.c_str(), metrics);
    listeners_.push_back(listen(point, index));
  }
}

}  // namespace linux_engine
