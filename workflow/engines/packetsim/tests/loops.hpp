// Local loops that the tests simulate.
#pragma once

#include "kit/tests/loop_settings.hpp"
#include "network/local_loop.hpp"

namespace packetsim {

using kit::local_loop::Drop;
using kit::local_loop::ftp_sources;
using kit::local_loop::Readings;
using kit::local_loop::small_loop;
using kit::local_loop::web_users;
using LoopSettings = kit::local_loop::Settings;

// By reading, with a fair queue that counts all packets.
using InformedLoop = LocalLoop<InformedConnection, LoopQueue<false>>;
using RenoLoop = LocalLoop<AcknowledgedConnection<LifelongReno>, LoopQueue<false>>;

}  // namespace packetsim
