#include "sim/kernel/timer_heap.hpp"

#include <algorithm>

#include "core/runtime/ensure.hpp"

namespace watchlab::sim {
namespace {

constexpr std::size_t kChildren = 4;

}  // namespace

void TimerHeap::push(Deadline& deadline, runtime::TimePoint at) {
  runtime::ensure(!deadline.armed(), "a deadline is armed twice");
  entries_.emplace_back();
  sift_up(entries_.size() - 1, Entry{.at = at, .arrival = arrivals_++, .deadline = &deadline});
}

void TimerHeap::remove(Deadline& deadline) {
  const std::size_t place = deadline.place;
  runtime::ensure(place < entries_.size() && entries_[place].deadline == &deadline,
                  "a deadline is not where it says");
  deadline.place = Deadline::kNowhere;
  const Entry last = entries_.back();
  entries_.pop_back();
  if (place == entries_.size()) {
    return;
  }
  if (place > 0 && last.before(entries_[(place - 1) / kChildren])) {
    sift_up(place, last);
  } else {
    sift_down(place, last);
  }
}

Deadline& TimerHeap::pop() {
  Deadline& earliest = *entries_.front().deadline;
  remove(earliest);
  return earliest;
}

void TimerHeap::clear() {
  for (const Entry& entry : entries_) {
    entry.deadline->place = Deadline::kNowhere;
  }
  entries_.clear();
  arrivals_ = 0;
}

void TimerHeap::sift_up(std::size_t place, const Entry& entry) {
  while (place > 0) {
    const std::size_t parent = (place - 1) / kChildren;
    if (!entry.before(entries_[parent])) {
      break;
    }
    put(place, entries_[parent]);
    place = parent;
  }
  put(place, entry);
}

void TimerHeap::sift_down(std::size_t place, const Entry& entry) {
  for (;;) {
    const std::size_t first = place * kChildren + 1;
    const std::size_t end = std::min(first + kChildren, entries_.size());
    std::size_t least = place;
    const Entry* smallest = &entry;
    for (std::size_t child = first; child < end; ++child) {
      if (entries_[child].before(*smallest)) {
        least = child;
        smallest = &entries_[child];
      }
    }
    if (least == place) {
      break;
    }
    put(place, entries_[least]);
    place = least;
  }
  put(place, entry);
}

}  // namespace watchlab::sim
