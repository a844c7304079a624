// SPDX-License-Identifier: GPL-2.0-only
// The bottleneck's queue, as a device uses it.

#include <gtest/gtest.h>

#include "ns3/packet.h"
#include "queue/inclusive_drop_tail_queue.hpp"

namespace tcp_atlas {
namespace {

ns3::Ptr<InclusiveDropTailQueue> queue_of(std::uint32_t packets) {
  const auto queue = ns3::CreateObject<InclusiveDropTailQueue>();
  queue->SetMaxSize(ns3::QueueSize(ns3::PACKETS, packets));
  return queue;
}

ns3::Ptr<ns3::Packet> packet() { return ns3::Create<ns3::Packet>(100); }

TEST(InclusiveDropTailQueue, CountsThePacketInService) {
  const auto queue = queue_of(2);
  EXPECT_TRUE(queue->Enqueue(packet()));
  EXPECT_NE(queue->Dequeue(), nullptr);  // into service
  EXPECT_TRUE(queue->Enqueue(packet()));
  EXPECT_FALSE(queue->Enqueue(packet()));
  EXPECT_NE(queue->Dequeue(), nullptr);  // the first has left, the second is in service
  EXPECT_TRUE(queue->Enqueue(packet()));
  EXPECT_FALSE(queue->Enqueue(packet()));
}

TEST(InclusiveDropTailQueue, ABufferOfOneHoldsThePacketInServiceOnly) {
  const auto queue = queue_of(1);
  EXPECT_TRUE(queue->Enqueue(packet()));
  queue->Dequeue();
  EXPECT_FALSE(queue->Enqueue(packet()));
  queue->Dequeue();
  EXPECT_TRUE(queue->Enqueue(packet()));
}

}  // namespace
}  // namespace tcp_atlas
