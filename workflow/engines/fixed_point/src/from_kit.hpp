// Names of the kit that this engine uses.
#pragma once

#include "kit/events/event_bins.hpp"
#include "kit/events/linked_fifos.hpp"
#include "kit/events/queue_lengths.hpp"
#include "kit/events/ring_queue.hpp"
#include "kit/local_loop/quality.hpp"
#include "kit/main/units.hpp"
#include "kit/random/normal.hpp"
#include "kit/random/portable_math.hpp"
#include "kit/random/random.hpp"
#include "kit/random/virtual_wait.hpp"

namespace fixed_point {

using kit::Event;
using kit::EventBins;
using kit::kNever;
using kit::LinkedFifos;
using kit::Lognormal;
using kit::Normals;
using kit::Picoseconds;
using kit::picoseconds;
using kit::portable_exp;
using kit::portable_log;
using kit::QueueLengths;
using kit::Random;
using kit::RingQueue;
using kit::seconds;
using kit::transmission_time;
using kit::VirtualWait;
using kit::local_loop::Burst;

}  // namespace fixed_point
