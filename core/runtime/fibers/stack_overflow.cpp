#include "core/runtime/fibers/diagnosis.hpp"

#if !defined(_WIN32)

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <mutex>

#include "core/runtime/fibers/scheduler.hpp"

namespace watchlab::runtime {
namespace {

constexpr std::size_t kSignalStack = std::size_t{64} * 1024;
/// How far below the stack a fault still counts as its overflow: a large frame may jump over the
/// guard page.
constexpr std::uintptr_t kReach = std::uintptr_t{64} * 1024;

struct sigaction handler_before;

/// Calls nothing but what a signal handler may.
void say(const FiberTask& task) {
  std::array<char, 256> text;
  const auto end = fmt::format_to_n(text.data(), text.size() - 1,
                                    "fiber '{:.120}' overflowed its stack of {} KiB; "
                                    "FiberRuntimeOptions::stack_size makes it larger\n",
                                    task.name, task.stack_kib())
                       .out;
  static_cast<void>(
      !write(STDERR_FILENO, text.data(), static_cast<std::size_t>(end - text.data())));
}

void on_fault(int signal, siginfo_t* info, void*) {
  const FiberTask* const task = FiberScheduler::current();
  const auto at = reinterpret_cast<std::uintptr_t>(info->si_addr);
  if (task != nullptr) {
    const auto bottom = reinterpret_cast<std::uintptr_t>(task->stack.bottom);
    if (at < bottom && at + kReach >= bottom) {
      say(*task);
    }
  }
  // The instruction is tried once more, and meets the handler that there was before.
  sigaction(signal, &handler_before, nullptr);
}

}  // namespace

void report_stack_overflows() {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  struct sigaction now = {};
  sigaction(SIGSEGV, nullptr, &now);
  if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == &on_fault) {
    return;
  }
  handler_before = now;
  struct sigaction action = {};
  action.sa_sigaction = &on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, nullptr);
}

SignalStack::SignalStack() {
  stack_t before = {};
  if (sigaltstack(nullptr, &before) == 0 && (before.ss_flags & SS_DISABLE) != 0) {
    memory_.resize(kSignalStack);
    const stack_t stack{.ss_sp = memory_.data(), .ss_flags = 0, .ss_size = memory_.size()};
    sigaltstack(&stack, nullptr);
  }
}

SignalStack::~SignalStack() {
  if (!memory_.empty()) {
    const stack_t none{.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
    sigaltstack(&none, nullptr);
  }
}

}  // namespace watchlab::runtime

#else

// An overflow is a crash without a word there.
namespace watchlab::runtime {

void report_stack_overflows() {}
SignalStack::SignalStack() = default;
SignalStack::~SignalStack() = default;

}  // namespace watchlab::runtime

#endif
