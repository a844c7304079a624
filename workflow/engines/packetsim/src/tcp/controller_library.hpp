// A shared object with a congestion controller, and what a run says if it misbehaves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "kit.hpp"
#include "tcp/tcpatlas_cc.h"

namespace packetsim {

// The controller in a library, which is opened once. Throws kit::InputError.
const cc_controller& controller_in(const std::string& library);

// A controller of the program's own, for points whose library has this name. Throws kit::InputError.
void use_controller(const std::string& name, const cc_controller& controller);

// The call that is under way: a crash in it, or one that does not return, ends the program with one line that
// names it.
struct ControllerCall {
  const char* name = nullptr;  // nullptr: none
  const char* library = "";
  std::size_t flow = 0;
  Picoseconds now = 0;
  std::uint64_t count = 0;
};
inline ControllerCall controller_call;

// Throws: what a controller answered is no window.
[[noreturn]] void refuse_answer(const ControllerCall& call, double window, double ssthresh,
                                double pacing_rate);

}  // namespace packetsim
