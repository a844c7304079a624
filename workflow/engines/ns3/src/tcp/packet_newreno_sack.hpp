// SPDX-License-Identifier: GPL-2.0-only
// NewReno's window under selective acknowledgements (RFC 6675).
#pragma once

#include "congestion_window.hpp"
#include "packet_sack_sender.hpp"

namespace tcp_atlas {

// The window of PacketNewReno: slow start while cwnd <= ssthresh, and a loss or a timeout halves what is
// outstanding, at most the window. In recovery the window stands still, since what may be sent follows from
// what is in flight.
class PacketNewRenoSack : public PacketSackSender {
 public:
  static ns3::TypeId GetTypeId();

  std::uint32_t GetWindow() const override { return m_cwnd.Get(); }
  std::uint32_t GetThreshold() const override { return m_ssthresh; }

 protected:
  void DoStart() override;
  void Sample(ns3::Time /*roundTrip*/) override {}
  void NewAck() override { m_cwnd.Grow(GetWindow() <= GetThreshold(), GetReceiverWindow()); }
  void Loss() override { ReduceTo(HalvedFlight()); }
  void Recovered() override { NewAck(); }
  void ShrinkTo(std::uint32_t packets) override { SetWindow(packets); }
  void Timeout() override;

  // What a loss leaves, of the window and of the threshold.
  void ReduceTo(std::uint32_t packets);

 private:
  void SetWindow(std::uint32_t packets) { m_cwnd.Set(packets, GetReceiverWindow()); }
  std::uint32_t HalvedFlight() const;

  CongestionWindow m_cwnd;
  std::uint32_t m_ssthresh = 0;
  std::uint32_t m_lastTimedOut = 0;  // packet that the timer last sent again
};

}  // namespace tcp_atlas
