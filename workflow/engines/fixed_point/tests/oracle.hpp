// An exact simulation in plain code, slow, to hold the max-plus recursion against: every station is a queue,
// every step of a packet an event, every set is searched through.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "from_kit.hpp"
#include "settings.hpp"

namespace fixed_point {

class Oracle {
 public:
  // Endless sources that begin at `starts`, and cross packets that arrive at the shared router as `cross`
  // says: time and user.
  Oracle(const Settings& settings, const std::vector<Picoseconds>& starts,
         const std::vector<std::pair<Picoseconds, std::size_t>>& cross)
      : settings_(settings), users_(static_cast<std::size_t>(settings.users)) {
    for (std::size_t user = 0; user < users_.size(); ++user) {
      users_[user].stations.resize(settings.path.size());
      if (user < starts.size()) {
        at(starts[user], [this, user] { send_allowed(user); });
      }
    }
    for (const auto& [time, user] : cross) {
      at(time, [this, user = user] { reach_shared({user, 0}); });
    }
  }

  void run_until(Picoseconds end) {
    while (!events_.empty() && events_.begin()->first.first <= end) {
      const auto event = events_.begin();
      now_ = event->first.first;
      const auto action = event->second;
      events_.erase(event);
      action();
    }
  }

  const std::vector<Picoseconds>& send_times(std::size_t user) const { return users_[user].sent_at; }
  std::int64_t losses() const { return losses_; }

 private:
  struct Packet {
    std::size_t user;
    std::size_t number;  // of the user, from 0
  };
  struct Fifo {
    std::deque<Packet> packets;
  };
  enum class Fate { kUnknown, kLostUnseen, kKnown };
  struct User {
    std::vector<Fifo> stations;
    std::vector<Picoseconds> sent_at;
    std::vector<Fate> fates;
    std::vector<int> later_acks;
    int window = 1;
    int threshold = 1 << 20;
    int acks = 0;
    std::size_t before_halving = 0;  // packets sent when the window last halved
    std::deque<Packet> queue;        // at the shared router
    std::int64_t length_since = 0;   // when its length last changed, as a running number
  };

  // Departures from the shared router come before everything else at their time.
  void at(Picoseconds time, std::function<void()> action, int rank = 1) {
    events_.emplace(std::pair{time, rank}, std::move(action));
  }

  Picoseconds service(std::size_t station) const {
    return transmission_time(settings_.packet_bytes, settings_.path[station].rate_bit_per_s);
  }

  // A first-in-first-out station of the user's own.
  void reach(std::size_t station, Packet packet) {
    Fifo& fifo = users_[packet.user].stations[station];
    fifo.packets.push_back(packet);
    if (fifo.packets.size() == 1) {
      begin(station, packet);
    }
  }

  void begin(std::size_t station, Packet packet) {
    if (station == 0) {
      users_[packet.user].sent_at.push_back(now_);
    }
    at(now_ + service(station), [this, station, user = packet.user] {
      Fifo& fifo = users_[user].stations[station];
      const Packet done = fifo.packets.front();
      fifo.packets.pop_front();
      if (!fifo.packets.empty()) {
        begin(station, fifo.packets.front());
      }
      leave(station, done);
    });
  }

  void leave(std::size_t station, Packet packet) {
    if (station + 1 == settings_.path.size()) {
      at(now_ + picoseconds(settings_.return_delay_s), [this, packet] { acknowledge(packet); });
      return;
    }
    at(now_ + picoseconds(settings_.path[station].delay_s), [this, station, packet] {
      if (station + 1 == settings_.shared) {
        reach_shared(packet);
      } else {
        reach(station + 1, packet);
      }
    });
  }

  bool is_served(std::size_t user) const { return served_ && served_->user == user; }

  int occupied() const {
    int sum = 0;
    for (std::size_t user = 0; user < users_.size(); ++user) {
      const int length = static_cast<int>(users_[user].queue.size()) + is_served(user);
      sum += settings_.readings.head_of_line_in_buffer ? length : std::max(length - 1, 0);
    }
    return sum;
  }

  void changed(User& user) { user.length_since = ++changes_; }

  void reach_shared(Packet packet) {
    User& user = users_[packet.user];
    if (!served_) {
      serve(packet);
      return;
    }
    const int own = static_cast<int>(user.queue.size()) + is_served(packet.user);
    const int beside_head = own - (settings_.readings.head_of_line_in_buffer ? 0 : 1);
    const bool becomes_head = own == 0 && !settings_.readings.head_of_line_in_buffer;
    if (settings_.buffer.individual) {
      if (beside_head >= settings_.buffer.packets) {
        lose(packet);
        return;
      }
    } else if (!becomes_head && occupied() >= settings_.buffer.packets) {
      std::size_t longest = 0;
      for (const User& other : users_) {
        longest = std::max(longest, other.queue.size());
      }
      if (settings_.buffer.drop == Drop::kArriving || user.queue.size() + 1 >= longest) {
        lose(packet);
        return;
      }
      User* victim = nullptr;
      for (User& other : users_) {
        if (other.queue.size() == longest &&
            (victim == nullptr || other.length_since < victim->length_since)) {
          victim = &other;
        }
      }
      queue(packet);
      const Packet lost = victim->queue.front();
      victim->queue.pop_front();
      changed(*victim);
      lose(lost);
      return;
    }
    queue(packet);
  }

  void queue(Packet packet) {
    User& user = users_[packet.user];
    if (user.queue.empty()) {
      turns_.push_back(packet.user);
    }
    user.queue.push_back(packet);
    changed(user);
  }

  void serve(Packet packet) {
    served_ = packet;
    at(
        now_ + service(settings_.shared),
        [this] {
          const Packet done = *served_;
          served_.reset();
          if (!turns_.empty()) {
            User& next = users_[turns_.front()];
            const std::size_t number = turns_.front();
            turns_.pop_front();
            const Packet first = next.queue.front();
            next.queue.pop_front();
            changed(next);
            serve(first);
            if (!next.queue.empty()) {
              turns_.push_back(number);
            }
          }
          if (done.user < static_cast<std::size_t>(settings_.references)) {
            leave(settings_.shared, done);
          }
        },
        0);
  }

  std::size_t known_in_a_row(const User& user) const {
    std::size_t count = 0;
    while (count < user.fates.size() && user.fates[count] == Fate::kKnown) {
      ++count;
    }
    return count;
  }

  void send_allowed(std::size_t number) {
    User& user = users_[number];
    while (user.fates.size() < known_in_a_row(user) + static_cast<std::size_t>(user.window)) {
      user.fates.push_back(Fate::kUnknown);
      user.later_acks.push_back(0);
      reach(0, {number, user.fates.size() - 1});
    }
  }

  void halve(User& user) {
    const bool odd = user.window % 2 == 1;
    user.window = std::max(user.window / 2 + (odd && settings_.readings.half_up ? 1 : 0), 1);
    user.threshold = user.window;
    user.acks = 0;
  }

  void see_loss(User& user, std::size_t number) {
    user.fates[number] = Fate::kKnown;
    const bool first_of_its_window = number >= user.before_halving;
    if (first_of_its_window || settings_.readings.halving == Readings::Halving::kPerLoss) {
      halve(user);
    }
    if (first_of_its_window) {
      user.before_halving = user.fates.size();
    }
  }

  void lose(Packet packet) {
    ++losses_;
    if (packet.user >= static_cast<std::size_t>(settings_.references)) {
      return;
    }
    User& user = users_[packet.user];
    if (settings_.readings.loss_detection == Readings::LossDetection::kDuplicateAcks) {
      user.fates[packet.number] = Fate::kLostUnseen;
      return;
    }
    see_loss(user, packet.number);
    send_allowed(packet.user);
  }

  void acknowledge(Packet packet) {
    User& user = users_[packet.user];
    user.fates[packet.number] = Fate::kKnown;
    if (packet.number >= user.before_halving || settings_.readings.old_acks_grow_window) {
      if (user.window < std::min(user.threshold, settings_.tcp.max_window)) {
        ++user.window;
      } else if (++user.acks >= user.window) {
        user.window = std::min(user.window + 1, settings_.tcp.max_window);
        user.acks = 0;
      }
    }
    for (std::size_t earlier = 0; earlier < packet.number; ++earlier) {
      if (user.fates[earlier] == Fate::kLostUnseen && ++user.later_acks[earlier] == 3) {
        see_loss(user, earlier);
      }
    }
    send_allowed(packet.user);
  }

  Settings settings_;
  std::vector<User> users_;
  std::multimap<std::pair<Picoseconds, int>, std::function<void()>> events_;
  std::list<std::size_t> turns_;
  std::optional<Packet> served_;
  std::int64_t changes_ = 0;
  std::int64_t losses_ = 0;
  Picoseconds now_ = 0;
};

}  // namespace fixed_point
