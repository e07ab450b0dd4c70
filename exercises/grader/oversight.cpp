#include "exercises/grader/oversight.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

constexpr std::array kEnds{SIGINT, SIGTERM, SIGHUP};
/// How long the work may take to end by itself, and what it has left to be ended: in looks.
constexpr int kLooksForWork = 100;
constexpr int kLooksForLeftovers = 500;
constexpr int kLookMilliseconds = 10;

/// A handler of signals can reach nothing but this.
volatile std::sig_atomic_t end_requested = 0;

void request_end(int signal) { end_requested = signal; }

fs::path new_common_folder() {
  std::string pattern = (fs::temp_directory_path() / "watchlab-course-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw std::runtime_error(
        fmt::format("{}: no folder to work in: {}", pattern, std::strerror(errno)));
  }
  ::chmod(pattern.c_str(), 0711);
  return pattern;
}

/// From here on signals that ask for the end wait, but those that the caller ignores, as nohup
/// does. Returns the mask that was there before.
sigset_t hold_signals() {
  struct sigaction action {};
  action.sa_handler = request_end;
  sigset_t held{};
  sigemptyset(&held);
  for (const int signal : kEnds) {
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) {
      ::sigaction(signal, &action, nullptr);
      sigaddset(&held, signal);
    }
  }
  sigaddset(&held, SIGCHLD);
  sigset_t before{};
  ::sigprocmask(SIG_BLOCK, &held, &before);
  return before;
}

/// In the child: signals are what they were.
void release_signals(const sigset_t& before) {
  for (const int signal : kEnds) {
    struct sigaction action {};
    ::sigaction(signal, nullptr, &action);
    if (action.sa_handler == request_end) {
      (void)std::signal(signal, SIG_DFL);
    }
  }
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
}

/// Waits until the work has ended, and ends it when that is asked for. The status of the work.
int status_of(pid_t work, sigset_t open) {
  sigdelset(&open, SIGCHLD);               // whatever the caller has blocked
  (void)std::signal(SIGCHLD, [](int) {});  // so that it ends a wait
  int status = 0;
  while (end_requested == 0 && ::waitpid(work, &status, WNOHANG) != work) {
    ::sigsuspend(&open);
  }
  if (end_requested == 0) {
    return status;
  }
  ::kill(work, end_requested);
  for (int i = 0; i < kLooksForWork && ::waitpid(work, &status, WNOHANG) != work; ++i) {
    ::poll(nullptr, 0, kLookMilliseconds);
  }
  return status;
}

/// Ends whatever the work has left, as long as something appears.
void end_leftovers() {
  for (int i = 0; i < kLooksForLeftovers; ++i) {
    std::ifstream children(fmt::format("/proc/self/task/{}/children", ::getpid()));
    for (pid_t child = 0; children >> child;) {
      ::kill(child, SIGKILL);
    }
    pid_t ended = 0;
    do {
      ended = ::waitpid(-1, nullptr, WNOHANG);
    } while (ended > 0);
    if (ended < 0) {
      return;
    }
    ::poll(nullptr, 0, kLookMilliseconds);
  }
}

[[noreturn]] void end_like(int status) {
  if (end_requested == 0 && WIFEXITED(status)) {
    ::_exit(WEXITSTATUS(status));
  }
  const int signal = end_requested != 0 ? static_cast<int>(end_requested) : WTERMSIG(status);
  (void)std::signal(signal, SIG_DFL);
  sigset_t all{};
  sigfillset(&all);
  ::sigprocmask(SIG_UNBLOCK, &all, nullptr);
  ::raise(signal);
  ::_exit(128 + signal);
}

}  // namespace

void oversee() {
  const fs::path folder = new_common_folder();
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const sigset_t before = hold_signals();
  const pid_t overseer = ::getpid();
  const pid_t work = ::fork();
  if (work < 0) {
    const int why = errno;
    release_signals(before);
    fs::remove(folder);
    throw std::runtime_error(fmt::format("no process: {}", std::strerror(why)));
  }
  if (work == 0) {
    release_signals(before);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != overseer) {
      ::_exit(1);  // it died before it could take this one with it
    }
    ::setenv("TMPDIR", folder.c_str(), 1);
    return;
  }
  const int status = status_of(work, before);
  end_leftovers();
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  end_like(status);
}

}  // namespace watchlab::course
