#include "scenarios/command_line/interrupt.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "scenarios/command_line/console.hpp"

namespace watchlab::scenarios {
namespace {

constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};

/// A handler of signals can reach nothing but these. Times are those of the steady clock.
volatile std::sig_atomic_t stop_requested = 0;
std::atomic<std::int64_t> end_of_first = 0;  ///< from when on another signal is a second one
std::int64_t together_nanoseconds = 0;
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

std::int64_t now() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void request_stop(int signal) {
  if (stop_requested == 0) {
    end_of_first = now() + together_nanoseconds;
    stop_requested = 1;
  } else if (now() >= end_of_first) {
    (void)std::signal(signal, SIG_DFL);
    (void)std::raise(signal);  // arrives when this handler has returned
  }
}

/// What has no time to say more, over a line of progress where one may be.
std::string_view last_word = "stopped\n";

void end_stopped(int /*signal*/) {
  (void)!::write(STDERR_FILENO, last_word.data(), last_word.size());
  ::_exit(kExitInterrupted);
}

}  // namespace

void end_when_stopped() {
  last_word = ::isatty(STDERR_FILENO) == 1 ? "\r\033[Kstopped\n" : last_word;
  for (const int signal : kSignals) {
    if (std::signal(signal, end_stopped) == SIG_IGN) {
      (void)std::signal(signal, SIG_IGN);
    }
  }
}

Interrupt::Interrupt(std::chrono::milliseconds together) {
  stop_requested = 0;
  together_nanoseconds = std::chrono::nanoseconds(together).count();
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    before_.at(i) = std::signal(kSignals.at(i), request_stop);
  }
  if (before_.back() == SIG_IGN) {
    (void)std::signal(SIGHUP, SIG_IGN);
  }
}

Interrupt::~Interrupt() {
  if (requested()) {
    return;  // the second half of a pair may come while the program ends
  }
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    (void)std::signal(kSignals.at(i), before_.at(i));
  }
}

bool Interrupt::requested() { return stop_requested != 0; }

}  // namespace watchlab::scenarios
