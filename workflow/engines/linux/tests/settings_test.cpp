#include "settings.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "failure.hpp"

namespace seawind {
namespace {

std::string refusal(std::string_view word) {
  try {
    parse_settings(std::vector{word});
  } catch (const Failure& failure) {
    return failure.what();
  }
  return "accepted";
}

TEST(Settings, AreReadFromWords) {
  const std::vector<std::string_view> words{"rate=5e5", "delay=0.0001", "loss=0.25",
                                            "mtu=576",  "stack=today",  "sack=0"};
  const Settings settings = parse_settings(words);
  EXPECT_EQ(settings.rate_bit_per_s, 500'000);
  EXPECT_EQ(settings.propagation, 100'000);
  EXPECT_EQ(settings.channel(true).loss_probability, 0.25);
  EXPECT_EQ(settings.channel(false).loss_probability, 0.25);
  EXPECT_EQ(settings.stack, "today");
  EXPECT_FALSE(settings.sack);
  EXPECT_EQ(settings.mss_bytes(), 524);  // 576 - 20 - 20 - 12
}

TEST(Settings, LossOfAcknowledgementsMayDiffer) {
  const Settings settings = parse_settings(std::vector<std::string_view>{"ack_loss=0", "loss=0.5"});
  EXPECT_EQ(settings.channel(true).loss_probability, 0.5);
  EXPECT_EQ(settings.channel(false).loss_probability, 0);
  EXPECT_NE(settings.channel(true).stream, settings.channel(false).stream);
}

TEST(Settings, AreWrittenAsTheyAreRead) {
  const std::vector<std::string_view> words{"loss=0.0123456789", "delay=0.033", "seed=9007199254740992"};
  const auto written = to_words(parse_settings(words));
  const std::vector<std::string_view> again(written.begin(), written.end());
  EXPECT_EQ(to_words(parse_settings(again)), written);
  EXPECT_EQ(parse_settings(again).loss, 0.0123456789);
}

TEST(Settings, RefuseWhatMakesNoSense) {
  EXPECT_EQ(refusal("loss=1"), "loss=1: allowed is a number p with 0 <= p < 1");
  for (const char* word : {"loss=-0.1", "loss=nan", "loss=", "loss=0.1x", "mtu=67", "mtu=576.5", "queue=0",
                           "rate=0", "rwnd=1", "bytes=0", "stack=1999", "sack=yes", "delay=-1"}) {
    const std::string line = refusal(word);
    EXPECT_TRUE(line.starts_with(std::string(word) + ": allowed is ")) << line;
  }
  EXPECT_TRUE(refusal("speed=1").starts_with("speed=1: not a setting"));
  EXPECT_TRUE(refusal("loss").starts_with("loss: not a setting"));
}

}  // namespace
}  // namespace seawind
