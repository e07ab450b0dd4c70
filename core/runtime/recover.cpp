#include "core/runtime/recover.hpp"

#include <utility>

#include "core/runtime/backend.hpp"
#include "core/runtime/ensure.hpp"

namespace watchlab::runtime {

constinit thread_local bool guards_are_void = false;

// Not inline: compilers guess inlined ones at each guard, and guess wrong.
void MutexBackend::lock_guard(Location here) { lock(here); }
void MutexBackend::unlock_guard(Location locked) noexcept { unlock(locked); }
void SharedMutexBackend::unlock_guard(Location locked) noexcept { unlock(locked); }
void SharedMutexBackend::unlock_shared_guard(Location locked) noexcept { unlock_shared(locked); }

std::optional<Recovered> recover(const std::function<void()>& body) {
  try {
    body();
  } catch (const TaskKilled&) {
    throw;
  } catch (const std::exception& error) {
    return Recovered{.message = error.what(), .exception = std::current_exception()};
  } catch (...) {
    return Recovered{.message = "a value that is no exception was thrown",
                     .exception = std::current_exception()};
  }
  return std::nullopt;
}

void run_then(const std::function<void()>& body, const std::function<void()>& after) {
  const std::optional<Recovered> panic = recover(body);
  after();
  if (panic) {
    std::rethrow_exception(panic->exception);
  }
}

namespace {

thread_local Runtime* of_this_thread = nullptr;

}  // namespace

Running::Running(Runtime& runtime) : before_(std::exchange(of_this_thread, &runtime)) {}

Running::~Running() { of_this_thread = before_; }

Runtime& Running::here() {
  ensure(of_this_thread != nullptr, "a nil channel is used where no task of a runtime runs");
  return *of_this_thread;
}

}  // namespace watchlab::runtime
