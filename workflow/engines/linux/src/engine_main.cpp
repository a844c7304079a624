// linux: measures bulk transfers of the Linux kernel's TCP over an emulated link, in virtual time.

#include <unistd.h>

#include <string_view>
#include <vector>

#include "engine.hpp"
#include "virtual_time.hpp"

int main(int argc, char** argv) {
  const std::vector<std::string_view> words(argv + 1, argv + argc);
  if (::getpid() == 1 && !words.empty() && words[0] == "guest")
    seawind::run_as_guest(std::span(words).subspan(1));
  return kit::engine_main(argc, argv, seawind::engine,
                          "Transfers by the Linux kernel's TCP over an emulated link, in virtual time",
                          seawind::simulate);
}
