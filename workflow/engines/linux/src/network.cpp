#include "network.hpp"

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

// A netlink request with its attributes; sent at once, the kernel's answer awaited.
class NetlinkRequest {
 public:
  template <typename Body>
  NetlinkRequest(std::uint16_t type, std::uint16_t flags, const Body& body) {
    header()->nlmsg_len = NLMSG_LENGTH(sizeof body);
    header()->nlmsg_type = type;
    header()->nlmsg_flags = static_cast<std::uint16_t>(NLM_F_REQUEST | NLM_F_ACK | flags);
    std::memcpy(NLMSG_DATA(header()), &body, sizeof body);
  }

  // Returns where the attribute begins, for close() of one that holds others.
  std::size_t add(int type, const void* data, std::size_t size) {
    const std::size_t at = NLMSG_ALIGN(header()->nlmsg_len);
    auto* attribute = reinterpret_cast<rtattr*>(&buffer_[at]);
    attribute->rta_type = static_cast<unsigned short>(type);
    attribute->rta_len = static_cast<unsigned short>(RTA_LENGTH(size));
    if (size > 0) {
      std::memcpy(RTA_DATA(attribute), data, size);
    }
    header()->nlmsg_len = static_cast<std::uint32_t>(at + RTA_ALIGN(attribute->rta_len));
    return at;
  }
  void add(int type, std::uint32_t value) { add(type, &value, sizeof value); }
  void close(std::size_t at) {
    reinterpret_cast<rtattr*>(&buffer_[at])->rta_len = static_cast<unsigned short>(header()->nlmsg_len - at);
  }

  void send(const char* what) {
    const FileDescriptor socket(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE));
    struct {
      nlmsghdr header;
      nlmsgerr error;
      std::array<char, 1'024> rest;
    } answer{};
    if (!socket || ::send(socket.get(), buffer_.data(), header()->nlmsg_len, 0) < 0 ||
        ::recv(socket.get(), &answer, sizeof answer, 0) < 0) {
      throw system_failure(what);
    }
    errno = -answer.error.error;
    if (errno != 0) {
      throw system_failure(what);
    }
  }

 private:
  nlmsghdr* header() { return reinterpret_cast<nlmsghdr*>(buffer_.data()); }

  alignas(nlmsghdr) std::array<char, 512> buffer_{};
};

void configure_device(End end, const Settings& settings, const Stack& stack) {
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
  if (!stack.segmentation_offload) {
    // A maximum of one segment keeps TCP from building larger packets, to be cut later; ethtool's switch does
    // not.
    ifinfomsg link{};
    link.ifi_index = static_cast<int>(::if_nametoindex(kDevice));
    NetlinkRequest one_segment(RTM_NEWLINK, 0, link);
    one_segment.add(IFLA_GSO_MAX_SEGS, 1);
    one_segment.send("switching segmentation offload off");
  }
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

void set_sysctl(const Stack::Sysctl& sysctl) {
  const std::string path = "/proc/sys/net/ipv4/" + sysctl.name;
  const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file || ::write(file.get(), sysctl.value.data(), sysctl.value.size()) < 0) {
    throw unavailable(path + " = " + sysctl.value);
  }
}

}  // namespace

FileDescriptor enter_host(End end, const Settings& settings, const Stack& stack) {
  if (::unshare(CLONE_NEWNET) != 0) {
    throw unavailable("making a network namespace");
  }
  FileDescriptor tun = open_tun();
  for (const auto& sysctl : stack.sysctls) {
    set_sysctl(sysctl);
  }
  configure_device(end, settings, stack);
  add_route(settings);
  return tun;
}

}  // namespace linux_engine
