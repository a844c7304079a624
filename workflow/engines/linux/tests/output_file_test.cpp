#include "output_file.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace linux_engine {
namespace {

std::string failure(OutputFile& file) {
  try {
    file.close();
  } catch (const std::system_error& error) {
    return error.what();
  }
  return "written";
}

// What fits into the C library's buffer fails as the file is closed, what does not fails as it is written.
TEST(OutputFile, AFullDiskIsToldWithTheFilesName) {
  for (const std::size_t bytes : {10U, 1'000'000U}) {
    OutputFile file("/dev/full");
    file.write(std::string(bytes, 'x').data(), bytes);
    errno = 0;  // whatever happens until it is closed
    EXPECT_EQ(failure(file), "/dev/full: No space left on device") << bytes;
  }
}

TEST(OutputFile, TheFirstErrorIsTheOneToldLater) {
  OutputFile file("/dev/full");
  file.print("%s", std::string(1'000'000, 'x').c_str());
  errno = EINTR;
  EXPECT_EQ(failure(file), "/dev/full: No space left on device");
}

}  // namespace
}  // namespace linux_engine
