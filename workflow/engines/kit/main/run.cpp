#include "kit/main/run.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "kit/local_loop/write_run.hpp"

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

// Jain's fairness index, (sum x)^2 / (n sum x^2) (Jain, Chiu and Hawe 1984); 1: all get the same.
double fairness_index(const std::vector<std::int64_t>& shares_of) {
  double sum = 0;
  double squares = 0;
  for (const std::int64_t share : shares_of) {
    sum += static_cast<double>(share);
    squares += static_cast<double>(share) * static_cast<double>(share);
  }
  return ratio(sum * sum, static_cast<double>(shares_of.size()) * squares);
}

bool uses_ecn(const Point& point) {
  return std::any_of(point.groups.begin(), point.groups.end(), [](const SourceGroup& group) {
    return group.tcp.ecn.value_or(group.tcp.variant == "dctcp");
  });
}

double bytes_of(const Point& point, const SourceGroup& group, const ConnectionSums& sums) {
  return static_cast<double>(sums.packets) * point.bytes_of(group.packet_bytes);
}

class Metrics {
 public:
  void add(const std::string& name, const char* unit, double value) {
    json[name] = {{"unit", unit}, {"value", value}};
  }

  // Of on-off sources; `suffix`: of which group, in brackets.
  void add_connections(const ConnectionSums& sums, double bytes, const std::string& suffix = "") {
    const double bits = bytes * kBitsPerByte;
    add("goodput_per_connection" + suffix, "bit/s", ratio(bits, seconds(sums.duration)));
    add("on_time" + suffix, "s", ratio(seconds(sums.duration), static_cast<double>(sums.connections)));
  }

  void add_packets(const PacketSums& packets, double measured_s, const std::string& suffix = "") {
    add("goodput" + suffix, "packets/s", static_cast<double>(packets.acknowledged) / measured_s);
    add("throughput" + suffix, "packets/s", static_cast<double>(packets.carried) / measured_s);
    add("rtt_path_mean" + suffix, "s",
        packets.round_trip_ps / kPicosecondsPerSecond / static_cast<double>(packets.carried));
  }

  Json json;
};

// Over the time in which its sources were there, whichever part of the run that is.
void add_own_time(const SourceGroup& group, const GroupMeasurements& measured, const std::string& suffix,
                  Metrics& metrics) {
  const double own_s = seconds(measured.own_time) / group.count;
  if (group.workload.comes_and_goes() && own_s > 0) {
    metrics.add("own_time" + suffix, "s", own_s);
    metrics.add("goodput_own_time" + suffix, "packets/s",
                static_cast<double>(measured.packets.acknowledged) / own_s);
  }
}

void add_arrivals(const SourceGroup& group, const GroupMeasurements& measured, const std::string& suffix,
                  Metrics& metrics) {
  if (group.workload.kind == Workload::Kind::kArrivals) {
    metrics.add("refused_ratio" + suffix, "1",
                ratio(static_cast<double>(measured.refused), static_cast<double>(measured.arrivals)));
  }
}

void add_groups(const Point& point, const Measurements& measured, Metrics& metrics) {
  if (point.groups.size() == 1) {
    for (const GroupMeasurements& group : measured.groups) {
      add_own_time(point.groups.front(), group, "", metrics);
      add_arrivals(point.groups.front(), group, "", metrics);
    }
    return;
  }
  for (std::size_t index = 0; index < measured.groups.size(); ++index) {
    const std::string suffix = "[" + point.groups[index].name + "]";
    if (!point.groups[index].workload.bulk()) {
      const ConnectionSums& sums = measured.groups[index].connections;
      metrics.add_connections(sums, bytes_of(point, point.groups[index], sums), suffix);
    }
    add_own_time(point.groups[index], measured.groups[index], suffix, metrics);
    add_arrivals(point.groups[index], measured.groups[index], suffix, metrics);
    if (measured.groups[index].packets.carried > 0) {
      const PacketSums& packets = measured.groups[index].packets;
      metrics.add_packets(packets, seconds(measured.measured), suffix);
      metrics.add("goodput_share" + suffix, "1",
                  ratio(static_cast<double>(packets.acknowledged),
                        static_cast<double>(measured.packets.acknowledged)));
    }
  }
  if (!measured.groups.empty() && !point.any_arrivals()) {  // whose sources say nothing about users
    metrics.add("fairness_index", "1", fairness_index(measured.acknowledged));
  }
}

void add_cross_traffic(const Point& point, const PacketSums& packets, double measured_s, Metrics& metrics) {
  const auto accepted = static_cast<double>(packets.cross_arrived - packets.cross_dropped);
  metrics.add("cross_throughput", "packets/s", accepted / measured_s);
  metrics.add("cross_loss_ratio", "1",
              ratio(static_cast<double>(packets.cross_dropped), static_cast<double>(packets.cross_arrived)));
  // One rate below a drop-tail queue's keeps the metrics that its accepted runs have.
  const Bottleneck& link = point.dumbbell().bottleneck;
  if (link.queue != Queue::kDropTail || !point.cross_traffic.rate_steps.empty() || point.has_sizes() ||
      point.cross_traffic.rate_bit_per_s >= link.lowest_rate_bit_per_s()) {
    metrics.add("cross_delay_mean", "s", ratio(packets.cross_delay_ps / kPicosecondsPerSecond, accepted));
  }
}

Json metrics_json(const Point& point, const Measurements& measured) {
  const ConnectionSums& sums = measured.connections;
  const double connections = static_cast<double>(sums.connections);
  const double arrivals = total(measured.queue_arrivals_at);
  const auto queue_by_time = shares(measured.queue_time_at);
  const bool on_off = !point.all_bulk();
  Metrics metrics;
  if (on_off) {
    const std::size_t groups = point.has_sizes() ? measured.groups.size() : 0;
    double bytes = groups > 0 ? 0 : bytes_of(point, point.groups.front(), sums);
    for (std::size_t index = 0; index < groups; ++index) {
      bytes += bytes_of(point, point.groups[index], measured.groups[index].connections);
    }
    metrics.add_connections(sums, bytes);
  }
  const auto drops = static_cast<double>(measured.queue_drops);
  metrics.add("loss_ratio", "1", ratio(drops + static_cast<double>(measured.random_losses), arrivals));
  metrics.add("drop_ratio", "1", ratio(drops, arrivals));
  if (measured.marks && uses_ecn(point)) {
    metrics.add("mark_ratio", "1", ratio(static_cast<double>(*measured.marks), arrivals));
  }
  metrics.add("utilisation", "1", 1 - queue_by_time.front());
  metrics.add("queue_mean", "packets", mean_level(queue_by_time));
  metrics.add("queue_mean_on_arrival", "packets", mean_level(shares(measured.queue_arrivals_at)));
  metrics.add("queue_max", "packets", static_cast<double>(highest_level(measured.queue_time_at)));
  if (on_off) {
    metrics.add("file_size_mean", "packets", ratio(static_cast<double>(sums.packets), connections));
    metrics.add("rtt_sender_mean", "s", ratio(sums.rtt_s, static_cast<double>(sums.rtt_samples)));
    metrics.add("active_mean", "connections", mean_level(shares(measured.active_time_at)));
  }
  for (const Metric& probed : measured.probes.metrics) {
    metrics.add(probed.name, probed.unit.c_str(), probed.value);
  }
  const PacketSums& packets = measured.packets;
  const double measured_s = seconds(measured.measured);
  if (packets.carried > 0) {
    metrics.add_packets(packets, measured_s);
  }
  if (point.cross_traffic.kind != CrossTrafficSpec::Kind::kNone) {
    add_cross_traffic(point, packets, measured_s, metrics);
  }
  if (packets.acks > 0) {
    const auto lost = static_cast<double>(packets.acks_lost);
    const auto all = static_cast<double>(packets.acks);
    metrics.add("ack_loss_ratio", "1", lost / all);
    metrics.add("ack_delay_mean", "s", ratio(packets.ack_delay_ps / kPicosecondsPerSecond, all - lost));
  }
  if (packets.returning > 0) {
    const auto lost = static_cast<double>(packets.returning_lost);
    const auto all = static_cast<double>(packets.returning);
    metrics.add("return_loss_ratio", "1", lost / all);
    metrics.add("return_delay_mean", "s",
                ratio(packets.returning_delay_ps / kPicosecondsPerSecond, all - lost));
  }
  for (std::size_t hop = 0; hop < measured.hops.size(); ++hop) {
    const std::string suffix = "[hop-" + std::to_string(hop + 2) + "]";
    const auto by_time = shares(measured.hops[hop].queue_time_at);
    metrics.add("drop_ratio" + suffix, "1",
                ratio(static_cast<double>(measured.hops[hop].queue_drops),
                      total(measured.hops[hop].queue_arrivals_at)));
    metrics.add("utilisation" + suffix, "1", 1 - by_time.front());
    metrics.add("queue_mean" + suffix, "packets", mean_level(by_time));
  }
  add_groups(point, measured, metrics);
  return metrics.json;
}

Json distributions_json(const Point& point, const Measurements& measured) {
  Json distributions = Json::object();
  const auto distribution = [&](const char* name, const char* unit, const std::vector<double>& probability) {
    distributions[name] = {{"unit", unit}, {"probability", probability}};
  };
  if (!point.all_bulk()) {
    distribution("queue_by_time", "packets", shares(measured.queue_time_at));
    distribution("queue_by_arrival", "packets", shares(measured.queue_arrivals_at));
    distribution("active_by_time", "connections", shares(measured.active_time_at));
  } else if (point.probes.window_trace) {
    distribution("queue_by_time", "packets", shares(measured.queue_time_at));
  }
  for (const Distribution& probed : measured.probes.distributions) {
    distribution(probed.name.c_str(), probed.unit.c_str(), shares(probed.counts));
  }
  return distributions;
}

// By POSIX's stat, since the standard library of the browser module has only the paths of std::filesystem.
bool is_device_or_pipe(const std::filesystem::path& file) {
  struct stat status {};
  return stat(file.c_str(), &status) == 0 && (S_ISCHR(status.st_mode) || S_ISFIFO(status.st_mode));
}

}  // namespace

Json run_json(const Point& point, std::uint64_t seed, const Measurements& measured, const Engine& engine) {
  Json run = run_head(point, seed, measured.end, engine);
  run["counters"] = counters_json(measured.counters);
  if (measured.loop) {
    local_loop::add_loop(run, point, measured);
    return run;
  }
  run["metrics"] = metrics_json(point, measured);
  run["distributions"] = distributions_json(point, measured);
  for (const Trace& trace : measured.probes.traces) {
    run["traces"][trace.name] = {{"unit", trace.unit}, {"time_s", trace.time_s}, {"value", trace.value}};
  }
  return run;
}

void write_atomically(const Json& json, const std::filesystem::path& file) {
  const bool renames = !is_device_or_pipe(file);
  const std::filesystem::path temporary =
      renames ? file.string() + "." + std::to_string(getpid()) + ".part" : file.string();
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
  good = good && (!renames || std::rename(temporary.c_str(), file.c_str()) == 0);
  if (!good) {
    const std::string reason = std::strerror(errno);
    if (renames) {
      std::remove(temporary.c_str());
    }
    throw std::runtime_error(file.string() + ": cannot be written: " + reason);
  }
}

}  // namespace kit
