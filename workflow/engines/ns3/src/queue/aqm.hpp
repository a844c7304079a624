// SPDX-License-Identifier: GPL-2.0-only
// ns-3's own CoDel, FQ-CoDel and PIE as a device's queue.
#pragma once

#include <cstdint>

#include "kit/point/point.hpp"
#include "links.hpp"
#include "queue/managed_queue.hpp"

namespace tcp_atlas {

// Whether a bottleneck has one of them.
bool is_managed(const kit::Bottleneck& bottleneck);

// With the parameters of RFC 8289 and RFC 8033 unless the bottleneck has others. `flow_of`: the flow of a
// packet as the device queues it.
DeviceQueue managed_queue(const kit::Bottleneck& bottleneck, std::int32_t packet_bytes,
                          const QueueWatcher& watcher, const ManagedQueue::FlowOf& flow_of);

}  // namespace tcp_atlas
