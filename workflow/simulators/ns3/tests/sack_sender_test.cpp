// SPDX-License-Identifier: GPL-2.0-only
// The sender with selective acknowledgements against sequences worked by hand from Blanc, Collange and
// Avrachenkov 2008, section 4, and RFC 6675.

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <set>
#include <utility>
#include <vector>

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
  void Timeout() override { m_window = 1; }

  std::uint32_t m_window = 0;
};

// A path of fixed delay that drops the transmissions that it is told to, counted from 0.
class Path {
 public:
  Path(std::uint32_t window, std::set<std::uint32_t> dropped, std::uint32_t file = 1000)
      : sender(ns3::CreateObject<HalvingSender>()), dropped_(std::move(dropped)) {
    sender->SetAttribute("InitialWindow", ns3::UintegerValue(window));
    sender->SetAttribute("ReceiverWindow", ns3::UintegerValue(1000));
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
