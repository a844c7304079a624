// SPDX-License-Identifier: GPL-2.0-only
// The local loop of Baccelli, Hong and Liu 2001, figure 1: every user has links of his own on both sides of
// the shared router, and a way back of pure delay.
#pragma once

#include <cstddef>
#include <vector>

#include "topology/topology.hpp"

namespace tcp_atlas {

class LocalLoop : public Topology {
 public:
  // Throws kit::Unsupported for a loaded router, and for a first packet that takes no room in the buffer.
  explicit LocalLoop(const kit::LocalLoop& loop);

  Device to_shared(std::uint32_t source, const Hop& hop) override;
  Hop from_shared(std::uint32_t source, const Hop& hop) override;
  Hop back(std::uint32_t source, ns3::Time delay, const Hop& hop) override;

 private:
  // From one station to before another, returns the first; without a link between them nullptr.
  Device links(std::size_t first, std::size_t end, Hop hop) const;

  std::vector<kit::Station> stations_;
  std::size_t shared_at_;
};

}  // namespace tcp_atlas
