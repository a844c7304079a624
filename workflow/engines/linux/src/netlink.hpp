#pragma once

#include <linux/rtnetlink.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace linux_engine {

// A request to the kernel's routing netlink with its attributes; sent at once, the answer awaited.
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
  std::size_t add(int type, const void* data, std::size_t size);
  std::size_t open(int type) { return add(type, nullptr, 0); }
  void add(int type, std::uint32_t value) { add(type, &value, sizeof value); }
  void add(int type, const char* text) { add(type, text, std::strlen(text) + 1); }
  void close(std::size_t at);

  // Throws std::runtime_error with `what` and the kernel's reason.
  void send(const char* what);

 private:
  nlmsghdr* header() { return reinterpret_cast<nlmsghdr*>(buffer_.data()); }

  alignas(nlmsghdr) std::array<char, 4'096> buffer_{};
};

}  // namespace linux_engine
