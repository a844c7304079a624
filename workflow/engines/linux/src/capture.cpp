#include "capture.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

#include "dumbbell_network.hpp"
#include "filter_log.hpp"

namespace linux_engine {
namespace {

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

void write_capture(std::span<const link_log_record> log, const std::filesystem::path& file) {
  FilterLog capture(file);
  for (const link_log_record& packet : log) {
    capture.record(static_cast<Nanoseconds>(packet.time_ns), Headers(packet).bytes(), packet.bytes);
  }
  capture.close();
}

}  // namespace linux_engine
