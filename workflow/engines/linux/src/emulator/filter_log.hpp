#pragma once

#include <array>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>

#include "emulator/units.hpp"

namespace seawind {

// A log of packets in the format of libpcap (draft-ietf-opsawg-pcap), with nanoseconds and raw IP packets:
// tcpdump, tcptrace and Wireshark read it. Of each packet the headers are kept.
class FilterLog {
 public:
  static constexpr std::size_t snap_length = 120;  // the longest IPv4 and TCP headers

  // Throws std::runtime_error if the file cannot be created.
  explicit FilterLog(const std::filesystem::path& path);

  void record(Nanoseconds time, std::span<const std::byte> packet);

  // Throws std::runtime_error if anything could not be written.
  void close();

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::filesystem::path path_;
  std::unique_ptr<std::FILE, Closer> file_;
};

}  // namespace seawind
