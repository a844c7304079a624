// packetsim: simulates a TCP dumbbell packet by packet.

#include "kit/main/engine_main.hpp"
#include "run/simulate.hpp"

int main(int argc, char** argv) {
  return kit::engine_main(argc, argv, packetsim::kEngine, "Simulates a TCP dumbbell packet by packet",
                          packetsim::simulate);
}
