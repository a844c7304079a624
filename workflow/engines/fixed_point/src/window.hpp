// The congestion window v_k of section 5.1, in whole packets.
#pragma once

#include <algorithm>
#include <cstdint>

namespace fixed_point {

// Reno as section 7.1 has it: slow start by one packet an acknowledgement, congestion avoidance by one a
// window, a loss halves the window, a timeout takes it to one, and so does a new connection.
class Window {
 public:
  explicit Window(std::int32_t limit) : limit_(limit), threshold_(limit) {}

  std::int32_t size() const { return size_; }
  bool in_slow_start() const { return size_ < threshold_; }

  void acknowledge() {
    if (in_slow_start()) {
      ++size_;
    } else if (++acknowledged_ >= size_) {
      size_ = std::min(size_ + 1, limit_);
      acknowledged_ = 0;
    }
  }

  void halve() {
    size_ = std::max(size_ / 2, 1);
    threshold_ = size_;
    acknowledged_ = 0;
  }

  void time_out() {
    threshold_ = std::max(size_ / 2, 1);
    size_ = 1;
    acknowledged_ = 0;
  }

  void begin_again() {
    threshold_ = limit_;
    size_ = 1;
    acknowledged_ = 0;
  }

 private:
  std::int32_t limit_;
  std::int32_t threshold_;
  std::int32_t size_ = 1;
  std::int32_t acknowledged_ = 0;  // since the window last moved
};

}  // namespace fixed_point
