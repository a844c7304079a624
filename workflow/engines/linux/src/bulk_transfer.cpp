#include "bulk_transfer.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cinttypes>
#include <vector>

#include "clock.hpp"
#include "emulator/emulator.hpp"
#include "emulator/output_file.hpp"
#include "failure.hpp"
#include "network.hpp"

namespace seawind {
namespace {

constexpr std::uint16_t port = 5'001;  // ttcp's
constexpr std::int64_t write_segments =
    16;  // whole ones, so that no segment is cut short by the end of a write

void set_option(const FileDescriptor& socket, int option, const void* value, std::size_t size,
                const char* what) {
  if (::setsockopt(socket.get(), IPPROTO_TCP, option, value, static_cast<socklen_t>(size)) != 0)
    throw system_failure(what);
}

FileDescriptor make_socket(const Stack& stack) {
  FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket) throw system_failure("making a TCP socket");
  if (!stack.congestion_control.empty())
    set_option(socket, TCP_CONGESTION, stack.congestion_control.data(), stack.congestion_control.size(),
               ("this kernel's congestion control has no " + stack.congestion_control).c_str());
  return socket;
}

sockaddr_in socket_address(End end) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(address_of(end));
  return address;
}

// The sender's state over time, as a CSV file.
class Samples {
 public:
  Samples(const std::filesystem::path& path, Nanoseconds interval, Nanoseconds epoch)
      : file_(path), interval_(interval), epoch_(epoch) {
    file_.print(
        "transfer,time_s,state,ca_state,cwnd,ssthresh,unacked,sacked,lost,retrans,rtt_us,rttvar_us,rto_us,"
        "total_retrans\n");
  }

  Nanoseconds next() const { return next_; }

  void take(std::int64_t transfer, const FileDescriptor& socket, Nanoseconds now) {
    if (now < next_) return;
    next_ = std::max(next_ + interval_, now);
    tcp_info info{};
    socklen_t size = sizeof info;
    if (::getsockopt(socket.get(), IPPROTO_TCP, TCP_INFO, &info, &size) != 0)
      throw system_failure("TCP_INFO");
    const Nanoseconds time = epoch_ + now;
    file_.print("%" PRId64 ",%" PRId64 ".%09" PRId64 ",%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u\n", transfer,
                time / nanoseconds_per_second, time % nanoseconds_per_second, unsigned{info.tcpi_state},
                unsigned{info.tcpi_ca_state}, info.tcpi_snd_cwnd, info.tcpi_snd_ssthresh, info.tcpi_unacked,
                info.tcpi_sacked, info.tcpi_lost, info.tcpi_retrans, info.tcpi_rtt, info.tcpi_rttvar,
                info.tcpi_rto, info.tcpi_total_retrans);
  }

  void close() { file_.close(); }

 private:
  OutputFile file_;
  Nanoseconds interval_, epoch_, next_ = 0;
};

void send_one(std::int64_t transfer, const Settings& settings, const Stack& stack, Samples& samples) {
  const std::vector<char> data(static_cast<std::size_t>(write_segments * settings.mss_bytes()));
  const FileDescriptor socket = make_socket(stack);
  const sockaddr_in receiver = socket_address(End::receiver);
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&receiver), sizeof receiver) != 0)
    throw system_failure("connecting to the receiver");
  ::fcntl(socket.get(), F_SETFL, O_NONBLOCK);

  std::int64_t left = settings.bytes;
  for (Nanoseconds now = monotonic_now();;) {
    pollfd ready{socket.get(), static_cast<short>(left > 0 ? POLLOUT : POLLIN), 0};
    const timespec timeout = to_timespec(std::max<Nanoseconds>(0, samples.next() - now));
    if (::ppoll(&ready, 1, &timeout, nullptr) < 0 && errno != EINTR)
      throw system_failure("waiting for the connection");
    now = monotonic_now();
    samples.take(transfer, socket, now);
    if (ready.revents == 0) continue;
    if (left == 0) {
      char end{};
      const ssize_t got = ::recv(socket.get(), &end, 1, 0);
      if (got == 0) return;
      if (got < 0 && errno != EAGAIN) throw system_failure("transfer " + std::to_string(transfer));
      continue;
    }
    const std::size_t next = std::min(data.size(), static_cast<std::size_t>(left));
    const ssize_t sent = ::send(socket.get(), data.data(), next, MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN) throw system_failure("transfer " + std::to_string(transfer));
    left -= std::max<ssize_t>(sent, 0);
    if (left == 0) ::shutdown(socket.get(), SHUT_WR);
  }
}

}  // namespace

FileDescriptor listen_for_transfers(const Settings& settings, const Stack& stack) {
  FileDescriptor socket = make_socket(stack);
  const int window = static_cast<int>(settings.rwnd_segments * settings.mss_bytes());
  set_option(socket, TCP_WINDOW_CLAMP, &window, sizeof window, "the receiver's window");
  const sockaddr_in address = socket_address(End::receiver);
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(socket.get(), 8) != 0)
    throw system_failure("listening for transfers");
  return socket;
}

void receive_transfers(const Settings& settings, const FileDescriptor& listening) {
  for (std::int64_t transfer = 0; transfer < settings.transfers; ++transfer) {
    const FileDescriptor connection(::accept4(listening.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!connection) throw system_failure("accepting transfer " + std::to_string(transfer));
    ssize_t got = 0;
    // MSG_TRUNC: the kernel discards the data instead of copying it.
    while ((got = ::recv(connection.get(), nullptr, 1U << 20, MSG_TRUNC)) > 0) {
    }
    if (got < 0) throw system_failure("receiving transfer " + std::to_string(transfer));
  }
}

void send_transfers(const Settings& settings, const Stack& stack, const std::filesystem::path& samples_path,
                    Nanoseconds epoch) {
  Samples samples(samples_path, settings.sample_interval, epoch);
  for (std::int64_t transfer = 0; transfer < settings.transfers; ++transfer)
    send_one(transfer, settings, stack, samples);
  samples.close();
}

}  // namespace seawind
