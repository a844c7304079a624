// SPDX-License-Identifier: GPL-2.0-only
// A sender that hears of losses from duplicate acknowledgements (RFC 5681).
#pragma once

#include <cstdint>

#include "congestion_window.hpp"
#include "packet_sender.hpp"

namespace tcp_atlas {

// What is outstanding and what may be sent. A variant derives from it and decides what acknowledgements and
// timeouts do to the window.
class PacketTcpSender : public PacketSender {
 public:
  static ns3::TypeId GetTypeId();

  std::uint32_t GetWindow() const override { return m_cwnd.Get(); }
  std::uint32_t GetDeflatedWindow() const override { return m_recovering ? m_ssthresh : m_cwnd.Get(); }
  std::uint32_t GetThreshold() const override { return m_ssthresh; }
  std::uint32_t GetHighestSent() const { return m_highestSent; }

  // In a fast recovery no packet is timed, and only retransmissions restart the timer.
  bool InRecovery() const override { return m_recovering; }

 protected:
  // The variant's own state, for a new transfer; cwnd and ssthresh are set already.
  virtual void DoStart() {}
  // A new acknowledgement has moved `una` up by `acked` packets, to the end of the file perhaps; what the
  // window then allows is sent.
  virtual void NewAck(std::uint32_t acked) = 0;
  // Three duplicate acknowledgements tell that `una` is lost: sets the window, before it is sent again.
  virtual void Loss() = 0;
  // The timer has run out and ended any recovery: sets the window, before everything from `una` on may be
  // sent again.
  virtual void Timeout() = 0;

  // A fast recovery: the window grows by a packet for every duplicate acknowledgement.
  void BeginRecovery() { m_recovering = true; }
  void EndRecovery() { m_recovering = false; }
  // Duplicates that miss a packet up to this one mean no new loss: they come of packets sent again that had
  // arrived (Floyd 1994; RFC 6582, 3.2). 0: all mean one.
  void SetRecover(std::uint32_t packet) { m_recover = packet; }
  std::uint32_t GetRecover() const { return m_recover; }

  // Sends from `next` on what the window allows.
  void SendWindow();
  // Sends the first unacknowledged packet again.
  void Retransmit();

  // The receiver's window is the limit of the congestion window.
  void Grow(bool slowStart) { m_cwnd.Grow(slowStart, GetReceiverWindow()); }
  void SetWindow(std::uint32_t cwnd) { m_cwnd.Set(cwnd, GetReceiverWindow()); }
  // Half of what is outstanding, and at least 2 (RFC 5681, equation 4).
  std::uint32_t HalvedFlight() const;
  void SetThreshold(std::uint32_t ssthresh) { m_ssthresh = ssthresh; }

 private:
  void Begin() override;
  void Acknowledged(const Acknowledgement& acknowledgement) override;
  void Resume() override { SendWindow(); }
  void TimerExpired() override;

  std::uint32_t m_highestSent = 0;
  std::uint32_t m_duplicates = 0;
  bool m_recovering = false;
  std::uint32_t m_recover = 0;
  CongestionWindow m_cwnd;
  std::uint32_t m_ssthresh = 0;
};

}  // namespace tcp_atlas
