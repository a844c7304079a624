// The ranges of a point's numbers. They leave room in every sum of times that an engine forms: 63 bits of
// picoseconds are 106 days.
#pragma once

#include "kit/main/units.hpp"

namespace kit {

struct Range {
  double low;
  double high;
  bool low_allowed = true;
  bool high_allowed = true;
};

inline constexpr Range kRate{1, 1e12};            // bit/s
inline constexpr Range kCrossRate{0, 1e12};       // bit/s; 0: at times no packet comes
inline constexpr Range kDelay{0, 3600};           // s, of a link or a group
inline constexpr Range kReturnDelay{0, 1e5};      // s; holds the acknowledgement's transmission times
inline constexpr Range kTimer{1e-6, 86400};       // s, of a retransmission timer
inline constexpr Range kPause{0, 86400};          // s, mean; no exponential draw is more than 37 means
inline constexpr Range kTime{0, 86400, false};    // s
inline constexpr Range kDuration{0, 1e6, false};  // s, of a run
inline constexpr Range kWarmup{0, 1e6};           // s
inline constexpr Range kProbability{0, 1, true, false};
inline constexpr Range kShare{0, 1, false, false};
inline constexpr Range kPositiveShare{0, 1, false};
inline constexpr Range kBurst{1, 1e6};          // packets, mean
inline constexpr Range kBurstTime{1e-5, 3600};  // s, mean
inline constexpr Range kBurstBytes{1, 1e12};
inline constexpr Range kStepTime{0, 1e6, false};  // s, of a run
inline constexpr Range kPacketBytes{1, 65535};
inline constexpr Range kAckBytes{0, 65535};
inline constexpr Range kSeed{0, 9007199254740991};  // below 2^53
inline constexpr Range kPackets{1, 1e6};            // of a buffer or a window
inline constexpr Range kFlows{0, 65536};            // queues that flows are spread over; 0: each has its own
inline constexpr Range kFilePackets{1, 1e9};
inline constexpr Range kSources{1, 1e6};
inline constexpr Range kStop{1, 1e12};  // connections or loss events
inline constexpr Range kStopWarmup{0, 1e12};
inline constexpr Range kTailIndex{1, 100, false};
inline constexpr Range kFactor{0, 1e6, false};  // of Compound TCP or a tail's mean
inline constexpr Range kDamping{1, 1000};
inline constexpr Range kAckedTogether{2, 1000};  // packets, by a delayed acknowledgement
inline constexpr Range kQuickAcks{0, 1e6};
inline constexpr Range kDeviation_s{0, 1e6};  // of an off time
inline constexpr Range kDeviationPackets{0, 1e9};
inline constexpr Range kOfferedLoad{0, 10, false};  // of arrivals, as a share of the bottleneck's rate
inline constexpr Range kObjects{1, 1000};           // of a page, and its connections
inline constexpr Range kHops{1, 1000};              // of a path, the bottleneck among them
inline constexpr Range kLoadMean{0, 1, false};
inline constexpr Range kLoadDeviation{0, 100};
inline constexpr Range kSteps{2, 1000};
inline constexpr Range kTest{0, 1e6, false};

// A queue that is full takes no longer than this to be sent.
inline constexpr double kLongestQueue_s = 1e5;

// Receivers note packets out of order in a bit for each of the window.
inline constexpr double kMostWindowBits = 8e9;

}  // namespace kit
