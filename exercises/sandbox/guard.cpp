#include "exercises/sandbox/guard.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "exercises/sandbox/processes.hpp"

namespace watchlab::course {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kOutputBytesMax = 64 * 1024;
constexpr milliseconds kLookAgain{100};
constexpr milliseconds kCountedMax{250};  // of the time between two looks
constexpr std::size_t kReceivedAtOnceMax = 1 << 20;

/// What has arrived by now, up to `kReceivedAtOnceMax`: whoever writes faster than this reads must
/// not keep it from looking at anything else. False when the other end is closed.
bool drain(int descriptor, const std::function<void(std::string_view)>& listener) {
  char buffer[16 * 1024];
  for (std::size_t received = 0; received < kReceivedAtOnceMax;) {
    const ssize_t size = ::read(descriptor, buffer, sizeof buffer);
    if (size > 0) {
      received += static_cast<std::size_t>(size);
      listener({buffer, static_cast<std::size_t>(size)});
    } else if (size == 0) {
      return false;
    } else if (errno != EINTR) {
      return true;
    }
  }
  return true;
}

}  // namespace

PipeEnds::~PipeEnds() {
  close_end(0);
  close_end(1);
}

void PipeEnds::close_end(std::size_t end) {
  if (ends[end] >= 0) {
    ::close(std::exchange(ends[end], -1));
  }
}

Connection::Connection(int type) {
  if (::socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw std::runtime_error(fmt::format("no connection: {}", std::strerror(errno)));
  }
}

void Connection::read_without_waiting() const { ::fcntl(ends[0], F_SETFL, O_NONBLOCK); }

Guard::Guard(pid_t process, Descriptors received, const Confinement& confinement,
             const Sandbox::Listener& listener)
    : process_(process),
      received_(std::move(received)),
      descriptor_(static_cast<int>(::syscall(SYS_pidfd_open, process, 0))),
      confinement_(confinement),
      listener_(listener) {}

Guard::~Guard() { ::close(descriptor_); }

bool Guard::wait_for(int answer) {
  bool answered = false;
  while (!has_ended_ && !answered && !is_over()) {
    std::array<pollfd, 6> polled{
        pollfd{descriptor_, POLLIN, 0},
        pollfd{output_open_ ? received_.output : -1, POLLIN, 0},
        pollfd{reports_open_ ? received_.reports : -1, POLLIN, 0},
        pollfd{answer, POLLIN, 0},
        pollfd{library_output_open_ ? received_.library_output : -1, POLLIN, 0},
        pollfd{library_reports_open_ ? received_.library_reports : -1, POLLIN, 0}};
    const milliseconds left = std::min(time_left(), kLookAgain);
    const int ready = ::poll(polled.data(), polled.size(), static_cast<int>(left.count()) + 1);
    count_time(ready == 0);
    has_ended_ = polled[0].revents != 0;
    answered = polled[3].revents != 0 && !has_ended_;
    listen();
    look_at_limits(ready == 0);
  }
  return answered;
}

Ended Guard::end() {
  ended_.how = !ended_.limit.empty() ? Ended::How::OverLimit
               : has_ended_          ? Ended::How::Exited
                                     : Ended::How::TimedOut;
  ended_.lacked_time = ended_.lacked_time || ended_.how == Ended::How::TimedOut;
  reap();
  listen();
  ended_.wall = std::chrono::duration_cast<milliseconds>(Clock::now() - start_);
  return ended_;
}

void Guard::listen() {
  const auto keep = [this](std::string_view bytes) { keep_output(bytes); };
  output_open_ = output_open_ && drain(received_.output, keep);
  library_output_open_ = received_.library_output >= 0 && library_output_open_ &&
                         drain(received_.library_output, keep);
  library_reports_open_ = received_.library_reports >= 0 && library_reports_open_ &&
                          drain(received_.library_reports, [this](std::string_view bytes) {
                            received_bytes_ += bytes.size();
                            received_.library_listener(bytes);
                          });
  reports_open_ = reports_open_ && drain(received_.reports, [this](std::string_view bytes) {
                    silent_ = milliseconds(0);
                    received_bytes_ += bytes.size();
                    if (listener_) {
                      listener_(bytes);
                    }
                  });
}

void Guard::keep_output(std::string_view bytes) {
  received_bytes_ += bytes.size();
  const std::size_t room = kOutputBytesMax - std::min(kOutputBytesMax, ended_.output.size());
  ended_.output += bytes.substr(0, room);
}

/// Memory is only looked at when the process has been quiet: most end before that.
void Guard::look_at_limits(bool is_quiet) {
  if (received_bytes_ > confinement_.received_bytes) {
    ended_.limit = fmt::format("it wrote more than {} MiB", confinement_.received_bytes >> 20U);
  } else if (is_quiet && resident_bytes_of_descendants() > confinement_.resident_bytes) {
    ended_.limit = fmt::format("its processes used more than {} MiB of memory together",
                               confinement_.resident_bytes >> 20U);
  } else if (is_quiet && processor_time_of_descendants() >= confinement_.processor_max) {
    ended_.limit = fmt::format(
        "it used {} s of the processor",
        std::chrono::duration_cast<std::chrono::seconds>(confinement_.processor_max).count());
    ended_.lacked_time = true;
  } else if (Clock::now() >= confinement_.until) {
    ended_.limit = "the time for the whole grade was over";
    ended_.lacked_time = true;
  }
}

bool Guard::is_over() const { return !ended_.limit.empty() || time_left() <= milliseconds(0); }

/// A machine that stood still, or that is busy with others, is not the program's fault: time counts
/// only as far as this one was awake, and of what could run, as far as it had the processor.
void Guard::count_time(bool is_quiet) {
  const auto passed = std::chrono::duration_cast<milliseconds>(Clock::now() - looked_);
  looked_ += passed;
  milliseconds counted = std::min(passed, kCountedMax);
  if (is_quiet) {
    const milliseconds used = processor_time_of_descendants();
    if (a_descendant_could_run()) {
      counted = std::min(counted, std::max(milliseconds(0), used - used_));
    }
    used_ = used;
  }
  silent_ += counted;
  lived_ += counted;
}

milliseconds Guard::time_left() const {
  const milliseconds silence = confinement_.silence - silent_;
  const milliseconds whole = confinement_.silence * 10 - lived_;
  return std::max(milliseconds(0), std::min(silence, whole));
}

/// The session is the process's own, so that its number is that of the group.
void Guard::reap() {
  ::kill(-process_, SIGKILL);
  ::kill(process_, SIGKILL);
  int status = 0;
  rusage usage{};
  ::wait4(process_, &status, 0, &usage);
  if (ended_.how == Ended::How::Exited) {
    ended_.how = WIFSIGNALED(status) ? Ended::How::Signalled : Ended::How::Exited;
    ended_.status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  }
  const auto milli = [](const timeval& time) {
    return milliseconds(time.tv_sec * 1000 + time.tv_usec / 1000);
  };
  ended_.cpu = milli(usage.ru_utime) + milli(usage.ru_stime);
  ended_.peak_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace watchlab::course
