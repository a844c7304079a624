// SPDX-License-Identifier: GPL-2.0-only
// The sender that a point asks for.
#pragma once

#include "kit/point/point.hpp"
#include "ns3/ptr.h"
#include "tcp/packet_sender.hpp"

namespace tcp_atlas {

// With the variant's and the timer's constants set.
ns3::Ptr<PacketSender> sender_of(const kit::Tcp& tcp);

}  // namespace tcp_atlas
