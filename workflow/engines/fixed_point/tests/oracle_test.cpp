// The recursion against an exact simulation of the same sources and the same cross traffic, to the
// picosecond.

#include "oracle.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "loop_settings.hpp"
#include "simulation.hpp"

namespace fixed_point {
namespace {

// Two references among six users. The rates have no common measure, so that nothing happens at the same time.
// No timer runs out: this is another test's matter.
Settings few_users() {
  Settings settings = with_references(2, kit::local_loop::web_users(6));
  settings.path[0].rate_bit_per_s = 9.8713e6;
  settings.path[settings.shared].rate_bit_per_s = 4.9377e6;
  settings.buffer.packets = 40;
  settings.workload.reset();
  settings.tcp.max_window = 20;
  settings.tcp.min_rto_ticks = 10'000;
  settings.condition = Condition::kNothing;
  settings.scheme = Scheme::kRates;
  return settings;
}

void expect_same_send_times(const Settings& settings, const std::string& what) {
  check(settings);
  constexpr std::int64_t kPackets = 4000;
  std::vector<std::vector<Picoseconds>> sent(static_cast<std::size_t>(settings.references));
  std::vector<std::pair<Picoseconds, std::size_t>> cross;
  Simulation simulation(
      settings, 5,
      {.sent = [&](std::size_t user, std::int64_t, Picoseconds time) { sent[user].push_back(time); },
       .cross_arrived = [&](std::size_t user, Picoseconds time) { cross.emplace_back(time, user); }});
  Environment environment = simulation.environment();
  environment.send_rate.fill(70);
  environment.service.fill({0.01, 0.004});
  environment.queue_at_most = {0, 0.1, 0.3, 0.5, 0.7, 0.9, 1};
  simulation.set_environment(environment);
  simulation.run_packets(kPackets);

  std::vector<Picoseconds> starts;
  for (const auto& times : sent) {
    starts.push_back(times.front());
  }
  Oracle oracle(settings, starts, cross);
  oracle.run_until(simulation.now());
  const Measured measured = simulation.measured();
  EXPECT_GT(measured.references.losses, 20) << what;
  EXPECT_EQ(oracle.losses(), measured.references.losses + measured.cross.losses) << what;
  for (std::size_t user = 0; user < sent.size(); ++user) {
    // What waits in the source's queue has a send time already in the recursion.
    const std::vector<Picoseconds>& expected = oracle.send_times(user);
    ASSERT_GT(expected.size(), 500U) << what;
    ASSERT_LE(sent[user].size(), expected.size() + 20) << what;
    sent[user].resize(expected.size());
    const auto [ours, theirs] = std::mismatch(sent[user].begin(), sent[user].end(), expected.begin());
    EXPECT_TRUE(ours == sent[user].end())
        << what << ", user " << user << ", packet " << ours - sent[user].begin() + 1 << ": " << *ours
        << ", not " << *theirs;
  }
}

TEST(MaxPlusRecursion, SendsWhenAnExactSimulationSends) {
  for (const Scheme scheme : {Scheme::kRates, Scheme::kRatesAndQueues, Scheme::kWindows}) {
    Settings settings = few_users();
    settings.scheme = scheme;
    settings.buffer.packets = scheme == Scheme::kRatesAndQueues ? 24 : 40;  // for there to be losses
    expect_same_send_times(settings, "scheme " + std::to_string(static_cast<int>(scheme)));
  }
}

TEST(MaxPlusRecursion, DoesSoWithEveryReading) {
  Settings settings = few_users();
  settings.readings.halving = Readings::Halving::kPerLoss;
  expect_same_send_times(settings, "halving for each loss");
  settings = few_users();
  settings.readings.half_up = true;
  expect_same_send_times(settings, "half up");
  settings = few_users();
  settings.readings.old_acks_grow_window = true;
  expect_same_send_times(settings, "growth by old acknowledgements");
  settings = few_users();
  settings.readings.head_of_line_in_buffer = false;
  expect_same_send_times(settings, "head of line beside the buffer");
  settings = few_users();
  settings.buffer.drop = Drop::kArriving;
  expect_same_send_times(settings, "the arriving packet is lost");
  settings = few_users();
  settings.buffer = {.packets = 6, .individual = true, .drop = Drop::kArriving};
  expect_same_send_times(settings, "individual buffers");
  settings.readings.head_of_line_in_buffer = false;
  expect_same_send_times(settings, "individual buffers, head of line beside them");
}

// A loss that too few acknowledgements follow waits for the timer; with windows as large as here none does.
TEST(MaxPlusRecursion, DoesSoWithDuplicateAcknowledgements) {
  Settings settings = few_users();
  settings.tcp.max_window = 40;
  settings.buffer = {.packets = 25, .individual = true, .drop = Drop::kArriving};
  settings.readings.loss_detection = Readings::LossDetection::kDuplicateAcks;
  expect_same_send_times(settings, "duplicate acknowledgements");
}

TEST(MaxPlusRecursion, DoesSoWithoutCrossFlows) {
  Settings settings = few_users();
  settings.references = settings.users;
  expect_same_send_times(settings, "all exact");
}

}  // namespace
}  // namespace fixed_point
