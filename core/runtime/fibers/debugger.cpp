#include <cstddef>
#include <mutex>

#include "core/runtime/fibers/diagnosis.hpp"
#include "core/runtime/fibers/scheduler.hpp"

extern "C" {

/// Where a debugger finds what, so that it needs no debug information of this library.
struct WatchlabFibers {
  watchlab::runtime::DebuggerEntry* first;
  // Places in a task.
  std::size_t state;
  std::size_t name;
  std::size_t waits_at;
  std::size_t context;
  std::size_t own_switch;  ///< whether the saved registers lie as our own switch leaves them
};

[[gnu::used]] WatchlabFibers watchlab_fibers = {};
}

namespace watchlab::runtime {
namespace {

std::mutex& registry_mutex() {
  static std::mutex mutex;
  return mutex;
}

std::size_t place_in(const FiberTask& task, const void* member) {
  return static_cast<std::size_t>(static_cast<const std::byte*>(member) -
                                  reinterpret_cast<const std::byte*>(&task));
}

void describe_layout() {
  const FiberTask task;
  watchlab_fibers.state = place_in(task, &task.state);
  watchlab_fibers.name = place_in(task, &task.name);
  watchlab_fibers.waits_at = place_in(task, &task.waits_at);
  watchlab_fibers.context = place_in(task, task.fiber.context());
#if defined(WATCHLAB_OWN_SWITCH)
  watchlab_fibers.own_switch = 1;
#endif
}

}  // namespace

DebuggerEntry::DebuggerEntry(const std::vector<std::unique_ptr<FiberTask>>& tasks)
    : tasks_(&tasks) {
  const std::lock_guard lock(registry_mutex());
  describe_layout();
  next_ = watchlab_fibers.first;
  watchlab_fibers.first = this;
}

DebuggerEntry::~DebuggerEntry() {
  const std::lock_guard lock(registry_mutex());
  DebuggerEntry** entry = &watchlab_fibers.first;
  while (*entry != this) {
    entry = &(*entry)->next_;
  }
  *entry = next_;
}

}  // namespace watchlab::runtime
