#include "filter_log.hpp"

#include <algorithm>

namespace linux_engine {

static_assert(sizeof(FilterLog::FileHeader) == 24 && sizeof(FilterLog::RecordHeader) == 16);

FilterLog::FilterLog(const std::filesystem::path& path) : file_(path) {
  const FileHeader header;
  file_.write(&header, sizeof header);
}

void FilterLog::record(Nanoseconds time, std::span<const std::byte> packet, std::size_t packet_bytes) {
  const std::size_t captured = std::min(packet.size(), kSnapLength);
  const RecordHeader header{static_cast<std::uint32_t>(time / kNanosecondsPerSecond),
                            static_cast<std::uint32_t>(time % kNanosecondsPerSecond),
                            static_cast<std::uint32_t>(captured), static_cast<std::uint32_t>(packet_bytes)};
  file_.write(&header, sizeof header);
  file_.write(packet.data(), captured);
}

}  // namespace linux_engine
