// Files that hold no point. What a point may hold is told by tests/bytes/refused.json of the engines.

#include "kit/point/point.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "kit/main/run.hpp"

namespace kit {
namespace {

TEST(Point, AKeyIsThereOnce) {
  const auto file = std::filesystem::path(testing::TempDir()) / "twins.json";
  std::ofstream(file) << R"({"links": {"a": {"x": 1}, "b": {"x": 1, "y": 2, "x": 3}}})";
  try {
    read_point(file);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), file.string() + ": links.b.x: is there twice; each key once");
  }
}

TEST(Point, AFileThatCannotBeReadIsNamed) {
  EXPECT_THROW(read_point("/nowhere/point.json"), InputError);
  const auto file = std::filesystem::path(testing::TempDir()) / "not.json";
  std::ofstream(file) << "{\"schema\": ";
  try {
    read_point(file);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).rfind(file.string() + ": is not JSON", 0), 0U);
  }
}

TEST(RunFile, NothingHalfWrittenIsLeft) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "nothing_half_written";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  EXPECT_THROW(write_atomically({{"a", 1}}, folder / "missing" / "run.json"), std::runtime_error);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  write_atomically({{"a", 1}}, folder / "run.json");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
}

}  // namespace
}  // namespace kit
