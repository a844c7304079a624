// Settings that are refused.

#include "settings.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "loop_settings.hpp"
#include "results.hpp"

namespace fixed_point {
namespace {

template <class Change>
void expect_refused(const char* message, Change change) {
  Settings settings = with_references(100, kit::local_loop::web_users(5000));
  change(settings);
  try {
    check(settings);
    ADD_FAILURE() << "not refused: " << message;
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), message);
  }
}

TEST(Settings, OfThePaperAreAccepted) {
  EXPECT_NO_THROW(check(with_references(50, kit::local_loop::web_users(2500))));
  Settings settings = with_references(1, kit::local_loop::ftp_sources(5));
  EXPECT_NO_THROW(check(settings));
  settings.buffer = {.packets = 150, .individual = false, .drop = Drop::kLongestQueueFirst};
  EXPECT_NO_THROW(check(settings));
}

TEST(Settings, AreRefusedByKey) {
  expect_refused("references: must be at least 1 and at most the users",
                 [](Settings& s) { s.references = 5001; });
  expect_refused("workload.burst_sd: must be 0 or above", [](Settings& s) { s.workload->burst_sd = -1; });
  expect_refused("workload.think_mean_s: must be above 0", [](Settings& s) { s.workload->think_mean_s = 0; });
  expect_refused("shared: must be a station behind the source", [](Settings& s) { s.shared = 0; });
  expect_refused("backbone.station: must be between the source and the shared router",
                 [](Settings& s) { s.backbone.emplace().station = 3; });
  expect_refused("buffer.drop: must be kArriving with individual buffers",
                 [](Settings& s) { s.buffer.individual = true; });
  expect_refused("tcp.max_window: must be 1 to 10000 packets", [](Settings& s) { s.tcp.max_window = 0; });
}

TEST(Settings, OfTheBackbonesLoadAreRefused) {
  Settings settings = with_references(50, kit::local_loop::web_users(2500));
  settings.backbone = Backbone{.load = {.mean = 1.2, .sd = 0.5, .hurst = 0.7}};
  EXPECT_THROW(solve(settings, 1), std::invalid_argument);
  settings.backbone->load.mean = 0.9;
  settings.backbone->load.hurst = 1.2;
  EXPECT_THROW(solve(settings, 1), std::invalid_argument);
}

}  // namespace
}  // namespace fixed_point
