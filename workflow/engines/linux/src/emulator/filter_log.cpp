#include "emulator/filter_log.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <stdexcept>
#include <system_error>

namespace seawind {
namespace {

// The format leaves the byte order to the writer and marks it by the first number; ours is the machine's.
struct FileHeader {
  std::uint32_t magic = 0xa1b23c4d;  // time stamps in nanoseconds
  std::uint16_t major = 2, minor = 4;
  std::int32_t zone = 0;
  std::uint32_t accuracy = 0;
  std::uint32_t snap_length = FilterLog::snap_length;
  std::uint32_t link_type = 101;  // LINKTYPE_RAW: the packet begins with its IP header
};
static_assert(sizeof(FileHeader) == 24);

struct RecordHeader {
  std::uint32_t seconds;
  std::uint32_t nanoseconds;
  std::uint32_t captured_bytes;
  std::uint32_t packet_bytes;
};
static_assert(sizeof(RecordHeader) == 16);

}  // namespace

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
