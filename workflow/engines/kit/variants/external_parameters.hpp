// A congestion controller in a shared object of its author's, as a point names it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kit {

class JsonReader;

struct ExternalParameters {
  static constexpr std::string_view kVariant = "external";
  static ExternalParameters read(JsonReader& tcp);

  // A point is data and a library is code: it runs only if the command line says so (--allow-library).
  static inline bool allowed = false;

  std::string library;  // path
  std::vector<std::pair<std::string, double>> parameters;
};

}  // namespace kit
