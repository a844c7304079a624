// The constants of Compound TCP, as a point gives them.
#pragma once

#include <cstdint>
#include <string_view>

namespace kit {

class JsonReader;

// Blanc, Collange and Avrachenkov 2008, equation 2 and section 4; limits in section 2.1.1.
struct CompoundParameters {
  static constexpr std::string_view kVariant = "compound";

  // Reads them beside what every variant has. Throws InputError.
  static CompoundParameters read(JsonReader& tcp);

  bool linux_integers = false;  // the arithmetic of the Linux module, else the draft's in floating point
  double alpha = 0;             // superlinear growth: alpha w^k a round trip
  double k = 0;
  double beta = 0;           // a loss multiplies the window by 1 - beta
  double zeta = 0;           // the delay window falls by zeta times the estimated backlog
  double gamma_packets = 0;  // threshold of that estimate
  // The authors' closing suggestion (section 5.2): as long as a backlog is estimated, growth and cuts are so
  // many times smaller. 1: Compound as it is.
  std::int32_t damping = 1;
  // After a loss, what ns-2's Linux agent does (sack_sender.hpp), else the pause of section 4.
  bool rate_halving = false;
};

}  // namespace kit
