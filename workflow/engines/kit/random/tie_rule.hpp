// Which comes first at the bottleneck when a packet arrives at the instant of a departure.
#pragma once

#include <cstdint>

#include "kit/point/point.hpp"
#include "kit/random/random.hpp"

namespace kit {

// A fair coin, if the rule asks for one, comes from a stream of its own: the rule does not move what is drawn
// for anything else.
class TieRule {
 public:
  TieRule() : TieRule(Bottleneck::Ties::kDepartureFirst, 0) {}
  TieRule(Bottleneck::Ties rule, std::uint64_t seed) : rule_(rule), random_(seed, Stream::kTies) {}

  Bottleneck::Ties rule() const { return rule_; }

  // To be asked once for every arrival at the instant of a departure that has not come first before another
  // arrival of the same instant.
  bool departure_first() {
    return rule_ == Bottleneck::Ties::kDepartureFirst ||
           (rule_ == Bottleneck::Ties::kRandom && random_.uniform() <= 0.5);
  }

 private:
  Bottleneck::Ties rule_;
  Random random_;
};

}  // namespace kit
