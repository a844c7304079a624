// The constants of CUBIC, as a point gives them.
#pragma once

#include <string_view>

namespace kit {

class JsonReader;

// RFC 9438; what a point does not say is as the RFC recommends, but for the Reno-friendly window.
struct CubicParameters {
  static constexpr std::string_view kVariant = "cubic";

  // Reads them beside what every variant has. Throws InputError.
  static CubicParameters read(JsonReader& tcp);

  double c = 0.4;  // section 5.1, in packets/s^3: how fast the window grows far from its plateau
  bool fast_convergence = true;  // section 4.7
  // Above the last cut's window W_est grows by a packet a round trip (RFC 9438), not as below it (RFC 8312).
  bool reno_at_full_pace = false;
};

}  // namespace kit
