// SPDX-License-Identifier: GPL-2.0-only
// NewReno as Zaragoza 2014 defines it in section 3.1: RFC 5681 and RFC 6582 ("impatient": every
// retransmission in a fast recovery restarts the timer), slow start while cwnd <= ssthresh, no limited
// transmit.
#pragma once

#include "packet_tcp_sender.hpp"

namespace tcp_atlas {

class PacketNewReno : public PacketTcpSender {
 public:
  static ns3::TypeId GetTypeId();

  bool InRecovery() const override { return m_recovering; }

 protected:
  void DoStart() override;
  void NewAck(std::uint32_t acked) override;
  void DuplicateAck(std::uint32_t count) override;
  void Timeout() override;

 private:
  bool m_recovering = false;
  std::uint32_t m_recover =
      0;  // highest packet sent when the last loss event began; 0: every one counts again
  std::uint32_t m_lastTimedOut = 0;  // packet that the timer last sent again
};

}  // namespace tcp_atlas
