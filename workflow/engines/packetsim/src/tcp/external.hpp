// A congestion window whose decisions are those of a controller in a shared object (tcpatlas_cc.h): one
// indirect call for each event.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "kit/main/units.hpp"
#include "kit/point/point.hpp"
#include "tcp/controller_library.hpp"
#include "tcp/recovery.hpp"
#include "tcp/tcpatlas_cc.h"
#include "tcp/window.hpp"

namespace packetsim {

// With `kEveryAck` it hears of all packets, paces, and may have a recovery of its own; without, it costs what
// CUBIC does.
template <bool kEveryAck>
class External : public WindowDefaults {
 public:
  static constexpr std::string_view kName = "external";
  static constexpr bool kHearsDeliveries = kEveryAck;
  static constexpr bool kHearsTransmissions = kEveryAck;
  static constexpr bool kPaces = kEveryAck;
  static constexpr bool kPacingIsOptional = kEveryAck;

  static bool is_for(const kit::Tcp& tcp) { return ((of(tcp).flags & CC_EVERY_ACK) != 0) == kEveryAck; }
  static Recovery recovery(const kit::Tcp& tcp) {
    return (of(tcp).flags & CC_OWN_RECOVERY) != 0 ? Recovery::kOfWindow : Recovery::kPrr;
  }
  static bool hears_marks(const kit::Tcp& tcp) { return tcp.variant == kName && of(tcp).on_mark != nullptr; }
  static bool echoes_each(const kit::Tcp& tcp) { return (of(tcp).flags & CC_EACH_MARK) != 0; }

  External() = default;
  explicit External(const kit::Tcp& tcp)
      : controller_(&of(tcp)),
        own_(&std::get<kit::ExternalParameters>(tcp.own)),
        packet_bytes_(tcp.packet_bytes),
        most_(tcp.rwnd_packets) {
    if (kEveryAck && (tcp.pacing || tcp.loss_detection == kit::LossDetection::kRackTlp)) {
      throw kit::Unsupported("sources.tcp: must have neither pacing nor rack-tlp with CC_EVERY_ACK");
    }
  }
  // A local loop copies senders that have not started.
  External(const External& other)
      : controller_(other.controller_),
        own_(other.own_),
        packet_bytes_(other.packet_bytes_),
        most_(other.most_),
        seed_(other.seed_),
        flow_(other.flow_) {}
  External& operator=(const External& other) { return *this = External(other); }
  External(External&& other) noexcept { *this = std::move(other); }
  External& operator=(External&& other) noexcept {
    std::swap(self_, other.self_);
    controller_ = other.controller_;
    own_ = other.own_;
    packet_bytes_ = other.packet_bytes_;
    most_ = other.most_;
    seed_ = other.seed_;
    flow_ = other.flow_;
    decision_ = other.decision_;
    window_ = other.window_;
    rate_ = other.rate_;
    gap_ = other.gap_;
    return *this;
  }
  ~External() { destroy(); }

  void seed(std::uint64_t seed, std::size_t flow) {
    seed_ = seed;
    flow_ = flow;
  }

  void start(std::int32_t initial_window, std::int32_t ssthresh) {
    destroy();
    std::vector<cc_parameter> parameters;
    for (const auto& [name, value] : own_->parameters) {
      parameters.push_back({name.c_str(), value});
    }
    const cc_config config{.packet_bytes = static_cast<std::uint32_t>(packet_bytes_),
                           .initial_window = initial_window,
                           .most = most_,
                           .parameter_count = static_cast<std::uint32_t>(parameters.size()),
                           .parameters = parameters.data(),
                           .seed = seed_};
    decision_ = {.window = static_cast<double>(initial_window),
                 .ssthresh = static_cast<double>(ssthresh),
                 .pacing_rate = 0};
    event_ = {};
    begin("create", 0);
    self_ = controller_->create(&config, &decision_);
    end();
  }

  std::int32_t window() const { return window_; }
  std::int32_t ssthresh() const {
    return static_cast<std::int32_t>(std::min(decision_.ssthresh, static_cast<double>(INT32_MAX)));
  }

  void count(std::int32_t acked, bool marked, std::int32_t /*una*/, std::int32_t /*next*/) {
    event_.delivered_total += acked;
    event_.marked_total += marked ? std::max(acked, 1) : 0;
  }
  void on_ack(const WindowEvent& ack) {
    if constexpr (!kEveryAck) {
      note_round_trip(ack.round_trip);
    }
    tell("on_ack", controller_->on_ack, ack);
  }
  void on_loss(const WindowEvent& state) { tell("on_loss", controller_->on_loss, state); }
  void on_mark(const WindowEvent& state) {
    tell("on_mark", controller_->on_mark != nullptr ? controller_->on_mark : controller_->on_loss, state);
  }
  void on_timeout(const WindowEvent& state) { tell("on_timeout", controller_->on_timeout, state); }
  void on_recovered(std::int32_t una, std::int32_t next) {
    tell("on_recovered", controller_->on_recovered, {.now = event_.now, .una = una, .next = next});
  }
  void on_idle_restart(Picoseconds now) {
    tell("on_restart", controller_->on_restart, {.now = now, .una = event_.una, .next = event_.next});
  }
  void limit(std::int32_t packets) { window_ = std::min(window_, packets); }

  void on_delivery(const DeliveryEvent& ack, const SentPacket& newest,
                   const std::vector<SentPacket>& lost) requires kEveryAck {
    note_round_trip(ack.round_trip);
    if (controller_->on_delivery == nullptr) {
      return;
    }
    lost_.clear();
    for (const SentPacket& packet : lost) {
      lost_.push_back({packet.number, packet.sent});
    }
    event_.now = ack.now;
    event_.rtt = ack.round_trip;
    event_.newest = {newest.number, newest.sent};
    event_.lost_packets = lost_.data();
    event_.delivered_before = ack.rate.prior_delivered;
    event_.delivery_rate = ack.rate.packets_per_ps * kit::kPicosecondsPerSecond;
    event_.acked = 0;
    event_.delivered = ack.delivered;
    event_.lost = static_cast<std::int32_t>(lost_.size());
    event_.in_flight = ack.in_flight;
    event_.prior_in_flight = ack.prior_in_flight;
    event_.una = ack.una;
    event_.flags = ack.rate.app_limited ? std::uint32_t{CC_APP_LIMITED} : 0;
    call("on_delivery", controller_->on_delivery);
  }
  static bool limits_rate() requires kEveryAck { return false; }
  Picoseconds pacing_gap() const requires kEveryAck { return gap_; }
  void on_sent(const SentPacket& sent) requires kEveryAck {
    if (controller_->on_sent != nullptr) {
      const cc_packet packet{sent.number, sent.sent};
      begin("on_sent", sent.sent);
      controller_->on_sent(self_, &packet);
      controller_call.name = nullptr;
    }
  }

 private:
  using Call = void (*)(void*, const cc_event*, cc_decision*);

  static const cc_controller& of(const kit::Tcp& tcp) {
    return controller_in(std::get<kit::ExternalParameters>(tcp.own).library);
  }

  void note_round_trip(Picoseconds sample) {
    if (sample > 0) {
      event_.srtt = event_.srtt == 0 ? sample : event_.srtt + (sample - event_.srtt) / 8;
      event_.min_rtt = event_.min_rtt == 0 ? sample : std::min(event_.min_rtt, sample);
    }
  }

  void tell(const char* name, Call handler, const WindowEvent& of) {
    if (handler == nullptr) {
      return;
    }
    event_.now = of.now;
    event_.rtt = of.round_trip;
    event_.acked = of.acked;
    event_.una = of.una;
    event_.next = of.next;
    call(name, handler);
  }

  void call(const char* name, Call handler) {
    begin(name, event_.now);
    handler(self_, &event_, &decision_);
    end();
  }

  void begin(const char* name, Picoseconds now) {
    controller_call.name = name;
    controller_call.library = own_->library.c_str();
    controller_call.flow = flow_;
    controller_call.now = now;
    ++controller_call.count;
  }

  // Takes the answer: whole packets, at most what the receiver allows.
  void end() {
    const bool is_window = decision_.window >= 1 && decision_.ssthresh >= 1 && decision_.pacing_rate >= 0;
    if (!is_window) [[unlikely]] {
      refuse_answer(controller_call, decision_.window, decision_.ssthresh, decision_.pacing_rate);
    }
    controller_call.name = nullptr;
    window_ = static_cast<std::int32_t>(std::min(decision_.window, static_cast<double>(most_)));
    if constexpr (kEveryAck) {
      if (decision_.pacing_rate != rate_) {
        rate_ = decision_.pacing_rate;
        gap_ = rate_ > 0 ? kit::rounded(packet_bytes_ / rate_ * kit::kPicosecondsPerSecond) : 0;
      }
    }
  }

  void destroy() {
    if (self_ != nullptr && controller_->destroy != nullptr) {
      begin("destroy", event_.now);
      controller_->destroy(std::exchange(self_, nullptr));
      controller_call.name = nullptr;
    }
  }

  const cc_controller* controller_ = nullptr;
  const kit::ExternalParameters* own_ = nullptr;
  void* self_ = nullptr;
  cc_event event_{};
  cc_decision decision_{};
  std::vector<cc_packet> lost_;
  std::int32_t window_ = 1;
  std::int32_t packet_bytes_ = 0;
  std::int32_t most_ = INT32_MAX;
  std::uint64_t seed_ = 0;
  std::size_t flow_ = 0;
  double rate_ = 0;      // of pacing, bytes/s
  Picoseconds gap_ = 0;  // that goes with it
};

}  // namespace packetsim
