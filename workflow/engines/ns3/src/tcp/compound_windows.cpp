// SPDX-License-Identifier: GPL-2.0-only
#include "compound_windows.hpp"

#include <algorithm>
#include <cmath>

namespace tcp_atlas {
namespace {

constexpr std::uint32_t kLeastForDelayWindow = 38;

// The largest whole number whose square is at most `value`, bit by bit.
std::uint64_t integer_root(std::uint64_t value) {
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 31; bit > 0; bit >>= 1) {
    if ((root + bit) * (root + bit) <= value) {
      root += bit;
    }
  }
  return root;
}

// Whole ones, plus one. Rounding to picoseconds first undoes what the conversion to seconds has rounded.
std::uint64_t microseconds(double seconds) {
  return static_cast<std::uint64_t>(std::llround(seconds * 1e12)) / 1'000'000 + 1;
}

}  // namespace

void CompoundFloatWindows::Set(std::uint32_t window) {
  m_both = window;
  m_delay = 0;
}

std::uint32_t CompoundFloatWindows::GetDelayWindow() const {
  return static_cast<std::uint32_t>(std::ceil(m_delay));
}

double CompoundFloatWindows::Backlog(std::uint32_t sent, double base, double shortest) const {
  return sent * (1 - base / shortest);
}

// All but the packet by which the loss window grows anyway.
void CompoundFloatWindows::Grow(std::uint32_t /*sent*/, double backlog) {
  const double step = Damped(GetConstants().alpha * std::pow(m_both, GetConstants().k), backlog);
  if (step > 1) {
    m_both += step - 1;
    m_delay += step - 1;
  }
}

void CompoundFloatWindows::Cut(double backlog) {
  const double fall = std::min(Damped(GetConstants().zeta * backlog, backlog), m_delay);
  m_both -= fall;
  m_delay -= fall;
}

void CompoundFloatWindows::Loss() {
  m_both *= 1 - GetConstants().beta;
  m_delay *= 1 - GetConstants().beta;
}

void CompoundFloatWindows::ShrinkTo(std::uint32_t packets) {
  m_delay *= packets / m_both;
  m_both = packets;
}

double CompoundFloatWindows::Damped(double step, double backlog) const {
  return backlog > 0 ? step / GetConstants().damping : step;
}

CompoundLinuxWindows::CompoundLinuxWindows(const CompoundConstants& constants)
    : CompoundWindows(constants),
      m_alphaShift(static_cast<std::uint32_t>(std::lround(-std::log2(constants.alpha)))) {}

void CompoundLinuxWindows::Set(std::uint32_t window) {
  m_loss = window;
  m_delay = m_growthLeft = m_acks = 0;
}

void CompoundLinuxWindows::Ack() {
  if (++m_acks >= GetWindow()) {
    m_acks = 0;
    ++m_loss;
  }
  if (m_growthLeft > 0 && ++m_growthAcks > m_growthGap) {
    m_growthAcks = 0;
    --m_growthLeft;
    ++m_delay;
  }
}

double CompoundLinuxWindows::Backlog(std::uint32_t sent, double base, double shortest) const {
  const std::uint64_t halves = std::uint64_t{2} * sent;
  return static_cast<double>(halves - halves * microseconds(base) / microseconds(shortest)) / 2;
}

void CompoundLinuxWindows::Grow(std::uint32_t sent, double backlog) {
  FinishGrowth();
  if (GetWindow() < kLeastForDelayWindow) {
    m_delay = 0;
    return;
  }
  const std::uint32_t step = Damped(ThreeQuartersPower(sent) >> m_alphaShift, backlog);
  m_growthAcks = 0;
  m_growthLeft = step > 1 ? step - 1 : 0;
  m_growthGap = m_growthLeft > 0 ? std::max(GetWindow() / (2 * m_growthLeft), 1U) : 0;
}

void CompoundLinuxWindows::Cut(double backlog) {
  FinishGrowth();
  const std::uint32_t fall = Damped(static_cast<std::uint32_t>(GetConstants().zeta * backlog), backlog);
  m_delay = GetWindow() < kLeastForDelayWindow || fall > m_delay ? 0 : m_delay - fall;
}

void CompoundLinuxWindows::Loss() {
  ShrinkTo(static_cast<std::uint32_t>((1 - GetConstants().beta) * GetWindow()));
}

// A growth that is not finished is lost.
void CompoundLinuxWindows::ShrinkTo(std::uint32_t packets) {
  m_delay = static_cast<std::uint32_t>(std::uint64_t{m_delay} * packets / std::max(GetWindow(), 1U));
  m_loss = packets - m_delay;
  m_growthLeft = m_acks = 0;
}

// 256 w over 256 times its fourth root.
std::uint32_t CompoundLinuxWindows::ThreeQuartersPower(std::uint32_t window) {
  const std::uint64_t root = integer_root(integer_root(window) << 16);
  return root == 0 ? 0 : static_cast<std::uint32_t>((std::uint64_t{window} << 8) / root);
}

std::uint32_t CompoundLinuxWindows::Damped(std::uint32_t step, double backlog) const {
  return backlog > 0 ? step / GetConstants().damping : step;
}

void CompoundLinuxWindows::FinishGrowth() {
  m_delay += m_growthLeft;
  m_growthLeft = 0;
}

}  // namespace tcp_atlas
