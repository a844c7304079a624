#include "capture.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <system_error>

#include "dumbbell_network.hpp"
#include "units.hpp"

namespace linux_engine {
namespace {

// The format leaves the byte order to the writer and marks it by the first number; ours is the machine's.
struct FileHeader {
  std::uint32_t magic = 0xa1b23c4d;  // time stamps in nanoseconds
  std::uint16_t major = 2, minor = 4;
  std::int32_t zone = 0;
  std::uint32_t accuracy = 0;
  std::uint32_t snap = 120;       // the longest IPv4 and TCP headers
  std::uint32_t link_type = 101;  // LINKTYPE_RAW: the packet begins with its IP header
};

struct RecordHeader {
  std::uint32_t seconds, nanoseconds, captured_bytes, packet_bytes;
};

static_assert(sizeof(FileHeader) == 24 && sizeof(RecordHeader) == 16);

constexpr std::size_t kIpHeader = 20, kLargestHeaders = 80;
constexpr std::byte kNoOperation{1};  // the option of TCP that fills

class Headers {
 public:
  explicit Headers(const link_log_record& packet) {
    const bool from_sender = packet.from_sender != 0;
    bytes_.fill(kNoOperation);
    put(0, 2, 0x4500);  // version, header's length
    put(2, 2, packet.bytes);
    put(4, 4, 0);
    put(8, 2, 0x4006);  // TCP
    put(10, 2, 0);
    put(12, 4, from_sender ? SOURCE_ADDRESS(0, 0) : kReceiverAddress);
    put(16, 4, from_sender ? kReceiverAddress : SOURCE_ADDRESS(0, 0));
    put(20, 2, packet.from_port);
    put(22, 2, packet.to_port);
    put(24, 4, packet.seq);
    put(28, 4, packet.ack);
    put(32, 2, packet.flags);
    put(34, 2, packet.window);
    put(36, 4, 0);
    size_ = kIpHeader + static_cast<std::size_t>(packet.flags >> 12U) * 4;
  }

  std::span<const std::byte> bytes() const { return std::span(bytes_).first(size_); }

 private:
  // In the network's byte order.
  void put(std::size_t at, std::size_t count, std::uint32_t value) {
    for (std::size_t i = count; i-- > 0; value >>= 8U) {
      bytes_[at + i] = static_cast<std::byte>(value);
    }
  }

  std::array<std::byte, kLargestHeaders> bytes_{};
  std::size_t size_ = 0;
};

}  // namespace

void write_capture(std::span<const link_log_record> log, const std::filesystem::path& path) {
  std::ofstream file(path, std::ios::binary);
  const auto write = [&file](const auto* data, std::size_t bytes) {
    file.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(bytes));
  };
  const FileHeader header;
  write(&header, sizeof header);
  for (const link_log_record& packet : log) {
    const Headers headers(packet);
    const auto time = static_cast<Nanoseconds>(packet.time_ns);
    const RecordHeader record{static_cast<std::uint32_t>(time / kNanosecondsPerSecond),
                              static_cast<std::uint32_t>(time % kNanosecondsPerSecond),
                              static_cast<std::uint32_t>(headers.bytes().size()), packet.bytes};
    write(&record, sizeof record);
    write(headers.bytes().data(), headers.bytes().size());
  }
  file.close();
  if (!file) {
    throw std::system_error(errno, std::generic_category(), path.string());
  }
}

}  // namespace linux_engine
