// SPDX-License-Identifier: GPL-2.0-only
// Reno, as the fixed-point simulation of Baccelli, Hong and Liu 2001 has it (RFC 5681 without the corrections
// of NewReno): a loss halves the window, a timeout takes it to one.
#pragma once

#include "packet_sender.hpp"

namespace tcp_atlas {

// Any new acknowledgement ends a fast recovery. So of several losses in one window each halves the window
// again, or waits for the timer where too few duplicates are left (Fall and Floyd 1996, section 3).
class PacketReno : public PacketSender {
 public:
  static ns3::TypeId GetTypeId();

 protected:
  void NewAck(std::uint32_t acked) override;
  void Loss() override;
  void Timeout() override;

 private:
  void Halve();
};

}  // namespace tcp_atlas
