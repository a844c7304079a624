// Settings of a simulation: users behind fair queueing, each on a path of their own (Baccelli, Hong and Liu
// 2001).
#pragma once

#include <cstdint>

#include "kit/local_loop/settings.hpp"

namespace fixed_point {

using kit::local_loop::Backbone;
using kit::local_loop::Drop;
using kit::local_loop::Readings;
using kit::local_loop::SharedBuffer;
using kit::local_loop::Station;
using kit::local_loop::Tcp;
using kit::local_loop::Workload;

// Readings of the cross flows where the paper leaves a choice.
struct CrossReadings {
  // Law of a cross flow's gaps between packets (schemes 0 and 1), by its mean.
  enum class GapLaw { kExponential, kConstant } gap_law = GapLaw::kExponential;
  // Law of the aggregated service times (scheme 2): by the mean alone exponential, by two moments lognormal.
  enum class ServiceLaw { kExponential, kLognormal } service_law = ServiceLaw::kLognormal;
  // Whether the gap after a packet that was held back (scheme 1) begins when it is let go, or when it was
  // due.
  bool gap_after_release = true;
  // Delays make cross flows slower than the reference, and their queues no longer than its (scheme 1). What
  // their rates before the delays are multiplied by, from step to step: nothing, or what makes their rate, or
  // their mean queue, that of the reference.
  enum class Haste { kNone, kForRate, kForQueue } haste = Haste::kNone;
};

// Section 5.3. Where all users are references there are no cross flows, and the simulation is exact.
enum class Scheme { kRates, kRatesAndQueues, kWindows };  // 0, 1 and 2

// Condition of the cross flows' distributions ("conditional version").
enum class Condition { kNothing, kOnUsers, kBackloggedUsers };

// Section 5.4. A step is a number of packets of the references; after it the cross flows learn from them.
struct Iteration {
  std::int64_t step_packets = 20'000;
  std::int32_t min_steps = 4;
  std::int32_t max_steps = 30;
  double change = 0.05;            // of what cross flows act on from step to step, that counts as none
  bool averaging = false;          // they act on what all steps showed, later ones weighing more
  double environment = 0.05;       // of the mean burst and think time from theirs
  double fairness = 0.1;           // of on time and queue between references and cross flows
  std::int64_t packets = 200'000;  // of the references, to be measured after the last step
};

struct Settings : kit::local_loop::Settings {
  std::int32_t references = 100;
  Scheme scheme = Scheme::kRatesAndQueues;
  Condition condition = Condition::kOnUsers;
  CrossReadings cross;
  Iteration iteration;
};

// Throws std::invalid_argument, a line with the key and what is allowed.
void check(const Settings& settings);

}  // namespace fixed_point
