#include <unistd.h>

#include <cstdio>
#include <string_view>
#include <vector>

#include "failure.hpp"
#include "live.hpp"
#include "virtual_time.hpp"

namespace {

void print_usage() {
  std::printf(
      "usage: seawind live OUT [key=value...]            on this machine's kernel, in real time\n"
      "       seawind virtual KERNEL OUT [key=value...]  in virtual time, inside the User-Mode Linux KERNEL\n"
      "Bulk transfers of the Linux kernel's TCP over an emulated link. OUT is a directory to be made, with "
      "the filter\n"
      "logs sender.pcap and receiver.pcap, tcp_info.csv, drops.csv and run.json. Keys and defaults:\n%s"
      "Exit status: 0 done, 1 failed, 3 not possible on this machine, 4 refused: the emulator was too "
      "late.\n",
      seawind::settings_help().c_str());
}

void run(const std::vector<std::string_view>& words) {
  const std::string_view command = words.empty() ? "" : words[0];
  const std::span all(words);
  if (command == "guest" && ::getpid() == 1) seawind::run_as_guest(all.subspan(1));
  if (command == "live" && words.size() >= 2)
    return seawind::run_live(seawind::parse_settings(all.subspan(2)), words[1]);
  if (command == "virtual" && words.size() >= 3)
    return seawind::run_in_virtual_time(seawind::parse_settings(all.subspan(3)), words[1], words[2]);
  print_usage();
  if (command != "help" && command != "--help") throw seawind::Failure("");
}

}  // namespace

int main(int count, char** arguments) {
  return static_cast<int>(seawind::status_of([&] { run({arguments + 1, arguments + count}); }));
}
