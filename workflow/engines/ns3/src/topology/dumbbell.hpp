// SPDX-License-Identifier: GPL-2.0-only
// The dumbbell of Zaragoza 2014, figure 4: an access link for every source, the bottleneck, an egress link
// for every receiver, and a path of pure delay back.
#pragma once

#include <vector>

#include "kit/main/group_counts.hpp"
#include "topology/topology.hpp"

namespace tcp_atlas {

class Dumbbell : public Topology {
 public:
  Dumbbell(const kit::Dumbbell& links, const kit::Point& point);

  Device to_shared(std::uint32_t source, const Hop& hop) override;
  Hop from_shared(std::uint32_t source, const Hop& hop) override;
  Hop back(std::uint32_t source, ns3::Time delay, const Hop& hop) override;

 private:
  // The nodes of a source and of its receiver.
  struct Ends {
    ns3::Ptr<ns3::Node> sending = ns3::CreateObject<ns3::Node>();
    ns3::Ptr<ns3::Node> receiving = ns3::CreateObject<ns3::Node>();
  };

  const kit::SourceGroup& group_of(std::uint32_t source) const;

  kit::Link egress_;
  std::vector<kit::SourceGroup> groups_;
  kit::GroupCounts members_;
  std::vector<Ends> ends_;
};

}  // namespace tcp_atlas
