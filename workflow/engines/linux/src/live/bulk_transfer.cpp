#include "live/bulk_transfer.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <vector>

#include "failure.hpp"
#include "live/emulator.hpp"
#include "live/network.hpp"

namespace linux_engine {
namespace {

constexpr std::uint16_t kPort = 5'001;  // ttcp's
constexpr std::int64_t kWriteSegments =
    16;  // whole ones, so that no segment is cut short by the end of a write

void set_option(const FileDescriptor& socket, int option, const void* value, std::size_t size,
                const char* what) {
  if (::setsockopt(socket.get(), IPPROTO_TCP, option, value, static_cast<socklen_t>(size)) != 0) {
    throw system_failure(what);
  }
}

FileDescriptor make_socket() {
  FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket) {
    throw system_failure("making a TCP socket");
  }
  set_option(socket, TCP_CONGESTION, "reno", 4, "choosing Reno");
  return socket;
}

sockaddr_in socket_address(End end) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(kPort);
  address.sin_addr.s_addr = htonl(address_of(end));
  return address;
}

}  // namespace

FileDescriptor listen_for_transfer(const Settings& settings) {
  FileDescriptor socket = make_socket();
  const int window = static_cast<int>(settings.rwnd_segments * settings.mss_bytes());
  set_option(socket, TCP_WINDOW_CLAMP, &window, sizeof window, "the receiver's window");
  const sockaddr_in address = socket_address(End::kReceiver);
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(socket.get(), 8) != 0) {
    throw system_failure("listening for the transfer");
  }
  return socket;
}

void receive_transfer(const FileDescriptor& listening) {
  const FileDescriptor connection(::accept4(listening.get(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!connection) {
    throw system_failure("accepting the transfer");
  }
  ssize_t got = 0;
  // MSG_TRUNC: the kernel discards the data instead of copying it.
  while ((got = ::recv(connection.get(), nullptr, 1U << 20, MSG_TRUNC)) > 0) {
  }
  if (got < 0) {
    throw system_failure("receiving the transfer");
  }
}

void send_transfer(const Settings& settings) {
  const std::vector<char> data(static_cast<std::size_t>(kWriteSegments * settings.mss_bytes()));
  const FileDescriptor socket = make_socket();
  const sockaddr_in receiver = socket_address(End::kReceiver);
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&receiver), sizeof receiver) != 0) {
    throw system_failure("connecting to the receiver");
  }
  ::fcntl(socket.get(), F_SETFL, O_NONBLOCK);
  const auto wait = [&](short event) {
    pollfd ready{socket.get(), event, 0};
    if (::ppoll(&ready, 1, nullptr, nullptr) < 0 && errno != EINTR) {
      throw system_failure("waiting for the connection");
    }
  };
  for (std::int64_t left = settings.bytes; left > 0;) {
    wait(POLLOUT);
    const std::size_t next = std::min(data.size(), static_cast<std::size_t>(left));
    const ssize_t sent = ::send(socket.get(), data.data(), next, MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN) {
      throw system_failure("sending the transfer");
    }
    left -= std::max<ssize_t>(sent, 0);
  }
  ::shutdown(socket.get(), SHUT_WR);
  wait(POLLIN);
  char end{};
  if (::recv(socket.get(), &end, 1, 0) != 0) {
    throw system_failure("ending the transfer");
  }
}

}  // namespace linux_engine
