#include "live/settings.hpp"

namespace linux_engine {

ChannelSettings Settings::channel(bool from_sender) const {
  return {.rate_bit_per_s = from_sender ? rate_bit_per_s : ack_rate_bit_per_s,
          .propagation = from_sender ? propagation : ack_propagation,
          .queue_limit_packets = static_cast<std::size_t>(queue_packets),
          .loss_probability = from_sender ? loss : 0,
          .seed = seed,
          .stream = from_sender ? 0U : 1U};
}

}  // namespace linux_engine
