// packetsim as a WebAssembly module: a point's text in, a run's text out, no files.
//
// An instance makes one run. What the engine throws ends it: there is no unwinding; the message goes to the
// host
// (`failed`), which leaves the call by an exception of its own.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <typeinfo>

#include "kit/main/run.hpp"
#include "kit/point/point.hpp"
#include "run/simulate.hpp"

#define FROM_HOST(name) [[clang::import_module("host"), clang::import_name(#name)]]
#define TO_HOST(name) [[clang::export_name(#name)]]

extern "C" {
FROM_HOST(progress) void host_progress(double share);
FROM_HOST(failed) void host_failed(const char* text, std::size_t bytes, bool unsupported);
}

namespace {

std::string point_text;
std::string run_text;

}  // namespace

extern "C" {

// Where the host writes a point of so many bytes.
TO_HOST(point) char* point(std::size_t bytes) {
  point_text.resize(bytes);
  return point_text.data();
}

// Simulates it; returns how many bytes run() has.
TO_HOST(simulate) std::size_t simulate(std::uint64_t seed) {
  const kit::Point read = kit::parse_point(kit::Json::parse(point_text), "point");
  const kit::Progress progress = [](std::int64_t done, std::int64_t all) {
    host_progress(static_cast<double>(done) / static_cast<double>(all));
  };
  run_text =
      kit::run_json(read, seed, packetsim::simulate(read, seed, progress), packetsim::kEngine).dump(1) + "\n";
  return run_text.size();
}

TO_HOST(run) const char* run() { return run_text.data(); }

void* __cxa_allocate_exception(std::size_t bytes) { return std::malloc(bytes); }

// Everything that is thrown here derives from std::exception, singly.
[[noreturn]] void __cxa_throw(void* object, std::type_info* type, void (*)(void*)) {
  const std::string what = static_cast<std::exception*>(object)->what();
  host_failed(what.data(), what.size(), *type == typeid(kit::Unsupported));
  std::abort();
}

}  // extern "C"
