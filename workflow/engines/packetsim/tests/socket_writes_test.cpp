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
  EXPECT_TRUE(writes.ended_by(21));
  EXPECT_TRUE(writes.ended_by(30));
}

// The buffer is sized for 20 segments of 2,304 bytes, and takes 21 of 2,216; at 13 a third is free.
TEST(SocketWritesTest, SmallWindowsHaveTheLeastBuffer) {
  SocketWrites writes;
  EXPECT_EQ(ends(writes, 60, 4), "21 29 37 45 53 ");
}

// A capture of a lone CUBIC flow over 2 Mbit/s and 40 ms behind 10 packets has PSH on each 22nd to 24th
// packet once its window has been 32: 67 packets of 2,216 bytes, of which 23 are written anew.
TEST(SocketWritesTest, TheBufferGrowsWithTheWindow) {
  SocketWrites writes;
  writes.follow({.connection = 1, .una = 1, .file_packets = kEndless, .cwnd = 10});
  writes.follow({.connection = 1, .una = 10, .file_packets = kEndless, .cwnd = 32});
  EXPECT_EQ(ends(writes, 130, 20), "21 66 76 99 123 ");
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
