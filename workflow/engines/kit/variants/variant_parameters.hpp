// The list of TCP variants with parameters of their own. To add one, include its file and name its struct,
// which has the variant's name (`kVariant`) and reads itself from the point (`read`).
#pragma once

#include <variant>

#include "kit/variants/compound_parameters.hpp"
#include "kit/variants/cubic_parameters.hpp"
#include "kit/variants/external_parameters.hpp"
#include "kit/variants/reno_parameters.hpp"

namespace kit {

using VariantParameters = std::variant<std::monostate, CompoundParameters, CubicParameters,
                                       ExternalParameters, InformedRenoParameters, LifelongRenoParameters>;

}  // namespace kit
