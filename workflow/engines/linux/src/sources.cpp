#include "sources.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>

#include "failure.hpp"
#include "host_settings.hpp"

namespace linux_engine {
namespace {

std::uint64_t address(const void* data) { return reinterpret_cast<std::uintptr_t>(data); }

}  // namespace

Sources::Sources(const kit::Point& point, const DumbbellNetwork& network)
    : device_(::open("/dev/sources", O_RDWR | O_CLOEXEC)),
      levels_(queue_levels(point)),
      completions_(static_cast<std::size_t>(point.source_count())),
      states_(completions_.size()) {
  for (std::size_t index = 0; index < point.groups.size(); ++index) {
    sources_group group{};
    group.sender_net = network.sender_namespace(index);
    group.listener = network.listener(index);
    group.receiver_address = kReceiverAddress;
    group.port = port_of(index);
    group.count = static_cast<std::uint32_t>(point.groups[index].count);
    group.mss_bytes = static_cast<std::uint32_t>(segment_bytes(point, point.groups[index].tcp));
    call(SOURCES_ADD, &group, "making sources");
  }
}

void Sources::call(unsigned long operation, void* argument, const char* what) const {
  if (::ioctl(device_.get(), operation, argument) != 0) {
    throw system_failure(what);
  }
}

std::span<const sources_completion> Sources::exchange(std::span<const sources_transfer> transfers,
                                                      Nanoseconds until) {
  sources_exchange exchange{};
  exchange.transfers = address(transfers.data());
  exchange.transfer_count = static_cast<std::uint32_t>(transfers.size());
  exchange.completions = address(completions_.data());
  exchange.completion_room = static_cast<std::uint32_t>(completions_.size());
  exchange.until_ns = static_cast<std::uint64_t>(until);
  call(SOURCES_EXCHANGE, &exchange, "exchanging transfers");
  if (exchange.error != 0) {
    errno = -exchange.error;
    throw system_failure("a connection failed");
  }
  return std::span(completions_).first(exchange.completion_count);
}

std::span<const sources_state> Sources::states() {
  sources_array array{};
  array.data = address(states_.data());
  array.room = static_cast<std::uint32_t>(states_.size());
  call(SOURCES_STATE, &array, "reading the state of the sources");
  return states_;
}

void Sources::vary_delay(std::span<const std::uint64_t> delays, Nanoseconds late) const {
  link_delays all{};
  all.data = address(delays.data());
  all.count = static_cast<std::uint32_t>(delays.size());
  all.late_ns = static_cast<std::uint64_t>(late);
  call(LINK_DELAYS, &all, "setting the link's delays");
}

LinkState Sources::link() const {
  LinkState state{.time_at = std::vector<std::uint64_t>(levels_),
                  .arrivals_at = std::vector<std::uint64_t>(levels_)};
  read(LINK_BOTTLENECK, state);
  return state;
}

link_counters Sources::way_back() const {
  LinkState state{.time_at = std::vector<std::uint64_t>(1), .arrivals_at = std::vector<std::uint64_t>(1)};
  read(LINK_RETURN, state);
  return state.counters;
}

void Sources::read(std::uint32_t which, LinkState& state) const {
  link_read read{};
  read.which = which;
  read.counters = address(&state.counters);
  read.time_at = address(state.time_at.data());
  read.arrivals_at = address(state.arrivals_at.data());
  call(LINK_READ, &read, "reading a link's counters");
}

std::vector<link_log_record> Sources::log() const {
  constexpr std::size_t kPiece = 10'000;
  std::vector<link_log_record> log;
  for (sources_array array{};;) {
    const std::size_t before = log.size();
    log.resize(before + kPiece);
    array.data = address(log.data() + before);
    array.room = kPiece;
    call(LINK_LOG, &array, "reading the log of packets");
    log.resize(before + array.count);
    if (array.count == 0) {
      return log;
    }
  }
}

}  // namespace linux_engine
