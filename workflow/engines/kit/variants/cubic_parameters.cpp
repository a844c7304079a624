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
  return cubic;
}

}  // namespace kit
