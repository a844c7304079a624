// JSON with its keys in the order of the file, as runs are written; points are read as the same kind, so that
// the library's templates are compiled once.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace kit {

using Json = nlohmann::ordered_json;

}  // namespace kit
