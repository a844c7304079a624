#include "kit/main/run.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace kit {
namespace {

constexpr double kBitsPerByte = 8;

template <class Number>
double total(const std::vector<Number>& parts) {
  return static_cast<double>(std::accumulate(parts.begin(), parts.end(), Number{0}));
}

template <class Number>
std::vector<double> shares(const std::vector<Number>& parts) {
  const double whole = total(parts);
  std::vector<double> result(parts.size(), 0);
  if (whole > 0) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      result[i] = static_cast<double>(parts[i]) / whole;
    }
  }
  return result;
}

double mean_level(const std::vector<double>& probability) {
  double sum = 0;
  for (std::size_t level = 0; level < probability.size(); ++level) {
    sum += static_cast<double>(level) * probability[level];
  }
  return sum;
}

template <class Number>
std::size_t highest_level(const std::vector<Number>& parts) {
  for (std::size_t level = parts.size(); level-- > 0;) {
    if (parts[level] > 0) {
      return level;
    }
  }
  return 0;
}

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

Json counters_json(const Counters& counters) {
  return {{"connections_completed", counters.connections_completed},
          {"packets_sent", counters.packets_sent},
          {"packets_delivered", counters.packets_delivered},
          {"packets_dropped", counters.packets_dropped},
          {"packets_lost", counters.packets_lost},
          {"packets_in_flight", counters.packets_in_flight},
          {"events", counters.events}};
}

}  // namespace

Json run_json(const Point& point, std::uint64_t seed, const Measurements& measured, const Engine& engine) {
  const ConnectionSums& sums = measured.connections;
  const double duration_s = seconds(sums.duration);
  const double bits = static_cast<double>(sums.packets) * point.packet_bytes * kBitsPerByte;
  const double connections = static_cast<double>(sums.connections);
  const auto queue_by_time = shares(measured.queue_time_at);
  const auto queue_by_arrival = shares(measured.queue_arrivals_at);
  const auto active_by_time = shares(measured.active_time_at);

  Json metrics;
  const auto metric = [&](const char* name, const char* unit, double value) {
    metrics[name] = {{"unit", unit}, {"value", value}};
  };
  if (!point.bulk) {
    metric("goodput_per_connection", "bit/s", ratio(bits, duration_s));
    metric("on_time", "s", ratio(duration_s, connections));
  }
  metric("loss_ratio", "1",
         ratio(static_cast<double>(measured.queue_drops), total(measured.queue_arrivals_at)));
  metric("utilisation", "1", 1 - queue_by_time.front());
  metric("queue_mean", "packets", mean_level(queue_by_time));
  metric("queue_mean_on_arrival", "packets", mean_level(queue_by_arrival));
  metric("queue_max", "packets", static_cast<double>(highest_level(measured.queue_time_at)));
  if (!point.bulk) {
    metric("file_size_mean", "packets", ratio(static_cast<double>(sums.packets), connections));
    metric("rtt_sender_mean", "s", ratio(sums.rtt_s, static_cast<double>(sums.rtt_samples)));
    metric("active_mean", "connections", mean_level(active_by_time));
  }
  for (const Metric& probed : measured.probes.metrics) {
    metric(probed.name.c_str(), probed.unit.c_str(), probed.value);
  }

  const PacketSums& packets = measured.packets;
  if (packets.carried > 0) {
    const double measured_s = seconds(measured.measured);
    const auto rate = [&](std::int64_t count) { return static_cast<double>(count) / measured_s; };
    metric("goodput", "packets/s", rate(packets.acknowledged));
    metric("throughput", "packets/s", rate(packets.carried));
    metric("rtt_path_mean", "s",
           packets.round_trip_ps / kPicosecondsPerSecond / static_cast<double>(packets.carried));
    if (point.cross_traffic.kind != CrossTrafficSpec::Kind::kNone) {
      metric("cross_throughput", "packets/s", rate(packets.cross_arrived - packets.cross_dropped));
      metric("cross_loss_ratio", "1",
             ratio(static_cast<double>(packets.cross_dropped), static_cast<double>(packets.cross_arrived)));
    }
  }

  Json distributions = Json::object();
  const auto distribution = [&](const char* name, const char* unit, const std::vector<double>& probability) {
    distributions[name] = {{"unit", unit}, {"probability", probability}};
  };
  if (!point.bulk) {
    distribution("queue_by_time", "packets", queue_by_time);
    distribution("queue_by_arrival", "packets", queue_by_arrival);
    distribution("active_by_time", "connections", active_by_time);
  } else if (point.probes.window_trace) {
    distribution("queue_by_time", "packets", queue_by_time);
  }
  for (const Distribution& probed : measured.probes.distributions) {
    distribution(probed.name.c_str(), probed.unit.c_str(), shares(probed.counts));
  }

  Json run = {{"schema", "tcp-atlas/run/1"},
              {"engine", engine.name},
              {"engine_version", engine.version},
              {"study", point.study},
              {"set", point.set},
              {"point", point.name},
              {"seed", seed},
              {"simulated_s", seconds(measured.end)},
              {"counters", counters_json(measured.counters)},
              {"metrics", metrics},
              {"distributions", distributions}};
  for (const Trace& trace : measured.probes.traces) {
    run["traces"][trace.name] = {{"unit", trace.unit}, {"time_s", trace.time_s}, {"value", trace.value}};
  }
  return run;
}

void write_atomically(const Json& json, const std::filesystem::path& file) {
  const std::filesystem::path temporary = file.string() + "." + std::to_string(getpid()) + ".part";
  const std::string text = json.dump(1) + "\n";
  errno = 0;
  std::FILE* stream = std::fopen(temporary.c_str(), "wb");
  bool good = stream != nullptr;
  if (good) {
    good = std::fwrite(text.data(), 1, text.size(), stream) == text.size() && std::fflush(stream) == 0;
    const int write_error = errno;
    good = std::fclose(stream) == 0 && good;
    errno = good ? errno : (write_error != 0 ? write_error : errno);
  }
  good = good && std::rename(temporary.c_str(), file.c_str()) == 0;
  if (!good) {
    const std::string reason = std::strerror(errno);
    std::remove(temporary.c_str());
    throw std::runtime_error(file.string() + ": cannot be written: " + reason);
  }
}

}  // namespace kit
