// SPDX-License-Identifier: GPL-2.0-only
// Tahoe as Altman, Bolot, Nain et al. 1997 describe it in section 2: slow start while the window is below the
// threshold; a loss, however it is found, halves the threshold and starts again from a window of one packet.
#pragma once

#include "packet_tcp_sender.hpp"

namespace tcp_atlas {

class PacketTahoe : public PacketTcpSender {
 public:
  static ns3::TypeId GetTypeId();

  bool InRecovery() const override { return false; }

 protected:
  void DoStart() override { m_recover = 0; }
  void NewAck(std::uint32_t acked) override;
  void DuplicateAck(std::uint32_t count) override;
  void Timeout() override { Shrink(); }

 private:
  void Shrink();

  std::uint32_t m_recover = 0;  // highest packet sent when the last loss was found
};

}  // namespace tcp_atlas
