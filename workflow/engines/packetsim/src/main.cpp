// packetsim: simulates TCP over dumbbells and local loops packet by packet.

#include "kit/main/engine_main.hpp"
#include "run/simulate.hpp"

int main(int argc, char** argv) {
  return kit::engine_main(argc, argv, packetsim::kEngine,
                          "Simulates TCP over a dumbbell or a local loop packet by packet",
                          packetsim::simulate);
}
