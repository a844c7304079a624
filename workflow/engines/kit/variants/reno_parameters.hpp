// The parameters of the two Renos of local loops, as a point gives them.
#pragma once

#include <string_view>

namespace kit {

class JsonReader;

// A window halves once for all losses among the packets sent before it last did, or for each.
enum class Halving { kPerWindow, kPerLoss };

// Reno that hears of a loss when it happens, and what its paper leaves open (Baccelli, Hong and Liu 2001).
struct InformedRenoParameters {
  static constexpr std::string_view kVariant = "informed-reno";
  static InformedRenoParameters read(JsonReader& tcp);

  enum class OddHalf { kSmaller, kLarger };
  // Whether acknowledgements of packets that were sent before the last halving let the window grow.
  enum class OldAcks { kIgnored, kGrowWindow };
  // A packet times out an RTO after it was sent, every acknowledgement restarts the timer (RFC 6298), or the
  // first packet of a window alone times out.
  enum class Timer { kPerPacket, kRestarted, kPerWindow };
  // What the RTO's estimator sees.
  enum class RttSamples { kFirstOfWindow, kEveryPacket };

  Halving halving = Halving::kPerWindow;
  OddHalf odd_half = OddHalf::kSmaller;  // of an odd window
  OldAcks old_acks = OldAcks::kIgnored;
  Timer timer = Timer::kPerPacket;
  RttSamples rtt_samples = RttSamples::kFirstOfWindow;
};

// Reno with cumulative acknowledgements, of a connection that outlives its files.
struct LifelongRenoParameters {
  static constexpr std::string_view kVariant = "lifelong-reno";
  static LifelongRenoParameters read(JsonReader& tcp);

  Halving halving = Halving::kPerWindow;
};

}  // namespace kit
