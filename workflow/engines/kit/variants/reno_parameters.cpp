#include "kit/variants/reno_parameters.hpp"

#include "kit/point/json_reader.hpp"

namespace kit {
namespace {

Halving read_halving(JsonReader& tcp) {
  return static_cast<Halving>(tcp.choice("halving", {"per-window", "per-loss"}));
}

}  // namespace

InformedRenoParameters InformedRenoParameters::read(JsonReader& tcp) {
  return {
      .halving = read_halving(tcp),
      .odd_half = static_cast<OddHalf>(tcp.choice("odd_half", {"smaller", "larger"})),
      .old_acks = static_cast<OldAcks>(tcp.choice("old_acks", {"ignored", "grow-window"})),
      .timer = static_cast<Timer>(tcp.choice("timer", {"per-packet", "restarted", "per-window"})),
      .rtt_samples = static_cast<RttSamples>(tcp.choice("rtt_samples", {"first-of-window", "every-packet"}))};
}

LifelongRenoParameters LifelongRenoParameters::read(JsonReader& tcp) {
  return {.halving = read_halving(tcp)};
}

}  // namespace kit
