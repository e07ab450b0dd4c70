#include "tests/scoreboard/other_programs.hpp"

#include <array>
#include <cstddef>
#include <string>

#include "core/runtime/ensure.hpp"
#include "sim/std/atomic.hpp"
#include "sim/std/mutex.hpp"
#include "tests/scoreboard/crew.hpp"

namespace watchlab::scoreboard::other {
namespace {

using runtime::ensure;
using stdx::atomic;
using Lock = stdx::lock_guard<stdx::mutex>;

/// Each call holds the lock of its own text; to append another text takes two calls to that one.
class Text {
 public:
  explicit Text(std::string text) : text_(std::move(text)) {}

  std::size_t length() {
    const Lock lock(mutex_);
    return text_.size();
  }
  std::string first(std::size_t count) {
    const Lock lock(mutex_);
    ensure(count <= text_.size(), "the text is as long as it has just been");
    return text_.substr(0, count);
  }
  void append(Text& other) {
    const Lock lock(mutex_);
    const std::size_t count = other.length();
    text_ += other.first(count);
  }
  void append(const std::string& other) {
    const Lock lock(mutex_);
    text_ += other;
  }
  void erase(std::size_t count) {
    const Lock lock(mutex_);
    text_.erase(0, count);
  }

 private:
  stdx::mutex mutex_;
  std::string text_;
};

constexpr int kCells = 3;

/// A list of free cells. Who pops marks the first one, and leaves at least one in the list.
class SafeStack {
 public:
  /// The number of a cell, or -1 if there is only one.
  int pop() {
    while (count_.load() > 1) {
      const int first = head_.load();
      const int next = nexts_.at(static_cast<std::size_t>(first)).exchange(-1);
      if (next < 0) {
        stdx::this_thread::yield();
        continue;
      }
      int expected = first;
      if (head_.compare_exchange_strong(expected, next)) {
        count_.fetch_sub(1);
        return first;
      }
      nexts_.at(static_cast<std::size_t>(first)).exchange(next);
    }
    return -1;
  }
  void push(int cell) {
    int first = head_.load();
    do {
      nexts_.at(static_cast<std::size_t>(cell)).store(first);
    } while (!head_.compare_exchange_strong(first, cell));
    count_.fetch_add(1);
  }

 private:
  std::array<atomic<int>, kCells> nexts_{1, 2, -1};
  atomic<int> head_{0};
  atomic<int> count_{kCells};
};

}  // namespace

void string_buffer() {
  Text shared("abc");
  Crew crew;
  crew.start([&] {
    shared.erase(3);
    shared.append("abc");
  });
  Text own("");
  own.append(shared);
  crew.join();
}

void safe_stack() {
  SafeStack stack;
  std::array<atomic<int>, kCells> owners{-1, -1, -1};
  Crew crew;
  for (int id = 0; id < 3; ++id) {
    crew.start([&, id] {
      for (int round = 0; round < 2; ++round) {
        int cell = stack.pop();
        for (; cell < 0; cell = stack.pop()) {
          stdx::this_thread::yield();
        }
        atomic<int>& owner = owners.at(static_cast<std::size_t>(cell));
        owner.store(id);
        ensure(owner.load() == id, "a cell has one owner");
        stack.push(cell);
      }
    });
  }
  crew.join();
}

}  // namespace watchlab::scoreboard::other
