#include "scenarios/cli/interrupt.hpp"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <initializer_list>

namespace watchlab::scenarios {
namespace {

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

}  // namespace

Interrupt::Interrupt(std::chrono::milliseconds together) {
  stop_requested = 0;
  together_nanoseconds = std::chrono::nanoseconds(together).count();
  (void)std::signal(SIGINT, request_stop);
  (void)std::signal(SIGTERM, request_stop);
  if (std::signal(SIGHUP, request_stop) == SIG_IGN) {
    (void)std::signal(SIGHUP, SIG_IGN);
  }
}

Interrupt::~Interrupt() {
  if (requested()) {
    return;  // the second half of a pair may come while the program ends
  }
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (std::signal(signal, SIG_DFL) == SIG_IGN) {
      (void)std::signal(signal, SIG_IGN);
    }
  }
}

bool Interrupt::requested() { return stop_requested != 0; }

}  // namespace watchlab::scenarios
