// SPDX-License-Identifier: GPL-2.0-only
// Tahoe as Altman, Bolot, Nain et al. 1997 describe it in section 2: slow start while the window is below the
// threshold; a loss, however it is found, halves the threshold and starts again from a window of one packet.
#pragma once

#include "packet_sender.hpp"

namespace tcp_atlas {

class PacketTahoe : public PacketSender {
 public:
  static ns3::TypeId GetTypeId();

 protected:
  void NewAck(std::uint32_t /*acked*/) override { Grow(GetWindow() < GetThreshold()); }
  void Loss() override;
  void Timeout() override { Shrink(); }

 private:
  void Shrink();
};

}  // namespace tcp_atlas
