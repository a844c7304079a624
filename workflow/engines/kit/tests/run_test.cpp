#include "kit/main/run.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <string>

namespace kit {
namespace {

TEST(WriteAtomically, WritesToAPipeWithoutReplacingIt) {
  const std::string folder = testing::TempDir() + "pipe." + std::to_string(getpid());
  std::filesystem::create_directory(folder);
  const std::filesystem::path pipe = folder + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  // Open for reading, so that writing does not wait for a reader.
  const int reader = open(pipe.c_str(), O_RDWR | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  write_atomically({{"seed", 1}}, pipe);
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  std::array<char, 64> text{};
  const auto length = read(reader, text.data(), text.size());
  EXPECT_EQ(std::string(text.data(), length > 0 ? static_cast<std::size_t>(length) : 0),
            "{\n \"seed\": 1\n}\n");
  close(reader);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace kit
