#include "kit/local_loop/settings_of.hpp"

#include <cmath>
#include <stdexcept>
#include <string>
#include <variant>

#include "kit/point/ranges.hpp"

namespace kit::local_loop {
namespace {

constexpr double kNeverIdle_s = 9e6;  // longer than any run, and within the clock

void refuse_unless(bool holds, const std::string& what) {
  if (!holds) {
    throw Unsupported(what);
  }
}

void set_station(const kit::Station& station, std::size_t index, Settings& settings) {
  settings.path.push_back({.rate_bit_per_s = station.rate_bit_per_s, .delay_s = station.delay_s});
  if (station.queue) {
    settings.shared = index;
    const bool individual = station.queue == Queue::kFairIndividual;
    const bool shared = station.queue == Queue::kFairShared, fifo = station.queue == Queue::kDropTail;
    settings.buffer = {.packets = station.buffer_packets,
                       .individual = individual,
                       .drop = shared && !station.drops_arriving ? Drop::kLongestQueueFirst : Drop::kArriving,
                       .fifo = fifo,
                       .managed = !individual && !shared && !fifo};
    settings.readings.head_of_line_in_buffer = station.head_of_line == kit::Station::HeadOfLine::kInBuffer;
  } else if (station.load) {
    settings.backbone = Backbone{.station = index, .buffer_packets = station.buffer_packets};
    FractionalLoad& load = settings.backbone->load;
    load.mean = station.load->mean;
    load.sd = station.load->standard_deviation;
    load.hurst = station.load->hurst;
    load.slot_s = station.load->slot_s;
  }
}

Readings::Timer timer_of(InformedRenoParameters::Timer timer) {
  switch (timer) {
    case InformedRenoParameters::Timer::kPerPacket:
      return Readings::Timer::kPerPacket;
    case InformedRenoParameters::Timer::kRestarted:
      return Readings::Timer::kRestarted;
    case InformedRenoParameters::Timer::kPerWindow:
      return Readings::Timer::kPerWindow;
  }
  throw std::logic_error("a timer without a reading");
}

void set_tcp(const kit::Tcp& tcp, Settings& settings) {
  const std::string key = "sources.0.tcp.";
  refuse_unless(!tcp.delayed_ack, key + "delayed_ack: must be absent with this variant");
  const double ticks = tcp.clock_tick_s > 0 ? std::round(tcp.min_rto_s / tcp.clock_tick_s) : 0;
  refuse_unless(ticks >= 1 && ticks <= 1e9 &&
                    std::abs(ticks * tcp.clock_tick_s - tcp.min_rto_s) <= 1e-9 * tcp.min_rto_s,
                key + "min_rto_s: must be a whole number of ticks of clock_tick_s, at most 1e9");
  settings.tcp = {.max_window = tcp.rwnd_packets,
                  .tick_s = tcp.clock_tick_s,
                  .min_rto_ticks = static_cast<std::int32_t>(ticks),
                  .idle_s = tcp.idle_restart_s.value_or(kNeverIdle_s)};
  Readings& readings = settings.readings;
  const auto set_halving = [&readings](kit::Halving halving) {
    readings.halving =
        halving == kit::Halving::kPerLoss ? Readings::Halving::kPerLoss : Readings::Halving::kPerWindow;
  };
  if (const auto* informed = std::get_if<InformedRenoParameters>(&tcp.own)) {
    using Own = InformedRenoParameters;
    set_halving(informed->halving);
    readings.half_up = informed->odd_half == Own::OddHalf::kLarger;
    readings.old_acks_grow_window = informed->old_acks == Own::OldAcks::kGrowWindow;
    readings.timer = timer_of(informed->timer);
    readings.rtt_samples = informed->rtt_samples == Own::RttSamples::kEveryPacket
                               ? Readings::RttSamples::kEveryPacket
                               : Readings::RttSamples::kFirstOfWindow;
  } else if (const auto* lifelong = std::get_if<LifelongRenoParameters>(&tcp.own)) {
    set_halving(lifelong->halving);
    readings.loss_detection = Readings::LossDetection::kDuplicateAcks;
    readings.timer = Readings::Timer::kRestarted;
  } else {
    throw Unsupported(key + "variant: must be informed-reno or lifelong-reno in a local loop");
  }
}

void set_workload(const kit::Workload& workload, Settings& settings) {
  if (workload.bulk()) {
    settings.start_spread_s = workload.start_spread_s;
    return;
  }
  const std::string key = "sources.0.workload.";
  refuse_unless(workload.kind == kit::Workload::Kind::kHttp,
                key + "kind: must be http or bulk in a local loop");
  refuse_unless(workload.file_size.distribution == FileSize::Distribution::kLognormal,
                key + "file_size.distribution: must be lognormal in a local loop");
  refuse_unless(workload.off_time.distribution == OffTime::Distribution::kLognormal,
                key + "off_time.distribution: must be lognormal in a local loop");
  settings.workload = Workload{.burst_mean = workload.file_size.mean_packets,
                               .burst_sd = workload.file_size.standard_deviation_packets,
                               .think_mean_s = workload.off_time.mean_s,
                               .think_sd_s = workload.off_time.standard_deviation_s};
  settings.readings.think_from_equilibrium = workload.first_think == kit::Workload::FirstThink::kEquilibrium;
  settings.readings.on_time_ends = workload.ends_at == kit::Workload::EndsAt::kSource
                                       ? Readings::OnTimeEnd::kSource
                                       : Readings::OnTimeEnd::kDestination;
}

// Times are picoseconds in 64 bits: a full queue or window takes at most so long to be sent, and the load of
// the backbone repeats itself before the clock ends.
void check_times(const Settings& settings) {
  constexpr double kLongestPeriod_s = 4e6;
  for (std::size_t i = 0; i < settings.path.size(); ++i) {
    double packets = settings.tcp.max_window;
    if (i == settings.shared) {
      const double users = settings.users;
      packets = settings.buffer.packets * (settings.buffer.individual ? users : 1.0) + users;
    } else if (settings.backbone && i == settings.backbone->station) {
      packets += settings.backbone->buffer_packets;
    }
    const double time_s = packets * 8.0 * settings.packet_bytes / settings.path[i].rate_bit_per_s;
    if (time_s > kLongestQueue_s) {
      throw Unsupported("stations." + std::to_string(i) + ".rate_bit_per_s: a full queue or window takes " +
                        std::to_string(time_s) + " s to be sent; must take at most " +
                        std::to_string(kLongestQueue_s) + " s");
    }
  }
  if (settings.backbone) {
    const FractionalLoad& load = settings.backbone->load;
    if (load.slot_s * static_cast<double>(load.period) > kLongestPeriod_s) {
      throw Unsupported("stations." + std::to_string(settings.backbone->station) + ".load.slot_s: is " +
                        std::to_string(load.slot_s) + "; must be at most " +
                        std::to_string(kLongestPeriod_s / static_cast<double>(load.period)));
    }
  }
}

}  // namespace

Settings network_of(const Point& point) {
  refuse_unless(point.groups.size() == 1, "sources: must be one group in a local loop");
  refuse_unless(!point.probes.any(), "probes: must be empty in a local loop");
  refuse_unless(point.stop.packets > 0, "stop: must be packets in a local loop");
  refuse_unless(point.fixed_point.has_value(), "fixed_point: must be there in a local loop");
  Settings settings;
  for (const kit::Station& station : std::get<kit::LocalLoop>(point.topology).stations) {
    set_station(station, settings.path.size(), settings);
  }
  settings.return_delay_s = point.return_delay_s;
  settings.packet_bytes = point.packet_bytes;
  const SourceGroup& users = point.groups.front();
  settings.users = users.count;
  settings.tcp.max_window = users.tcp.rwnd_packets;
  settings.tcp.idle_s = users.tcp.idle_restart_s.value_or(kNeverIdle_s);
  set_workload(users.workload, settings);
  return settings;
}

Settings settings_of(const Point& point) {
  Settings settings = network_of(point);
  set_tcp(point.groups.front().tcp, settings);
  return settings;
}

Settings checked(const Settings& settings) {
  try {
    check(settings);
  } catch (const std::invalid_argument& error) {
    throw Unsupported(error.what());
  }
  check_times(settings);
  return settings;
}

}  // namespace kit::local_loop
