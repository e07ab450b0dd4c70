#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/runtime/time.hpp"

namespace watchlab::sim {

class Actor;

/// A deadline that may sit in a `TimerHeap`. Embedded in the actor that waits for it.
struct Deadline {
  static constexpr std::uint32_t kNowhere = UINT32_MAX;

  Actor* actor = nullptr;
  std::uint32_t place = kNowhere;  ///< in the heap

  [[nodiscard]] bool armed() const { return place != kNowhere; }
};

/// Deadlines, earliest first, equal ones in the order of arrival: a 4-ary heap that knows where
/// each entry is, so that removal is as cheap as insertion and nothing stale is kept.
class TimerHeap {
 public:
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  /// The earliest moment. The heap must not be empty.
  [[nodiscard]] runtime::TimePoint earliest() const { return entries_.front().at; }

  /// The deadline must not be armed.
  void push(Deadline& deadline, runtime::TimePoint at);
  void remove(Deadline& deadline);
  /// Takes the earliest one out.
  Deadline& pop();
  void clear();

 private:
  struct Entry {
    runtime::TimePoint at;
    std::uint64_t arrival = 0;
    Deadline* deadline = nullptr;

    [[nodiscard]] bool before(const Entry& other) const {
      return at != other.at ? at < other.at : arrival < other.arrival;
    }
  };

  void put(std::size_t place, const Entry& entry) {
    entries_[place] = entry;
    entry.deadline->place = static_cast<std::uint32_t>(place);
  }
  void sift_up(std::size_t place, const Entry& entry);
  void sift_down(std::size_t place, const Entry& entry);

  std::vector<Entry> entries_;
  std::uint64_t arrivals_ = 0;
};

}  // namespace watchlab::sim
