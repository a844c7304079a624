// Finds a TCP variant by its name, and lets sources of different variants share a simulation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "kit.hpp"
#include "kit/point/point.hpp"
#include "tcp/ecn.hpp"
#include "tcp/recovery.hpp"
#include "tcp/selective_sender.hpp"
#include "tcp/sender.hpp"
#include "tcp/tcp_state.hpp"

namespace packetsim {

// The sender of a variant: a congestion control of its own acknowledgements (newreno.hpp) has cumulative
// ones, a window (reno_window.hpp) selective ones.
template <class Variant>
struct SenderOf {
  using Type = Sender<Variant>;
};
template <class Variant>
requires Variant::kSelective struct SenderOf<Variant> {
  using Type = SelectiveSender<Variant>;
};

template <class... Variants>
class VariantList {
 public:
  // A sender of any of the variants. Its members branch on the variant, which costs time for each packet: a
  // point whose sources all have one variant is simulated with that one's sender itself. What sends is not
  // inlined: an event loop would hold the code of all variants several times.
  class AnySender {
   public:
    static constexpr bool kSender = true;

    // Throws Unsupported.
    explicit AnySender(const Tcp& tcp) {
      const bool found =
          ((is_for<Variants>(tcp) && (sender_ = typename SenderOf<Variants>::Type(tcp), true)) || ...);
      if (!found) {
        refuse(tcp);
      }
    }

    template <class Send>
    [[gnu::noinline]] void start(std::int32_t file_packets, const TcpLimits& limits, Picoseconds now,
                                 Send send) {
      each([&](auto& sender) { sender.start(file_packets, limits, now, send); });
    }
    template <class Send>
    [[gnu::noinline]] void resume(std::int32_t packets, const TcpLimits& limits, Picoseconds now, Send send) {
      each([&](auto& sender) { sender.resume(packets, limits, now, send); });
    }
    template <class Send, class Sampled>
    [[gnu::noinline]] bool on_ack(std::int32_t number, const TcpLimits& limits, Picoseconds now, Send send,
                                  Sampled sampled) {
      return each([&](auto& sender) { return sender.on_ack(number, limits, now, send, sampled); });
    }
    bool end_file() {
      return each([](auto& sender) { return sender.end_file(); });
    }
    void seed(std::uint64_t seed, std::size_t flow) {
      each([&](auto& sender) { sender.seed(seed, flow); });
    }
    template <class Send>
    [[gnu::noinline]] bool release(Picoseconds now, Send send) {
      return each([&](auto& sender) { return sender.release(now, send); });
    }
    template <class Send>
    [[gnu::noinline]] void on_timeout(const TcpLimits& limits, Picoseconds now, Send send) {
      each([&](auto& sender) { sender.on_timeout(limits, now, send); });
    }
    void on_delayed_ack(std::int32_t number) {
      each([&](auto& sender) { sender.on_delayed_ack(number); });
    }
    bool take_late(std::int32_t packet) {
      return each([&](auto& sender) { return sender.take_late(packet); });
    }
    std::int32_t packet_of(std::int32_t number) const {
      return each([&](const auto& sender) { return sender.packet_of(number); });
    }
    std::int32_t missing_after(std::int32_t number) const {
      return each([&](const auto& sender) { return sender.missing_after(number); });
    }
    bool is_selective() const {
      return each([](const auto& sender) { return sender.is_selective(); });
    }
    EcnEcho echo() const {
      return each([](const auto& sender) { return sender.echo(); });
    }
    bool done() const {
      return each([](const auto& sender) { return sender.done(); });
    }
    bool in_recovery() const {
      return each([](const auto& sender) { return sender.in_recovery(); });
    }
    Picoseconds deadline() const {
      return each([](const auto& sender) { return sender.deadline(); });
    }
    std::int32_t una() const {
      return each([](const auto& sender) { return sender.una(); });
    }
    std::int32_t beyond_hole() const {
      return each([](const auto& sender) { return sender.beyond_hole(); });
    }
    std::int32_t file_packets() const {
      return each([](const auto& sender) { return sender.file_packets(); });
    }
    WindowView window_view() const {
      return each([](const auto& sender) { return sender.window_view(); });
    }
    TimeoutState timeout_state() const {
      return each([](const auto& sender) { return sender.timeout_state(); });
    }

   private:
    template <class Visit>
    decltype(auto) each(Visit visit) {
      return std::visit(visit, sender_);
    }
    template <class Visit>
    decltype(auto) each(Visit visit) const {
      return std::visit(visit, sender_);
    }

    std::variant<typename SenderOf<Variants>::Type...> sender_;
  };

  // Whether there is a variant of this name with selective acknowledgements that leaves recovery, pacing and
  // marks to its sender.
  static bool has_options(const Tcp& tcp) {
    return ((Variants::kName == tcp.variant && is_any_senders<Variants>(tcp)) || ...);
  }

  // Returns run(std::type_identity<Variant>()) for the variant that the point names if it is one of `Own`,
  // else run(std::type_identity<AnySender>()). Throws Unsupported.
  template <class... Own, class Run>
  static auto visit(const Tcp& tcp, Run run) {
    std::optional<decltype(run(std::type_identity<AnySender>()))> result;
    const auto try_one = [&]<class Variant>(std::type_identity<Variant>) {
      if (!is_for<Variant>(tcp)) {
        return false;
      }
      using Compiled = std::conditional_t<(std::is_same_v<Variant, Own> || ...), Variant, AnySender>;
      result.emplace(run(std::type_identity<Compiled>()));
      return true;
    };
    if (!(try_one(std::type_identity<Variants>()) || ...)) {
      refuse(tcp);
    }
    return *std::move(result);
  }

 private:
  template <class Variant>
  static bool is_any_senders(const Tcp& tcp) {
    if constexpr (requires { Variant::kSelective; }) {
      return Variant::recovery(tcp) != Recovery::kOfWindow;
    } else {
      return false;
    }
  }

  // A variant of several classes has one for each of its parameters' kinds (compound.hpp).
  template <class Variant>
  static bool is_for(const Tcp& tcp) {
    if constexpr (requires { Variant::is_for(tcp); }) {
      return Variant::kName == tcp.variant && Variant::is_for(tcp);
    } else {
      return Variant::kName == tcp.variant;
    }
  }

  [[noreturn]] static void refuse(const Tcp& tcp) {
    throw Unsupported("sources: the TCP variant '" + tcp.variant + "' is unknown to packetsim; one of " +
                      names());
  }

  static std::string names() {
    std::vector<std::string_view> all = {Variants::kName...};
    all.erase(std::ranges::unique(all).begin(), all.end());
    std::string list;
    for (const std::string_view name : all) {
      list += (list.empty() ? "" : ", ") + std::string(name);
    }
    return list;
  }
};

template <class AnySender>
requires requires { AnySender::kSender; }
struct SenderOf<AnySender> {
  using Type = AnySender;
};

}  // namespace packetsim
