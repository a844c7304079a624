// SPDX-License-Identifier: GPL-2.0-only
// Fair queueing against sequences worked by hand.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "ns3/boolean.h"
#include "ns3/packet.h"
#include "ns3/queue-item.h"
#include "queue/fair_queue_disc.hpp"

namespace tcp_atlas {
namespace {

// A packet of a flow, told from the flow's others by its size in bytes.
class Item : public ns3::QueueDiscItem {
 public:
  Item(char flow, std::uint32_t number)
      : QueueDiscItem(ns3::Create<ns3::Packet>(number), ns3::Address(), 0), m_flow(flow) {}
  void AddHeader() override {}
  bool Mark() override { return false; }
  std::uint32_t Hash(std::uint32_t) const override { return static_cast<std::uint32_t>(m_flow); }
  std::string name() const { return m_flow + std::to_string(GetPacket()->GetSize()); }

 private:
  char m_flow;
};

class FairQueue {
 public:
  FairQueue(std::uint32_t packets, bool shared) : disc_(ns3::CreateObject<FairQueueDisc>()) {
    disc_->SetMaxSize(ns3::QueueSize(ns3::PACKETS, packets));
    disc_->SetAttribute("Shared", ns3::BooleanValue(shared));
    disc_->TraceConnectWithoutContext(
        "Drop", ns3::Callback<void, ns3::Ptr<const ns3::QueueDiscItem>>(
                    [this](ns3::Ptr<const ns3::QueueDiscItem> item) { dropped += name(item); }));
    disc_->Initialize();
  }
  ~FairQueue() { disc_->Dispose(); }

  // Packets in the order of their arrival: "A1 B1".
  void arrive(const std::string& packets) {
    for (std::size_t i = 0; i + 1 < packets.size(); i += 3) {
      disc_->Enqueue(ns3::Create<Item>(packets[i], static_cast<std::uint32_t>(packets[i + 1] - '0')));
    }
  }

  // The next so many to be served.
  std::string serve(int count) {
    std::string served;
    for (int i = 0; i < count; ++i) {
      served += name(disc_->Dequeue());
    }
    return served;
  }

  // The next to be served.
  std::string peek() { return name(disc_->Peek()); }

  std::uint32_t packets() const { return disc_->GetNPackets(); }
  std::string dropped;

 private:
  static std::string name(ns3::Ptr<const ns3::QueueDiscItem> item) {
    return item == nullptr ? "- " : ns3::DynamicCast<const Item>(item)->name() + " ";
  }

  ns3::Ptr<FairQueueDisc> disc_;
};

TEST(FairQueueDisc, ServesTheFlowsInTurn) {
  FairQueue queue(10, false);
  queue.arrive("A1 A2 A3 B1 C1 C2");
  EXPECT_EQ(queue.serve(7), "A1 B1 C1 A2 C2 A3 - ");
}

// Figure 4 of Baccelli, Hong and Liu 2001: after a packet of the first flow three other flows are served
// before its next.
TEST(FairQueueDisc, AServiceTakesAsLongAsAllOthersHavePackets) {
  FairQueue queue(10, false);
  queue.arrive("A1 A2 B1 B2 C1 D1");
  EXPECT_EQ(queue.serve(5), "A1 B1 C1 D1 A2 ");
}

TEST(FairQueueDisc, AFlowThatComesBackIsLast) {
  FairQueue queue(10, false);
  queue.arrive("A1 B1 B2");
  EXPECT_EQ(queue.serve(2), "A1 B1 ");
  queue.arrive("A2 C1");
  EXPECT_EQ(queue.serve(3), "B2 A2 C1 ");
}

TEST(FairQueueDisc, AnIndividualBufferLosesWhatArrives) {
  FairQueue queue(2, false);
  queue.arrive("A1 A2 A3 B1 A4");
  EXPECT_EQ(queue.dropped, "A3 A4 ");
  EXPECT_EQ(queue.packets(), 3U);
  EXPECT_EQ(queue.serve(3), "A1 B1 A2 ");
  queue.arrive("A5");
  EXPECT_EQ(queue.serve(2), "A5 - ");
}

TEST(FairQueueDisc, ASharedBufferTakesFromTheLongestQueuesFront) {
  FairQueue queue(4, true);
  queue.arrive("A1 A2 A3 B1 C1");  // of five A has three
  EXPECT_EQ(queue.dropped, "A1 ");
  queue.arrive("B2");  // A has two, B two: that of the packet
  EXPECT_EQ(queue.dropped, "A1 B1 ");
  EXPECT_EQ(queue.packets(), 4U);
  EXPECT_EQ(queue.serve(5), "A2 B2 C1 A3 - ");
}

TEST(FairQueueDisc, ThePacketInServiceCounts) {
  FairQueue own(2, false);
  own.arrive("A1 B1");
  own.serve(1);
  own.arrive("A2 A3 B2 B3");
  EXPECT_EQ(own.dropped, "A3 B3 ");
  FairQueue shared(2, true);
  shared.arrive("A1 B1");
  shared.serve(1);
  shared.arrive("C1");  // B and C have one: that of the packet
  EXPECT_EQ(shared.dropped, "C1 ");
  EXPECT_EQ(shared.serve(2), "B1 - ");
  shared.arrive("C2 C3");  // nothing is in service any more
  EXPECT_EQ(shared.dropped, "C1 ");
}

TEST(FairQueueDisc, PeekingTakesNothingOut) {
  FairQueue queue(1, true);
  queue.arrive("A1");
  EXPECT_EQ(queue.peek(), "A1 ");
  queue.arrive("B1");
  EXPECT_EQ(queue.dropped, "B1 ");
  EXPECT_EQ(queue.serve(2), "A1 - ");
  EXPECT_EQ(queue.peek(), "- ");
}

TEST(FairQueueDisc, AFlowThatLosesItsOnlyPacketLosesItsTurn) {
  FairQueue queue(1, true);
  queue.arrive("A1 A2");
  EXPECT_EQ(queue.dropped, "A1 ");
  EXPECT_EQ(queue.serve(2), "A2 - ");
  FairQueue two(2, true);
  two.arrive("A1 B1 C1");  // all have one: that of the packet
  EXPECT_EQ(two.dropped, "C1 ");
  EXPECT_EQ(two.serve(3), "A1 B1 - ");
}

}  // namespace
}  // namespace tcp_atlas
