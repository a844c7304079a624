// SPDX-License-Identifier: GPL-2.0-only
// Compound TCP with windows in whole packets and raw round-trip samples (Blanc, Collange and Avrachenkov
// 2008, sections 1 and 3.1; draft-sridharan-tcpm-ctcp-02).
#pragma once

#include <cstdint>
#include <memory>

#include "compound_windows.hpp"
#include "packet_sack_sender.hpp"

namespace tcp_atlas {

// Once a round trip the backlog is estimated from the packets sent in the round trip before and the least
// round-trip time among those that came in it. Below Gamma the window grows by Alpha w^K, else the delay
// window is cut by Zeta times the backlog.
class PacketCompound : public PacketSackSender {
 public:
  enum Arithmetic { FLOAT, LINUX };

  // What was seen and done at the end of a round trip.
  struct RoundTripEnd {
    std::uint32_t window;       // packets, before it
    std::uint32_t delayWindow;  // packets, after it
    double backlog;             // packets, estimated
    bool cut;
  };

  using RoundTripEndedCallback = void (*)(const RoundTripEnd&);

  static ns3::TypeId GetTypeId();

  std::uint32_t GetWindow() const override;
  std::uint32_t GetThreshold() const override { return m_ssthresh; }

 protected:
  void DoStart() override;
  void Sample(ns3::Time roundTrip) override;
  void NewAck() override;
  void Loss() override;
  void Recovered() override { BeginRoundTrip(); }
  void ShrinkTo(std::uint32_t packets) override { m_windows->ShrinkTo(packets); }
  void Timeout() override;

 private:
  void BeginRoundTrip();
  void EndRoundTrip();

  Arithmetic m_arithmetic = FLOAT;
  double m_alpha = 0;
  double m_k = 0;
  double m_beta = 0;
  double m_zeta = 0;
  double m_gamma = 0;
  std::uint32_t m_damping = 1;

  std::unique_ptr<CompoundWindows> m_windows;
  std::uint32_t m_ssthresh = 0;
  ns3::Time m_base;                   // the least round trip ever
  ns3::Time m_shortest;               // the least of this round trip
  std::uint32_t m_roundTripUna = 1;   // the round trip's packets: from here
  std::uint32_t m_roundTripNext = 1;  // to before this one, whose acknowledgement ends it

  ns3::TracedCallback<const RoundTripEnd&> m_roundTripEndedTrace;
};

}  // namespace tcp_atlas
