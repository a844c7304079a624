// Writes of a sender's application against captures of the kernel's packets, whose application writes 32 kB
// at a time.

#include "tcp/socket_writes.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace packetsim {
namespace {

// Which packets end a write, if all come in order. Files end with `file` and each `file` packets later.
std::string ends(std::int32_t packets, std::int32_t file = INT32_MAX, std::int32_t rwnd = 1000,
                 std::int32_t packet_bytes = 1500) {
  const SocketWrites::Rules rules = SocketWrites::rules(packet_bytes, rwnd);
  SocketWrites writes;
  writes.start(rules);
  std::string found;
  for (std::int32_t packet = 1; packet <= packets; ++packet) {
    found += writes.ended_by(packet, packet % file == 0, rules) ? std::to_string(packet) + ' ' : "";
  }
  return found;
}

// Captures of lone flows: DCTCP's over 33 Mbit/s and 3 ms, CUBIC's and Reno's over 22 Mbit/s and 34 ms, all
// behind two packets, and CUBIC's over 20 Mbit/s and 100 ms behind 167.
TEST(SocketWritesTest, EndEachTwentySecondPacket) { EXPECT_EQ(ends(90), "22 44 66 88 "); }

TEST(SocketWritesTest, EndWithAFileAndBeginAnewWithTheNext) {
  EXPECT_EQ(ends(100, 50), "22 44 50 72 94 100 ");
}

// With 7 of each 22 packets lost the others end writes as they would.
TEST(SocketWritesTest, PassOverWhatIsMissing) {
  const SocketWrites::Rules rules = SocketWrites::rules(1500, 1000);
  SocketWrites writes;
  writes.start(rules);
  EXPECT_FALSE(writes.ended_by(21, false, rules));
  EXPECT_FALSE(writes.ended_by(65, false, rules));
  EXPECT_TRUE(writes.ended_by(66, false, rules));
}

// Captures of CUBIC's over 5 Mbit/s and 40 ms with windows of 20 and 30 packets.
TEST(SocketWritesTest, PushHalfOfASmallWindow) {
  EXPECT_EQ(ends(70, INT32_MAX, 20), "11 22 33 44 55 66 ");
  EXPECT_EQ(ends(70, INT32_MAX, 30), "16 22 38 44 60 66 ");
}

TEST(SocketWritesTest, AreWholeSegments) {
  EXPECT_EQ(ends(9, INT32_MAX, 1000, 9000), "3 6 9 ");
  EXPECT_EQ(ends(3, INT32_MAX, 1000, 65535), "1 2 3 ");
}

}  // namespace
}  // namespace packetsim
