// Quality of service (Baccelli, Hong and Liu 2001, section 8).
#pragma once

#include <vector>

namespace kit::local_loop {

// A downloaded file.
struct Burst {
  float packets;
  float on_s;       // as long as its user is on
  float arrival_s;  // until its last packet reaches the destination
};

// The three definitions of the instantaneous goodput, in bit/s, sorted from the lowest: over xi packets in a
// row, over whole files, and over files of more than xi packets.
std::vector<double> block_rates(const std::vector<float>& blocks_per_s, double packet_bits);
std::vector<double> file_rates(const std::vector<Burst>& bursts, double packet_bits,
                               double more_than_packets = 0);

// The rates of whole files until their last packets arrive.
std::vector<double> arrival_rates(const std::vector<Burst>& bursts, double packet_bits);

// lambda_x%: the largest y with P(rate >= y) > share, share in [0, 1). With a granularity above 0, rounded up
// to a multiple of it. Throws std::invalid_argument without rates.
double guaranteed_rate(const std::vector<double>& sorted_rates, double share,
                       double granularity_bit_per_s = 0);

}  // namespace kit::local_loop
