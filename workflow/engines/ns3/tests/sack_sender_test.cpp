// SPDX-License-Identifier: GPL-2.0-only
// The sender with selective acknowledgements by the sequences that all engines follow.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <set>
#include <utility>
#include <vector>

#include "kit/tests/sack_sequences.hpp"
#include "ns3/enum.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "tcp/packet_newreno_sack.hpp"
#include "tcp/packet_sack_sender.hpp"
#include "tcp/segment_header.hpp"

namespace tcp_atlas {
namespace {

using kit::Packets;

const auto kRoundTrip = ns3::MilliSeconds(10);

class HalvingSender : public PacketSackSender {
 public:
  std::uint32_t GetWindow() const override { return m_window; }
  std::uint32_t GetThreshold() const override { return UINT32_MAX; }

  std::vector<ns3::Time> samples;
  int recovered = 0;

 private:
  void DoStart() override { m_window = GetInitialWindow(); }
  void Sample(ns3::Time roundTrip) override { samples.push_back(roundTrip); }
  void NewAck() override {}
  void Loss() override { m_window /= 2; }
  void Recovered() override { ++recovered; }
  void ShrinkTo(std::uint32_t packets) override { m_window = packets; }
  void Timeout() override { m_window = 1; }

  std::uint32_t m_window = 0;
};

template <class Sender>
class Path {
 public:
  explicit Path(const kit::SackSetting& setting, std::uint32_t file = 1000)
      : sender(ns3::CreateObject<Sender>()), dropped_(setting.dropped) {
    sender->SetAttribute("InitialWindow", ns3::UintegerValue(static_cast<std::uint64_t>(setting.window)));
    sender->SetAttribute("ReceiverWindow", ns3::UintegerValue(1000));
    if (setting.rate_halving) {
      sender->SetAttribute("Recovery", ns3::EnumValue(PacketSackSender::RATE_HALVING));
    }
    sender->SetTransmit(ns3::Callback<void, ns3::Ptr<ns3::Packet>>([this](ns3::Ptr<ns3::Packet> packet) {
      SegmentHeader header;
      packet->PeekHeader(header);
      sent_.push_back(static_cast<std::int32_t>(header.GetNumber()));
      if (!dropped_.contains(header.GetTransmission())) {
        under_way_.push_back({header, ns3::Simulator::Now() + kRoundTrip});
      }
    }));
    sender->TraceConnectWithoutContext("Timeout", ns3::Callback<void, std::uint32_t>([this](std::uint32_t) {
                                         ++timeouts;
                                         ns3::Simulator::Stop();
                                       }));
    sender->StartTransfer(file);
  }
  ~Path() {
    sender->Dispose();
    ns3::Simulator::Destroy();
  }

  Packets step() {
    sent_.clear();
    if (under_way_.empty()) {
      ns3::Simulator::Run();
      return std::exchange(sent_, {});
    }
    const auto [header, arrives] = under_way_.front();
    under_way_.pop_front();
    ns3::Simulator::Stop(arrives - ns3::Simulator::Now());
    ns3::Simulator::Run();
    const auto acknowledgement = ns3::Create<ns3::Packet>();
    acknowledgement->AddHeader(
        SegmentHeader(0, header.GetTransfer(), 0, header.GetTransmission(), header.GetNumber()));
    sender->ReceiveAck(acknowledgement);
    return std::exchange(sent_, {});
  }

  std::int32_t window() const { return static_cast<std::int32_t>(sender->GetWindow()); }
  std::int32_t una() const { return static_cast<std::int32_t>(sender->GetUna()); }
  bool in_recovery() const { return sender->InRecovery(); }
  int recovered() const { return sender->recovered; }
  std::size_t samples() const { return sender->samples.size(); }
  bool samples_are_the_round_trip() const {
    return std::ranges::count(sender->samples, kRoundTrip) == std::ssize(sender->samples);
  }

  ns3::Ptr<Sender> sender;
  int timeouts = 0;

 private:
  std::set<std::int64_t> dropped_;
  std::deque<std::pair<SegmentHeader, ns3::Time>> under_way_;
  Packets sent_;
};

using SackPath = Path<HalvingSender>;
using NewRenoPath = Path<PacketNewRenoSack>;

// Section 5 of RFC 6675: 1 and 2 of 1..8 are lost. The first two acknowledgements send 9 and 10, which
// step 4.2 leaves out; with the third the window is half of the eight, and 1 goes out at once although five
// are in flight. 2 follows when three are.
TEST(PacketNewRenoSack, SendsTheFirstLostPacketAtOnceAndOthersWithinThePipe) {
  NewRenoPath path({.window = 8, .dropped = {0, 1}});
  EXPECT_EQ(path.step(), Packets{9});
  EXPECT_EQ(path.step(), Packets{10});
  EXPECT_EQ(path.step(), Packets{1});
  EXPECT_EQ(path.window(), 4);
  EXPECT_EQ(path.step(), Packets{});   // of 6: 5 in flight
  EXPECT_EQ(path.step(), Packets{});   // of 7: 4
  EXPECT_EQ(path.step(), Packets{2});  // of 8: 3
  EXPECT_TRUE(path.in_recovery());
  for (int i = 0; i < 4; ++i) {
    path.step();  // of 9, 10, the second 1 and the second 2
  }
  EXPECT_EQ(path.una(), 11);
  EXPECT_FALSE(path.in_recovery());
  EXPECT_EQ(path.window(), 5);  // all that was outstanding has come: S + 1
}

// RFC 5681, section 3.1: all of 1..4 are lost, and slow start goes from a window of 1 to one above ssthresh.
TEST(PacketNewRenoSack, BeginsInSlowStartAfterATimeout) {
  NewRenoPath path({.window = 4, .dropped = {0, 1, 2, 3}});
  EXPECT_EQ(path.step(), Packets{1});
  EXPECT_EQ(path.timeouts, 1);
  EXPECT_EQ(path.step(), (Packets{2, 3}));
  EXPECT_EQ(path.step(), (Packets{4, 5}));
  EXPECT_EQ(path.window(), 3);
  EXPECT_EQ(path.step(), Packets{6});  // congestion avoidance
}

// One acknowledgement for two packets: 1 and 2, then 3 and 4.
TEST(PacketNewRenoSack, TakesWhatIsBelowAnAcknowledgementAsArrived) {
  const auto sender = ns3::CreateObject<PacketNewRenoSack>();
  Packets sent;
  sender->SetTransmit(ns3::Callback<void, ns3::Ptr<ns3::Packet>>([&sent](ns3::Ptr<ns3::Packet> packet) {
    SegmentHeader header;
    packet->PeekHeader(header);
    sent.push_back(static_cast<std::int32_t>(header.GetNumber()));
  }));
  const auto ack = [&](std::uint32_t last) {
    const auto packet = ns3::Create<ns3::Packet>();
    packet->AddHeader(SegmentHeader(0, 1, last + 1, last - 1, last));
    sender->ReceiveAck(packet);
    return std::exchange(sent, {});
  };
  sender->StartTransfer(100);
  EXPECT_EQ(std::exchange(sent, {}), (Packets{1, 2}));
  EXPECT_EQ(ack(2), (Packets{3, 4, 5}));
  EXPECT_EQ(ack(4), (Packets{6, 7, 8}));
  EXPECT_FALSE(sender->InRecovery());
  sender->Dispose();
  ns3::Simulator::Destroy();
}

TEST(PacketSackSender, EndsAFile) {
  SackPath path({.window = 4}, 6);
  std::uint32_t completed = 0;
  path.sender->TraceConnectWithoutContext(
      "Completed", ns3::Callback<void, std::uint32_t>([&](std::uint32_t packets) { completed = packets; }));
  EXPECT_EQ(path.step(), Packets{5});
  EXPECT_EQ(path.step(), Packets{6});
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(path.step(), Packets{});
  }
  EXPECT_EQ(completed, 0U);
  path.step();
  EXPECT_EQ(completed, 6U);
  EXPECT_TRUE(path.sender->IsDone());
}

}  // namespace
}  // namespace tcp_atlas

namespace kit {
INSTANTIATE_TYPED_TEST_SUITE_P(Ns3, SackSequences, tcp_atlas::SackPath);
}  // namespace kit
