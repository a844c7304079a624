#include "simulation.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "kit/main/clock.hpp"

namespace fixed_point {
namespace {

constexpr std::uint64_t kNumberBits = 40;
constexpr std::uint64_t kUserBits = 20;
constexpr double kMostHaste = 1000;
constexpr std::int64_t kWithoutEnd = std::int64_t{1} << 60;
constexpr std::ptrdiff_t kAhead = 8;  // events, whose memory is fetched

std::size_t user_of(const Event& event) {
  return static_cast<std::size_t>(event.payload >> kNumberBits & ((1U << kUserBits) - 1));
}

}  // namespace

Simulation::Simulation(const Settings& settings, std::uint64_t seed, Observer observer)
    : settings_(settings),
      backbone_(settings.backbone
                    ? std::make_unique<VirtualWait>(
                          settings.backbone->load,
                          settings.backbone->buffer_packets *
                              transmission_time(settings.packet_bytes,
                                                settings.path[settings.backbone->station].rate_bit_per_s),
                          seed)
                    : nullptr),
      path_(settings_, backbone_.get()),
      rules_{path_,
             settings.readings,
             {.tick = picoseconds(settings.tcp.tick_s),
              .min = settings.tcp.min_rto_ticks * picoseconds(settings.tcp.tick_s)},
             picoseconds(settings.tcp.idle_s)},
      router_(static_cast<std::size_t>(settings.users), settings.buffer,
              settings.readings.head_of_line_in_buffer, path_.shared_service()),
      events_(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(picoseconds(24) / settings.users)))),
      observer_(std::move(observer)),
      burst_random_(Random(seed, kit::Stream::kBursts)),
      think_random_(Random(seed, kit::Stream::kThinkTimes)),
      cross_random_(Random(seed, kit::Stream::kCrossFlows)),
      start_random_(Random(seed, kit::Stream::kUserStarts)) {
  if (settings.workload) {
    burst_law_.emplace(settings.workload->burst_mean, settings.workload->burst_sd);
    think_law_.emplace(settings.workload->think_mean_s, settings.workload->think_sd_s);
  }
  const auto references = static_cast<std::size_t>(settings.references);
  const auto users = static_cast<std::size_t>(settings.users);
  const auto offset = [&] {
    return backbone_
               ? static_cast<Picoseconds>(start_random_.uniform() * static_cast<double>(backbone_->period()))
               : 0;
  };
  references_.reserve(references);
  for (std::size_t user = 0; user < references; ++user) {
    references_.emplace_back(Connection(settings.tcp.max_window, settings.readings.half_up, offset()),
                             settings.quality_packets.size());
  }
  cross_.resize(users - references);
  if (settings.scheme == Scheme::kWindows) {
    ring_size_ = std::bit_ceil(static_cast<std::size_t>(settings.tcp.max_window) + 2);
    cross_windows_.assign(cross_.size(), CrossWindow(settings.tcp.max_window, settings.readings.half_up));
    cross_rings_.assign(cross_.size() * ring_size_, 0);
    for (std::size_t i = 0; i < cross_.size(); ++i) {
      cross_offsets_.push_back(offset());
    }
  }
  measured_.block_packets_per_s.resize(settings.quality_packets.size());
  // Section 5.3: the first iterate is an equal share of the capacity; a lone packet's service.
  const double service_s = seconds(path_.shared_service());
  Environment first;
  first.send_rate.fill(1 / service_s / settings.users);
  first.service.fill({service_s, 0});
  set_environment(first);
  for (std::size_t user = 0; user < users; ++user) {
    double start_s = 0;
    if (!think_law_) {
      start_s = settings.start_spread_s * start_random_.uniform();
    } else if (settings.readings.think_from_equilibrium) {
      start_s = think_law_->draw_residual(think_random_);
    } else {
      start_s = think_law_->draw(think_random_);
    }
    push(picoseconds(start_s), is_reference(user) ? Kind::kReferenceStart : Kind::kCrossStart, user);
  }
}

auto Simulation::transmitting(std::size_t user) {
  return [this, user](std::int64_t number, const Path::Crossing& crossing) {
    send_to_router(user, number, crossing);
  };
}

void Simulation::push(Picoseconds time, Kind kind, std::size_t user, std::int64_t number) {
  events_.push({time, pushed_++,
                static_cast<std::uint64_t>(kind) << (kNumberBits + kUserBits) |
                    static_cast<std::uint64_t>(user) << kNumberBits | static_cast<std::uint64_t>(number)});
}

void Simulation::run_packets(std::int64_t packets) {
  while (measured_.packets.sent < packets &&
         std::min(events_.next_time(), router_.next_departure()) != kNever) {
    step();
    if (now_ > kit::kClockEnd) {
      kit::clock_ended();
    }
  }
}

// What the event needs of the backbone's load, the only memory that is too much for the caches. Inline: GCC
// drops calls of a function that does nothing but fetch, as one without effect. Behind the last event come
// older ones and those of user 0, a reference.
[[gnu::always_inline]] inline void Simulation::prefetch(const Event& event) const {
  const std::size_t user = user_of(event);
  if (backbone_ != nullptr && !cross_offsets_.empty() && !is_reference(user) && event.time != kNever) {
    backbone_->prefetch(event.time + cross_offsets_[user - references_.size()]);
  }
}

void Simulation::step() {
  ++events_done_;
  if (router_.next_departure() <= events_.next_time()) {
    now_ = router_.next_departure();
    depart();
    return;
  }
  const Event event = events_.pop();
  now_ = event.time;
  prefetch(events_.begin()[kAhead]);
  const std::size_t user = user_of(event);
  const auto number = static_cast<std::int64_t>(event.payload & ((std::uint64_t{1} << kNumberBits) - 1));
  switch (static_cast<Kind>(event.payload >> (kNumberBits + kUserBits))) {
    case Kind::kReferenceStart:
      start_reference(user);
      break;
    case Kind::kReferenceEnd:
      end_reference(user);
      break;
    case Kind::kReferenceArrival:
      arrive(user, static_cast<std::uint64_t>(number));
      break;
    case Kind::kLossOnTheWay:
      lose(user, static_cast<std::uint64_t>(number));
      break;
    case Kind::kAcknowledgement:
      references_[user].connection.acknowledge(number, rules_, measured_.packets, now_, transmitting(user));
      watch_deadline(user);
      break;
    case Kind::kTimer:
      on_timer(user);
      break;
    case Kind::kCrossStart:
      start_cross(user);
      break;
    case Kind::kCrossEnd:
      end_cross(user);
      break;
    case Kind::kCrossArrival:
      cross_packet_due(user);
      break;
  }
}

void Simulation::send_to_router(std::size_t user, std::int64_t number, const Path::Crossing& crossing) {
  if (observer_.sent) {
    observer_.sent(user, number, crossing.sent);
  }
  ++in_flight_;
  batch_.add_sent(active_class());
  push(crossing.arrival, crossing.lost ? Kind::kLossOnTheWay : Kind::kReferenceArrival, user, number);
}

void Simulation::start_reference(std::size_t user) {
  Reference& reference = references_[user];
  reference.burst_packets = draw_burst();
  reference.useful_left = reference.burst_packets;
  reference.burst_began = now_;
  for (std::size_t i = 0; i < reference.block_left.size(); ++i) {
    reference.block_left[i] = settings_.quality_packets[i];
    reference.block_began[i] = now_;
  }
  if (burst_law_) {
    measured_.burst_packets += static_cast<double>(reference.burst_packets);
    ++measured_.bursts_begun;
  }
  change_on(1, 0);
  reference.connection.start(reference.burst_packets, reference.pause, rules_, measured_.packets, now_,
                             transmitting(user));
  watch_deadline(user);
}

void Simulation::end_reference(std::size_t user) {
  Reference& reference = references_[user];
  change_on(-1, 0);
  const double on_s = seconds(now_ - reference.burst_began);
  ++measured_.references.bursts;
  measured_.references.on_s += on_s;
  measured_.bursts.push_back({static_cast<float>(reference.burst_packets), static_cast<float>(on_s),
                              static_cast<float>(seconds(reference.burst_arrived - reference.burst_began))});
  const double think_s = think_law_->draw(think_random_);
  measured_.think_s += think_s;
  ++measured_.thinks_begun;
  reference.pause = picoseconds(think_s);
  push(now_ + reference.pause, Kind::kReferenceStart, user);
}

void Simulation::arrive(std::size_t user, std::uint64_t number) {
  integrate();
  Population& population = is_reference(user) ? measured_.references : measured_.cross;
  ++population.arrivals;
  const auto lost = router_.arrive(user, number, now_);
  if (is_reference(user)) {
    ++reference_queue_;
    // Lost itself, it would have made the queue longer by one.
    const bool lost_itself = lost && lost->user == user && lost->packet.arrived == now_;
    batch_.add_queue(router_.length(user) + (lost_itself ? 1 : 0));
  }
  if (lost) {
    reference_queue_ -= is_reference(lost->user);
    ++(is_reference(lost->user) ? measured_.references : measured_.cross).losses;
    measured_.sojourn_s += seconds(now_ - lost->packet.arrived);
    lose(lost->user, lost->packet.number);
  }
}

void Simulation::lose(std::size_t user, std::uint64_t number) {
  if (!is_reference(user)) {
    ++cross(user).left;
    if (!cross_windows_.empty()) {
      cross_windows_[user - references_.size()].lose();
    }
    return;
  }
  --in_flight_;
  references_[user].connection.lose(static_cast<std::int64_t>(number), rules_, measured_.packets, now_,
                                    transmitting(user));
  watch_deadline(user);
}

void Simulation::depart() {
  integrate();
  const SharedRouter::Owned gone = router_.depart();
  ++measured_.departures;
  measured_.sojourn_s += seconds(now_ - gone.packet.arrived);
  if (is_reference(gone.user)) {
    --reference_queue_;
    const Picoseconds head_of_line =
        std::max(gone.packet.arrived, references_[gone.user].connection.left()[settings_.shared]);
    const double service_s = seconds(now_ - head_of_line);
    measured_.service_s += service_s;
    ++measured_.services;
    batch_.add_service(active_class(), service_s);
    deliver(gone.user, static_cast<std::int64_t>(gone.packet.number), now_);
    return;
  }
  const CrossFlow& flow = cross(gone.user);
  if (flow.held && router_.length(gone.user) < flow.largest_queue) {
    cross_arrives(gone.user);
  }
}

void Simulation::deliver(std::size_t user, std::int64_t number, Picoseconds left_shared) {
  Reference& reference = references_[user];
  const Picoseconds delivered = path_.to_destination(reference.connection.left(), left_shared);
  --in_flight_;
  ++measured_.packets.delivered;
  push(delivered + path_.return_delay(), Kind::kAcknowledgement, user, number);
  if (!reference.connection.useful(number)) {
    return;
  }
  ++measured_.packets.useful;
  count_delivery(reference, delivered);
  if (--reference.useful_left == 0) {
    reference.burst_arrived = delivered;
    const bool at_source = settings_.readings.on_time_ends == Readings::OnTimeEnd::kSource;
    push(delivered + (at_source ? path_.return_delay() : 0), Kind::kReferenceEnd, user);
  }
}

void Simulation::count_delivery(Reference& reference, Picoseconds delivered) {
  for (std::size_t i = 0; i < reference.block_left.size(); ++i) {
    if (--reference.block_left[i] == 0) {
      const double block_s = seconds(delivered - reference.block_began[i]);
      measured_.block_packets_per_s[i].push_back(
          static_cast<float>(static_cast<double>(settings_.quality_packets[i]) / block_s));
      reference.block_left[i] = settings_.quality_packets[i];
      reference.block_began[i] = delivered;
    }
  }
}

// An event of the timer comes no later than the deadline; one that comes too early finds that out and is put
// back.
void Simulation::watch_deadline(std::size_t user) {
  Reference& reference = references_[user];
  const Picoseconds deadline = reference.connection.deadline(rules_);
  if (deadline < reference.timer_event) {
    reference.timer_event = deadline;
    push(deadline, Kind::kTimer, user);
  }
}

void Simulation::on_timer(std::size_t user) {
  Reference& reference = references_[user];
  if (reference.timer_event != now_) {
    return;
  }
  reference.timer_event = kNever;
  if (reference.connection.deadline(rules_) <= now_) {
    reference.connection.time_out(rules_, measured_.packets, now_, transmitting(user));
  }
  watch_deadline(user);
}

void Simulation::change_on(std::int32_t references, std::int32_t cross) {
  integrate();
  references_on_ += references;
  cross_on_ += cross;
  on_class_ = settings_.condition == Condition::kOnUsers ? ActiveClass::of(references_on_ + cross_on_) : 0;
}

// Time goes on from the last change to now.
void Simulation::integrate() {
  const double elapsed_s = seconds(now_ - integrated_until_);
  integrated_until_ = now_;
  const double on_s = references_on_ * elapsed_s;
  measured_.references.user_on_s += on_s;
  measured_.cross.user_on_s += cross_on_ * elapsed_s;
  batch_.add_on_time(active_class(), on_s);
  measured_.references.queue_packet_s += static_cast<double>(reference_queue_) * elapsed_s;
  measured_.cross.queue_packet_s += static_cast<double>(router_.present() - reference_queue_) * elapsed_s;
  measured_.busy_s += router_.present() > 0 ? elapsed_s : 0;
}

std::size_t Simulation::active_class() const {
  return settings_.condition == Condition::kBackloggedUsers ? ActiveClass::of(router_.backlogged())
                                                            : on_class_;
}

std::int64_t Simulation::draw_burst() {
  return burst_law_ ? std::max<std::int64_t>(1, std::llround(burst_law_->draw(burst_random_))) : kWithoutEnd;
}

void Simulation::set_environment(const Environment& environment) {
  environment_ = environment;
  mean_gaps_s_.clear();
  service_laws_.clear();
  for (std::size_t i = 0; i < ActiveClass::kCount; ++i) {
    mean_gaps_s_.push_back(1 / (environment.haste * environment.send_rate[i]));
    service_laws_.emplace_back(environment.service[i].mean_s, environment.service[i].sd_s);
  }
}

void Simulation::restart_measurements() {
  integrate();
  const std::size_t qualities = measured_.block_packets_per_s.size();
  measured_ = {};
  measured_.block_packets_per_s.resize(qualities);
  estimate_ = {};
  batch_ = {};
  measured_since_ = now_;
}

Measured Simulation::measured() {
  integrate();
  Measured result = measured_;
  result.time = now_ - measured_since_;
  result.references.users = static_cast<std::int32_t>(references_.size());
  result.cross.users = static_cast<std::int32_t>(cross_.size());
  return result;
}

// How much faster cross flows should have been.
double Simulation::missing_haste() const {
  const Population& references = measured_.references;
  const Population& others = measured_.cross;
  if (settings_.scheme != Scheme::kRatesAndQueues || references.arrivals == 0 || others.arrivals == 0) {
    return 1;
  }
  switch (settings_.cross.haste) {
    case CrossReadings::Haste::kForRate:
      return static_cast<double>(measured_.packets.sent) / references.user_on_s /
             (static_cast<double>(others.arrivals) / others.user_on_s);
    case CrossReadings::Haste::kForQueue:
      return references.queue_packet_s / static_cast<double>(references_.size()) /
             (others.queue_packet_s / static_cast<double>(cross_.size()));
    case CrossReadings::Haste::kNone:
      break;
  }
  return 1;
}

Residual Simulation::residual() {
  close_batch();
  return estimate_.residual(environment_);
}

Residual Simulation::close_batch() {
  integrate();
  const Residual result = batch_.residual(environment_);
  estimate_.add(batch_);
  batch_ = {};
  return result;
}

Environment Simulation::observed() {
  close_batch();
  const PacketCounts& packets = measured_.packets;
  const double timeouts =
      packets.sent == 0 ? 0 : static_cast<double>(packets.timeouts) / static_cast<double>(packets.sent);
  Environment result =
      estimate_.environment(environment_, settings_.condition != Condition::kNothing, timeouts);
  result.haste = std::clamp(environment_.haste * missing_haste(), 1.0, kMostHaste);
  return result;
}

}  // namespace fixed_point
