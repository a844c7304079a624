// packetsim in the process of its caller: a controller may be given by its address, and a simulation stops at
// any time and goes on. Dumbbells with a drop-tail queue of a fixed rate, without probes, of a few variants.

#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "kit/main/run.hpp"
#include "kit/point/point.hpp"
#include "network/dumbbell.hpp"
#include "run/simulate.hpp"
#include "run/simulate_with.hpp"
#include "tcp/bbr.hpp"
#include "tcp/controller_library.hpp"
#include "tcp/cubic.hpp"
#include "tcp/external.hpp"
#include "tcp/rack_sender.hpp"
#include "tcp/reno_window.hpp"
#include "tcp/variant_list.hpp"

#define EXPORTED __attribute__((visibility("default")))

// What an agent sees of its flow, and sets: for step().
struct packetsim_board {
  double window, pacing_rate;  // packets, bytes/s
  double delivery_rate;        // packets/s, the last sample
  std::int64_t now, srtt, min_rtt, delivered, lost, in_flight, acknowledgements;
};

namespace {

using namespace packetsim;

template <class... Variants>
struct Few {
  using Sender = typename VariantList<Variants...>::AnySender;
  static constexpr auto simulate = simulate_with<Variants...>;
};
using Known = Few<ByTime<RenoWindow>, RenoWindow, ByTime<Cubic>, Cubic, Bbr, ByTime<External<false>>,
                  External<false>, External<true>>;

std::string why;  // the last call that failed
std::string text;

// Boards of the session that is being opened or run.
thread_local std::vector<std::unique_ptr<packetsim_board>>* boards = nullptr;

void* begin(const cc_config* config, cc_decision* decision) {
  boards->push_back(std::make_unique<packetsim_board>());
  boards->back()->window = config->initial_window;
  decision->ssthresh = config->most;
  return boards->back().get();
}

void see(void* self, const cc_event* event, cc_decision* decision) {
  packetsim_board& board = *static_cast<packetsim_board*>(self);
  board.now = event->now;
  board.srtt = event->srtt;
  board.min_rtt = event->min_rtt;
  board.in_flight = event->in_flight;
  board.delivered += event->delivered;
  board.lost += event->lost;
  ++board.acknowledgements;
  if (event->delivery_rate > 0) {
    board.delivery_rate = event->delivery_rate;
  }
  decision->window = board.window;
  decision->pacing_rate = board.pacing_rate;
}

void keep(void* /*self*/, const cc_event* /*event*/, cc_decision* /*decision*/) {}

// Does what its board says, with the next acknowledgement.
constexpr cc_controller kAgent = {.built_for = CC_SIZES,
                                  .flags = CC_EVERY_ACK | CC_OWN_RECOVERY,
                                  .create = begin,
                                  .destroy = nullptr,
                                  .on_ack = nullptr,
                                  .on_loss = keep,
                                  .on_recovered = nullptr,
                                  .on_timeout = keep,
                                  .on_mark = nullptr,
                                  .on_restart = nullptr,
                                  .on_delivery = see,
                                  .on_sent = nullptr};

// Calls, and keeps what is thrown.
template <class Result, class Call>
Result attempt(Result failed, Call call) {
  try {
    return call();
  } catch (const std::exception& error) {
    why = error.what();
    return failed;
  }
}

}  // namespace

struct packetsim_session {
  packetsim_session(kit::Point read, std::uint64_t given)
      : point(std::move(read)),
        seed(given),
        network((check_simulate_with(point), boards = &flows, point), seed) {}

  // Measures from the warm-up's end, wherever the steps end.
  void run_until(kit::Picoseconds end) {
    boards = &flows;
    if (const kit::Picoseconds warmup = kit::picoseconds(point.stop.warmup_s);
        !is_measuring && end >= warmup) {
      network.run_until(warmup);
      network.restart_measurements();
      is_measuring = true;
    }
    network.run_until(end);
  }

  kit::Point point;
  std::uint64_t seed;
  std::vector<std::unique_ptr<packetsim_board>> flows;  // in the order in which they began
  packetsim::Dumbbell<Known::Sender, NoObserver, DropTailQueue, ManyGroups> network;
  bool is_measuring = false;
};

extern "C" {

// What went wrong in the call before, in one line.
EXPORTED const char* packetsim_why() { return why.c_str(); }

// A point that names `library` has this controller, which outlives its runs.
EXPORTED bool packetsim_use(const char* library, const cc_controller* controller) {
  return attempt(false, [&] { return use_controller(library, *controller), true; });
}

// The run of a point (JSON); nullptr: it failed. Valid until the next call.
EXPORTED const char* packetsim_simulate(const char* point, std::uint64_t seed) {
  return attempt<const char*>(nullptr, [&] {
    const kit::Point read = kit::parse_point(kit::Json::parse(point), "point");
    text = kit::run_json(read, seed, Known::simulate(read, seed, {}), kEngine).dump(1);
    return text.c_str();
  });
}

// A simulation at its beginning, whose flows of the library `agent` have boards; nullptr: it failed.
EXPORTED packetsim_session* packetsim_open(const char* point, std::uint64_t seed) {
  return attempt<packetsim_session*>(nullptr, [&] {
    use_controller("agent", kAgent);
    return new packetsim_session(kit::parse_point(kit::Json::parse(point), "point"), seed);
  });
}

// Runs until a time in picoseconds.
EXPORTED bool packetsim_run_until(packetsim_session* session, std::int64_t end) {
  return attempt(false, [&] {
    session->run_until(end);
    return true;
  });
}

// The board of a flow, by the order in which they began; nullptr: it has not.
EXPORTED packetsim_board* packetsim_flow(packetsim_session* session, std::size_t flow) {
  return flow < session->flows.size() ? session->flows[flow].get() : nullptr;
}

// What was measured since the warm-up's end; valid until the next call.
EXPORTED const char* packetsim_run(packetsim_session* session) {
  return attempt<const char*>(nullptr, [&] {
    text = kit::run_json(session->point, session->seed, session->network.measurements(), kEngine).dump(1);
    return text.c_str();
  });
}

EXPORTED void packetsim_close(packetsim_session* session) { delete session; }

}  // extern "C"
