// Statistics of the reference connection that drive the cross flows: the unknown of the fixed point.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fixed_point {

// Numbers of active users in classes of a quarter of an octave: 0 to 7 one by one, then 8, 10, 12, 14, 16,
// 20, ...
struct ActiveClass {
  static constexpr std::size_t kCount = 80;  // beyond a million users

  static std::size_t of(std::int32_t active) {
    const auto n = static_cast<std::uint32_t>(active);
    if (n < 4) {
      return n;
    }
    const auto octave = static_cast<std::uint32_t>(std::bit_width(n)) - 1;
    return 4 * (octave - 1) + ((n >> (octave - 2)) & 3U);
  }
};

struct Environment {
  struct Service {
    double mean_s;
    double sd_s;
  };
  std::array<double, ActiveClass::kCount> send_rate{};  // packets/s of a user who is on
  std::array<Service, ActiveClass::kCount> service{};   // aggregated service time
  std::vector<double>
      queue_at_most;  // [q]: P(a packet of the reference makes its queue q or less); empty: no law
  double timeout_probability = 0;  // of a packet
  // Factor on the send rates that compensates for the delays of scheme 1.
  double haste = 1;

  // Exponential update: weight 1 discards the old estimate.
  void learn(const Environment& seen, double weight) {
    const auto mix = [weight](double& value, double other) { value += weight * (other - value); };
    for (std::size_t i = 0; i < ActiveClass::kCount; ++i) {
      mix(send_rate[i], seen.send_rate[i]);
      mix(service[i].mean_s, seen.service[i].mean_s);
      mix(service[i].sd_s, seen.service[i].sd_s);
    }
    if (queue_at_most.empty() || weight == 1) {
      queue_at_most = seen.queue_at_most;
    }
    queue_at_most.resize(std::max(queue_at_most.size(), seen.queue_at_most.size()), 1);
    for (std::size_t q = 0; q < queue_at_most.size(); ++q) {
      mix(queue_at_most[q], q < seen.queue_at_most.size() ? seen.queue_at_most[q] : 1);
    }
    mix(timeout_probability, seen.timeout_probability);
    haste = seen.haste;
  }
};

// Relative difference between the references' statistics and those that drove the cross flows, at equal
// numbers of active users. Zero at a fixed point, but for sampling errors.
struct Residual {
  double send_rate = 0;
  double service = 0;
  double queue = 0;
};

// Statistics of the references in one step.
class EnvironmentEstimate {
 public:
  void add_on_time(std::size_t active_class, double user_seconds) {
    on_time_s_[active_class] += user_seconds;
  }
  void add_sent(std::size_t active_class) { sent_[active_class] += 1; }
  void add_service(std::size_t active_class, double service_s) { service_[active_class].add(service_s); }
  void add_queue(std::int32_t length) {
    const auto index = static_cast<std::size_t>(length);
    if (index >= queue_.size()) {
      queue_.resize(index + 1);
    }
    ++queue_[index];
  }

  void add(const EnvironmentEstimate& other) {
    for (std::size_t i = 0; i < ActiveClass::kCount; ++i) {
      on_time_s_[i] += other.on_time_s_[i];
      sent_[i] += other.sent_[i];
      service_[i].add(other.service_[i]);
    }
    while (queue_.size() < other.queue_.size()) {
      queue_.push_back(0);
    }
    for (std::size_t q = 0; q < other.queue_.size(); ++q) {
      queue_[q] += other.queue_[q];
    }
  }

  Residual residual(const Environment& acted_on) const {
    double sent = 0;
    double sent_by_law = 0;
    double service_s = 0;
    double service_by_law_s = 0;
    for (std::size_t i = 0; i < ActiveClass::kCount; ++i) {
      sent += sent_[i];
      sent_by_law += on_time_s_[i] * acted_on.send_rate[i];
      service_s += service_[i].sum;
      service_by_law_s += service_[i].count * acted_on.service[i].mean_s;
    }
    return {.send_rate = over(sent, sent_by_law),
            .service = over(service_s, service_by_law_s),
            .queue = over(mean_of(cumulative()), mean_of(acted_on.queue_at_most))};
  }

  // Classes with too few packets take the values of the nearest class with enough, or the overall values if
  // `conditional` is false. Quantities without any sample keep their values in `last`.
  Environment environment(const Environment& last, bool conditional, double timeout_probability) const {
    Environment result = last;
    result.timeout_probability = timeout_probability;
    double on_time = 0;
    double sent = 0;
    Moments service;
    for (std::size_t i = 0; i < ActiveClass::kCount; ++i) {
      on_time += on_time_s_[i];
      sent += sent_[i];
      service.add(service_[i]);
    }
    if (sent == 0 || on_time == 0 || service.count == 0) {
      return last;
    }
    result.send_rate.fill(sent / on_time);
    result.service.fill(service.law());
    if (conditional) {
      fill_classes(
          [&](std::size_t i) { return sent_[i]; },
          [&](std::size_t to, std::size_t from) { result.send_rate[to] = sent_[from] / on_time_s_[from]; });
      fill_classes([&](std::size_t i) { return service_[i].count; },
                   [&](std::size_t to, std::size_t from) { result.service[to] = service_[from].law(); });
    }
    result.queue_at_most = cumulative();
    return result;
  }

 private:
  static constexpr double kEnough = 100;  // packets of a class, for a standard error of 10 %

  struct Moments {
    double count = 0;
    double sum = 0;
    double squares = 0;

    void add(double value) { add({1, value, value * value}); }
    void add(const Moments& other) {
      count += other.count;
      sum += other.sum;
      squares += other.squares;
    }
    Environment::Service law() const {
      const double mean = sum / count;
      return {mean, std::sqrt(std::fmax(squares / count - mean * mean, 0))};
    }
  };

  static double over(double value, double by_law) { return by_law == 0 ? 0 : value / by_law - 1; }

  // Mean of a distribution over 0, 1, 2, ... given by P(at most).
  static double mean_of(const std::vector<double>& at_most) {
    double mean = 0;
    for (const double share : at_most) {
      mean += 1 - share;
    }
    return mean;
  }

  template <class Seen, class Copy>
  static void fill_classes(Seen seen, Copy copy) {
    for (std::size_t i = 0; i < ActiveClass::kCount; ++i) {
      for (std::size_t away = 0; away < ActiveClass::kCount; ++away) {
        if (i >= away && seen(i - away) >= kEnough) {
          copy(i, i - away);
          break;
        }
        if (i + away < ActiveClass::kCount && seen(i + away) >= kEnough) {
          copy(i, i + away);
          break;
        }
      }
    }
  }

  std::vector<double> cumulative() const {
    std::vector<double> result(queue_.begin(), queue_.end());
    double sum = 0;
    for (double& value : result) {
      sum += value;
      value = sum;
    }
    for (double& value : result) {
      value /= sum;
    }
    return result;
  }

  std::array<double, ActiveClass::kCount> on_time_s_{};
  std::array<double, ActiveClass::kCount> sent_{};
  std::array<Moments, ActiveClass::kCount> service_{};
  std::vector<std::int64_t> queue_;
};

}  // namespace fixed_point
