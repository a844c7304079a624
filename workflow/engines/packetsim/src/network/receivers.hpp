// The receivers of a dumbbell: what they say to the packets that reach them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "kit.hpp"
#include "kit/point/point.hpp"
#include "network/payload.hpp"
#include "network/senders.hpp"
#include "network/source_groups.hpp"
#include "tcp/ecn.hpp"
#include "tcp/receiver.hpp"

namespace packetsim {

// The parameters are those of Senders.
template <class Network, class Congestion, class Observer, class Groups>
class Receivers : public Senders<Network, Congestion, Observer, Groups> {
  using Base = Senders<Network, Congestion, Observer, Groups>;

 protected:
  using Base::events_, Base::groups_, Base::kIsolatedFlow, Base::packet_in, Base::paths_, Base::sources_;
  using typename Base::Path;

  Receivers(const Point& point, std::uint64_t seed, Observer observer)
      : Base(point, seed, std::move(observer)), rings_(paths_.size(), groups_.largest_rwnd()) {
    for (std::size_t flow = 0; flow < paths_.size(); ++flow) {
      rings_.give_ring_to(paths_[flow].receiver, flow);
      paths_[flow].transfer = sources_[flow].transfer.high();
      paths_[flow].ecn = EcnReceiver(sources_[flow].sender.echo());
    }
  }

  // What the receiver says to a packet: the first one that it misses, or which one has come. A packet of an
  // earlier transfer (if there may be any) is carried, but not answered: its acknowledgement keeps the old
  // transfer's number, and the sender will not look at it.
  template <bool kMayBeOld>
  [[gnu::always_inline]] std::int32_t answer_to(Path& path, Payload payload) {
    if (kMayBeOld && payload.high() != path.transfer) {
      return 0;
    }
    if (is_selective(payload.flow())) {
      return kIsolatedFlow ? payload.number() : path.ecn.answer(payload.number());
    }
    return path.receiver.receive(payload.number());
  }

  // The same where the group's receivers delay their answers.
  template <bool kMayBeOld>
  [[gnu::noinline]] void answer_delayed(Path& path, Payload payload, const Group& group, Picoseconds cause) {
    const bool current = payload.is_of(sources_[payload.flow()].transfer);
    Arrival arrival{path.egress_free};
    if (current) {
      arrival = arrival_of(path, payload, packet_in(payload));
      if (arrival.selective) {
        path.receiver.receive(arrival.packet);
      }
    }
    const Payload answer = payload.with_number(answer_to<kMayBeOld>(path, payload));
    Base::answer_delayed({answer, cause, arrival}, *group.delay, group.way_back, events_);
  }

  // How a packet of the present transfer comes.
  Arrival arrival_of(const Path& path, Payload payload, std::int32_t packet) {
    const Order order = path.receiver.order_of(packet);
    return {.received = path.egress_free,
            .order = order,
            .packet = packet,
            .missing = path.receiver.missing(),
            .selective = is_selective(payload.flow()),
            .mark_changes = path.ecn.changes(payload.number()),
            .tells_of_cut = path.ecn.active() && EcnBits::has(payload.number(), EcnBits::kAnswer),
            .urges = path.ecn.urges(payload.number()),
            .ends_file = packet == sources_[payload.flow()].sender.file_packets()};
  }

  bool is_selective(std::size_t flow) const { return sources_[flow].sender.is_selective(); }

 private:
  ReceiverPool rings_;
};

}  // namespace packetsim
