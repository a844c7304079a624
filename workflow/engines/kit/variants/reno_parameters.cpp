#include "kit/variants/reno_parameters.hpp"

#include "kit/point/json_reader.hpp"

namespace kit {
namespace {

Halving read_halving(JsonReader& tcp) {
  return tcp.choice<Halving>("halving",
                             {{"per-window", Halving::kPerWindow}, {"per-loss", Halving::kPerLoss}});
}

}  // namespace

InformedRenoParameters InformedRenoParameters::read(JsonReader& tcp) {
  return {
      .halving = read_halving(tcp),
      .odd_half =
          tcp.choice<OddHalf>("odd_half", {{"smaller", OddHalf::kSmaller}, {"larger", OddHalf::kLarger}}),
      .old_acks = tcp.choice<OldAcks>(
          "old_acks", {{"ignored", OldAcks::kIgnored}, {"grow-window", OldAcks::kGrowWindow}}),
      .timer = tcp.choice<Timer>("timer", {{"per-packet", Timer::kPerPacket},
                                           {"restarted", Timer::kRestarted},
                                           {"per-window", Timer::kPerWindow}}),
      .rtt_samples = tcp.choice<RttSamples>("rtt_samples", {{"first-of-window", RttSamples::kFirstOfWindow},
                                                            {"every-packet", RttSamples::kEveryPacket}})};
}

LifelongRenoParameters LifelongRenoParameters::read(JsonReader& tcp) {
  return {.halving = read_halving(tcp)};
}

}  // namespace kit
