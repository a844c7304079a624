#include "live/relay.hpp"

#include <poll.h>

#include "clock.hpp"
#include "failure.hpp"

namespace linux_engine {
namespace {

constexpr std::size_t kLargestPacket = 9'000;

constexpr std::size_t index(End end) { return static_cast<std::size_t>(end); }

class Relay {
 public:
  Relay(Emulator& emulator, const std::array<FileDescriptor, 2>& hosts, Lateness& lateness)
      : emulator_(emulator), hosts_(hosts), lateness_(lateness) {}

  void run(int stop) {
    std::array<pollfd, 3> files{pollfd{hosts_[0].get(), POLLIN, 0}, pollfd{hosts_[1].get(), POLLIN, 0},
                                pollfd{stop, POLLIN, 0}};
    // The clock is read once a turn: live, a turn takes microseconds; in virtual time it takes none, but each
    // reading is a system call, and these are what a packet costs.
    for (Nanoseconds now = monotonic_now(); (files[2].revents & POLLIN) == 0;) {
      timespec timeout{};
      const auto due = emulator_.next_delivery();
      if (due) {
        timeout = to_timespec(std::max<Nanoseconds>(0, *due - now));
      }
      if (::ppoll(files.data(), files.size(), due ? &timeout : nullptr, nullptr) < 0 && errno != EINTR) {
        throw system_failure("waiting for packets");
      }
      now = monotonic_now();
      deliver_due(now);
      if ((files[0].revents & POLLIN) != 0) {
        take_from(End::kSender, now);
      }
      if ((files[1].revents & POLLIN) != 0) {
        take_from(End::kReceiver, now);
      }
    }
  }

 private:
  void deliver_due(Nanoseconds now) {
    while (const auto delivery = emulator_.deliver(now)) {
      lateness_.record(now - delivery->due);
      // A host that is just closing may refuse a packet; it is lost, as on any link.
      [[maybe_unused]] const ssize_t written =
          ::write(hosts_[index(delivery->to)].get(), delivery->packet.data(), delivery->packet.size());
    }
  }

  void take_from(End end, Nanoseconds now) {
    for (;;) {
      const ssize_t bytes = ::read(hosts_[index(end)].get(), packet_.data(), packet_.size());
      if (bytes < 0) {
        if (errno == EAGAIN || errno == EINTR) {
          return;
        }
        throw system_failure("reading from a TUN device");
      }
      // The kernel announces itself by IPv6 on any device: that is none of the experiment's packets.
      if (std::to_integer<int>(packet_[0]) >> 4 != 4) {
        continue;
      }
      emulator_.arrive(end, now, {packet_.data(), static_cast<std::size_t>(bytes)});
    }
  }

  Emulator& emulator_;
  const std::array<FileDescriptor, 2>& hosts_;
  Lateness& lateness_;
  std::array<std::byte, kLargestPacket> packet_;
};

}  // namespace

void relay(Emulator& emulator, const std::array<FileDescriptor, 2>& hosts, int stop, Lateness& lateness) {
  Relay(emulator, hosts, lateness).run(stop);
}

}  // namespace linux_engine
