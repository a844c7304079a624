// SPDX-License-Identifier: GPL-2.0-only
// NewReno as Zaragoza 2014 defines it in section 3.1: RFC 5681 and RFC 6582 ("impatient": every
// retransmission in a fast recovery restarts the timer), slow start while cwnd <= ssthresh, no limited
// transmit.
#pragma once

#include "packet_sender.hpp"

namespace tcp_atlas {

class PacketNewReno : public PacketSender {
 public:
  static ns3::TypeId GetTypeId();

 protected:
  void DoStart() override { m_lastTimedOut = 0; }
  void NewAck(std::uint32_t acked) override;
  void Loss() override;
  void Timeout() override;

 private:
  std::uint32_t m_lastTimedOut = 0;  // packet that the timer last sent again
};

}  // namespace tcp_atlas
