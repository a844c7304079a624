#include "tcp/reno.hpp"

#include "kit/tests/reno_sequences.hpp"
#include "script.hpp"

namespace kit {
INSTANTIATE_TYPED_TEST_SUITE_P(Packetsim, RenoSequences, packetsim::Script<packetsim::Reno>);
}  // namespace kit
