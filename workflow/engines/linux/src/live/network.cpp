#include "live/network.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <array>
#include <cstring>

#include "failure.hpp"
#include "host_settings.hpp"
#include "netlink.hpp"

namespace linux_engine {
namespace {

constexpr const char* kDevice = "link";

ifreq request() {
  ifreq request{};
  std::strncpy(request.ifr_name, kDevice, IFNAMSIZ - 1);
  return request;
}

FileDescriptor open_tun() {
  FileDescriptor tun(::open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC));
  if (!tun) {
    throw unavailable("/dev/net/tun, by which packets reach the emulator");
  }
  ifreq attach = request();
  attach.ifr_flags = IFF_TUN | IFF_NO_PI;
  if (::ioctl(tun.get(), TUNSETIFF, &attach) != 0) {
    throw unavailable("making a TUN device");
  }
  return tun;
}

void configure_device(End end, const Settings& settings) {
  const FileDescriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const auto set = [&](unsigned long operation, ifreq& value, const char* what) {
    if (::ioctl(socket.get(), operation, &value) != 0) {
      throw system_failure(what);
    }
  };
  ifreq value = request();
  auto* address = reinterpret_cast<sockaddr_in*>(&value.ifr_addr);
  address->sin_family = AF_INET;
  address->sin_addr.s_addr = htonl(address_of(end));
  set(SIOCSIFADDR, value, "the device's address");
  value = request();
  value.ifr_mtu = static_cast<int>(settings.mtu_bytes);
  set(SIOCSIFMTU, value, "the device's MTU");
  value = request();
  value.ifr_flags = IFF_UP | IFF_RUNNING;
  set(SIOCSIFFLAGS, value, "starting the device");
  // A maximum of one segment keeps TCP from building larger packets, to be cut later; ethtool's switch does
  // not.
  ifinfomsg link{};
  link.ifi_index = static_cast<int>(::if_nametoindex(kDevice));
  NetlinkRequest one_segment(RTM_NEWLINK, 0, link);
  one_segment.add(IFLA_GSO_MAX_SEGS, 1U);
  one_segment.send("switching segmentation offload off");
}

void add_route(const Settings& settings) {
  rtmsg route{};
  route.rtm_family = AF_INET;
  route.rtm_table = RT_TABLE_MAIN;
  route.rtm_protocol = RTPROT_STATIC;
  route.rtm_scope = RT_SCOPE_LINK;
  route.rtm_type = RTN_UNICAST;
  NetlinkRequest request(RTM_NEWROUTE, NLM_F_CREATE | NLM_F_REPLACE, route);
  request.add(RTA_OIF, ::if_nametoindex(kDevice));
  const std::size_t metrics = request.add(RTA_METRICS, nullptr, 0);
  request.add(RTAX_INITRWND, static_cast<std::uint32_t>(settings.rwnd_segments));
  request.add(RTAX_INITCWND, static_cast<std::uint32_t>(settings.initial_window_segments));
  request.add(RTAX_RTO_MIN, static_cast<std::uint32_t>(settings.min_rto / 1'000'000));  // milliseconds
  request.close(metrics);
  request.send("the route to the other end");
}

// The kernel of 2002 as near as any kernel comes, without SACK.
std::vector<Sysctl> sysctls_of(const Settings& settings) {
  std::vector<Sysctl> sysctls = sysctls_of_2002();
  const bool scaled = settings.rwnd_segments * settings.mss_bytes() > 65'535;
  sysctls.insert(sysctls.end(), {{"ipv4/tcp_sack", "0"},
                                 {"ipv4/tcp_ecn", "0"},
                                 {"ipv4/tcp_window_scaling", scaled ? "1" : "0"},
                                 {"ipv4/tcp_no_metrics_save", "1"},
                                 {"ipv4/tcp_retries2", "200"},
                                 {"ipv4/tcp_syn_retries", "100"},
                                 {"ipv4/tcp_rmem", "4096 6000000 6000000"}});
  return sysctls;
}

void set_or_refuse(const Sysctl& sysctl) {
  try {
    set_sysctl(sysctl);
  } catch (const std::runtime_error& error) {
    throw kit::Unavailable(error.what());
  }
}

}  // namespace

FileDescriptor enter_host(End end, const Settings& settings) {
  if (::unshare(CLONE_NEWNET) != 0) {
    throw unavailable("making a network namespace");
  }
  FileDescriptor tun = open_tun();
  for (const Sysctl& sysctl : sysctls_of(settings)) {
    set_or_refuse(sysctl);
  }
  configure_device(end, settings);
  add_route(settings);
  return tun;
}

}  // namespace linux_engine
