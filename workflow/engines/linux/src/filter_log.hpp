#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "output_file.hpp"
#include "units.hpp"

namespace linux_engine {

// A log of packets in the format of libpcap (draft-ietf-opsawg-pcap), with nanoseconds and raw IP packets:
// tcpdump, tcptrace and Wireshark read it. Of each packet the headers are kept.
class FilterLog {
 public:
  static constexpr std::size_t kSnapLength = 120;  // the longest IPv4 and TCP headers

  // The format leaves the byte order to the writer and marks it by the first number; ours is the machine's.
  struct FileHeader {
    std::uint32_t magic = 0xa1b23c4d;  // time stamps in nanoseconds
    std::uint16_t major = 2, minor = 4;
    std::int32_t zone = 0;
    std::uint32_t accuracy = 0;
    std::uint32_t snap = kSnapLength;
    std::uint32_t link_type = 101;  // LINKTYPE_RAW: the packet begins with its IP header
  };

  struct RecordHeader {
    std::uint32_t seconds;
    std::uint32_t nanoseconds;
    std::uint32_t captured_bytes;
    std::uint32_t packet_bytes;
  };

  // Throws std::runtime_error if the file cannot be created.
  explicit FilterLog(const std::filesystem::path& path);

  void record(Nanoseconds time, std::span<const std::byte> packet) { record(time, packet, packet.size()); }
  // Of a packet that was so many bytes long, what is left.
  void record(Nanoseconds time, std::span<const std::byte> packet, std::size_t packet_bytes);

  // Throws std::runtime_error if anything could not be written.
  void close() { file_.close(); }

 private:
  OutputFile file_;
};

}  // namespace linux_engine
