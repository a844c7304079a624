// The congestion window v_k of section 5.1, in whole packets.
#pragma once

#include <algorithm>
#include <cstdint>

namespace fixed_point {

// Reno as section 7.1 has it: slow start by one packet an acknowledgement, congestion avoidance by one a
// window, a loss halves the window, a timeout takes it to one, and so does a new connection.
class Window {
 public:
  // `half_up`: an odd window halves to the larger half.
  Window(std::int32_t limit, bool half_up) : limit_(limit), half_up_(half_up), threshold_(limit) {}

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
    size_ = half();
    threshold_ = size_;
    acknowledged_ = 0;
  }

  void time_out() {
    threshold_ = half();
    size_ = 1;
    acknowledged_ = 0;
  }

  void begin_again() {
    threshold_ = limit_;
    size_ = 1;
    acknowledged_ = 0;
  }

 private:
  std::int32_t half() const { return std::max((size_ + (half_up_ ? 1 : 0)) / 2, 1); }

  std::int32_t limit_;
  bool half_up_;
  std::int32_t threshold_;
  std::int32_t size_ = 1;
  std::int32_t acknowledged_ = 0;  // since the window last moved
};

}  // namespace fixed_point
