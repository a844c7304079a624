// Sources that wait for what arrives by itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kit.hpp"
#include "kit/point/point.hpp"

namespace packetsim {

// The idle sources of each group whose files or pages arrive, and the pages that others carry: a file is a
// page of one object. What finds too few of them idle is refused.
class FlowPool {
 public:
  explicit FlowPool(const Point& point) : page_of_(static_cast<std::size_t>(point.source_count())) {
    std::size_t end = 0;
    for (const SourceGroup& group : point.groups) {
      end += static_cast<std::size_t>(group.count);
      groups_.push_back({.page = group.workload.page});
      for (std::int32_t source = 0; source < group.count; ++source) {
        groups_.back().idle.push_back(end - 1 - static_cast<std::size_t>(source));  // the first one is on top
      }
    }
  }

  // Calls begin(flow) for each source that carries what arrives now. Returns false if it is refused.
  template <class Begin>
  bool admit(std::size_t group, Picoseconds now, Begin begin) {
    Group& of = groups_[group];
    const std::int32_t connections = of.page.at_once();
    if (of.idle.size() < static_cast<std::size_t>(connections)) {
      return false;
    }
    if (free_pages_.empty()) {
      free_pages_.push_back(pages_.size());
      pages_.emplace_back();
    }
    const std::size_t page = free_pages_.back();
    free_pages_.pop_back();
    pages_[page] = {.left = of.page.objects - connections, .open = connections, .arrived = now};
    for (std::int32_t count = 0; count < connections; ++count) {
      const std::size_t flow = of.idle.back();
      of.idle.pop_back();
      page_of_[flow] = page;
      begin(flow);
    }
    return true;
  }

  struct Done {
    bool another = false;                               // object of its page is the source's to fetch
    std::optional<Picoseconds> arrived = std::nullopt;  // of the page, if it is complete
  };

  // A source has carried a file.
  Done carried(std::size_t group, std::size_t flow) {
    Page& page = pages_[page_of_[flow]];
    if (page.left > 0) {
      --page.left;
      return {.another = true};
    }
    groups_[group].idle.push_back(flow);
    if (--page.open > 0) {
      return {};
    }
    free_pages_.push_back(page_of_[flow]);
    return {.arrived = page.arrived};
  }

 private:
  struct Group {
    kit::Page page;
    std::vector<std::size_t> idle = {};
  };
  struct Page {
    std::int32_t left;  // objects that no connection fetches yet
    std::int32_t open;  // connections
    Picoseconds arrived;
  };

  std::vector<Group> groups_;
  std::vector<Page> pages_;
  std::vector<std::size_t> free_pages_;
  std::vector<std::size_t> page_of_;  // of each source that is not idle
};

}  // namespace packetsim
