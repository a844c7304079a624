// The list of TCP variants. To add one, include its file and name its class in `Variants`.
#pragma once

#include "tcp/bbr.hpp"
#include "tcp/compound.hpp"
#include "tcp/compound_draft.hpp"
#include "tcp/compound_linux.hpp"
#include "tcp/cubic.hpp"
#include "tcp/cubic_linux.hpp"
#include "tcp/dctcp.hpp"
#include "tcp/external.hpp"
#include "tcp/newreno.hpp"
#include "tcp/newreno_linux.hpp"
#include "tcp/rack_sender.hpp"
#include "tcp/reno.hpp"
#include "tcp/reno_window.hpp"
#include "tcp/tahoe.hpp"
#include "tcp/variant_list.hpp"

namespace packetsim {

// Of several classes of one name the first is taken that is for the point.
using Variants = VariantList<NewRenoLinux, ImpatientNewReno, NewReno, Reno, Tahoe, ByTime<RenoWindow>,
                             RenoWindow, ByTime<CubicLinux>, ByTime<Cubic>, Cubic, ByTime<DctcpLinux>,
                             ByTime<Dctcp>, Dctcp, Bbr, Compound<CompoundDraft>, Compound<CompoundLinux>,
                             ByTime<External<false>>, External<false>, External<true>>;

}  // namespace packetsim
