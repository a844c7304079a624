#include "live/experiment.hpp"

#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <functional>

#include "clock.hpp"
#include "failure.hpp"
#include "live/bulk_transfer.hpp"
#include "live/emulator.hpp"
#include "live/lateness.hpp"
#include "live/network.hpp"
#include "live/relay.hpp"
#include "output_file.hpp"

namespace linux_engine {
namespace {

// A child process that runs `host` and says in one line what went wrong, if anything did.
pid_t start(const char* name, const std::function<void()>& host) {
  const pid_t child = ::fork();
  if (child < 0) {
    throw system_failure(std::string("starting the ") + name);
  }
  if (child > 0) {
    return child;
  }
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  try {
    host();
    ::_exit(0);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", name, error.what());
    ::_exit(1);
  }
}

// Readable when a child has ended. Signals come through a file, so that none interrupts a system call.
FileDescriptor end_of_children() {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGCHLD);
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  return FileDescriptor(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
}

// The two children.
class Hosts {
 public:
  Hosts(pid_t sender, pid_t receiver) : children_{sender, receiver} {}

  // Whether one of them has yet to end. Throws std::runtime_error if one failed.
  bool running() {
    for (pid_t& child : children_) {
      int status = 0;
      if (child == 0 || ::waitpid(child, &status, WNOHANG) != child) {
        continue;
      }
      child = 0;
      if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        throw std::runtime_error("");  // it has said why
      }
    }
    return children_[0] != 0 || children_[1] != 0;
  }

 private:
  std::array<pid_t, 2> children_;
};

}  // namespace

void run_experiment(const Settings& settings, const std::filesystem::path& directory) {
  ::prctl(PR_SET_TIMERSLACK, 1UL);  // nanoseconds; the hosts inherit it
  const Nanoseconds epoch = read_clock(CLOCK_REALTIME) - monotonic_now();
  const FileDescriptor ended = end_of_children();

  std::array<FileDescriptor, 2> hosts;
  hosts[1] = enter_host(End::kReceiver, settings);
  FileDescriptor listening = listen_for_transfer(settings);  // stays in the receiver's namespace
  hosts[0] = enter_host(End::kSender, settings);

  Emulator emulator(settings.channel(true), settings.channel(false), directory, epoch);
  Lateness lateness(settings.mtu_bytes * 8 * kNanosecondsPerSecond / settings.rate_bit_per_s);

  const auto leave_devices = [&hosts] { hosts = {}; };  // a device lives as long as a process holds its file
  const pid_t receiver = start("receiver", [&] {
    leave_devices();
    receive_transfer(listening);
  });
  listening = FileDescriptor();
  const pid_t sender = start("sender", [&] {
    leave_devices();
    send_transfer(settings);
  });

  Hosts running(sender, receiver);
  do {
    relay(emulator, hosts, ended.get(), lateness);
    signalfd_siginfo ignored{};
    while (::read(ended.get(), &ignored, sizeof ignored) > 0) {
    }
  } while (running.running());
  emulator.close_logs();

  OutputFile file(directory / "counters.json");
  file.print("%s\n", nlohmann::json(emulator.counters(End::kSender)).dump().c_str());
  file.close();
  if (lateness.too_late()) {
    throw TooLate("refused: " + std::to_string(lateness.beyond()) + " of " +
                  std::to_string(lateness.deliveries()) +
                  " packets came later than a packet's transmission time; the processor is too busy");
  }
}

}  // namespace linux_engine
