// SPDX-License-Identifier: GPL-2.0-only
// The senders and receivers that a point asks for.
#pragma once

#include "kit/point/point.hpp"
#include "ns3/ptr.h"
#include "tcp/packet_sender.hpp"
#include "tcp/packet_tcp_receiver.hpp"

namespace tcp_atlas {

// With the variant's and the timer's constants set. Throws kit::Unsupported.
ns3::Ptr<PacketSender> sender_of(const kit::Tcp& tcp);

// That acknowledges as told.
ns3::Ptr<PacketTcpReceiver> receiver_of(const kit::Tcp& tcp);

}  // namespace tcp_atlas
