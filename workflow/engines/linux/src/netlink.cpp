#include "netlink.hpp"

#include <sys/socket.h>

#include "failure.hpp"
#include "file_descriptor.hpp"

namespace linux_engine {

std::size_t NetlinkRequest::add(int type, const void* data, std::size_t size) {
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

void NetlinkRequest::close(std::size_t at) {
  reinterpret_cast<rtattr*>(&buffer_[at])->rta_len = static_cast<unsigned short>(header()->nlmsg_len - at);
}

void NetlinkRequest::send(const char* what) {
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

}  // namespace linux_engine
