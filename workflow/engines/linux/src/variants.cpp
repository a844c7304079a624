#include "variants.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace linux_engine {

const Variant& variant_of(const kit::Tcp& tcp) {
  const auto* const variant = std::ranges::find(kVariants, tcp.variant, &Variant::name);
  if (variant != kVariants.end()) {
    return *variant;
  }
  std::string known;
  for (const Variant& each : kVariants) {
    known.append(known.empty() ? "" : ", ").append(each.name);
  }
  throw kit::Unsupported("tcp.variant: is '" + tcp.variant + "'; one of " + known);
}

std::vector<std::string> added_congestion_controls() {
  std::ifstream file("/proc/sys/net/ipv4/tcp_available_congestion_control");
  std::vector<std::string> names{std::istream_iterator<std::string>(file), {}};
  std::erase_if(names, [](const std::string& name) {
    return std::ranges::find(kVariants, name, &Variant::congestion_control) != kVariants.end();
  });
  return names;
}

std::string congestion_control_of(const kit::Tcp& tcp) {
  const std::string_view of_variant = variant_of(tcp).congestion_control;
  if (!of_variant.empty()) {
    return std::string(of_variant);
  }
  const std::vector<std::string> added = added_congestion_controls();
  if (added.size() != 1) {
    throw std::runtime_error(
        "tcp.library: registers no congestion control, or under a name that the kernel has already; one of a "
        "name of its own");
  }
  return added.front();
}

}  // namespace linux_engine
