// The list of TCP variants. To add one, include its file and name its class in `Variants`.
#pragma once

#include "tcp/newreno.hpp"
#include "tcp/reno.hpp"
#include "tcp/tahoe.hpp"
#include "tcp/variant_list.hpp"

namespace packetsim {

// Compound TCP, with selective acknowledgements, has a sender of its own (compound.hpp, sack_sender.hpp).
using Variants = VariantList<NewReno, Reno, Tahoe>;

}  // namespace packetsim
