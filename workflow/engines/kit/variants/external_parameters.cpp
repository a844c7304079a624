#include "kit/variants/external_parameters.hpp"

#include "kit/point/json_reader.hpp"

namespace kit {

ExternalParameters ExternalParameters::read(JsonReader& tcp) {
  // "sha256:<digest> <path>": the digest makes a rebuilt library another point.
  const std::string named = tcp.text("library");
  const std::size_t space = named.find(' ');
  if (!named.starts_with("sha256:") || space == std::string::npos) {
    tcp.fail("library", "must be 'sha256:', the digest of the file, a space and its path");
  }
  ExternalParameters external{.library = named.substr(space + 1), .parameters = {}};
  if (tcp.has("parameters")) {
    external.parameters = tcp.numbers("parameters");
  }
  return external;
}

}  // namespace kit
