#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>

namespace linux_engine {

// A file of results. That a disk is full may show at any write: the first error is remembered until close().
class OutputFile {
 public:
  // Throws std::system_error, which names the file, if it cannot be created.
  explicit OutputFile(const std::filesystem::path& path);

  void write(const void* data, std::size_t bytes);
  [[gnu::format(printf, 2, 3)]] void print(const char* format, ...);

  // Throws std::system_error, which names the file, if anything could not be written.
  void close();

 private:
  void check(bool good);

  std::filesystem::path path_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  int error_ = 0;
};

}  // namespace linux_engine
