#include "host_settings.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "failure.hpp"
#include "file_descriptor.hpp"
#include "variants.hpp"

namespace linux_engine {

std::int64_t buffer_bytes(const kit::Point& point, std::int64_t rwnd_packets) {
  constexpr std::int64_t kLeast = 6'291'456, kMost = 2'000'000'000;
  const std::int64_t memory_of_packet = 2 * std::int64_t{point.packet_bytes} + 4'096;  // at most
  return std::clamp(rwnd_packets * memory_of_packet, kLeast, kMost);
}

namespace {

// "least default most": the least and the default of a machine with gigabytes, and room for the receiver's
// window. The kernel's own follow the guest's memory, which follows where the host puts it.
std::string buffers(const kit::Point& point, std::int64_t rwnd_packets) {
  const std::string most = std::to_string(buffer_bytes(point, rwnd_packets));
  return "4096 " + most + " " + most;
}

std::int64_t largest_window(const kit::Point& point) {
  std::int64_t largest = 0;
  for (const kit::SourceGroup& group : point.groups) {
    largest = std::max<std::int64_t>(largest, group.tcp.rwnd_packets);
  }
  return largest;
}

std::int64_t window_bytes(const kit::Point& point, const kit::Tcp& tcp) {
  return std::int64_t{tcp.rwnd_packets} * segment_bytes(point, tcp);
}

// The receivers' namespace is one for all groups, and so is the limit of what their buffers are enlarged to.
std::string receive_buffers(const kit::Point& point) {
  for (const kit::SourceGroup& group : point.groups) {
    if (tunes_its_buffer(point, group)) {
      return "4096 131072 " + std::to_string(2 * window_bytes(point, group.tcp));  // half of it is window
    }
  }
  return buffers(point, largest_window(point));
}

std::vector<Sysctl> common_sysctls(const kit::Point& point) {
  return {{"ipv4/tcp_no_metrics_save", "1"},  // each connection starts afresh
          {"ipv4/tcp_retries2", "200"},       // and has as long as it takes
          {"ipv4/tcp_syn_retries", "100"},
          {"ipv4/tcp_ecn_fallback", "0"},  // a SYN that is sent again asks for ECN, too
          {"ipv4/tcp_synack_retries", "100"},
          {"ipv4/tcp_max_syn_backlog", "65536"},
          {"ipv4/tcp_max_tw_buckets", "1000000"},
          {"ipv4/tcp_wmem", buffers(point, largest_window(point))},
          {"ipv4/tcp_rmem", receive_buffers(point)},
          {"core/somaxconn", "65535"}};
}

}  // namespace

const std::vector<Sysctl>& sysctls_of_2002() {
  static const std::vector<Sysctl> sysctls{
      {"ipv4/tcp_recovery", "0"},                   // RACK, 2016: three duplicate acknowledgements decide
      {"ipv4/tcp_early_retrans", "0"},              // early retransmit and tail loss probes, 2012
      {"ipv4/tcp_frto", "0"},                       // F-RTO, 2007: a timeout is followed by slow start
      {"ipv4/tcp_comp_sack_nr", "0"},               // merging of selective acknowledgements, 2018
      {"ipv4/tcp_autocorking", "0"},                // merging of small writes, 2014
      {"ipv4/tcp_limit_output_bytes", "4000000"}};  // small queues below TCP, 2012
  return sysctls;
}

void set_sysctl(const Sysctl& sysctl) {
  const std::string path = "/proc/sys/net/" + sysctl.name;
  const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file || ::write(file.get(), sysctl.value.data(), sysctl.value.size()) < 0) {
    throw system_failure(path + " = " + sysctl.value);
  }
}

double empty_round_trip_s(const kit::Point& point, const kit::SourceGroup& group) {
  const auto time_over = [&](const kit::Link& link) {
    return link.delay_s + point.packet_bytes * 8 / link.rate_bit_per_s;
  };
  const auto& back = point.dumbbell().way_back;
  return time_over(group.access) + time_over(point.dumbbell().bottleneck) +
         time_over(point.dumbbell().egress) + point.return_delay_s + group.extra_delay_s +
         (back ? point.ack_bytes * 8 / back->rate_bit_per_s : 0);
}

double added_to_round_trip_s(const kit::Point& point, const kit::SourceGroup& group) {
  constexpr double kLeastAddedS = 0.01;
  const double part_of_path_s = group.tcp.linux_timers ? 0 : empty_round_trip_s(point, group);
  return std::max(group.tcp.min_rto_s - part_of_path_s, kLeastAddedS);
}

std::int32_t segment_bytes(const kit::Point& point, const kit::Tcp& tcp) {
  return point.packet_bytes - 40 - (has_timestamps(tcp) ? 12 : 0);
}

std::vector<Sysctl> guest_sysctls() {
  std::string controls;
  for (const Variant& variant : kVariants) {
    if (!variant.congestion_control.empty()) {  // where the kernel stops reading
      controls.append(variant.congestion_control).append(" ");
    }
  }
  for (const std::string& own : added_congestion_controls()) {
    controls.append(own).append(" ");
  }
  return {{"ipv4/tcp_mem", "1000000 1500000 2000000"},  // pages: no pressure
          {"ipv4/tcp_max_orphans", "1000000"},
          {"ipv4/tcp_allowed_congestion_control", controls}};
}

std::vector<Sysctl> sender_sysctls(const kit::Point& point, const kit::SourceGroup& group) {
  const Variant& variant = variant_of(group.tcp);
  std::vector<Sysctl> sysctls = common_sysctls(point);
  if (variant.year == Variant::Year::k2002) {
    sysctls.insert(sysctls.end(), sysctls_of_2002().begin(), sysctls_of_2002().end());
    const bool scaled = group.tcp.rwnd_packets * segment_bytes(point, group.tcp) > 65'535;
    sysctls.push_back({"ipv4/tcp_window_scaling", scaled ? "1" : "0"});
  }
  if (group.tcp.loss_detection == kit::LossDetection::kRfc6675) {
    sysctls.insert(sysctls.end(), {{"ipv4/tcp_recovery", "0"}, {"ipv4/tcp_early_retrans", "0"}});
  }
  sysctls.push_back({"ipv4/tcp_congestion_control", congestion_control_of(group.tcp)});
  const auto add = [&](const char* name, bool on) { sysctls.push_back({name, on ? "1" : "0"}); };
  add("ipv4/tcp_sack", has_sack(group.tcp));
  add("ipv4/tcp_ecn", has_ecn(group.tcp));
  add("ipv4/tcp_timestamps", has_timestamps(group.tcp));
  return sysctls;
}

std::vector<Sysctl> receiver_sysctls(const kit::Point& point) { return common_sysctls(point); }

bool tunes_its_buffer(const kit::Point& point, const kit::SourceGroup& group) {
  return variant_of(group.tcp).year != Variant::Year::k2002 && window_bytes(point, group.tcp) > 65'536 &&
         group.tcp.rwnd_packets == largest_window(point);
}

}  // namespace linux_engine
