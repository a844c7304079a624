// SPDX-License-Identifier: GPL-2.0-only
// The two windows of Compound TCP, in the two arithmetics that exist of them. No network and no ns-3 in here.
#pragma once

#include <cstdint>

namespace tcp_atlas {

// The constants of Blanc, Collange and Avrachenkov 2008, equation 2.
struct CompoundConstants {
  double alpha;  // without a backlog the window grows by alpha w^k a round trip
  double k;
  double beta;  // a loss multiplies the window by 1 - beta
  double zeta;  // with one, the delay window falls by zeta times the backlog
  std::uint32_t
      damping;  // both are so many times smaller while a backlog is estimated (section 5.2); 1: Compound
};

// A loss window, as Reno's, and a delay window on top of it. Windows and backlogs are in packets, times in
// seconds.
class CompoundWindows {
 public:
  explicit CompoundWindows(const CompoundConstants& constants) : m_constants(constants) {}
  virtual ~CompoundWindows() = default;

  // Starts from this window, without a delay window.
  virtual void Set(std::uint32_t window) = 0;
  virtual std::uint32_t GetWindow() const = 0;
  virtual std::uint32_t GetDelayWindow() const = 0;

  virtual void SlowStartAck() = 0;
  // An acknowledgement in congestion avoidance.
  virtual void Ack() = 0;

  // Once a round trip: the estimated backlog of one in which `sent` packets were sent and the least
  // round-trip time was `shortest`, where `base` is the least ever.
  virtual double Backlog(std::uint32_t sent, double base, double shortest) const = 0;
  virtual void Grow(std::uint32_t sent, double backlog) = 0;
  virtual void Cut(double backlog) = 0;

  virtual void Loss() = 0;
  // Both windows shrink in proportion, to so many packets in all.
  virtual void ShrinkTo(std::uint32_t packets) = 0;

 protected:
  const CompoundConstants& GetConstants() const { return m_constants; }

 private:
  CompoundConstants m_constants;
};

// The draft's (draft-sridharan-tcpm-ctcp-02), in floating point.
class CompoundFloatWindows : public CompoundWindows {
 public:
  using CompoundWindows::CompoundWindows;

  void Set(std::uint32_t window) override;
  std::uint32_t GetWindow() const override { return static_cast<std::uint32_t>(m_both); }
  std::uint32_t GetDelayWindow() const override;
  void SlowStartAck() override { m_both += 1; }
  void Ack() override { m_both += 1 / m_both; }
  double Backlog(std::uint32_t sent, double base, double shortest) const override;
  void Grow(std::uint32_t sent, double backlog) override;
  void Cut(double backlog) override;
  void Loss() override;
  void ShrinkTo(std::uint32_t packets) override;

 private:
  double Damped(double step, double backlog) const;

  double m_both = 0;  // the two windows: whole numbers stay whole, as they would not in a sum
  double m_delay = 0;
};

// That of the Linux module which the authors used (release 1.3, April 2008): whole packets, backlogs in half
// packets, times in whole microseconds plus one, w^(3/4) from two integer square roots. The delay window's
// growth is spread over the first half of a round trip; below 38 packets there is no delay window. `k` must
// be 3/4 and `alpha` a power of 1/2.
class CompoundLinuxWindows : public CompoundWindows {
 public:
  explicit CompoundLinuxWindows(const CompoundConstants& constants);

  void Set(std::uint32_t window) override;
  std::uint32_t GetWindow() const override { return m_loss + m_delay; }
  std::uint32_t GetDelayWindow() const override { return m_delay; }
  void SlowStartAck() override { ++m_loss; }
  void Ack() override;
  double Backlog(std::uint32_t sent, double base, double shortest) const override;
  void Grow(std::uint32_t sent, double backlog) override;
  void Cut(double backlog) override;
  void Loss() override;
  void ShrinkTo(std::uint32_t packets) override;

  static std::uint32_t ThreeQuartersPower(std::uint32_t window);

 private:
  std::uint32_t Damped(std::uint32_t step, double backlog) const;
  void FinishGrowth();

  std::uint32_t m_alphaShift;
  std::uint32_t m_loss = 0;
  std::uint32_t m_delay = 0;
  std::uint32_t m_acks = 0;        // since the loss window grew
  std::uint32_t m_growthLeft = 0;  // packets that this round trip still adds to the delay window
  std::uint32_t m_growthGap = 0;   // one of them after more than so many acknowledgements
  std::uint32_t m_growthAcks = 0;  // since the last of them
};

}  // namespace tcp_atlas
