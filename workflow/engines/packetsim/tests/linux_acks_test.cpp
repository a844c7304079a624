// Receivers by Linux's rules against what the kernel's sources say, packet by packet (net/ipv4/tcp_input.c,
// tcp_output.c and tcp_timer.c of 6.1).

#include "tcp/linux_acks.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "kit.hpp"
#include "tcp/delayed_receiver.hpp"
#include "tcp/ecn.hpp"
#include "tcp/receiver.hpp"
#include "tcp/sack_blocks.hpp"
#include "times.hpp"

namespace packetsim {
namespace {

// A connection of 100 ms, so that the receiver's own timeout is 300 ms, which has acknowledged its first 16
// packets by 15 ms. Acknowledgements are written as their time in microseconds and their packet, behind those
// that it covers.
class LinuxReceiver {
  static auto answers(std::string& sent) {
    return [&sent](Picoseconds time, const DelayedReceiver::Ack& ack) {
      sent += std::to_string(ack.payload) + '@' + std::to_string(time / (kMillisecond / 1000)) + ' ';
    };
  }
  static auto covered(std::string& sent) {
    return [&sent](Picoseconds /*time*/, const DelayedReceiver::Ack& ack) {
      sent += std::to_string(ack.payload) + ' ';
    };
  }

 public:
  explicit LinuxReceiver(bool selective = true) : selective_(selective), pool_(1, 100) {
    // Of small packets, many of which are a write.
    const kit::Tcp tcp{.rwnd_packets = 1000,
                       .delayed_ack = kit::DelayedAck{.packets = 2, .timeout_s = 0.04, .quick_acks = 16},
                       .linux_timers = true,
                       .packet_bytes = 100};
    rules_ = *DelayedReceiver::rules(tcp, 100 * kMillisecond);
    pool_.give_ring_to(receiver_, 0);
    receiver_.start();
    for (int packet = 1; packet <= 16; ++packet) {
      first_ += comes(packet, packet - 1);
    }
  }

  const std::string& first() const { return first_; }

  // A packet comes. Returns what the receiver has sent since the last one came.
  std::string comes(std::int32_t packet, double at_ms, Arrival how = {}) {
    how.received = static_cast<Picoseconds>(at_ms * kMillisecond);
    how.order = receiver_.order_of(packet);
    how.packet = packet;
    how.missing = receiver_.missing();
    how.selective = selective_;
    receiver_.receive(packet);
    std::string sent;
    delayed_.see_connection(1, rules_);
    delayed_.receive(how, {0, static_cast<std::uint64_t>(packet)}, rules_, answers(sent), covered(sent));
    return sent;
  }

  // No more comes.
  std::string ends() {
    std::string sent;
    const Picoseconds end = delayed_.watch(0);
    delayed_.on_timer(end, 0, rules_, answers(sent), covered(sent));
    return sent;
  }

 private:
  bool selective_;
  ReceiverPool pool_;
  Receiver receiver_;
  DelayedReceiver delayed_;
  DelayedReceiver::Rules rules_{};
  std::string first_;
};

TEST(LinuxAcks, SixteenAtOnceAndThenTwoTogether) {
  LinuxReceiver receiver;
  EXPECT_EQ(receiver.first(),
            "1@0 2@1000 3@2000 4@3000 5@4000 6@5000 7@6000 8@7000 9@8000 10@9000 11@10000 12@11000 13@12000 "
            "14@13000 15@14000 16@15000 ");
  EXPECT_EQ(receiver.comes(17, 16), "");
  EXPECT_EQ(receiver.comes(18, 17), "17 18@17000 ");
}

// The wait ends at a tick, the eleventh from the present one on, and is twice as long after that; but no
// longer than a round trip.
TEST(LinuxAcks, WaitForATickAndLongerAfterATimeout) {
  LinuxReceiver receiver;
  EXPECT_EQ(receiver.comes(17, 101), "");
  EXPECT_EQ(receiver.comes(18, 201), "17@144000 ");
  EXPECT_EQ(receiver.comes(19, 401), "18@284000 ");
  EXPECT_EQ(receiver.ends(), "19@504000 ");
}

// 75 ticks are not longer than the timeout, 76 are.
TEST(LinuxAcks, SixteenAtOnceAfterAPause) {
  LinuxReceiver short_of_it;
  EXPECT_EQ(short_of_it.comes(17, 315), "");
  LinuxReceiver receiver;
  EXPECT_EQ(receiver.comes(17, 316), "17@316000 ");
  for (int packet = 18; packet <= 32; ++packet) {
    EXPECT_NE(receiver.comes(packet, 300 + packet), "");
  }
  EXPECT_EQ(receiver.comes(33, 333), "");
}

// Three duplicates go at once, and then one after 1.1 ms for all. What fills the hole goes at once, with what
// waits.
TEST(LinuxAcks, CompressWhatComesBeyondAHole) {
  LinuxReceiver receiver;
  EXPECT_EQ(receiver.comes(18, 20), "18@20000 ");
  EXPECT_EQ(receiver.comes(19, 20.1), "19@20100 ");
  EXPECT_EQ(receiver.comes(20, 20.2), "20@20200 ");
  EXPECT_EQ(receiver.comes(21, 20.3), "");
  EXPECT_EQ(receiver.comes(22, 20.4), "");
  EXPECT_EQ(receiver.comes(23, 22), "21 22@21400 ");
  EXPECT_EQ(receiver.comes(17, 22.1), "23 17@22100 ");
  EXPECT_EQ(receiver.comes(24, 22.2), "");
}

// 44 wait at most (tcp_comp_sack_nr): the next one goes at once.
TEST(LinuxAcks, CompressFortyFourAtMost) {
  LinuxReceiver receiver;
  for (int packet = 18; packet <= 20; ++packet) {
    receiver.comes(packet, 20);
  }
  for (int packet = 21; packet < 21 + 44; ++packet) {
    EXPECT_EQ(receiver.comes(packet, 20.5), "") << packet;
  }
  EXPECT_NE(receiver.comes(65, 20.6), "");
}

// Two blocks are told of together. A third one has what waits sent before.
TEST(LinuxAcks, SendWhatWaitsWhenAThirdBlockBegins) {
  LinuxReceiver receiver;
  receiver.comes(18, 20);
  receiver.comes(19, 20);
  receiver.comes(20, 20);
  EXPECT_EQ(receiver.comes(22, 20.1), "");
  EXPECT_EQ(receiver.comes(24, 20.2), "22@20200 ");
  EXPECT_EQ(receiver.comes(25, 20.3), "");
  EXPECT_EQ(receiver.ends(), "24 25@21300 ");
}

// Without selective acknowledgements each duplicate is one (tcp_is_sack).
TEST(LinuxAcks, CompressNothingWithoutSack) {
  LinuxReceiver receiver(false);
  for (int packet = 18; packet <= 25; ++packet) {
    EXPECT_NE(receiver.comes(packet, 20), "") << packet;
  }
}

TEST(LinuxAcks, SixteenAtOnceAfterAPacketThatCameTwice) {
  LinuxReceiver receiver;
  EXPECT_EQ(receiver.comes(16, 20), "16@20000 ");
  for (int packet = 17; packet <= 31; ++packet) {
    EXPECT_NE(receiver.comes(packet, packet + 4), "") << packet;
  }
  EXPECT_EQ(receiver.comes(32, 40), "");
}

// What ends a write of the sender's goes at once (tcp_measure_rcv_mss, tcp_cleanup_rbuf), unless it waits
// beyond a hole itself.
TEST(LinuxAcks, TheEndOfAWriteAtOnce) {
  LinuxReceiver receiver;
  EXPECT_EQ(receiver.comes(17, 20, {.ends_file = true}), "17@20000 ");
  EXPECT_EQ(receiver.comes(18, 21), "");
  EXPECT_EQ(receiver.comes(19, 22, {.ends_file = true}), "18 19@22000 ");
  for (int packet = 21; packet <= 23; ++packet) {
    EXPECT_NE(receiver.comes(packet, packet + 2), "");
  }
  EXPECT_EQ(receiver.comes(24, 25.5, {.ends_file = true}), "");
}

TEST(LinuxAcks, TwoAtOnceAtAMark) {
  LinuxReceiver receiver;
  EXPECT_EQ(receiver.comes(17, 20, {.received = 0, .urges = true}), "17@20000 ");
  EXPECT_EQ(receiver.comes(18, 21), "18@21000 ");
  EXPECT_EQ(receiver.comes(19, 22), "");
  EXPECT_EQ(receiver.comes(20, 23, {.received = 0, .tells_of_cut = true}), "19 20@23000 ");
  EXPECT_EQ(receiver.comes(21, 24, {.received = 0, .tells_of_cut = true}), "21@24000 ");
}

// tcp_ecn_check_ce: the first mark until the sender has reduced, and what no queue could mark.
TEST(LinuxAcks, UrgeAtAMarkThatIsNews) {
  const auto number = [](std::uint32_t bits) { return static_cast<std::int32_t>(bits | 7); };
  EcnReceiver receiver(EcnEcho::kUntilReduced);
  EXPECT_FALSE(receiver.urges(number(EcnBits::kCapable)));
  EXPECT_TRUE(receiver.urges(number(0)));
  EXPECT_TRUE(receiver.urges(number(EcnBits::kCapable | EcnBits::kMarked)));
  receiver.answer(number(EcnBits::kCapable | EcnBits::kMarked));
  EXPECT_FALSE(receiver.urges(number(EcnBits::kCapable | EcnBits::kMarked)));
  EXPECT_TRUE(receiver.urges(number(EcnBits::kCapable | EcnBits::kMarked | EcnBits::kAnswer)));
  EXPECT_FALSE(EcnReceiver(EcnEcho::kEach).urges(number(EcnBits::kCapable | EcnBits::kMarked)));
  EXPECT_FALSE(EcnReceiver().urges(number(0)));
}

// By tcp_sack_new_ofo_skb: the block that grows comes first, and four are kept.
TEST(SackBlocks, KeepTheLastThatGrewFirst) {
  SackBlocks blocks;
  EXPECT_EQ(blocks.add(10, 1), 0U);
  EXPECT_EQ(blocks.add(12, 1), 1U);
  EXPECT_EQ(blocks.add(10, 1), 1U);
  EXPECT_EQ(blocks.add(11, 1), 0U);  // and unites the two
  EXPECT_EQ(blocks.add(20, 1), 1U);
  EXPECT_EQ(blocks.add(30, 1), 2U);
  EXPECT_EQ(blocks.add(40, 1), 3U);
  EXPECT_EQ(blocks.add(50, 1), 4U);  // of the first one nothing is known any more
  EXPECT_EQ(blocks.add(13, 1), 4U);
  EXPECT_EQ(blocks.add(41, 1), 2U);
  EXPECT_EQ(blocks.add(60, 45), 1U);  // of 41, 13, 50 and 30 there is 50 left
}

}  // namespace
}  // namespace packetsim
