// Fast recoveries by events that are given by hand, in whole seconds.

#include "kit/probes/loss_recovery.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

namespace kit {
namespace {

constexpr double kPacketBits = 12000;

struct Recovery {
  LossRecovery probe{1, kPacketBits};

  Recovery() { probe.transfer_started(0, 100); }

  // Acknowledgements of all before packet `missing`; the third duplicate begins a fast recovery.
  void duplicates(std::int32_t missing, std::initializer_list<int> at_s) {
    for (const int at : at_s) {
      probe.acknowledgement(0, missing, picoseconds(at));
    }
  }
  void retransmits(std::int32_t packet, int at_s) {
    probe.packet_sent(0, packet, picoseconds(at_s));
    probe.acknowledged(0, false, true, picoseconds(at_s));
  }
  void ends(std::int32_t missing, int at_s, std::initializer_list<std::int32_t> burst) {
    probe.acknowledgement(0, missing, picoseconds(at_s));
    for (const std::int32_t packet : burst) {
      probe.packet_sent(0, packet, picoseconds(at_s));
    }
    probe.acknowledged(0, true, false, picoseconds(at_s));
  }
  double metric(const std::string& name) const {
    ProbeResults results;
    probe.report(results);
    for (const Metric& one : results.metrics) {
      if (one.name == name) {
        return one.value;
      }
    }
    ADD_FAILURE() << name;
    return -1;
  }
};

TEST(LossRecovery, LastsFromTheThirdDuplicateAndFromTheFirst) {
  Recovery flow;
  for (std::int32_t packet = 1; packet <= 12; ++packet) {
    flow.probe.packet_sent(0, packet, 0);
  }
  flow.probe.acknowledged(0, false, false, 0);
  // The first of four says what is missing, the three others say it again.
  flow.duplicates(5, {1, 3, 4, 6});
  flow.retransmits(5, 6);
  flow.ends(13, 10, {13, 14});
  EXPECT_EQ(flow.metric("time_per_recovery"), 4);
  EXPECT_EQ(flow.metric("time_per_recovery_from_duplicate"), 7);
  EXPECT_EQ(flow.metric("packets_per_recovery"), 1);
  EXPECT_EQ(flow.metric("packets_on_recovery"), 2);
  EXPECT_EQ(flow.metric("packets_per_recovery_and_burst"), 3);
}

// What came before a timeout did not lead to the recovery.
TEST(LossRecovery, CountsDuplicatesAnewAfterATimeout) {
  Recovery flow;
  flow.duplicates(1, {1});
  flow.probe.timed_out(0, {.packet = 1, .cwnd = 4, .slow_start = false, .in_recovery = false},
                       picoseconds(2));
  flow.duplicates(1, {3, 4, 5});
  flow.retransmits(1, 5);
  flow.ends(4, 8, {});
  EXPECT_EQ(flow.metric("time_per_recovery"), 3);
  EXPECT_EQ(flow.metric("time_per_recovery_from_duplicate"), 5);
}

}  // namespace
}  // namespace kit
