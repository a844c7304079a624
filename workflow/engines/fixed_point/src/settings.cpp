#include "settings.hpp"

namespace fixed_point {

void check(const Settings& s) {
  using kit::local_loop::require;
  kit::local_loop::check(s);
  require(s.references >= 1 && s.references <= s.users, "references", "at least 1 and at most the users");
  require(!s.buffer.managed, "buffer", "drop-tail or fair");
  require(!s.buffer.fifo || s.references == s.users, "buffer.fifo", "false, or of exact users only");
  require(s.iteration.step_packets >= 1, "iteration.step_packets", "at least 1");
  require(s.iteration.min_steps >= 2, "iteration.min_steps", "at least 2");
  require(s.iteration.max_steps >= s.iteration.min_steps, "iteration.max_steps", "at least min_steps");
  require(s.iteration.packets >= 1, "iteration.packets", "at least 1");
}

}  // namespace fixed_point
