#include "exercises/grader/sandbox.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "exercises/grader/jail.hpp"

namespace watchlab::course {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr uid_t first_user = 64'100;
constexpr uid_t users = 64;
constexpr std::size_t output_bytes_max = 64 * 1024;
constexpr milliseconds look_again{100};
constexpr milliseconds counted_max{250};  // of the time between two looks

/// A pipe whose ends close with it.
struct Pipe {
  Pipe() {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
      throw std::runtime_error(fmt::format("no pipe: {}", std::strerror(errno)));
    }
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  void close_end(std::size_t end) {
    if (ends[end] >= 0) {
      ::close(std::exchange(ends[end], -1));
    }
  }

  std::array<int, 2> ends{-1, -1};
};

/// Everything that is in the pipe now; false when its other end is closed.
bool drain(int descriptor, const std::function<void(std::string_view)>& ear) {
  char buffer[16 * 1024];
  while (true) {
    const ssize_t size = ::read(descriptor, buffer, sizeof buffer);
    if (size > 0) {
      ear({buffer, static_cast<std::size_t>(size)});
    } else if (size == 0) {
      return false;
    } else if (errno != EINTR) {
      return true;
    }
  }
}

milliseconds since(Clock::time_point start) {
  return std::chrono::duration_cast<milliseconds>(Clock::now() - start);
}

/// Follows one program until it ends or its time is up.
class Guard {
 public:
  Guard(pid_t child, const Confinement& confinement, const Sandbox::Ear& ear)
      : child_(child),
        descriptor_(static_cast<int>(::syscall(SYS_pidfd_open, child, 0))),
        confinement_(confinement),
        ear_(ear) {}
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  ~Guard() { ::close(descriptor_); }

  Ended follow(int output, int reports) {
    bool ended = false;
    while (!ended && !is_late()) {
      std::array<pollfd, 3> polled{pollfd{descriptor_, POLLIN, 0},
                                   pollfd{output_open_ ? output : -1, POLLIN, 0},
                                   pollfd{reports_open_ ? reports : -1, POLLIN, 0}};
      const milliseconds left = std::min(time_left(), look_again);
      ::poll(polled.data(), polled.size(), static_cast<int>(left.count()) + 1);
      count_time();
      ended = polled[0].revents != 0;
      listen(output, reports);
    }
    ended_.how = ended ? Ended::How::Exited : Ended::How::TimedOut;
    finish();
    listen(output, reports);
    ended_.wall = since(start_);
    return ended_;
  }

 private:
  void listen(int output, int reports) {
    output_open_ = output_open_ && drain(output, [this](std::string_view bytes) {
                     const std::size_t room =
                         output_bytes_max - std::min(output_bytes_max, ended_.output.size());
                     ended_.output += bytes.substr(0, room);
                   });
    reports_open_ = reports_open_ && drain(reports, [this](std::string_view bytes) {
                      silent_ = milliseconds(0);
                      if (ear_) {
                        ear_(bytes);
                      }
                    });
  }

  /// A machine that stood still, or let this program wait as well, is not the program's fault: time
  /// counts only as far as this one was awake.
  void count_time() {
    const Clock::time_point now = Clock::now();
    const auto passed = std::chrono::duration_cast<milliseconds>(now - looked_);
    looked_ += passed;
    silent_ += std::min(passed, counted_max);
    lived_ += std::min(passed, counted_max);
  }

  [[nodiscard]] milliseconds time_left() const {
    const milliseconds silence = confinement_.silence - silent_;
    const milliseconds whole = confinement_.silence * 10 - lived_;
    return std::max(milliseconds(0), std::min(silence, whole));
  }
  [[nodiscard]] bool is_late() const { return time_left() == milliseconds(0); }

  /// The session is the program's own, so that its number is that of the group.
  void finish() {
    ::kill(-child_, SIGKILL);
    ::kill(child_, SIGKILL);
    int status = 0;
    rusage usage{};
    ::wait4(child_, &status, 0, &usage);
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

  pid_t child_;
  int descriptor_;
  const Confinement& confinement_;
  const Sandbox::Ear& ear_;
  Ended ended_;
  bool output_open_ = true;
  bool reports_open_ = true;
  Clock::time_point start_ = Clock::now();
  Clock::time_point looked_ = start_;
  milliseconds silent_{0};  ///< since it was last heard
  milliseconds lived_{0};
};

void send(int descriptor, const std::string& text) {
  // A pipe holds 64 KB before anybody reads; more settings than that would wait for ever.
  if (text.size() > 60 * 1024 ||
      ::write(descriptor, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    throw std::runtime_error("the settings of a program are too long");
  }
}

/// Ends all processes of a user.
void end_all_of(uid_t user) {
  const pid_t executioner = ::fork();
  if (executioner == 0) {
    // As that user: all processes that it may send a signal to are its own.
    ::_exit(::setuid(user) == 0 && ::kill(-1, SIGKILL) == 0 ? 0 : 1);
  }
  ::waitpid(executioner, nullptr, 0);
}

/// Ends the children of this process, which those that lose their parent become.
void end_children() {
  std::ifstream children(fmt::format("/proc/self/task/{}/children", ::getpid()));
  for (pid_t child = 0; children >> child;) {
    ::kill(child, SIGKILL);
  }
}

}  // namespace

std::string words_for(const Ended& ended) {
  switch (ended.how) {
    case Ended::How::Exited:
      return fmt::format("exit status {}", ended.status);
    case Ended::How::Signalled:
      return fmt::format("SIG{} ({})", ::sigabbrev_np(ended.status), ::strsignal(ended.status));
    case Ended::How::TimedOut:
      return "no sign of life until its time was up";
    case Ended::How::NotStarted:
      break;
  }
  return "it did not start";
}

Sandbox::Sandbox() {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  for (uid_t i = 0; ::geteuid() == 0 && user_ == 0 && i < users; ++i) {
    const std::string path = fmt::format("/run/lock/watchlab-course-{}", first_user + i);
    const int lock = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (lock >= 0 && ::flock(lock, LOCK_EX | LOCK_NB) == 0) {
      lock_ = lock;
      user_ = first_user + i;
    } else if (lock >= 0) {
      ::close(lock);
    }
  }
}

Sandbox::~Sandbox() {
  if (lock_ >= 0) {
    ::close(lock_);
  }
}

Ended Sandbox::run(const Command& command, const Confinement& confinement, const Ear& ear) {
  Pipe output;
  Pipe reports;
  Pipe settings;
  send(settings.ends[1], command.settings);
  settings.close_end(1);
  const pid_t child = ::fork();
  if (child < 0) {
    throw std::runtime_error(fmt::format("no process: {}", std::strerror(errno)));
  }
  if (child == 0) {
    become(command, confinement,
           {.output = output.ends[1], .reports = reports.ends[1], .settings = settings.ends[0]},
           user_);
  }
  output.close_end(1);
  reports.close_end(1);
  ::fcntl(output.ends[0], F_SETFL, O_NONBLOCK);
  ::fcntl(reports.ends[0], F_SETFL, O_NONBLOCK);
  Ended ended = Guard(child, confinement, ear).follow(output.ends[0], reports.ends[0]);
  end_leftovers(child);
  return ended;
}

void Sandbox::end_leftovers(pid_t group) const {
  ::kill(-group, SIGKILL);
  // What has lost its parent is ours to bury.
  for (int i = 0; i < 200; ++i) {
    if (user_ != 0) {
      end_all_of(user_);
    } else {
      end_children();
    }
    pid_t buried = 0;
    do {
      buried = ::waitpid(-1, nullptr, WNOHANG);
    } while (buried > 0);
    if (buried < 0) {
      return;
    }
    ::poll(nullptr, 0, 5);
  }
}

void Sandbox::admit(const std::filesystem::path& folder) const {
  if (user_ == 0) {
    return;
  }
  const auto hand_over = [this](const std::filesystem::path& path) {
    if (::lchown(path.c_str(), user_, user_) != 0) {
      throw std::runtime_error(fmt::format("{} cannot be given to another user", path.string()));
    }
  };
  hand_over(folder);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    hand_over(entry.path());
  }
}

std::string Sandbox::measures() const {
  std::string text = "own session, limits, watchdog";
  text += user_ != 0 ? ", another user" : "";
  text += landlock_version() > 0 ? ", Landlock" : "";
  text += can_unshare_network() ? ", no network" : "";
  return text;
}

}  // namespace watchlab::course
