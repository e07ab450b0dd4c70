#include "core/runtime/thread_mutex.hpp"

#include "core/runtime/ensure.hpp"

namespace watchlab::runtime {

void ThreadMutex::lock(Location) {
  int expected = free;
  if (state_.compare_exchange_strong(expected, held)) {
    return;
  }
  // Whoever had to wait takes the mutex as contended: it cannot know whether others still sleep.
  while (state_.exchange(contended) != free) {
    state_.wait(contended);
  }
}

bool ThreadMutex::try_lock(Location) {
  int expected = free;
  return state_.compare_exchange_strong(expected, held);
}

void ThreadMutex::unlock(Location) {
  const int before = state_.exchange(free);
  if (before == free) {
    throw Panic("unlock of an unlocked mutex");
  }
  // From here on another task may own and even destroy the mutex; waking uses its address only.
  if (before == contended) {
    state_.notify_one();
  }
}

}  // namespace watchlab::runtime
