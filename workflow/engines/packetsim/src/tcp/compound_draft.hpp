// Compound TCP's windows as the draft defines them, in floating point (draft-sridharan-tcpm-ctcp-02; Blanc,
// Collange and Avrachenkov 2008, equation 2).
//
// Stored are the sum and one of them, so that a sum that is a whole number carries no rounding error.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "kit.hpp"
#include "kit/variants/compound_parameters.hpp"

namespace packetsim {

class CompoundDraft {
 public:
  static constexpr bool kIntegers = false;

  CompoundDraft() = default;
  explicit CompoundDraft(const CompoundParameters& parameters) : parameters_(parameters) {}

  void set(std::int32_t window) {
    window_ = window;
    delay_window_ = 0;
  }

  std::int32_t window() const { return static_cast<std::int32_t>(window_); }
  std::int32_t delay_window() const { return static_cast<std::int32_t>(std::ceil(delay_window_)); }

  void on_slow_start_ack() { window_ += 1; }

  // The loss window grows by a packet a round trip.
  void on_ack() { window_ += 1 / window_; }

  // The estimated backlog, in packets, of a round trip in which `sent` packets were sent.
  double backlog(std::int32_t sent, Picoseconds base, Picoseconds round_trip) const {
    return sent * (1 - static_cast<double>(base) / static_cast<double>(round_trip));
  }

  // The round trip's growth, at once: all but the packet by which the loss window grows.
  void grow(std::int32_t /*sent*/, double backlog) {
    const double step = damped(parameters_.alpha * power(window_), backlog);
    add_to_delay_window(std::max(step - 1, 0.0));
  }

  void cut(double backlog) {
    add_to_delay_window(-std::min(damped(parameters_.zeta * backlog, backlog), delay_window_));
  }

  void on_loss() {
    window_ *= 1 - parameters_.beta;
    delay_window_ *= 1 - parameters_.beta;
  }

  // Both windows shrink in proportion.
  void shrink(std::int32_t after) {
    delay_window_ *= after / window_;
    window_ = after;
  }

 private:
  void add_to_delay_window(double packets) {
    window_ += packets;
    delay_window_ += packets;
  }

  // Square roots are the same on every machine; std::pow need not be.
  double power(double window) const {
    return parameters_.k == 0.75 ? std::sqrt(window) * std::sqrt(std::sqrt(window))
                                 : std::pow(window, parameters_.k);
  }

  double damped(double step, double backlog) const { return backlog > 0 ? step / parameters_.damping : step; }

  CompoundParameters parameters_;
  double window_ = 0;  // the loss window and the delay window
  double delay_window_ = 0;
};

}  // namespace packetsim
