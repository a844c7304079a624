// SPDX-License-Identifier: GPL-2.0-only
// Why ns-3's own TCP sender gives no results here: without SACK it sends again all that was outstanding when
// a fast recovery ends.

#include <gtest/gtest.h>

#include <cstdint>

#include "kit/tests/points.hpp"
#include "ns3/boolean.h"
#include "ns3/bulk-send-helper.h"
#include "ns3/config.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/traffic-control-helper.h"
#include "ns3_dumbbell.hpp"

namespace tcp_atlas {
namespace {

// A bulk transfer over 10 Mbit/s with a round trip of 50 ms (42 packets) and a buffer of 20 packets. The
// window of a sender that halves on a loss saws between 31 and 62 packets: full except for the quarter or so
// of each cycle in which it is below 42.
constexpr double kLinkRate = 10e6;
constexpr double kStockRoundTrip = 0.05;
constexpr std::uint32_t kBuffer = 20;
constexpr double kSeconds = 40;

double stock_goodput() {
  using ns3::Config::SetDefault;
  SetDefault("ns3::TcpL4Protocol::SocketType", ns3::StringValue("ns3::TcpNewReno"));
  SetDefault("ns3::TcpL4Protocol::RecoveryType", ns3::StringValue("ns3::TcpClassicRecovery"));
  SetDefault("ns3::TcpSocketBase::Sack", ns3::BooleanValue(false));
  SetDefault("ns3::TcpSocketBase::Timestamp", ns3::BooleanValue(false));
  SetDefault("ns3::TcpSocket::SegmentSize", ns3::UintegerValue(1460));
  SetDefault("ns3::TcpSocket::InitialCwnd", ns3::UintegerValue(2));
  SetDefault("ns3::TcpSocket::DelAckCount", ns3::UintegerValue(1));
  SetDefault("ns3::TcpSocket::SndBufSize", ns3::UintegerValue(1 << 20));
  SetDefault("ns3::TcpSocket::RcvBufSize", ns3::UintegerValue(1 << 20));

  ns3::NodeContainer nodes(3);
  ns3::InternetStackHelper().Install(nodes);
  ns3::Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
  ns3::Ipv4Address receiver;
  for (std::uint32_t hop = 0; hop < 2; ++hop) {
    ns3::PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", ns3::StringValue(hop == 0 ? "100Mbps" : "10Mbps"));
    link.SetChannelAttribute("Delay", ns3::TimeValue(ns3::Seconds(hop == 0 ? 0 : kStockRoundTrip / 2)));
    link.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize",
                  ns3::QueueSizeValue(ns3::QueueSize(ns3::PACKETS, hop == 0 ? 10'000 : kBuffer - 1)));
    const auto devices = link.Install(nodes.Get(hop), nodes.Get(hop + 1));
    receiver = addresses.Assign(devices).GetAddress(1);
    addresses.NewNetwork();
    ns3::TrafficControlHelper().Uninstall(devices);
  }
  ns3::Ipv4GlobalRoutingHelper::PopulateRoutingTables();

  const ns3::InetSocketAddress address(receiver, 5000);
  ns3::BulkSendHelper("ns3::TcpSocketFactory", address).Install(nodes.Get(0));
  const auto sinks = ns3::PacketSinkHelper("ns3::TcpSocketFactory", address).Install(nodes.Get(2));
  ns3::Simulator::Stop(ns3::Seconds(kSeconds));
  ns3::Simulator::Run();
  const auto received = ns3::StaticCast<ns3::PacketSink>(sinks.Get(0))->GetTotalRx();
  ns3::Simulator::Destroy();
  return static_cast<double>(received) * 8 / kSeconds;
}

double packet_newreno_goodput() {
  // 1460 bytes of each packet are payload, as above.
  const auto packets = static_cast<std::int32_t>(kLinkRate * kSeconds / (1500 * 8));
  kit::Point point = kit::lone_point(kit::table_6_point(1, kBuffer), packets);
  point.bottleneck.delay_s = point.return_delay_s = kStockRoundTrip / 2;
  point.egress.rate_bit_per_s = 1e9;
  point.groups[0].tcp.rwnd_packets = 10'000;
  point.stop_connections = 1;
  const auto duration = Dumbbell(point, 1).run().connections.duration;
  return packets * 1460.0 * 8 / kit::seconds(duration);
}

TEST(StockSender, WastesAShortBuffersLinkThatNewRenoFills) {
  const double ours = packet_newreno_goodput();
  const double stock = stock_goodput();
  RecordProperty("goodput_bit_per_s", std::to_string(ours));
  RecordProperty("stock_goodput_bit_per_s", std::to_string(stock));
  EXPECT_GT(ours, 0.9 * kLinkRate * 1460 / 1500);
  EXPECT_LT(stock, 0.75 * ours);
}

}  // namespace
}  // namespace tcp_atlas
