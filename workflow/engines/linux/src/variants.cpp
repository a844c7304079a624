#include "variants.hpp"

#include <algorithm>

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

}  // namespace linux_engine
