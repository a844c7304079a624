// What the runs of a local loop have in common: metrics and distributions (docs/metrics.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kit/local_loop/loop_measurements.hpp"
#include "kit/local_loop/settings.hpp"
#include "kit/main/measurements.hpp"
#include "kit/point/json.hpp"
#include "kit/point/point.hpp"

namespace kit::local_loop {

struct Summary {
  // Section 6: goodput and send rate of a user who is on.
  double goodput_bit_per_s = 0;
  double send_rate_bit_per_s = 0;
  double loss_ratio = 0;     // p_loss, or p_td: of the packets sent
  double timeout_ratio = 0;  // p_to
  double idle_ratio = 0;     // p_idle: new connections after an idleness, per packet
  double rtt_s = 0;          // mean over packets
  double on_time_s = 0;      // mean over bursts
  double utilisation = 0;    // of the shared router
  double queue_packets = 0;  // there, mean over time, of all users
};

// Section 5.4: how far what was drawn of bursts and think times is from their means, relative.
struct DrawnError {
  double burst = 0;
  double think_time = 0;

  bool holds(double tolerance) const;
};

// Add to a JSON object of metrics.
void add_metric(Json& metrics, const std::string& name, const char* unit, double value);
void add_drawn_error(Json& metrics, const DrawnError& error, double tolerance);
void add_metrics(Json& metrics, const Settings& settings, const Summary& summary,
                 const std::vector<Burst>& bursts);

// `blocks_per_s`: for each xi the throughputs of xi packets in a row.
Json distributions(const Settings& settings, const std::vector<Burst>& bursts,
                   const std::vector<std::vector<float>>& blocks_per_s);

// Adds nothing for an empty trace.
void add_trace(Json& run, const SendTrace& trace);

// Metrics, distributions and the trace of a local loop whose users were all simulated.
void add_loop(Json& run, const Point& point, const Measurements& measured);

// What a metric is of, in brackets.
std::string of_class(const std::string& name);

}  // namespace kit::local_loop
