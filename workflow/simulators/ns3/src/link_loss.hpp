// SPDX-License-Identifier: GPL-2.0-only
// Random loss on a link, from a stream of its own.
#pragma once

#include <cstdint>

#include "ns3/error-model.h"
#include "random.hpp"

namespace tcp_atlas {

// Loses each packet that leaves the link with the same probability, independently.
class LinkLoss : public ns3::ErrorModel {
 public:
  LinkLoss(double probability, std::uint64_t seed)
      : m_probability(probability), m_random(seed, packetsim::Stream::kLinkLoss) {}

 private:
  bool DoCorrupt(ns3::Ptr<ns3::Packet> /*packet*/) override { return m_random.uniform() <= m_probability; }
  void DoReset() override {}

  double m_probability;
  packetsim::Random m_random;
};

}  // namespace tcp_atlas
