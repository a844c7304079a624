#include "tcp/controller_library.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "kit/main/units.hpp"
#include "kit/point/point.hpp"
#include "kit/variants/external_parameters.hpp"

#ifndef __wasm__
#include <dlfcn.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>
#endif

namespace packetsim {
namespace {

[[noreturn]] void refuse(const std::string& library, const std::string& what) {
  throw kit::InputError("sources.tcp.library: " + library + ": " + what);
}

void check_sizes(const std::string& library, const cc_controller& controller) {
  constexpr cc_sizes kSizes = CC_SIZES;
  const cc_sizes& sizes = controller.built_for;
  if (sizes.abi != kSizes.abi || sizes.config != kSizes.config || sizes.event != kSizes.event ||
      sizes.decision != kSizes.decision || sizes.controller != kSizes.controller) {
    refuse(library, "was built for another tcpatlas_cc.h (version " + std::to_string(sizes.abi) +
                        "); compile it again with that of version " + std::to_string(kSizes.abi));
  }
  if (controller.create == nullptr || controller.on_loss == nullptr || controller.on_timeout == nullptr) {
    refuse(library, "must have create, on_loss and on_timeout");
  }
}

// By the names that points have for them.
std::map<std::string, const cc_controller*>& controllers() {
  static std::map<std::string, const cc_controller*> all;
  return all;
}

#ifndef __wasm__
constexpr int kLongestCall_s = 10;

// Only what may be called in a handler of signals.
void end_with(const char* what) {
  std::array<char, 1024> line{};
  const ControllerCall& call = controller_call;
  const int length = std::snprintf(
      line.data(), line.size(), "sources.tcp.library: %s: flow %zu: %s at %.9f s %s\n", call.library,
      call.flow, call.name, static_cast<double>(call.now) / kit::kPicosecondsPerSecond, what);
  const ssize_t written = write(STDERR_FILENO, line.data(), static_cast<std::size_t>(length));
  _exit(written < 0 ? 2 : 1);
}

void on_crash(int signal) {
  if (controller_call.name != nullptr) {
    end_with(signal == SIGABRT ? "has aborted" : signal == SIGFPE ? "has divided by zero" : "has crashed");
  }
  ::signal(signal, SIG_DFL);
  raise(signal);
}

void on_second(int /*signal*/) {
  static std::uint64_t seen = 0;
  static int seconds = 0;
  seconds = controller_call.name != nullptr && controller_call.count == seen ? seconds + 1 : 0;
  seen = controller_call.count;
  if (seconds >= kLongestCall_s) {
    end_with("does not return");
  }
}

void watch() {
  static std::array<char, 65536> stack;
  const stack_t own{.ss_sp = stack.data(), .ss_flags = 0, .ss_size = stack.size()};
  sigaltstack(&own, nullptr);
  struct sigaction action {};
  action.sa_flags = SA_ONSTACK | SA_RESTART;
  action.sa_handler = on_crash;
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) {
    sigaction(signal, &action, nullptr);
  }
  action.sa_handler = on_second;
  sigaction(SIGALRM, &action, nullptr);
  const itimerval every_second{.it_interval = {1, 0}, .it_value = {1, 0}};
  setitimer(ITIMER_REAL, &every_second, nullptr);
  std::atexit([] {
    if (controller_call.name != nullptr) {
      end_with("has called exit()");
    }
  });
}

const cc_controller& opened(const std::string& library) {
  watch();
  controller_call = {.name = "tcpatlas_cc", .library = library.c_str()};
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    controller_call.name = nullptr;
    refuse(library, std::string("cannot be loaded: ") + dlerror());
  }
  const auto entry = reinterpret_cast<const cc_controller* (*)()>(dlsym(handle, "tcpatlas_cc"));
  const cc_controller* const controller = entry == nullptr ? nullptr : entry();
  controller_call.name = nullptr;
  if (controller == nullptr) {
    refuse(library, "has no function tcpatlas_cc() that gives a controller");
  }
  check_sizes(library, *controller);
  return *controller;
}
#endif

}  // namespace

void use_controller(const std::string& name, const cc_controller& controller) {
  check_sizes(name, controller);
  controllers()[name] = &controller;
}

const cc_controller& controller_in(const std::string& library) {
  const cc_controller*& controller = controllers()[library];
  if (controller == nullptr) {
#ifdef __wasm__
    refuse(library, "a browser runs no shared object");
#else
    if (!kit::ExternalParameters::allowed) {
      refuse(library, "is code, which runs only where the command line says --allow-library");
    }
    controller = &opened(library);
#endif
  }
  return *controller;
}

void refuse_answer(const ControllerCall& call, double window, double ssthresh, double pacing_rate) {
  std::array<char, 200> answer{};
  std::snprintf(answer.data(), answer.size(),
                "flow %zu: %s at %.9f s answers window %g, ssthresh %g, pacing_rate %g; at least 1, 1 and 0",
                call.flow, call.name, static_cast<double>(call.now) / kit::kPicosecondsPerSecond, window,
                ssthresh, pacing_rate);
  controller_call.name = nullptr;
  refuse(call.library, answer.data());
}

}  // namespace packetsim
