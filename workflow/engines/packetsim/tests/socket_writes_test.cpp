// Writes of a sender's application against what the kernel does: its sources (net/ipv4/tcp_input.c,
// tcp_sndbuf_expand; include/net/sock.h, sk_stream_is_writeable) and captures of its packets.

#include "tcp/socket_writes.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace packetsim {
namespace {

constexpr std::int32_t kEndless = INT32_MAX;

// Has a sender acknowledge two packets at a time with a constant window. Returns which end writes.
std::string ends(SocketWrites& writes, std::int32_t packets, std::int32_t cwnd,
                 std::int32_t file = kEndless) {
  std::string found;
  for (std::int32_t packet = 1; packet <= packets; ++packet) {
    if (packet % 2 == 1) {
      writes.follow({.connection = 1, .una = packet, .file_packets = file, .cwnd = cwnd});
    }
    found += writes.ended_by(packet) ? std::to_string(packet) + ' ' : "";
  }
  return found;
}

// What is sent is written, though the buffer has no room for it: 30 packets in flight behind one that is
// lost.
TEST(SocketWritesTest, WhatIsSentWasWritten) {
  SocketWrites writes;
  writes.follow({.connection = 1, .una = 1, .sent = 10, .file_packets = kEndless, .cwnd = 10});
  writes.follow({.connection = 1, .una = 1, .sent = 30, .file_packets = kEndless, .cwnd = 5});
  EXPECT_TRUE(writes.ended_by(23));
  EXPECT_TRUE(writes.ended_by(30));
}

// Captures of lone flows over 22 Mbit/s and 34 ms behind a buffer of two packets: a write ends 23 packets
// after the acknowledgement that leaves 14 or fewer, at 36 of 39 writes of DCTCP's, with 9 to 10 packets
// each. The buffer is sized for 20 segments of 2,304 bytes, and takes 23 of 2,088; at 14 a third is free.
TEST(SocketWritesTest, SmallWindowsHaveTheLeastBuffer) {
  SocketWrites writes;
  EXPECT_EQ(ends(writes, 60, 4), "23 33 43 53 ");
}

// A capture of a lone CUBIC flow over 2 Mbit/s and 40 ms behind 10 packets has PSH on each 22nd to 24th
// packet once its window has been 32. A buffer of 71 packets of 2,088 bytes has it on each 24th or 25th.
TEST(SocketWritesTest, TheBufferGrowsWithTheWindow) {
  SocketWrites writes;
  writes.follow({.connection = 1, .una = 1, .file_packets = kEndless, .cwnd = 10});
  writes.follow({.connection = 1, .una = 10, .file_packets = kEndless, .cwnd = 32});
  EXPECT_EQ(ends(writes, 130, 20), "23 68 80 105 129 ");
}

TEST(SocketWritesTest, AnApplicationWritesFortyFivePacketsAtOnce) {
  SocketWrites writes;
  writes.follow({.connection = 1, .una = 1, .file_packets = 100, .cwnd = 100});
  EXPECT_EQ(ends(writes, 100, 100, 100), "45 90 100 ");
}

TEST(SocketWritesTest, TheLastPacketOfAFileEndsAWrite) {
  SocketWrites writes;
  EXPECT_EQ(ends(writes, 7, 10, 7), "7 ");
  writes.follow({.connection = 1, .una = 8, .file_packets = 12, .cwnd = 10});
  EXPECT_FALSE(writes.ended_by(11));
  EXPECT_TRUE(writes.ended_by(12));
  writes.follow({.connection = 2, .una = 1, .file_packets = 3, .cwnd = 10});
  EXPECT_FALSE(writes.ended_by(2));
  EXPECT_TRUE(writes.ended_by(3));
}

}  // namespace
}  // namespace packetsim
