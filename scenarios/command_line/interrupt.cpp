#include "scenarios/command_line/interrupt.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string_view>

#include "scenarios/command_line/console.hpp"
#include "scenarios/command_line/terminal.hpp"

namespace watchlab::scenarios {
namespace {

constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};

/// A handler of signals can reach nothing but these. Times are those of the steady clock.
volatile std::sig_atomic_t stop_requested = 0;  ///< the number of the first signal
std::atomic<std::int64_t> first_at = 0;
std::atomic<std::int64_t> together_nanoseconds = std::chrono::nanoseconds(kTogether).count();
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

std::int64_t now() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void request_stop(int signal) {
  if (stop_requested == 0) {
    first_at = now();
    stop_requested = signal;
  } else if (now() - first_at >= together_nanoseconds) {
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

/// What a caller ignores stays ignored.
void handle_signals_by(void (*handler)(int)) {
  for (const int signal : kSignals) {
    if (std::signal(signal, handler) == SIG_IGN) {
      (void)std::signal(signal, SIG_IGN);
    }
  }
}

void mask_signals(int how) {
  sigset_t signals{};
  sigemptyset(&signals);
  for (const int signal : kSignals) {
    sigaddset(&signals, signal);
  }
  (void)pthread_sigmask(how, &signals, nullptr);
}

}  // namespace

void note_signals() {
  handle_signals_by(request_stop);
  mask_signals(SIG_UNBLOCK);
}

void end_when_stopped() {
  last_word = moves_cursor(stderr) ? "\r\033[Kstopped\n" : last_word;
  handle_signals_by(end_stopped);
  if (stop_requested != 0) {
    end_stopped(stop_requested);
  }
}

void keep_signals_for_the_next_program() {
  mask_signals(SIG_BLOCK);
  if (stop_requested != 0) {
    (void)std::raise(stop_requested);
  }
}

Interrupt::Interrupt(std::chrono::milliseconds together) {
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

int Interrupt::signal() { return stop_requested; }

}  // namespace watchlab::scenarios
