// Compound TCP's windows as the draft has them, in floating point (draft-sridharan-tcpm-ctcp-02; Blanc,
// Collange and Avrachenkov 2008, equation 2).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "compound_parameters.hpp"
#include "units.hpp"

namespace packetsim {

class CompoundDraft {
 public:
  explicit CompoundDraft(const CompoundParameters& parameters) : parameters_(parameters) {}

  void set(std::int32_t window) {
    loss_window_ = window;
    delay_window_ = 0;
  }

  std::int32_t window() const { return static_cast<std::int32_t>(loss_window_ + delay_window_); }
  std::int32_t delay_window() const { return static_cast<std::int32_t>(std::ceil(delay_window_)); }

  void on_slow_start_ack() { loss_window_ += 1; }

  // The loss window grows by a packet a round trip.
  void on_ack() { loss_window_ += 1 / (loss_window_ + delay_window_); }

  // The estimated backlog, in packets, of a round trip in which `sent` packets were sent.
  double backlog(std::int32_t sent, Picoseconds base, Picoseconds round_trip) const {
    return sent * (1 - static_cast<double>(base) / static_cast<double>(round_trip));
  }

  // The round trip's growth, at once: all but the packet by which the loss window grows.
  void grow(std::int32_t /*sent*/, double backlog) {
    const double step = parameters_.alpha * power(loss_window_ + delay_window_);
    delay_window_ += std::max(damped(step, backlog) - 1, 0.0);
  }

  void cut(double backlog) {
    delay_window_ = std::max(delay_window_ - damped(parameters_.zeta * backlog, backlog), 0.0);
  }

  void on_loss() { scale(1 - parameters_.beta); }

  // Both windows shrink in proportion.
  void shrink(std::int32_t after) { scale(after / (loss_window_ + delay_window_)); }

 private:
  void scale(double factor) {
    loss_window_ *= factor;
    delay_window_ *= factor;
  }

  // Square roots are the same on every machine; std::pow need not be.
  double power(double window) const {
    return parameters_.k == 0.75 ? std::sqrt(window) * std::sqrt(std::sqrt(window))
                                 : std::pow(window, parameters_.k);
  }

  double damped(double step, double backlog) const { return backlog > 0 ? step / parameters_.damping : step; }

  CompoundParameters parameters_;
  double loss_window_ = 0;
  double delay_window_ = 0;
};

}  // namespace packetsim
