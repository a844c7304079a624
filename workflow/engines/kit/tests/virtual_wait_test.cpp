// The waiting time against traces worked out by hand, and against known laws.

#include "kit/random/virtual_wait.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

namespace kit {
namespace {

using Trace = std::vector<Picoseconds>;

// Slots of 10: load 1.6, 1.2, 0.2, 0, 1.5 and 0 of what the router does. The queue grows by 6 and 2, falls by
// 8 within the third slot to 0, stays empty, grows by 5, and is worked off after 5 of the last slot.
const Trace kWork = {16, 12, 2, 0, 15, 0};

TEST(VirtualWait, FollowsATraceByHand) {
  const VirtualWait wait(kWork, 10);
  const Trace at_slots = {0, 6, 8, 0, 0, 5};
  for (std::size_t slot = 0; slot < at_slots.size(); ++slot) {
    EXPECT_EQ(wait.at(static_cast<Picoseconds>(10 * slot)), at_slots[slot]) << slot;
  }
  EXPECT_EQ(wait.at(5), 3);   // 0.6 a unit
  EXPECT_EQ(wait.at(15), 7);  // 6 and 0.2 a unit
  EXPECT_EQ(wait.at(25), 4);  // 8 and -0.8 a unit
  EXPECT_EQ(wait.at(35), 0);  // empty
  EXPECT_EQ(wait.at(53), 2);  // 5 and -1 a unit
  EXPECT_EQ(wait.at(57), 0);  // emptied within the slot
  EXPECT_EQ(wait.at(65), 3);  // from the beginning
  EXPECT_EQ(wait.period(), 60);
}

// Within a slot of 10 ms, where work times time has more than 64 bits.
TEST(VirtualWait, IsExactWithinALongSlot) {
  __extension__ using Wide = __int128;
  constexpr Picoseconds kSlot = 10'000'000'000;
  std::mt19937_64 random(1);
  Trace work;
  for (int i = 0; i < 1'000; ++i) {
    work.push_back(static_cast<Picoseconds>(random() % (4 * kSlot)) - 2 * kSlot);
  }
  const VirtualWait wait(work, kSlot);
  for (Picoseconds slot = 0; slot < 1'000; ++slot) {
    const auto elapsed = static_cast<Picoseconds>(random() % kSlot);
    const Picoseconds change =
        static_cast<Picoseconds>(static_cast<Wide>(work[static_cast<std::size_t>(slot)]) * elapsed / kSlot) -
        elapsed;
    EXPECT_EQ(wait.at(slot * kSlot + elapsed), std::max<Picoseconds>(0, wait.at(slot * kSlot) + change));
  }
}

TEST(VirtualWait, LosesWhatTheBufferDoesNotHold) {
  const VirtualWait wait(kWork, 10, 7);
  const Trace at_slots = {0, 6, 7, 0, 0, 5};
  for (std::size_t slot = 0; slot < at_slots.size(); ++slot) {
    EXPECT_EQ(wait.at(static_cast<Picoseconds>(10 * slot)), at_slots[slot]) << slot;
  }
  EXPECT_EQ(wait.at(15), 7);  // full after 5
  EXPECT_EQ(wait.at(25), 3);  // 7 and -0.8 a unit
}

// Load of 1.6 fills the buffer within the first slot; from then on 0.6 / 1.6 of what comes is lost.
TEST(VirtualWait, LosesTheShareThatIsTooMuch) {
  constexpr Picoseconds kSlot = 1'000'000;
  const VirtualWait wait(Trace{16 * kSlot / 10, 12 * kSlot / 10, 0, 0}, kSlot, kSlot / 2);
  int lost = 0;
  int lost_later = 0;
  constexpr int kPackets = 100'000;
  for (int i = 0; i < kPackets; ++i) {
    EXPECT_NE(wait.unless_lost(i * 8), kNever);  // up to 0.8 of the slot the queue is below 0.48
    lost += wait.unless_lost(kSlot * 9 / 10 + i) == kNever;
    lost_later += wait.unless_lost(kSlot + i * 10) == kNever;
    EXPECT_NE(wait.unless_lost(2 * kSlot + i * 10), kNever);
  }
  EXPECT_NEAR(static_cast<double>(lost) / kPackets, 0.6 / 1.6, 5 * 0.5 / 316);
  EXPECT_NEAR(static_cast<double>(lost_later) / kPackets, 0.2 / 1.2, 5 * 0.5 / 316);
}

TEST(VirtualWait, BeginsAsItsPeriodEnds) {
  // The last slot leaves 6, of which 4 are left after the first.
  const VirtualWait wait(Trace{8, 0, 0, 16}, 10);
  EXPECT_EQ(wait.at(0), 6);
  EXPECT_EQ(wait.at(10), 4);
  EXPECT_EQ(wait.at(14), 0);
  EXPECT_EQ(wait.at(30), 0);
  EXPECT_EQ(wait.at(40), 6);
}

// More comes than the router can do: the buffer is what bounds the queue, after however many rounds.
TEST(VirtualWait, FillsItsBufferInAsManyRoundsAsItTakes) {
  const VirtualWait wait(Trace{11, 10}, 10, 1000);
  EXPECT_EQ(wait.at(0), 1000);
  EXPECT_EQ(wait.at(10), 1000);
}

// Reich's formula: the wait is the most that came in any time until now beyond what the router did meanwhile.
TEST(VirtualWait, IsReichsSupremum) {
  Random random(7, Stream::kUserStarts);
  constexpr std::size_t kSlots = 300;
  constexpr Picoseconds kSlot = 1000;
  Trace work(kSlots);
  for (Picoseconds& slot : work) {
    slot = static_cast<Picoseconds>(random.bits() % 1900);
  }
  const VirtualWait wait(work, kSlot);
  for (std::size_t now = 0; now < kSlots; ++now) {
    Picoseconds most = 0;
    Picoseconds beyond = 0;
    for (std::size_t back = 1; back <= 2 * kSlots; ++back) {
      beyond += work[(now + 2 * kSlots - back) % kSlots] - kSlot;
      most = std::max(most, beyond);
    }
    ASSERT_EQ(wait.at(static_cast<Picoseconds>(now) * kSlot), most) << now;
  }
}

// Reflected Brownian motion with drift -m and variance s^2 per unit of time is exponential with mean s^2 / 2m
// (Harrison 1985); looked at once a unit, as slots do with white noise, it is lower by 0.5826 s (Siegmund
// 1985).
TEST(SlowVirtualWait, OfWhiteLoadIsThatOfReflectedBrownianMotion) {
  const FractionalLoad load{.mean = 0.95, .sd = 1, .hurst = 0.5, .slot_s = 1e-3, .period = 1U << 21U};
  const VirtualWait wait(load, kNever, 11);
  double sum = 0;
  double above = 0;
  constexpr double kMean = 1e-3 / (2 * 0.05);
  for (std::size_t slot = 0; slot < load.period; ++slot) {
    const double value = seconds(wait.at(static_cast<Picoseconds>(slot) * picoseconds(load.slot_s)));
    sum += value;
    above += value > 2 * kMean;
  }
  // Two million slots are some 5000 times s^2 / m^2 slots, the time in which the queue forgets: 2 to 3 %.
  EXPECT_NEAR(sum / static_cast<double>(load.period), kMean - 0.5826e-3, 0.1 * kMean);
  EXPECT_NEAR(above / static_cast<double>(load.period), std::exp(-2 - 0.5826e-3 / kMean), 0.02);
}

TEST(VirtualWait, RefusesWhatLeavesNothing) {
  EXPECT_THROW(VirtualWait(Trace{10, 10}, 10), std::invalid_argument);
  EXPECT_NO_THROW(VirtualWait(Trace{10, 10}, 10, 5));
  const auto made = [](double mean, double sd, double hurst, double slot_s, Picoseconds limit) {
    VirtualWait({.mean = mean, .sd = sd, .hurst = hurst, .slot_s = slot_s, .period = 16}, limit, 1);
  };
  EXPECT_NO_THROW(made(0.9, 0.01, 0.7, 0.01, kNever));
  EXPECT_NO_THROW(made(1, 0.01, 0.7, 0.01, picoseconds(1)));
  EXPECT_THROW(made(1, 0.01, 0.7, 0.01, kNever), std::invalid_argument);
  EXPECT_THROW(made(1.1, 0.01, 0.7, 0.01, picoseconds(1)), std::invalid_argument);
  EXPECT_THROW(made(0, 0.01, 0.7, 0.01, kNever), std::invalid_argument);
  EXPECT_THROW(made(0.9, -0.01, 0.7, 0.01, kNever), std::invalid_argument);
  EXPECT_THROW(made(0.9, 0.01, 0, 0.01, kNever), std::invalid_argument);
  EXPECT_THROW(made(0.9, 0.01, 1, 0.01, kNever), std::invalid_argument);
  EXPECT_THROW(made(0.9, 0.01, 0.7, 0, kNever), std::invalid_argument);
}

}  // namespace
}  // namespace kit
