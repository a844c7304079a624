// SPDX-License-Identifier: GPL-2.0-only
// The sender with selective acknowledgements against sequences worked by hand from Blanc, Collange and
// Avrachenkov 2008, section 4, and RFC 6675; with rate halving, from the rule of ns-2's Linux agent (Wei and
// Cao 2006): in recovery one may be in flight more than are, at most one less than were when the last packet
// was sent, and at the beginning at most the window of before the loss; at least half of the reduced window.

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <set>
#include <utility>
#include <vector>

#include "ns3/enum.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "tcp/packet_sack_sender.hpp"
#include "tcp/segment_header.hpp"

namespace tcp_atlas {
namespace {

using Packets = std::vector<std::uint32_t>;

const auto kRoundTrip = ns3::MilliSeconds(10);

// A window of fixed size that a loss halves.
class HalvingSender : public PacketSackSender {
 public:
  std::uint32_t GetWindow() const override { return m_window; }

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

// A path of fixed delay that drops the transmissions that it is told to, counted from 0.
class Path {
 public:
  Path(std::uint32_t window, std::set<std::uint32_t> dropped, std::uint32_t file = 1000,
       PacketSackSender::Recovery recovery = PacketSackSender::PAUSE)
      : sender(ns3::CreateObject<HalvingSender>()), dropped_(std::move(dropped)) {
    sender->SetAttribute("InitialWindow", ns3::UintegerValue(window));
    sender->SetAttribute("ReceiverWindow", ns3::UintegerValue(1000));
    sender->SetAttribute("Recovery", ns3::EnumValue(recovery));
    sender->SetTransmit(ns3::Callback<void, ns3::Ptr<ns3::Packet>>([this](ns3::Ptr<ns3::Packet> packet) {
      SegmentHeader header;
      packet->PeekHeader(header);
      sent_.push_back(header.GetNumber());
      if (!dropped_.contains(header.GetTransmission())) {
        under_way_.push_back({header, ns3::Simulator::Now() + kRoundTrip});
      }
    }));
    sender->TraceConnectWithoutContext("Timeout", ns3::Callback<void, std::uint32_t>([this](std::uint32_t) {
                                         ++timeouts;
                                         ns3::Simulator::Stop();
                                       }));
    sender->TraceConnectWithoutContext(
        "Cut", ns3::Callback<void, std::uint32_t, std::uint32_t>(
                   [this](std::uint32_t before, std::uint32_t after) { cuts.emplace_back(before, after); }));
    sender->StartTransfer(file);
  }
  ~Path() {
    sender->Dispose();
    ns3::Simulator::Destroy();
  }

  // Brings back the next acknowledgement, or lets the timer run out; returns what the sender then sends.
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

  ns3::Ptr<HalvingSender> sender;
  int timeouts = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> cuts;

 private:
  std::set<std::uint32_t> dropped_;
  std::deque<std::pair<SegmentHeader, ns3::Time>> under_way_;
  Packets sent_;
};

TEST(PacketSackSender, KeepsAWindowInFlightAndSamplesEveryPacket) {
  Path path(4, {});
  for (std::uint32_t packet = 1; packet <= 20; ++packet) {
    EXPECT_EQ(path.step(), Packets{packet + 4});
  }
  EXPECT_EQ(path.sender->samples, std::vector<ns3::Time>(20, kRoundTrip));
}

// A window of 10, packet 1 lost. The third later arrival tells; then the sender is silent until half of the
// window has left the network, and goes on with a packet for each arrival.
TEST(PacketSackSender, IsSilentForHalfAWindowAfterASingleLoss) {
  Path path(10, {0});
  EXPECT_EQ(path.step(), Packets{11});  // packet 2 arrives
  EXPECT_EQ(path.step(), Packets{12});
  EXPECT_EQ(path.step(), Packets{});  // packet 4: 8 are in flight, and the window is 5
  EXPECT_TRUE(path.sender->InRecovery());
  EXPECT_EQ(path.step(), Packets{});
  EXPECT_EQ(path.step(), Packets{});
  EXPECT_EQ(path.step(), Packets{});
  EXPECT_EQ(path.step(), Packets{1});  // packet 8: 4 are in flight
  for (std::uint32_t packet = 13; packet <= 16; ++packet) {
    EXPECT_EQ(path.step(), Packets{packet});  // packets 9 to 12
  }
  EXPECT_EQ(path.sender->GetUna(), 1U);
  EXPECT_EQ(path.step(), Packets{17});  // packet 1: all until 12 has arrived
  EXPECT_EQ(path.sender->GetUna(), 13U);
  EXPECT_FALSE(path.sender->InRecovery());
  EXPECT_EQ(path.sender->recovered, 1);
  EXPECT_EQ(path.sender->samples.size(), 0U);  // nothing moved una outside recovery
}

TEST(PacketSackSender, RecoversManyLossesInOneRoundTripWithOneCut) {
  Path path(40, {3, 4, 5, 9, 20, 21});
  int steps = 0;
  while (path.sender->recovered == 0 && ++steps < 200) {
    path.step();
  }
  EXPECT_EQ(path.sender->GetWindow(), 20U);
  EXPECT_EQ(path.timeouts, 0);
  EXPECT_LT(steps, 100);  // two round trips, not one for each loss
}

using Cuts = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Path halving_path(std::uint32_t window, std::set<std::uint32_t> dropped) {
  return Path(window, std::move(dropped), 1000, PacketSackSender::RATE_HALVING);
}

void expect_to_send(Path& path, const std::vector<Packets>& sent) {
  for (std::size_t arrival = 0; arrival < sent.size(); ++arrival) {
    ASSERT_EQ(path.step(), sent[arrival]) << "arrival " << arrival + 1;
  }
}

// A window of 10, packet 1 lost. When packet 4 arrives, 8 are left in flight: the lost one is the first to go
// out. From then on a packet goes out for every second arrival, and when the lost one arrives there are 4 in
// flight: the fifth fills the window.
TEST(PacketSackSender, HalvesTheRateInARecoveryOfOneRoundTripAfterOneLoss) {
  Path path = halving_path(10, {0});
  expect_to_send(path, {{11}, {12}, {1}});  // packets 2, 3 and 4
  EXPECT_TRUE(path.sender->InRecovery());
  expect_to_send(path, {{}, {13}, {}, {14}, {}, {15}, {}, {16}});  // packets 5 to 12
  EXPECT_TRUE(path.sender->InRecovery());
  expect_to_send(path, {{17}});  // packet 1
  EXPECT_EQ(path.sender->GetUna(), 13U);
  EXPECT_FALSE(path.sender->InRecovery());
  expect_to_send(path, {{18}, {19}, {20}});  // packets 13 to 15: the 5 of the window stay in flight
  EXPECT_EQ(path.cuts, (Cuts{{10, 5}}));
}

// A window of 10, packets 1 and 2 lost. When packet 5 arrives, 7 are left in flight. Packet 2 goes out two
// arrivals after packet 1. Packet 1 is the second to arrive since 14 was sent; packet 2 ends the recovery
// with 3 in flight.
TEST(PacketSackSender, HalvesTheRateInARecoveryOfOneRoundTripAfterTwoLosses) {
  Path path = halving_path(10, {0, 1});
  expect_to_send(path, {{11}, {12}, {1}});                  // packets 3, 4 and 5
  expect_to_send(path, {{}, {2}, {}, {13}, {}, {14}, {}});  // packets 6 to 12
  expect_to_send(path, {{15}});                             // packet 1
  EXPECT_TRUE(path.sender->InRecovery());
  expect_to_send(path, {{16, 17}});  // packet 2
  EXPECT_FALSE(path.sender->InRecovery());
  expect_to_send(path, {{18}, {19}});  // packets 13 and 14: the 5 of the window stay in flight
  EXPECT_EQ(path.cuts, (Cuts{{10, 5}}));
}

// A window of 16, the first and the last packet lost. The first retransmission arrives when 8 are in flight,
// the reduced window; the last packet's loss is found with it, so that the rate is halved for a second round
// trip. That one ends with 3 in flight, and the window is 3 more.
TEST(PacketSackSender, CutsTheWindowASecondTimeWhenTheRateIsHalvedForTwoRoundTrips) {
  Path path = halving_path(16, {0, 15});
  expect_to_send(path, {{17}, {18}, {1}});                         // packets 2, 3 and 4
  expect_to_send(path, {{}, {19}, {}, {20}, {}, {21}, {}, {22}});  // packets 5 to 12
  expect_to_send(path, {{}, {23}, {}, {24}, {}});                  // packets 13 to 15, 17 and 18
  expect_to_send(path, {{16}});                                    // packet 1: 6 in flight before
  expect_to_send(path, {{}, {25}, {}, {26}, {}, {27}});            // packets 19 to 24
  EXPECT_EQ(path.cuts, (Cuts{{16, 8}}));
  expect_to_send(path, {{28, 29, 30}});  // packet 16
  EXPECT_FALSE(path.sender->InRecovery());
  EXPECT_EQ(path.cuts, (Cuts{{16, 8}, {8, 6}}));
}

// The same, but the retransmission of packet 16 is lost too. Half of the reduced window, 4, stays in flight:
// a packet goes out for each that leaves.
TEST(PacketSackSender, KeepsHalfOfTheReducedWindowInFlight) {
  Path path = halving_path(16, {0, 15, 25});
  for (int arrival = 0; arrival < 23; ++arrival) {
    path.step();  // as before
  }
  expect_to_send(path, {{28}, {29}, {16, 30}});  // packets 25 to 27: the last finds the loss
  expect_to_send(path, {{31}, {32}});            // packets 28 and 29
  EXPECT_TRUE(path.sender->InRecovery());
  expect_to_send(path, {{33, 34, 35}});  // packet 16, with 30 to 32 in flight
  EXPECT_FALSE(path.sender->InRecovery());
  EXPECT_EQ(path.cuts, (Cuts{{16, 8}, {8, 6}}));
  EXPECT_EQ(path.timeouts, 0);
}

TEST(PacketSackSender, FindsALostRetransmissionWithoutATimeout) {
  Path path(10, {0, 12});  // the first retransmission is the transmission after twelve packets
  int steps = 0;
  while (path.sender->GetUna() == 1 && ++steps < 100) {
    path.step();
  }
  EXPECT_EQ(path.timeouts, 0);
  EXPECT_GT(path.sender->GetUna(), 12U);
}

TEST(PacketSackSender, SendsWhatHasNotArrivedAgainAfterATimeout) {
  Path path(3, {0, 1, 3});             // packets 1, 2 and 4: only 3 arrives, too few to tell
  EXPECT_EQ(path.step(), Packets{4});  // packet 3 arrives
  EXPECT_EQ(path.step(), Packets{1});  // the timer runs out
  EXPECT_EQ(path.timeouts, 1);
  EXPECT_EQ(path.step(), Packets{2});
  EXPECT_EQ(path.sender->GetUna(), 2U);
}

TEST(PacketSackSender, EndsAFile) {
  Path path(4, {}, 6);
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
