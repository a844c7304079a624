#include "live/emulator.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "milliseconds.hpp"

namespace linux_engine {
namespace {

class EmulatorTest : public testing::Test {
 protected:
  void SetUp() override {
    directory_ = std::filesystem::temp_directory_path() /
                 ("linux-" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directory(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string bytes_of(const char* name) const {
    std::ifstream file(directory_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  // 1 ms a byte both ways, 10 ms propagation.
  static ChannelSettings settings(std::uint64_t stream) { return {8'000, 10 * ms, 3, 0, 1, stream}; }

  std::filesystem::path directory_;
};

TEST_F(EmulatorTest, KeepsTheDirectionsApartAndDeliversInOrderOfTime) {
  Emulator emulator(settings(0), settings(1), directory_, 0);
  const std::vector<std::byte> data(50, std::byte{1}), acknowledgement(20, std::byte{2});
  emulator.arrive(End::kSender, 0, data);                    // due at 50 + 10 ms
  emulator.arrive(End::kReceiver, 1 * ms, acknowledgement);  // due at 1 + 20 + 10 ms
  EXPECT_EQ(emulator.next_delivery(), 31 * ms);
  EXPECT_FALSE(emulator.deliver(31 * ms - 1));
  const auto first = emulator.deliver(31 * ms);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->to, End::kSender);
  EXPECT_EQ(first->packet.size(), 20U);
  EXPECT_FALSE(emulator.deliver(31 * ms));
  const auto second = emulator.deliver(60 * ms);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->to, End::kReceiver);
  EXPECT_EQ(second->due, 60 * ms);
  EXPECT_FALSE(emulator.next_delivery());
}

// Of the packets of a TCP connection over IPv4 only those with a payload take draws from what a simulator
// draws.
TEST_F(EmulatorTest, TellsDataFromBareAcknowledgements) {
  ChannelSettings lossy = settings(0);
  lossy.loss_probability = 0.5;
  lossy.queue_limit_packets = 1'000;
  Emulator emulator(lossy, settings(1), directory_, 0);
  std::vector<std::byte> bare(52), data(552);
  for (auto* packet : {&bare, &data}) {
    (*packet)[0] = std::byte{0x45};   // IPv4, a header of 5 words
    (*packet)[32] = std::byte{0x80};  // TCP's header has 8 words: 32 bytes
  }
  kit::Random simulator(1, kit::Stream::kLinkLoss);
  for (int i = 0; i < 100; ++i) {
    emulator.arrive(End::kSender, 0, bare);
    const auto expected = simulator.uniform() <= 0.5 ? Channel::Fate::kLostOnLink : Channel::Fate::kCarried;
    EXPECT_EQ(emulator.arrive(End::kSender, 0, data), expected) << "packet " << i;
  }
}

// The bytes that the format of libpcap wants (little-endian machine), written out by hand.
TEST_F(EmulatorTest, LogsInTheFormatOfLibpcap) {
  Emulator emulator(settings(0), settings(1), directory_, 1'700'000'000 * kNanosecondsPerSecond);
  std::vector<std::byte> data(500);
  for (std::size_t i = 0; i < data.size(); ++i) {
    data[i] = std::byte(i);
  }
  emulator.arrive(End::kSender, 1'250 * ms, data);
  emulator.close_logs();

  const std::string expected_header(
      "\x4d\x3c\xb2\xa1"  // magic: nanoseconds
      "\x02\x00\x04\x00"  // version 2.4
      "\x00\x00\x00\x00\x00\x00\x00\x00"
      "\x78\x00\x00\x00"   // 120 bytes of each packet
      "\x65\x00\x00\x00"   // link type 101, raw IP
      "\x01\xf1\x53\x65"   // 1,700,000,001 s
      "\x80\xb2\xe6\x0e"   // 250,000,000 ns
      "\x78\x00\x00\x00"   // captured
      "\xf4\x01\x00\x00",  // of 500 bytes
      40);
  const std::string log = bytes_of("sender.pcap");
  ASSERT_EQ(log.size(), 40U + 120U);
  EXPECT_EQ(log.substr(0, 40), expected_header);
  EXPECT_EQ(static_cast<unsigned char>(log[40 + 119]), 119);
  EXPECT_EQ(bytes_of("receiver.pcap").size(), 24U);  // nothing has been delivered
}

}  // namespace
}  // namespace linux_engine
