#include "kit/variants/cubic_parameters.hpp"

#include "kit/point/json_reader.hpp"

namespace kit {

CubicParameters CubicParameters::read(JsonReader& tcp) {
  CubicParameters cubic;
  if (tcp.has("c")) {
    cubic.c = tcp.number("c", kFactor);
  }
  if (tcp.has("fast_convergence")) {
    cubic.fast_convergence = tcp.flag("fast_convergence");
  }
  if (tcp.has("reno_friendly")) {
    cubic.reno_at_full_pace = tcp.choice<bool>("reno_friendly", {{"rfc8312", false}, {"rfc9438", true}});
  }
  if (tcp.has("rules")) {
    cubic.linux_rules = tcp.choice<bool>("rules", {{"rfc", false}, {"linux", true}});
    if (cubic.linux_rules && (tcp.has("c") || tcp.has("reno_friendly"))) {
      tcp.fail("rules", "linux has its own c and reno_friendly");
    }
  }
  return cubic;
}

}  // namespace kit
