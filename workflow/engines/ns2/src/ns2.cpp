#include "ns2.hpp"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "script.hpp"

namespace ns2 {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = "/usr/bin/ns";

// A folder for the script, removed with it.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "tcp-atlas-ns2.XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      throw std::runtime_error(name + ": cannot be made");
    }
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  if (!pipe) {
    throw std::runtime_error(std::string(kProgram) + ": cannot be started");
  }
  std::string text;
  std::array<char, 4096> part{};
  while (const std::size_t count = std::fread(part.data(), 1, part.size(), pipe.get())) {
    text.append(part.data(), count);
  }
  return text;
}

}  // namespace

std::optional<std::string> missing() {
  if (fs::exists(kProgram)) {
    return std::nullopt;
  }
  return std::string(kProgram) + " is missing: install the package ns2";
}

std::map<std::string, double> run_script(const std::map<std::string, std::string>& arguments) {
  if (const auto lacks = missing()) {
    throw std::runtime_error(*lacks);
  }
  const Folder folder;
  const fs::path script = folder.path() / "script.tcl";
  std::ofstream(script) << kScript;
  std::string command = std::string(kProgram) + " '" + script.string() + "'";
  for (const auto& [name, value] : arguments) {
    command += " " + name + " '" + value + "'";
  }
  std::istringstream lines(output_of(command + " 2>&1"));
  std::map<std::string, double> printed;
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string name;
    double value = 0;
    if (!(words >> name >> value) || !(words >> std::ws).eof()) {
      throw std::runtime_error("ns-2: " + line);
    }
    printed[name] = value;
  }
  if (printed.empty()) {
    throw std::runtime_error("ns-2 printed nothing");
  }
  return printed;
}

}  // namespace ns2
