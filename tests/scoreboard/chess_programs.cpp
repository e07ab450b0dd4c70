#include "tests/scoreboard/chess_programs.hpp"

#include <array>
#include <cstddef>
#include <memory>

#include "core/runtime/ensure.hpp"
#include "sim/std/atomic.hpp"
#include "sim/std/mutex.hpp"
#include "tests/scoreboard/crew.hpp"

namespace watchlab::scoreboard::chess {
namespace {

using runtime::ensure;
using stdx::atomic;

/// An item is to be taken once.
using Item = atomic<int>;

class SpinLock {
 public:
  void lock() {
    while (taken_.exchange(true)) {
      stdx::this_thread::yield();
    }
  }
  void unlock() { taken_.store(false); }

 private:
  atomic<bool> taken_{false};
};

/// `head_` and `tail_` only grow between two resets; an element's slot is its number modulo the
/// capacity.
template <typename Guard>
class WorkQueue {
 public:
  void push(Item* item) {
    const int tail = tail_.load();
    if (tail < head_.load() + capacity_) {  // the bug: right would be capacity_ - 1
      slot(tail).store(item);
      tail_.store(tail + 1);
      return;
    }
    const Lock lock(guard_);
    grow();
    slot(tail_.load()).store(item);
    tail_.store(tail_.load() + 1);
  }

  /// For the owner. Null if the queue is empty.
  Item* pop() {
    if (Item* const item = take_last()) {
      return item;
    }
    const Lock lock(guard_);  // empty, or a thief is at the last element
    Item* const item = take_last();
    if (item == nullptr) {
      head_.store(0);
      tail_.store(0);
    }
    return item;
  }

  /// For thieves. Null if there is nothing to steal.
  Item* steal() {
    const Lock lock(guard_);
    const int head = head_.load();
    head_.store(head + 1);
    if (head < tail_.load()) {
      return slot(head).load();
    }
    head_.store(head);
    return nullptr;
  }

 private:
  using Lock = stdx::lock_guard<Guard>;
  using Slots = std::unique_ptr<atomic<Item*>[]>;

  atomic<Item*>& slot(int number) { return slots_[static_cast<std::size_t>(number % capacity_)]; }

  Item* take_last() {
    const int last = tail_.load() - 1;
    tail_.store(last);
    if (head_.load() <= last) {
      return slot(last).load();
    }
    tail_.store(last + 1);
    return nullptr;
  }

  /// Doubles the capacity. Under the lock.
  void grow() {
    const int head = head_.load();
    const int count = tail_.load() - head;
    Slots larger = std::make_unique<atomic<Item*>[]>(static_cast<std::size_t>(2 * capacity_));
    for (int i = 0; i < count; ++i) {
      larger[static_cast<std::size_t>(i)].store(slot(head + i).load());
    }
    slots_ = std::move(larger);
    capacity_ *= 2;
    head_.store(0);
    tail_.store(count);
  }

  Guard guard_;
  atomic<int> head_{0};
  atomic<int> tail_{0};
  int capacity_ = 2;
  Slots slots_ = std::make_unique<atomic<Item*>[]>(2);
};

constexpr int kItems = 4;
constexpr int kAttempts = 2;

void use(Item* item) {
  if (item != nullptr) {
    item->store(item->load() + 1);
  }
}

/// What the owner does; `thieves` steal beside it, twice each.
template <typename Guard, typename Owner>
void play(int thieves, const Owner& owner) {
  std::array<Item, kItems> items{0, 0, 0, 0};
  WorkQueue<Guard> queue;
  Crew crew;
  crew.start(
      [&] {
        for (int i = 0; i < kAttempts; ++i) {
          use(queue.steal());
        }
      },
      thieves);
  crew.start([&] { owner(queue, items); });
  crew.join();
  for (const Item& each : items) {
    ensure(each.load() == 1, "each item is taken once");
  }
}

/// Twice two pushes and a pop, and then two pops.
constexpr auto kInTurns = [](auto& queue, auto& items) {
  for (std::size_t i = 0; i < kItems; i += 2) {
    queue.push(&items.at(i));
    queue.push(&items.at(i + 1));
    use(queue.pop());
  }
  for (int i = 0; i < kItems / 2; ++i) {
    use(queue.pop());
  }
};

constexpr auto kAllFirst = [](auto& queue, auto& items) {
  for (Item& each : items) {
    queue.push(&each);
  }
  for (int i = 0; i < kItems; ++i) {
    use(queue.pop());
  }
};

}  // namespace

void mutex_queue() { play<stdx::mutex>(1, kInTurns); }

void interlocked_queue() { play<SpinLock>(1, kInTurns); }

void interlocked_queue_with_state() { play<SpinLock>(2, kInTurns); }

void state_queue() { play<SpinLock>(2, kAllFirst); }

}  // namespace watchlab::scoreboard::chess
