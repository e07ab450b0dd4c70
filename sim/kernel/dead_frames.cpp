#include "sim/kernel/dead_frames.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <mutex>

#include "core/runtime/fibers/stack_memory.hpp"
#include "sim/kernel/scheduler.hpp"
#include "sim/kernel/termination.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::sim {
namespace {

// A signal handler is handed nothing.
thread_local Scheduler* unwinding_here = nullptr;

#if defined(WATCHLAB_ASAN) || defined(WATCHLAB_TSAN) || defined(_WIN32)

constexpr bool kKnowsFrames = false;

void handle_touches() {}

#else

constexpr bool kKnowsFrames = true;

constexpr std::array kSignals{SIGSEGV, SIGBUS};
// Of the process, as handlers are: worlds on other threads have the same one.
std::mutex handlers_mutex;
std::array<struct sigaction, kSignals.size()> handlers_before;

/// The signal stays unblocked, and the stack it came on is left for good. A crash that is none of
/// an unwinding task comes again, to whoever handled it before.
void on_touch(int signal) {
  if (unwinding_here != nullptr && unwinding_here->runs_on_stack(__builtin_frame_address(0))) {
    unwinding_here->abandon_current();
  }
  sigaction(signal, &handlers_before[signal == kSignals[0] ? 0 : 1], nullptr);
}

/// They stay: another thread may be unwinding when this one is done.
void handle_touches() {
  const std::scoped_lock lock(handlers_mutex);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    struct sigaction now = {};
    sigaction(kSignals[i], nullptr, &now);
    if (now.sa_handler != on_touch) {
      handlers_before[i] = now;
      struct sigaction action = {};
      action.sa_handler = on_touch;
      action.sa_flags = SA_NODEFER;
      sigaction(kSignals[i], &action, nullptr);
    }
  }
}

#endif

bool let_touch(const Stack& stack, bool touchable) {
  const std::size_t page = runtime::page_size();
  return runtime::set_accessible(stack.bottom, (stack.size + page - 1) / page * page, touchable);
}

}  // namespace

DeadFrames::~DeadFrames() {
  if (stacks_.empty()) {
    return;
  }
  for (const Stack& stack : stacks_) {
    (void)let_touch(stack, true);
  }
  unwinding_here = nullptr;
}

bool DeadFrames::protect_from(const SimTask& task,
                              const std::vector<std::shared_ptr<SimTask>>& live) {
  if (!kKnowsFrames) {
    return false;
  }
  std::vector<const SimTask*> dead;
  for (auto creator = task.identity().creator; creator; creator = creator->identity().creator) {
    if (creator->state != SimTask::State::Ended) {
      continue;
    }
    const bool is_reused = std::any_of(live.begin(), live.end(), [&](const auto& other) {
      return other->state != SimTask::State::Ended && other->stack.bottom == creator->stack.bottom;
    });
    const bool died_before = creator->killed && !watches_escapes();  // of an exception, say
    if (is_reused || died_before) {
      return false;
    }
    dead.push_back(creator.get());
  }
  return std::all_of(dead.begin(), dead.end(),
                     [&](const SimTask* creator) { return protect(creator->stack); });
}

bool DeadFrames::protect(const Stack& stack) {
  const bool is_known = std::any_of(stacks_.begin(), stacks_.end(), [&](const Stack& known) {
    return known.bottom == stack.bottom;
  });
  if (is_known) {
    return true;
  }
  if (!let_touch(stack, false)) {
    return false;
  }
  if (stacks_.empty()) {
    handle_touches();
    unwinding_here = &scheduler_;
  }
  stacks_.push_back(stack);
  return true;
}

}  // namespace watchlab::sim
