#include "tests/core/runtime/conformance/conformance.hpp"

#include "core/runtime/ensure.hpp"

namespace watchlab::conformance {

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

}  // namespace watchlab::conformance
