#include "kit/local_loop/quality.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace kit::local_loop {

std::vector<double> block_rates(const std::vector<float>& blocks_per_s, double packet_bits) {
  std::vector<double> rates(blocks_per_s.begin(), blocks_per_s.end());
  std::sort(rates.begin(), rates.end());
  for (double& rate : rates) {
    rate *= packet_bits;
  }
  return rates;
}

std::vector<double> file_rates(const std::vector<Burst>& bursts, double packet_bits,
                               double more_than_packets) {
  std::vector<double> rates;
  for (const Burst& burst : bursts) {
    if (burst.packets > more_than_packets) {
      rates.push_back(packet_bits * burst.packets / burst.on_s);
    }
  }
  std::sort(rates.begin(), rates.end());
  return rates;
}

std::vector<double> arrival_rates(const std::vector<Burst>& bursts, double packet_bits) {
  std::vector<double> rates;
  rates.reserve(bursts.size());
  for (const Burst& burst : bursts) {
    rates.push_back(packet_bits * burst.packets / burst.arrival_s);
  }
  std::sort(rates.begin(), rates.end());
  return rates;
}

double guaranteed_rate(const std::vector<double>& sorted_rates, double share, double granularity_bit_per_s) {
  if (sorted_rates.empty()) {
    throw std::invalid_argument("guaranteed rate: there must be a rate");
  }
  // The fewest rates that are more than the share of all: the lowest of them.
  const auto needed = static_cast<std::size_t>(share * static_cast<double>(sorted_rates.size())) + 1;
  const double rate = sorted_rates[sorted_rates.size() - std::min(needed, sorted_rates.size())];
  return granularity_bit_per_s > 0 ? std::ceil(rate / granularity_bit_per_s) * granularity_bit_per_s : rate;
}

}  // namespace kit::local_loop
