// SPDX-License-Identifier: GPL-2.0-only
// Reno of a connection that outlives its files, with a real-valued window, as ns-2 had it when Baccelli, Hong
// and Liu 2001 simulated with it.
#pragma once

#include "packet_sender.hpp"

namespace tcp_atlas {

// As PacketReno, but congestion avoidance adds 1 / cwnd for an acknowledgement, as RFC 5681 has it in bytes
// and ns-2 in packets; what is sent is the window's integer part, and half of that, again without a fraction,
// is what a loss leaves (ns-2 until 2006). The acknowledgement that ends one file counts for the next, and
// every new one restarts the timer (RFC 6298, 5.3).
class PacketLifelongReno : public PacketSender {
 public:
  static ns3::TypeId GetTypeId();

 protected:
  void DoStart() override { m_window = GetWindow(); }
  void NewAck(std::uint32_t acked) override;
  void Loss() override;
  void Timeout() override;

 private:
  std::uint32_t HalvedWindow() const { return static_cast<std::uint32_t>(m_window) / 2; }

  bool m_oncePerWindow = true;
  double m_window = 1;
};

}  // namespace tcp_atlas
