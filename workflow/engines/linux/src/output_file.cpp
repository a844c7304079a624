#include "output_file.hpp"

#include <cerrno>
#include <cstdarg>
#include <system_error>

namespace linux_engine {

OutputFile::OutputFile(const std::filesystem::path& path)
    : path_(path), file_(std::fopen(path.c_str(), "wb"), &std::fclose) {
  if (!file_) {
    throw std::system_error(errno, std::generic_category(), path_.string());
  }
}

void OutputFile::write(const void* data, std::size_t bytes) {
  check(std::fwrite(data, 1, bytes, file_.get()) == bytes);
}

void OutputFile::print(const char* format, ...) {
  std::va_list values;
  va_start(values, format);
  check(std::vfprintf(file_.get(), format, values) >= 0);
  va_end(values);
}

void OutputFile::close() {
  check(std::fclose(file_.release()) == 0);
  if (error_ != 0) {
    throw std::system_error(error_, std::generic_category(), path_.string());
  }
}

void OutputFile::check(bool good) {
  if (!good && error_ == 0) {
    error_ = errno;
  }
}

}  // namespace linux_engine
