// The joint simulation of the references' max-plus recursion and of the scheduler (section 5.3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "connection.hpp"
#include "cross_flow.hpp"
#include "environment.hpp"
#include "from_kit.hpp"
#include "measured.hpp"
#include "path.hpp"
#include "settings.hpp"
#include "shared_router.hpp"

namespace fixed_point {

// Who watches; what is empty is not called.
struct Observer {
  // A reference's packet: user, number, when the source begins to transmit it.
  std::function<void(std::size_t, std::int64_t, Picoseconds)> sent = nullptr;
  // A cross flow's packet reaches the shared router.
  std::function<void(std::size_t, Picoseconds)> cross_arrived = nullptr;
};

// Users 0 to references - 1 are exact, the others cross flows.
class Simulation {
 public:
  // The settings must be valid: see check().
  Simulation(const Settings& settings, std::uint64_t seed, Observer observer = {});

  // Goes on until the references have sent that many packets since the last restart, or no event is left.
  void run_packets(std::int64_t packets);

  // Forgets what was measured and what was learnt about the environment, keeps the state.
  void restart_measurements();

  Measured measured();

  // The fixed point's variable: what the references have shown since the last restart, and what cross flows
  // act on.
  Environment observed();

  // What the references have shown since the last restart, or since the last batch was closed.
  Residual residual();
  Residual close_batch();
  const Environment& environment() const { return environment_; }
  void set_environment(const Environment& environment);

  // For tests: packets sent by references, less those delivered and lost, are in flight.
  std::int64_t in_flight() const { return in_flight_; }
  Picoseconds now() const { return now_; }
  std::int64_t events() const { return events_done_; }
  const SharedRouter& router() const { return router_; }

 private:
  enum class Kind : std::uint8_t {
    kReferenceStart,
    kReferenceEnd,
    kReferenceArrival,
    kLossOnTheWay,
    kAcknowledgement,
    kTimer,
    kCrossStart,
    kCrossEnd,
    kCrossArrival
  };

  struct Reference {
    Reference(Connection with, std::size_t qualities)
        : connection(std::move(with)), block_left(qualities), block_began(qualities) {}

    Connection connection;
    std::int64_t burst_packets = 0;
    std::int64_t useful_left = 0;
    Picoseconds burst_began = 0;
    Picoseconds burst_arrived = 0;  // its last packet, at the destination
    Picoseconds pause = 0;
    Picoseconds timer_event = kNever;
    std::vector<std::int64_t> block_left;  // for each xi
    std::vector<Picoseconds> block_began;
  };

  void step();
  void prefetch(const Event& event) const;
  void start_reference(std::size_t user);
  void end_reference(std::size_t user);
  void send_to_router(std::size_t user, std::int64_t number, const Path::Crossing& crossing);
  void arrive(std::size_t user, std::uint64_t number);
  void lose(std::size_t user, std::uint64_t number);
  void depart();
  void deliver(std::size_t user, std::int64_t number, Picoseconds left_shared);
  void count_delivery(Reference& reference, Picoseconds delivered);
  void watch_deadline(std::size_t user);
  void on_timer(std::size_t user);

  void start_cross(std::size_t user);
  void cross_packet_due(std::size_t user);
  void cross_arrives(std::size_t user);
  void end_cross(std::size_t user);

  void push(Picoseconds time, Kind kind, std::size_t user, std::int64_t number = 0);
  void change_on(std::int32_t references, std::int32_t cross);
  void integrate();
  bool is_reference(std::size_t user) const { return user < references_.size(); }
  CrossFlow& cross(std::size_t user) { return cross_[user - references_.size()]; }
  std::span<Picoseconds> ring(std::size_t user);
  std::size_t active_class() const;
  double missing_haste() const;
  Picoseconds draw_gap();
  Picoseconds draw_service();
  std::int32_t draw_queue();
  std::int64_t draw_burst();
  auto transmitting(std::size_t user);

  Settings settings_;
  std::unique_ptr<VirtualWait> backbone_;
  Path path_;
  ConnectionRules rules_;
  SharedRouter router_;
  EventBins events_;
  Picoseconds pushed_ = 0;  // events, which orders those of the same time
  Observer observer_;

  Normals burst_random_;
  Normals think_random_;
  Normals cross_random_;
  Random start_random_;
  std::optional<Lognormal> burst_law_;
  std::optional<Lognormal> think_law_;

  std::vector<Reference> references_;
  std::vector<CrossFlow> cross_;
  std::vector<CrossWindow> cross_windows_;  // scheme 2 only
  std::vector<Picoseconds> cross_rings_;
  std::vector<Picoseconds> cross_offsets_;  // in the backbone's load
  std::size_t ring_size_ = 0;

  Environment environment_;
  std::vector<double> mean_gaps_s_;      // of each class (schemes 0 and 1)
  std::vector<Lognormal> service_laws_;  // of each class (scheme 2)
  EnvironmentEstimate estimate_;         // of the batches that are over
  EnvironmentEstimate batch_;

  Picoseconds now_ = 0;
  std::int64_t events_done_ = 0;
  std::int32_t references_on_ = 0;
  std::int32_t cross_on_ = 0;
  std::size_t on_class_ = 0;
  std::int64_t reference_queue_ = 0;
  std::int64_t in_flight_ = 0;
  Picoseconds integrated_until_ = 0;
  Picoseconds measured_since_ = 0;
  Measured measured_;
};

}  // namespace fixed_point
