#include "emulator/filter_log.hpp"

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>

namespace seawind {

static_assert(sizeof(FilterLog::FileHeader) == 24 && sizeof(FilterLog::RecordHeader) == 16);

FilterLog::FilterLog(const std::filesystem::path& path) : path_(path), file_(std::fopen(path.c_str(), "wb")) {
  if (!file_) throw std::system_error(errno, std::generic_category(), path_.string());
  const FileHeader header;
  std::fwrite(&header, sizeof header, 1, file_.get());
}

void FilterLog::record(Nanoseconds time, std::span<const std::byte> packet) {
  const std::size_t captured = std::min(packet.size(), snap_length);
  const RecordHeader header{static_cast<std::uint32_t>(time / nanoseconds_per_second),
                            static_cast<std::uint32_t>(time % nanoseconds_per_second),
                            static_cast<std::uint32_t>(captured), static_cast<std::uint32_t>(packet.size())};
  std::fwrite(&header, sizeof header, 1, file_.get());
  std::fwrite(packet.data(), 1, captured, file_.get());
}

void FilterLog::close() {
  const bool failed = std::ferror(file_.get()) != 0;
  if (std::fclose(file_.release()) != 0 || failed)
    throw std::system_error(errno, std::generic_category(), path_.string());
}

}  // namespace seawind
