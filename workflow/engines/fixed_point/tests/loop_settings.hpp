// Local loops of the kit's tests, some of their users being references.
#pragma once

#include "kit/tests/loop_settings.hpp"
#include "settings.hpp"

namespace fixed_point {

inline Settings with_references(std::int32_t references, const kit::local_loop::Settings& loop) {
  Settings settings;
  static_cast<kit::local_loop::Settings&>(settings) = loop;
  settings.references = references;
  return settings;
}

}  // namespace fixed_point
