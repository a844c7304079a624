// The cross flows' part of the simulation.
#include <algorithm>
#include <cmath>

#include "simulation.hpp"

namespace fixed_point {

void Simulation::start_cross(std::size_t user) {
  CrossFlow& flow = cross(user);
  flow.left += draw_burst();
  flow.on_since = now_;
  change_on(0, 1);
  // A window lets its first packet go at once; a rate's first one comes after a gap.
  push(cross_windows_.empty() ? now_ + draw_gap() : now_, Kind::kCrossArrival, user);
}

// The next packet of this flow would arrive now.
void Simulation::cross_packet_due(std::size_t user) {
  CrossFlow& flow = cross(user);
  flow.due = now_;
  if (settings_.scheme == Scheme::kRatesAndQueues) {
    // Held back until the queue that it makes is one that the reference's packets make as often.
    flow.largest_queue = draw_queue();
    if (router_.length(user) >= flow.largest_queue) {
      flow.held = true;
      return;
    }
  }
  cross_arrives(user);
}

void Simulation::cross_arrives(std::size_t user) {
  CrossFlow& flow = cross(user);
  flow.held = false;
  if (observer_.cross_arrived) {
    observer_.cross_arrived(user, now_);
  }
  // Cross flows retransmit at the reference's rate; retransmissions add no goodput.
  const bool timed_out =
      environment_.timeout_probability > 0 && cross_random_.uniform() <= environment_.timeout_probability;
  flow.left -= timed_out ? 0 : 1;
  const std::int64_t losses = measured_.cross.losses;
  const std::int64_t left = flow.left;
  arrive(user, 0);
  // One packet more is left than before: the arriving one was lost, or another of this flow.
  const bool lost = measured_.cross.losses > losses && flow.left > left;
  if (!cross_windows_.empty()) {
    const std::size_t index = user - references_.size();
    CrossWindow& window = cross_windows_[index];
    const Picoseconds backbone = path_.backbone_wait(now_ + cross_offsets_[index]);
    if (lost) {
      window.arrive_in_vain(now_, path_.upstream_delays() + backbone, ring(user));
    } else {
      window.arrive(now_, draw_service(), path_.other_delays() + backbone, ring(user));
    }
    if (timed_out) {
      window.time_out();
    }
  }
  if (flow.left > 0) {
    Picoseconds next = 0;
    if (cross_windows_.empty()) {
      next = (settings_.cross.gap_after_release ? now_ : flow.due) + draw_gap();
    } else {
      next = cross_windows_[user - references_.size()].next_arrival(path_.source_service(), ring(user));
    }
    push(std::max(next, now_), Kind::kCrossArrival, user);
    return;
  }
  Picoseconds end = now_;
  if (!cross_windows_.empty()) {
    // A round trip ends at the router again: subtract the delay from the source to it.
    end = cross_windows_[user - references_.size()].all_around(ring(user)) - path_.upstream_delays();
    if (settings_.readings.on_time_ends == Readings::OnTimeEnd::kDestination) {
      end -= path_.return_delay();
    }
  }
  push(std::max(end, now_), Kind::kCrossEnd, user);
}

void Simulation::end_cross(std::size_t user) {
  CrossFlow& flow = cross(user);
  change_on(0, -1);
  ++measured_.cross.bursts;
  measured_.cross.on_s += seconds(now_ - flow.on_since);
  const Picoseconds think = picoseconds(think_law_->draw(think_random_));
  if (!cross_windows_.empty()) {
    cross_windows_[user - references_.size()].start(think > rules_.idle);
  }
  push(now_ + think, Kind::kCrossStart, user);
}

std::span<Picoseconds> Simulation::ring(std::size_t user) {
  return {&cross_rings_[(user - references_.size()) * ring_size_], ring_size_};
}

Picoseconds Simulation::draw_gap() {
  const double mean_s = mean_gaps_s_[active_class()];
  return picoseconds(settings_.cross.gap_law == CrossReadings::GapLaw::kConstant
                         ? mean_s
                         : -mean_s * portable_log(cross_random_.uniform()));
}

Picoseconds Simulation::draw_service() {
  const std::size_t state = active_class();
  if (settings_.cross.service_law == CrossReadings::ServiceLaw::kExponential) {
    return picoseconds(-environment_.service[state].mean_s * portable_log(cross_random_.uniform()));
  }
  return picoseconds(service_laws_[state].draw(cross_random_));
}

// A queue of the reference, its arriving packet counted; without law as long as may be.
std::int32_t Simulation::draw_queue() {
  const std::vector<double>& at_most = environment_.queue_at_most;
  if (at_most.empty()) {
    return INT32_MAX;
  }
  const double share = cross_random_.uniform();
  // Counted, not searched for: there are few, and where a search turns cannot be guessed.
  const auto below = std::count_if(at_most.begin(), at_most.end(), [&](double p) { return p < share; });
  return std::max(1, static_cast<std::int32_t>(below));
}

}  // namespace fixed_point
