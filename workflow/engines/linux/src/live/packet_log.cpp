#include "live/packet_log.hpp"

#include <array>
#include <cstring>
#include <fstream>
#include <span>

#include "failure.hpp"
#include "filter_log.hpp"
#include "live/network.hpp"

namespace linux_engine {
namespace {

using Bytes = std::span<const unsigned char>;

// A number in the network's byte order.
std::uint32_t big_endian(Bytes bytes) {
  std::uint32_t value = 0;
  for (const unsigned char byte : bytes) {
    value = value << 8 | byte;
  }
  return value;
}

LoggedPacket parse(Nanoseconds time, std::int64_t bytes, Bytes ip) {
  const std::size_t ip_header = (ip[0] & 0x0fU) * 4;
  const Bytes tcp = ip.subspan(ip_header);
  const std::size_t tcp_header = (tcp[12] >> 4U) * 4U;
  return {.time = time,
          .from = big_endian(ip.subspan(12, 4)) == address_of(End::kSender) ? End::kSender : End::kReceiver,
          .bytes = bytes,
          .payload = bytes - static_cast<std::int64_t>(ip_header + tcp_header),
          .seq = big_endian(tcp.subspan(4, 4)),
          .ack = big_endian(tcp.subspan(8, 4)),
          .window = big_endian(tcp.subspan(14, 2))};
}

}  // namespace

std::vector<LoggedPacket> read_packet_log(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw system_failure(path.string());
  }
  FilterLog::FileHeader header, ours;
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  if (!file || std::memcmp(&header, &ours, sizeof header) != 0) {
    throw std::runtime_error(path.string() + ": not a filter log");
  }
  std::vector<LoggedPacket> packets;
  FilterLog::RecordHeader record{};
  while (file.read(reinterpret_cast<char*>(&record), sizeof record)) {
    std::array<unsigned char, FilterLog::kSnapLength> captured{};
    if (record.captured_bytes > captured.size() ||
        !file.read(reinterpret_cast<char*>(captured.data()), record.captured_bytes)) {
      throw std::runtime_error(path.string() + ": ends inside a packet");
    }
    packets.push_back(parse(record.seconds * kNanosecondsPerSecond + record.nanoseconds, record.packet_bytes,
                            Bytes(captured)));
  }
  if (file.gcount() != 0) {
    throw std::runtime_error(path.string() + ": ends inside a packet");
  }
  return packets;
}

}  // namespace linux_engine
