#include "settings.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "failure.hpp"

namespace seawind {
namespace {

// Seconds, as written in a setting, to nanoseconds.
Nanoseconds from_seconds(double seconds) { return std::llround(seconds * 1e9); }
double seconds(Nanoseconds time) { return static_cast<double>(time) / 1e9; }

double number(std::string_view key, std::string_view text, double least, double most,
              std::string_view allowed) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= least && value <= most))
    throw Failure(std::string(key) + "=" + std::string(text) + ": allowed is " + std::string(allowed));
  return value;
}

std::int64_t integer(std::string_view key, std::string_view text, double least, double most,
                     std::string_view allowed) {
  const double value = number(key, text, least, most, allowed);
  if (value != std::floor(value))
    throw Failure(std::string(key) + "=" + std::string(text) + ": allowed is " + std::string(allowed));
  return static_cast<std::int64_t>(value);
}

constexpr double below_one = 1 - 0x1p-53;

using Text = std::string_view;

// Every key: what it means, what is allowed, how to set it and how to show it.
struct Key {
  Text name, meaning, allowed;
  void (*set)(Settings&, const Key&, Text);
  nlohmann::json (*show)(const Settings&);
};

const std::array keys{
    Key{"rate", "rate of the link in bit/s, both ways", "an integer from 100 to 1e10",
        [](Settings& s, const Key& k, Text t) {
          s.rate_bit_per_s = integer(k.name, t, 100, 1e10, k.allowed);
        },
        [](const Settings& s) { return nlohmann::json(s.rate_bit_per_s); }},
    Key{"delay", "propagation delay in seconds, one way", "a number from 0 to 100",
        [](Settings& s, const Key& k, Text t) {
          s.propagation = from_seconds(number(k.name, t, 0, 100, k.allowed));
        },
        [](const Settings& s) { return nlohmann::json(seconds(s.propagation)); }},
    Key{"queue", "packets that may wait at the link, each way", "an integer from 1 to 100000",
        [](Settings& s, const Key& k, Text t) { s.queue_packets = integer(k.name, t, 1, 1e5, k.allowed); },
        [](const Settings& s) { return nlohmann::json(s.queue_packets); }},
    Key{"tick", "seconds between the ticks of the emulator's timer; 0: it keeps exact time",
        "a number from 0 to 1",
        [](Settings& s, const Key& k, Text t) { s.tick = from_seconds(number(k.name, t, 0, 1, k.allowed)); },
        [](const Settings& s) { return nlohmann::json(seconds(s.tick)); }},
    Key{"loss", "probability that the link loses a packet from the sender", "a number p with 0 <= p < 1",
        [](Settings& s, const Key& k, Text t) { s.loss = number(k.name, t, 0, below_one, k.allowed); },
        [](const Settings& s) { return nlohmann::json(s.loss); }},
    Key{"ack_loss", "the same from the receiver; as loss unless given", "a number p with 0 <= p < 1",
        [](Settings& s, const Key& k, Text t) { s.ack_loss = number(k.name, t, 0, below_one, k.allowed); },
        [](const Settings& s) { return nlohmann::json(s.ack_loss.value_or(s.loss)); }},
    Key{"ack_rate", "rate of the link in bit/s from the receiver; as rate unless given",
        "an integer from 100 to 1e10",
        [](Settings& s, const Key& k, Text t) {
          s.ack_rate_bit_per_s = integer(k.name, t, 100, 1e10, k.allowed);
        },
        [](const Settings& s) { return nlohmann::json(s.ack_rate_bit_per_s.value_or(s.rate_bit_per_s)); }},
    Key{"ack_delay", "propagation delay in seconds from the receiver; as delay unless given",
        "a number from 0 to 100",
        [](Settings& s, const Key& k, Text t) {
          s.ack_propagation = from_seconds(number(k.name, t, 0, 100, k.allowed));
        },
        [](const Settings& s) { return nlohmann::json(seconds(s.ack_propagation.value_or(s.propagation))); }},
    Key{"mtu", "largest IP packet in bytes", "an integer from 68 to 9000",
        [](Settings& s, const Key& k, Text t) { s.mtu_bytes = integer(k.name, t, 68, 9'000, k.allowed); },
        [](const Settings& s) { return nlohmann::json(s.mtu_bytes); }},
    Key{"rwnd", "receiver's window in segments", "an integer from 2 to 100000",
        [](Settings& s, const Key& k, Text t) { s.rwnd_segments = integer(k.name, t, 2, 1e5, k.allowed); },
        [](const Settings& s) { return nlohmann::json(s.rwnd_segments); }},
    Key{"initial_window", "the sender's first window in segments; 0: that of the stack",
        "an integer from 0 to 1000",
        [](Settings& s, const Key& k, Text t) {
          s.initial_window_segments = integer(k.name, t, 0, 1'000, k.allowed);
        },
        [](const Settings& s) { return nlohmann::json(s.initial_window_segments); }},
    Key{"min_rto", "least that the retransmission timeout adds to the round-trip time, in seconds",
        "a number from 0.01 to 100",
        [](Settings& s, const Key& k, Text t) {
          s.min_rto = from_seconds(number(k.name, t, 0.01, 100, k.allowed));
        },
        [](const Settings& s) { return nlohmann::json(seconds(s.min_rto)); }},
    Key{"stack", "the kernel near that of 2002, the same with byte counting, or its own defaults",
        "2002, 2002-abc or today",
        [](Settings& s, const Key& k, Text t) {
          if (t != "2002" && t != "2002-abc" && t != "today")
            throw Failure("stack=" + std::string(t) + ": allowed is " + std::string(k.allowed));
          s.stack = t;
        },
        [](const Settings& s) { return nlohmann::json(s.stack); }},
    Key{"sack", "selective acknowledgements", "0 or 1",
        [](Settings& s, const Key& k, Text t) { s.sack = integer(k.name, t, 0, 1, k.allowed) == 1; },
        [](const Settings& s) { return nlohmann::json(s.sack ? 1 : 0); }},
    Key{"timestamps", "the time stamp option, 12 bytes of each segment", "0 or 1",
        [](Settings& s, const Key& k, Text t) { s.timestamps = integer(k.name, t, 0, 1, k.allowed) == 1; },
        [](const Settings& s) { return nlohmann::json(s.timestamps ? 1 : 0); }},
    Key{"bytes", "length of a transfer", "an integer from 1 to 1e12",
        [](Settings& s, const Key& k, Text t) { s.bytes = integer(k.name, t, 1, 1e12, k.allowed); },
        [](const Settings& s) { return nlohmann::json(s.bytes); }},
    Key{"transfers", "transfers, one after the other", "an integer from 1 to 10000",
        [](Settings& s, const Key& k, Text t) { s.transfers = integer(k.name, t, 1, 1e4, k.allowed); },
        [](const Settings& s) { return nlohmann::json(s.transfers); }},
    Key{"sample", "seconds between two samples of the sender's state", "a number from 0.001 to 1000",
        [](Settings& s, const Key& k, Text t) {
          s.sample_interval = from_seconds(number(k.name, t, 1e-3, 1e3, k.allowed));
        },
        [](const Settings& s) { return nlohmann::json(seconds(s.sample_interval)); }},
    Key{"seed", "seed of all losses, and of the kernel's own random numbers in virtual time",
        "an integer from 0 to 2^53",
        [](Settings& s, const Key& k, Text t) { s.seed = integer(k.name, t, 0, 0x1p53, k.allowed); },
        [](const Settings& s) { return nlohmann::json(s.seed); }}};

}  // namespace

ChannelSettings Settings::channel(bool from_sender) const {
  return {.rate_bit_per_s = from_sender ? rate_bit_per_s : ack_rate_bit_per_s.value_or(rate_bit_per_s),
          .propagation = from_sender ? propagation : ack_propagation.value_or(propagation),
          .queue_limit_packets = static_cast<std::size_t>(queue_packets),
          .loss_probability = from_sender ? loss : ack_loss.value_or(loss),
          .seed = static_cast<std::uint64_t>(seed),
          .stream = from_sender ? 0U : 1U,
          .tick = tick};
}

Settings parse_settings(std::span<const std::string_view> words) {
  Settings settings;
  for (const std::string_view word : words) {
    const std::size_t equals = word.find('=');
    const std::string_view name = word.substr(0, equals);
    const auto* key = std::find_if(keys.begin(), keys.end(), [&](const Key& k) { return k.name == name; });
    if (equals == std::string_view::npos || key == keys.end()) {
      std::string known;
      for (const Key& k : keys) known.append(" ").append(k.name);
      throw Failure(std::string(word) + ": not a setting; write key=value, with one of the keys" + known);
    }
    key->set(settings, *key, word.substr(equals + 1));
  }
  return settings;
}

nlohmann::json to_json(const Settings& settings) {
  nlohmann::json json = nlohmann::json::object();
  for (const Key& key : keys) json[std::string(key.name)] = key.show(settings);
  return json;
}

std::vector<std::string> to_words(const Settings& settings) {
  std::vector<std::string> words;
  for (const Key& key : keys) {
    const nlohmann::json value = key.show(settings);
    words.push_back(std::string(key.name) + "=" +
                    (value.is_string() ? value.get<std::string>() : value.dump()));
  }
  return words;
}

std::string settings_help() {
  std::string help;
  const auto words = to_words(Settings{});
  for (std::size_t i = 0; i < keys.size(); ++i) {
    std::string line = words[i];
    line.resize(std::max<std::size_t>(line.size() + 1, 20), ' ');
    help.append("  ").append(line).append(keys[i].meaning).append(" (").append(keys[i].allowed).append(")\n");
  }
  return help;
}

}  // namespace seawind
