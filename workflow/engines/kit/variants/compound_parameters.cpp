#include "kit/variants/compound_parameters.hpp"

#include <cmath>

#include "kit/point/json_reader.hpp"

namespace kit {

// Limits: Blanc, Collange and Avrachenkov 2008, section 2.1.1.
CompoundParameters CompoundParameters::read(JsonReader& tcp) {
  CompoundParameters compound{
      .linux_integers = tcp.choice<bool>("arithmetic", {{"float", false}, {"linux", true}}),
      .alpha = tcp.number("alpha", kFactor),
      .k = tcp.number("k", kShare),
      .beta = tcp.number("beta", kShare),
      .zeta = tcp.number("zeta", kFactor),
      .gamma_packets = tcp.number("gamma_packets", kPackets),
      .damping = tcp.count("damping", kDamping),
      .rate_halving = tcp.choice<bool>("recovery", {{"pause", false}, {"rate-halving", true}})};
  if (compound.linux_integers) {
    const double shift = -std::log2(compound.alpha);
    if (shift < 0 || shift != std::floor(shift)) {
      tcp.fail("alpha", "must be 1, 1/2, 1/4, 1/8, ... with arithmetic linux");
    }
    if (compound.k != 0.75) {
      tcp.fail("k", "must be 0.75 with arithmetic linux");
    }
  }
  return compound;
}

}  // namespace kit
