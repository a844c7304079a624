// Finds a TCP variant by its name, and lets sources of different variants share a simulation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "kit.hpp"
#include "kit/point/point.hpp"
#include "tcp/tcp_state.hpp"

namespace packetsim {

template <class... Congestions>
class VariantList {
 public:
  // A congestion control of any of the variants. Its members branch on the variant, which costs time for each
  // packet: a point whose sources all have one variant is simulated with that class itself.
  class Any {
   public:
    Any() = default;

    // Throws Unsupported.
    explicit Any(const std::string& name) {
      visit(name, [this]<class Congestion>(std::type_identity<Congestion>) {
        state_ = Congestion();
        return true;
      });
    }

    // To the state in which a transfer begins.
    void restart() {
      each([](auto& congestion) { congestion = {}; });
    }
    bool in_recovery() const {
      return each([](const auto& congestion) { return congestion.in_recovery(); });
    }
    Decision on_new_ack(TcpState& tcp, const TcpLimits& limits, std::int32_t acked) {
      return each([&](auto& congestion) { return congestion.on_new_ack(tcp, limits, acked); });
    }
    Decision on_duplicate_ack(TcpState& tcp, const TcpLimits& limits) {
      return each([&](auto& congestion) { return congestion.on_duplicate_ack(tcp, limits); });
    }
    void on_timeout(TcpState& tcp) {
      each([&](auto& congestion) { congestion.on_timeout(tcp); });
    }

   private:
    template <class Visit>
    auto each(Visit visit) {
      return std::visit(visit, state_);
    }
    template <class Visit>
    auto each(Visit visit) const {
      return std::visit(visit, state_);
    }

    std::variant<Congestions...> state_;
  };

  // Returns run(std::type_identity<Congestion>()) for the variant of this name. Throws Unsupported.
  template <class Run>
  static auto visit(const std::string& name, Run run) {
    using First = std::tuple_element_t<0, std::tuple<Congestions...>>;
    std::optional<decltype(run(std::type_identity<First>()))> result;
    const bool found =
        ((Congestions::kName == name && (result.emplace(run(std::type_identity<Congestions>())), true)) ||
         ...);
    if (!found) {
      throw Unsupported("sources: the TCP variant '" + name + "' is unknown to packetsim; one of " + names());
    }
    return *std::move(result);
  }

 private:
  static std::string names() {
    std::string list;
    ((list += std::string(Congestions::kName) + ", "), ...);
    return list + "compound";
  }
};

}  // namespace packetsim
