// Reads a JSON object key by key and knows where it is, so that every complaint can name file and key path.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kit/point/point.hpp"
#include "kit/point/ranges.hpp"

namespace kit {

class JsonReader {
 public:
  JsonReader(const Json& json, std::string file, std::string path = "")
      : json_(json), file_(std::move(file)), path_(std::move(path)) {
    if (!json_.is_object()) {
      throw InputError(file_ + ": " + (path_.empty() ? "the whole file" : path_) + ": must be an object");
    }
  }

  JsonReader object(const std::string& key) { return {at(key), file_, path_of(key)}; }

  bool has(const std::string& key) const { return json_.contains(key); }

  bool flag(const std::string& key) {
    const Json& value = at(key);
    if (!value.is_boolean()) {
      fail(key, "must be true or false");
    }
    return value.get<bool>();
  }

  // Marks keys as known that this engine has no use for.
  void ignore(std::initializer_list<const char*> keys) { seen_.insert(keys.begin(), keys.end()); }

  std::string text(const std::string& key) {
    const auto& value = at(key);
    if (!value.is_string()) {
      fail(key, "must be a text");
    }
    return value.get<std::string>();
  }

  // A name that others may show in a line.
  std::string word(const std::string& key) {
    std::string value = text(key);
    if (value.empty() || value != cut(value)) {
      fail(key, "is '" + cut(value) + "'; must be a word of at most 60 characters");
    }
    return value;
  }

  // One of the names that values are called by; returns the value.
  template <class Value>
  Value choice(const std::string& key, std::initializer_list<std::pair<std::string_view, Value>> allowed) {
    const std::string chosen = text(key);
    std::string list;
    for (const auto& [name, value] : allowed) {
      if (chosen == name) {
        return value;
      }
      list += (list.empty() ? "" : ", ") + std::string(name);
    }
    fail(key, "is '" + cut(chosen) + "'; one of " + list);
  }

  // An object of numbers.
  std::vector<std::pair<std::string, double>> numbers(const std::string& key) {
    const Json& values = at(key);
    std::vector<std::pair<std::string, double>> numbers;
    for (const auto& [name, value] : values.items()) {
      if (!values.is_object() || !value.is_number()) {
        fail(key, "must be an object of numbers");
      }
      numbers.emplace_back(name, value.template get<double>());
    }
    return numbers;
  }

  const Json& list(const std::string& key) { return at(key); }

  // The objects of a list.
  std::vector<JsonReader> objects(const std::string& key) {
    const Json& values = at(key);
    if (!values.is_array()) {
      fail(key, "must be a list");
    }
    std::vector<JsonReader> readers;
    for (std::size_t index = 0; index < values.size(); ++index) {
      readers.emplace_back(values[index], file_, path_of(key) + "." + std::to_string(index));
    }
    return readers;
  }

  double number(const std::string& key, const Range& range) {
    const auto& value = at(key);
    const std::string allowed = (range.low_allowed ? "at least " : "more than ") + shown(range.low) +
                                (range.high_allowed ? " and at most " : " and less than ") +
                                shown(range.high);
    if (!value.is_number()) {
      fail(key, "must be a number " + allowed);
    }
    const double number = value.get<double>();
    if (!(range.low_allowed ? number >= range.low : number > range.low) ||
        !(range.high_allowed ? number <= range.high : number < range.high)) {
      fail(key, "is " + shown(number) + "; must be " + allowed);
    }
    return number;
  }

  // A list of numbers.
  std::vector<double> doubles(const std::string& key) {
    const Json& values = at(key);
    if (!values.is_array() ||
        !std::ranges::all_of(values, [](const Json& value) { return value.is_number(); })) {
      fail(key, "must be a list of numbers");
    }
    return values.get<std::vector<double>>();
  }

  // A whole number; 1e3 counts as one.
  std::int64_t whole(const std::string& key, const Range& range) {
    const double value = number(key, range);
    if (std::floor(value) != value) {
      fail(key, "is " + shown(value) + "; must be a whole number");
    }
    return static_cast<std::int64_t>(value);
  }

  std::int32_t count(const std::string& key, const Range& range) {
    return static_cast<std::int32_t>(whole(key, range));
  }

  // To be called when all keys were read: any other key is an error.
  void finish() const {
    for (const auto& [key, value] : json_.items()) {
      if (!seen_.contains(key)) {
        std::string known;
        for (const auto& name : seen_) {
          known += (known.empty() ? "" : ", ") + name;
        }
        fail(key, "is not known here; allowed are " + known);
      }
    }
  }

  [[noreturn]] void fail(const std::string& key, const std::string& what) const {
    throw InputError(file_ + ": " + path_of(cut(key)) + ": " + what);
  }

  // What somebody wrote, of whatever length, for a line that people read: whole characters of UTF-8, and none
  // that would end the line.
  static std::string cut(const std::string& text) {
    constexpr std::size_t kLongest = 60;
    std::size_t end = std::min(text.size(), kLongest);
    while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) {
      --end;
    }
    std::string shown = text.substr(0, end);
    std::ranges::replace_if(
        shown, [](unsigned char c) { return c < ' ' || c == 0x7f; }, '?');
    return end < text.size() ? shown + "..." : shown;
  }

 private:
  const Json& at(const std::string& key) {
    seen_.insert(key);
    const auto found = json_.find(key);
    if (found == json_.end()) {
      fail(key, "is missing");
    }
    return *found;
  }

  std::string path_of(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }

  static std::string shown(double number) { return Json(number).dump(); }

  const Json& json_;
  std::string file_;
  std::string path_;
  std::set<std::string> seen_;
};

}  // namespace kit
