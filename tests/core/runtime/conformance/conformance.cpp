#include "tests/core/runtime/conformance/conformance.hpp"

#include "core/runtime/ensure.hpp"
#include "core/runtime/task.hpp"

namespace watchlab::conformance {

using namespace std::chrono_literals;

std::vector<Group> all_groups() {
  return {mutexes(), shared_mutexes(), cond_vars(), channels(),    channel_closing(),
          selects(), timers(),         clocks(),    wait_groups(), onces(),
          atomics(), stop_tokens(),    tasks()};
}

bool panics(const std::function<void()>& body) {
  try {
    body();
  } catch (const runtime::Panic&) {
    return true;
  }
  return false;
}

void settle(runtime::Runtime& runtime) { runtime::sleep_for(runtime, 50ms); }

}  // namespace watchlab::conformance
