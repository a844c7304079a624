#include "virtual_wait.hpp"

#include <cmath>
#include <numeric>
#include <stdexcept>

#include "fractional_noise.hpp"

namespace kit {
namespace {

std::vector<Picoseconds> work_of(const FractionalLoad& load, Picoseconds limit, std::uint64_t seed) {
  if (!(load.mean > 0)) {
    throw std::invalid_argument("mean of the fractional Brownian load must be above 0");
  }
  if (load.mean > 1 || (load.mean == 1 && limit == kNever)) {
    throw std::invalid_argument(
        "mean of the fractional Brownian load leaves nothing of the router: at most 1, below 1 without "
        "buffer limit");
  }
  if (!(load.sd >= 0)) {
    throw std::invalid_argument("standard deviation of the fractional Brownian load must be 0 or above");
  }
  if (!(load.slot_s > 0)) {
    throw std::invalid_argument("slot of the fractional Brownian load must be above 0 s");
  }
  const std::vector<double> noise = fractional_noise(load.hurst, load.period, seed);
  std::vector<Picoseconds> work(noise.size());
  std::transform(noise.begin(), noise.end(), work.begin(),
                 [&](double value) { return picoseconds(load.slot_s * (load.mean + load.sd * value)); });
  return work;
}

}  // namespace

VirtualWait::VirtualWait(std::span<const Picoseconds> work, Picoseconds slot, Picoseconds limit,
                         std::uint64_t seed)
    : slots_(work.size()),
      slot_(slot),
      per_slot_(slot),
      per_period_(std::max<std::int64_t>(2, static_cast<std::int64_t>(work.size()))),
      limit_(limit),
      seed_(seed) {
  if (work.size() < 2) {
    throw std::invalid_argument("load of a router needs two slots or more");
  }
  if (limit == kNever && std::accumulate(work.begin(), work.end(), Picoseconds{0}) >= period()) {
    throw std::invalid_argument("load leaves nothing of a router without buffer limit");
  }
  // The wait at the beginning of a round never falls from round to round, and is bounded: by the largest sum
  // of load in a row if the router can do its work, else by the limit. Mostly the second round begins as it
  // ends.
  Picoseconds wait = 0;
  do {
    for (std::size_t i = 0; i < work.size(); ++i) {
      slots_[i] = {work[i], wait};
      wait = std::clamp<Picoseconds>(wait + work[i] - slot_, 0, limit_);
    }
  } while (wait != slots_[0].wait);
}

VirtualWait::VirtualWait(const FractionalLoad& load, Picoseconds limit, std::uint64_t seed)
    : VirtualWait(work_of(load, limit, seed), picoseconds(load.slot_s), limit, seed) {}

}  // namespace kit
