// Compound TCP's windows in the integer arithmetic of the Linux module that the authors used (release 1.3,
// April 2008).
//
// Windows are whole packets, the estimated backlog is in half packets and round trips in microseconds. The
// power 3/4 comes from two integer square roots. The delay window's growth is spread over the first half of
// the round trip.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "kit.hpp"
#include "kit/variants/compound_parameters.hpp"

namespace packetsim {

class CompoundLinux {
 public:
  static constexpr bool kIntegers = true;

  CompoundLinux() = default;
  explicit CompoundLinux(const CompoundParameters& parameters)
      : parameters_(parameters), alpha_shift_(static_cast<int>(std::lround(-std::log2(parameters.alpha)))) {}

  void set(std::int32_t window) {
    loss_window_ = window;
    delay_window_ = growth_left_ = acks_ = 0;
  }

  std::int32_t window() const { return loss_window_ + delay_window_; }
  std::int32_t delay_window() const { return delay_window_; }

  void on_slow_start_ack() { ++loss_window_; }

  void on_ack() {
    if (++acks_ >= window()) {
      acks_ = 0;
      ++loss_window_;
    }
    if (growth_left_ > 0 && ++acks_since_growth_ > growth_interval_) {
      acks_since_growth_ = 0;
      --growth_left_;
      ++delay_window_;
    }
  }

  double backlog(std::int32_t sent, Picoseconds base, Picoseconds round_trip) const {
    const std::int64_t twice = std::int64_t{2} * sent;
    return static_cast<double>(twice - twice * microseconds(base) / microseconds(round_trip)) / 2;
  }

  void grow(std::int32_t sent, double backlog) {
    finish_growth();
    if (window() < kLowWindow) {
      delay_window_ = 0;
      return;
    }
    growth_left_ = std::max(damped(three_quarters_power(sent) >> alpha_shift_, backlog) - 1, 0);
    growth_interval_ = growth_left_ > 0 ? std::max(window() / (2 * growth_left_), 1) : 0;
    acks_since_growth_ = 0;
  }

  void cut(double backlog) {
    finish_growth();
    const auto fall = static_cast<std::int32_t>(parameters_.zeta * backlog);
    delay_window_ = window() < kLowWindow ? 0 : std::max(delay_window_ - damped(fall, backlog), 0);
  }

  void on_loss() { shrink(static_cast<std::int32_t>((1 - parameters_.beta) * window())); }

  // Both windows shrink in proportion; a growth that is not finished is lost.
  void shrink(std::int32_t after) {
    delay_window_ = static_cast<std::int32_t>(std::int64_t{delay_window_} * after / std::max(window(), 1));
    loss_window_ = after - delay_window_;
    growth_left_ = acks_ = 0;
  }

  // 256 w over an integer root of w^(1/4), scaled by 256.
  static std::int32_t three_quarters_power(std::int32_t window) {
    const std::int64_t root = integer_root(integer_root(window) << 16);
    return root > 0 ? static_cast<std::int32_t>((std::int64_t{window} << 8) / root) : 0;
  }

 private:
  static constexpr std::int32_t kLowWindow = 38;  // below it there is no delay window

  static std::int64_t integer_root(std::int64_t value) {
    return static_cast<std::int64_t>(std::sqrt(static_cast<double>(value)));  // exact below 2^52
  }

  // Never 0, as in the module.
  static std::int64_t microseconds(Picoseconds time) { return time / 1'000'000 + 1; }

  std::int32_t damped(std::int32_t step, double backlog) const {
    return backlog > 0 ? step / parameters_.damping : step;
  }

  void finish_growth() {
    delay_window_ += growth_left_;
    growth_left_ = 0;
  }

  CompoundParameters parameters_;
  int alpha_shift_ = 0;
  std::int32_t loss_window_ = 0;
  std::int32_t delay_window_ = 0;
  std::int32_t acks_ = 0;             // since the loss window grew
  std::int32_t growth_left_ = 0;      // packets that this round trip still adds to the delay window
  std::int32_t growth_interval_ = 0;  // one of them after more than so many acknowledgements
  std::int32_t acks_since_growth_ = 0;
};

}  // namespace packetsim
