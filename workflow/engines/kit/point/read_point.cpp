// Points in files, apart from what they mean: WebAssembly has the one without the other.

#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "kit/point/json_reader.hpp"
#include "kit/point/point.hpp"

namespace kit {

Point read_point(const std::filesystem::path& file) { return parse_point(read_json(file), file.string()); }

Json read_json(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) {
    throw InputError(file.string() + ": cannot be read: " + std::strerror(errno));
  }
  // The keys of each object that is open, and the one that was read last: the parser takes the first of two.
  std::vector<std::set<std::string>> keys;
  std::vector<std::string> path;
  const auto refuse_twins = [&](int /*depth*/, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) {
      keys.emplace_back();
      path.emplace_back();
    } else if (event == Json::parse_event_t::object_end) {
      keys.pop_back();
      path.pop_back();
    } else if (event == Json::parse_event_t::key) {
      path.back() = JsonReader::cut(parsed.get<std::string>());
      if (!keys.back().insert(parsed.get<std::string>()).second) {
        std::string place;
        for (const std::string& key : path) {
          place += (place.empty() ? "" : ".") + key;
        }
        throw InputError(file.string() + ": " + place + ": is there twice; each key once");
      }
    }
    return true;
  };
  try {
    return Json::parse(stream, refuse_twins);
  } catch (const Json::parse_error& error) {
    throw InputError(file.string() + ": is not JSON: byte " + std::to_string(error.byte));
  } catch (const Json::out_of_range&) {
    throw InputError(file.string() + ": holds a number beyond those of double precision");
  }
}

}  // namespace kit
