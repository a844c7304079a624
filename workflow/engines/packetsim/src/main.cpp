// packetsim: simulates a TCP dumbbell packet by packet.

#include "engine_main.hpp"
#include "simulate.hpp"

int main(int argc, char** argv) {
  return packetsim::engine_main(argc, argv, {}, "Simulates a TCP dumbbell packet by packet",
                                packetsim::simulate);
}
