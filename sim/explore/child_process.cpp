#include "sim/explore/child_process.hpp"

#if !defined(_WIN32) && !defined(__EMSCRIPTEN__)

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <new>
#include <system_error>

namespace watchlab::sim {
namespace {

constexpr int kAskEveryMs = 200;

/// A word that a parent and its child both see.
class SharedFlag {
 public:
  SharedFlag()
      : page_(mmap(nullptr, sizeof(std::atomic<bool>), PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0)),
        flag_(page_ == MAP_FAILED ? nullptr : new(page_) std::atomic<bool>(false)) {}
  SharedFlag(const SharedFlag&) = delete;
  SharedFlag& operator=(const SharedFlag&) = delete;
  ~SharedFlag() {
    if (flag_ != nullptr) {
      munmap(page_, sizeof(std::atomic<bool>));
    }
  }

  [[nodiscard]] bool exists() const { return flag_ != nullptr; }
  void set() { flag_->store(true); }
  [[nodiscard]] bool is_set() const { return flag_->load(); }

 private:
  void* page_;
  std::atomic<bool>* flag_;
};

void flush_output() {
  std::cout.flush();
  std::fflush(nullptr);
}

void write_all(int to, const std::string& text) {
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t count = ::write(to, text.data() + written, text.size() - written);
    if (count < 0 && errno != EINTR) {
      ::_exit(1);
    }
    written += count < 0 ? 0 : static_cast<std::size_t>(count);
  }
}

/// Until the child has closed its end; calls `idle` whenever nothing has come for a while.
std::string read_all(int from, const std::function<void()>& idle) {
  std::string text;
  std::array<char, 4096> bytes{};
  for (;;) {
    pollfd end = {.fd = from, .events = POLLIN, .revents = 0};
    if (::poll(&end, 1, kAskEveryMs) <= 0) {
      idle();
      continue;
    }
    const ssize_t count = ::read(from, bytes.data(), bytes.size());
    if (count > 0) {
      text.append(bytes.data(), static_cast<std::size_t>(count));
    } else if (count == 0 || errno != EINTR) {
      return text;
    }
  }
}

bool has_ended_well(pid_t child) {
  int status = 0;
  pid_t ended = -1;
  do {
    ended = ::waitpid(child, &status, 0);
  } while (ended < 0 && errno == EINTR);
  return ended == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

bool may_fork() {
  std::error_code error;
  const std::filesystem::directory_iterator threads("/proc/self/task", error);
  return !error && std::distance(begin(threads), end(threads)) == 1;
}

std::optional<std::string> in_child(
    const std::function<std::string(const std::function<bool()>& goes_on)>& work,
    const std::function<bool()>& may_continue) {
  SharedFlag stops;
  std::array<int, 2> ends{};
  if (!stops.exists() || ::pipe(ends.data()) != 0) {
    return std::nullopt;
  }
  for (const int end : ends) {  // this is the only thread: nobody starts a program meanwhile
    ::fcntl(end, F_SETFD, FD_CLOEXEC);
  }
  flush_output();
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    try {
      write_all(ends[1], work([&] { return !stops.is_set() && ::getppid() == parent; }));
    } catch (...) {  // what it is, the parent finds out when it does the same
      ::_exit(1);
    }
    flush_output();
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string text;
  if (child > 0) {
    text = read_all(ends[0], [&] {
      if (!stops.is_set() && !may_continue()) {
        stops.set();
      }
    });
  }
  ::close(ends[0]);
  return child > 0 && has_ended_well(child) ? std::optional(std::move(text)) : std::nullopt;
}

}  // namespace watchlab::sim

#else

namespace watchlab::sim {

bool may_fork() { return false; }

std::optional<std::string> in_child(
    const std::function<std::string(const std::function<bool()>& goes_on)>& /*work*/,
    const std::function<bool()>& /*may_continue*/) {
  return std::nullopt;
}

}  // namespace watchlab::sim

#endif
