// SPDX-License-Identifier: GPL-2.0-only
// Fair queueing by the sequences that all engines follow.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "kit/tests/fair_queue_sequences.hpp"
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

// The disc with a device that asks for the next packet as soon as one has left.
class Turns {
 public:
  Turns(std::uint32_t packets, bool shared) : disc(ns3::CreateObject<FairQueueDisc>()) {
    disc->SetMaxSize(ns3::QueueSize(ns3::PACKETS, packets));
    disc->SetAttribute("Shared", ns3::BooleanValue(shared));
    disc->TraceConnectWithoutContext(
        "Drop", ns3::Callback<void, ns3::Ptr<const ns3::QueueDiscItem>>(
                    [this](ns3::Ptr<const ns3::QueueDiscItem> item) { dropped += name(item); }));
    disc->Initialize();
  }
  ~Turns() { disc->Dispose(); }

  void arrive(const std::string& packets) {
    for (std::size_t i = 0; i + 1 < packets.size(); i += 3) {
      disc->Enqueue(ns3::Create<Item>(packets[i], static_cast<std::uint32_t>(packets[i + 1] - '0')));
      if (in_service_ == nullptr) {
        in_service_ = disc->Dequeue();
      }
    }
  }

  std::string leave(int count) {
    std::string left;
    for (int i = 0; i < count; ++i) {
      left += name(in_service_);
      in_service_ = disc->Dequeue();
    }
    return left;
  }

  std::uint32_t present() const { return disc->GetNPackets() + (in_service_ != nullptr); }

  static std::string name(ns3::Ptr<const ns3::QueueDiscItem> item) {
    return item == nullptr ? "- " : ns3::DynamicCast<const Item>(item)->name() + " ";
  }

  ns3::Ptr<FairQueueDisc> disc;
  std::string dropped;

 private:
  ns3::Ptr<ns3::QueueDiscItem> in_service_;
};

TEST(FairQueueDisc, PeekingTakesNothingOut) {
  Turns queue(2, true);
  queue.arrive("A1 B1");
  EXPECT_EQ(Turns::name(queue.disc->Peek()), "B1 ");
  EXPECT_EQ(queue.leave(2), "A1 B1 ");
  EXPECT_EQ(Turns::name(queue.disc->Peek()), "- ");
}

}  // namespace
}  // namespace tcp_atlas

namespace kit {
INSTANTIATE_TYPED_TEST_SUITE_P(Ns3, FairQueueSequences, tcp_atlas::Turns);
}  // namespace kit
