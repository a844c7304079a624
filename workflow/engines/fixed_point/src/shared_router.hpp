// The shared router: fair queueing by packets (section 5.2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "from_kit.hpp"
#include "settings.hpp"

namespace fixed_point {

// Serves the users that have packets in turn, a packet each; a user who gets his first waiting packet comes
// last. As a FIFO it gives every packet a turn of its own. Departures are asked for one by one. An arrival at
// the instant of a departure comes after it.
class SharedRouter {
 public:
  struct Packet {
    std::uint64_t number;
    Picoseconds arrived;
  };
  struct Owned {
    std::size_t user;
    Packet packet;
  };

  SharedRouter(std::size_t users, const SharedBuffer& buffer, bool head_of_line_counts,
               Picoseconds service_time)
      : buffer_(buffer),
        head_of_line_counts_(head_of_line_counts),
        service_time_(service_time),
        waiting_(users),
        queues_(users) {}

  // Returns the packet that is lost for this one, if any: itself or another.
  std::optional<Owned> arrive(std::size_t user, std::uint64_t number, Picoseconds now) {
    const Packet packet{number, now};
    if (next_departure_ == kNever) {
      ++backlogged_;
      serve(user, packet, now);
      return std::nullopt;
    }
    const bool has_none = length(user) == 0;
    if (buffer_.individual) {
      if (length(user) - (head_of_line_counts_ ? 0 : 1) >= buffer_.packets) {
        return Owned{user, packet};
      }
    } else if (!(has_none && !head_of_line_counts_) && in_buffer() >= buffer_.packets) {
      // Queues are what waits, the arriving packet counted.
      if (buffer_.drop == Drop::kArriving ||
          static_cast<std::size_t>(waiting_[user]) + 1 >= waiting_.longest()) {
        return Owned{user, packet};
      }
      const std::size_t longest = waiting_.first();
      append(user, packet);
      return Owned{longest, take_first(longest)};  // another is left behind it, so the user keeps his turn
    }
    append(user, packet);
    return std::nullopt;
  }

  // When the packet in service will have left; kNever: there is none.
  Picoseconds next_departure() const { return next_departure_; }

  // Lets it leave, at that time, and begins with the next.
  Owned depart() {
    const Owned gone{served_user_, in_service_};
    if (turns_.empty()) {
      next_departure_ = kNever;
      --backlogged_;
      return gone;
    }
    const std::size_t user = turns_.front();
    turns_.pop();
    serve(user, take_first(user), next_departure_);
    if (waiting_[user] > 0 && !buffer_.fifo) {
      turns_.push(user);
    }
    if (length(gone.user) == 0) {
      --backlogged_;
    }
    return gone;
  }

  // Packets of a user, the one in service included.
  std::int32_t length(std::size_t user) const {
    return waiting_[user] + (next_departure_ != kNever && served_user_ == user ? 1 : 0);
  }

  std::int32_t present() const { return packets_waiting_ + (next_departure_ != kNever ? 1 : 0); }

  // Users who have packets here.
  std::int32_t backlogged() const { return backlogged_; }

  // Calls visit(user, packet) for every packet here, the one in service first.
  template <class Visit>
  void for_each(Visit visit) const {
    if (next_departure_ != kNever) {
      visit(served_user_, in_service_);
    }
    for (std::size_t user = 0; user < queues_.size(); ++user) {
      pool_.for_each(queues_[user], [&](const Packet& packet) { visit(user, packet); });
    }
  }

 private:
  std::int32_t in_buffer() const { return present() - (head_of_line_counts_ ? 0 : backlogged_); }

  void serve(std::size_t user, const Packet& packet, Picoseconds now) {
    served_user_ = user;
    in_service_ = packet;
    next_departure_ = now + service_time_;
  }

  void append(std::size_t user, const Packet& packet) {
    if (length(user) == 0) {
      ++backlogged_;
    }
    const bool first = pool_.push(queues_[user], packet);
    if (first || buffer_.fifo) {
      turns_.push(user);
    }
    waiting_.add(user, 1);
    ++packets_waiting_;
  }

  Packet take_first(std::size_t user) {
    waiting_.add(user, -1);
    --packets_waiting_;
    return pool_.pop(queues_[user]);
  }

  SharedBuffer buffer_;
  bool head_of_line_counts_;
  Picoseconds service_time_;

  QueueLengths waiting_;  // packets of each user, the one in service apart
  LinkedFifos<Packet> pool_;
  std::vector<LinkedFifos<Packet>::Fifo> queues_;  // of each user, in the order of arrival
  RingQueue<std::size_t> turns_;                   // of the users who have packets waiting, or of the packets

  Packet in_service_{};
  std::size_t served_user_ = 0;
  Picoseconds next_departure_ = kNever;
  std::int32_t packets_waiting_ = 0;
  std::int32_t backlogged_ = 0;
};

}  // namespace fixed_point
