#include "scenarios/cli/interrupt.hpp"

#include <csignal>
#include <initializer_list>

namespace watchlab::scenarios {
namespace {

/// A handler of signals can reach nothing but this.
volatile std::sig_atomic_t stop_requested = 0;

void request_stop(int signal) {
  stop_requested = 1;
  (void)std::signal(signal, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt() {
  stop_requested = 0;
  (void)std::signal(SIGINT, request_stop);
  (void)std::signal(SIGTERM, request_stop);
  if (std::signal(SIGHUP, request_stop) == SIG_IGN) {
    (void)std::signal(SIGHUP, SIG_IGN);
  }
}

Interrupt::~Interrupt() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (std::signal(signal, SIG_DFL) == SIG_IGN) {
      (void)std::signal(signal, SIG_IGN);
    }
  }
}

bool Interrupt::requested() { return stop_requested != 0; }

}  // namespace watchlab::scenarios
