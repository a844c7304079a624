// The variants of TCP: a kernel as it is set, and its congestion control.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "kit/point/point.hpp"

namespace linux_engine {

struct Variant {
  // Today's kernel, or the same with what it has learnt since 2002 switched off.
  enum class Year { k2002, kToday };

  std::string_view name;
  std::string_view congestion_control;
  Year year = Year::kToday;
  bool sack = true;
};

inline constexpr std::string_view kExternal = kit::ExternalParameters::kVariant;

inline constexpr std::array kVariants{
    Variant{"newreno", "reno2002", Variant::Year::k2002, false},
    Variant{"linux-2.4", "reno2002", Variant::Year::k2002},
    Variant{"linux-6.1", "cubic"},
    Variant{"newreno-sack", "reno"},
    Variant{"cubic", "cubic"},
    Variant{"dctcp", "dctcp"},
    Variant{"bbr", "bbr"},
    Variant{"linux-reno", "reno", Variant::Year::k2002, false},
    Variant{"linux-bbr", "bbr"},
    Variant{"linux-bic", "bic"},
    Variant{"linux-cdg", "cdg"},
    Variant{"linux-cubic", "cubic"},
    Variant{"linux-dctcp", "dctcp"},
    Variant{"linux-highspeed", "highspeed"},
    Variant{"linux-htcp", "htcp"},
    Variant{"linux-hybla", "hybla"},
    Variant{"linux-illinois", "illinois"},
    Variant{"linux-lp", "lp"},
    Variant{"linux-nv", "nv"},
    Variant{"linux-scalable", "scalable"},
    Variant{"linux-vegas", "vegas"},
    Variant{"linux-veno", "veno"},
    Variant{"linux-westwood", "westwood"},
    Variant{"linux-yeah", "yeah"},
    // Somebody's own, which uml/module.sh has linked into the kernel: only that knows its name.
    Variant{kExternal, ""},
};

// Throws kit::Unsupported.
const Variant& variant_of(const kit::Tcp& tcp);

// The congestion controls that this kernel has beside those of the variants. Only in the guest.
std::vector<std::string> added_congestion_controls();

// The kernel's name of a variant's congestion control. Only in the guest. Throws std::runtime_error if
// somebody's own has not registered under a name of its own.
std::string congestion_control_of(const kit::Tcp& tcp);

// As the point says, or else the variant. Throws kit::Unsupported.
inline bool has_sack(const kit::Tcp& tcp) { return tcp.sack.value_or(variant_of(tcp).sack); }

// DCTCP is nothing without it.
inline bool has_ecn(const kit::Tcp& tcp) {
  return tcp.ecn.value_or(variant_of(tcp).congestion_control == "dctcp");
}

inline bool has_timestamps(const kit::Tcp& tcp) { return tcp.timestamps.value_or(true); }

}  // namespace linux_engine
