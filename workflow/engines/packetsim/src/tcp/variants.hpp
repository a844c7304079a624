// The list of TCP variants. To add one, include its file and name its class in `Variants`.
#pragma once

#include "tcp/bbr.hpp"
#include "tcp/compound.hpp"
#include "tcp/compound_draft.hpp"
#include "tcp/compound_linux.hpp"
#include "tcp/cubic.hpp"
#include "tcp/dctcp.hpp"
#include "tcp/newreno.hpp"
#include "tcp/reno.hpp"
#include "tcp/reno_window.hpp"
#include "tcp/tahoe.hpp"
#include "tcp/variant_list.hpp"

namespace packetsim {

using Variants = VariantList<NewReno, Reno, Tahoe, RenoWindow, Cubic, Dctcp, Bbr, Compound<CompoundDraft>,
                             Compound<CompoundLinux>>;

}  // namespace packetsim
