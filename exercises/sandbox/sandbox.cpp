#include "exercises/sandbox/sandbox.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "exercises/sandbox/guard.hpp"
#include "exercises/sandbox/processes.hpp"
#include "exercises/sandbox/walls.hpp"

namespace watchlab::course {
namespace {

constexpr uid_t kFirstUser = 64'100;
constexpr uid_t kUsers = 64;

/// Ends all processes of a user.
void end_all_of(uid_t user) {
  const pid_t executioner = ::fork();
  if (executioner == 0) {
    // As that user: all processes that it may send a signal to are its own.
    ::_exit(::setuid(user) == 0 && ::kill(-1, SIGKILL) == 0 ? 0 : 1);
  }
  ::waitpid(executioner, nullptr, 0);
}

}  // namespace

std::string describe(const Ended& ended) {
  switch (ended.how) {
    case Ended::How::Exited:
      return fmt::format("exit status {}", ended.status);
    case Ended::How::Signalled:
      return fmt::format("SIG{} ({})", ::sigabbrev_np(ended.status), ::strsignal(ended.status));
    case Ended::How::TimedOut:
      return "no sign of life until its time was up";
    case Ended::How::OverLimit:
      return ended.limit;
    case Ended::How::NotStarted:
      break;
  }
  return "it did not start";
}

Sandbox::Sandbox() {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  for (uid_t i = 0; ::geteuid() == 0 && user_ == 0 && i < kUsers; ++i) {
    const std::string path = fmt::format("/run/lock/watchlab-course-{}", kFirstUser + i);
    const int lock = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (lock >= 0 && ::flock(lock, LOCK_EX | LOCK_NB) == 0) {
      lock_ = lock;
      user_ = kFirstUser + i;
    } else if (lock >= 0) {
      ::close(lock);
    }
  }
  if (::geteuid() == 0 && user_ == 0) {
    throw std::runtime_error(
        fmt::format("no user is free to run submissions as: /run/lock/watchlab-course-{} to -{} "
                    "cannot be locked",
                    kFirstUser, kFirstUser + kUsers - 1));
  }
  if (user_ != 0) {
    end_all_of(user_);  // what a grader has left that was killed itself
  }
  const PidNamespace probe = start_numbered(network_, [] { ::_exit(0); });
  can_number_ = probe.program > 0;
  if (can_number_) {
    firsts_[probe.program] = probe.first;
    ::waitpid(probe.program, nullptr, 0);
    end_numberings();
    ::waitpid(probe.first, nullptr, 0);
  }
}

Sandbox::~Sandbox() {
  end_numberings();
  if (lock_ >= 0) {
    ::close(lock_);
  }
}

pid_t Sandbox::start(const Command& command, const Confinement& confinement,
                     const ProgramDescriptors& descriptors) {
  const auto work = [&] {
    become(command, confinement, {descriptors, network_, user_, has_view_});
  };
  if (can_number_) {
    const PidNamespace numbered = start_numbered(network_, work);
    if (numbered.program > 0) {
      firsts_[numbered.program] = numbered.first;
      return numbered.program;
    }
  }
  const pid_t child = ::fork();
  if (child < 0) {
    throw std::runtime_error(fmt::format("no process: {}", std::strerror(errno)));
  }
  if (child == 0) {
    work();
  }
  return child;
}

/// Who calls this waits for all children: the first of a numbering ends when all others are waited
/// for.
void Sandbox::end_numberings() {
  for (const auto& [program, first] : firsts_) {
    ::kill(first, SIGKILL);  // and with it all that has its numbering
  }
  firsts_.clear();
}

Ended Sandbox::run(const Command& command, const Confinement& confinement,
                   const Listener& listener) {
  Connection output;
  Connection reports;
  const pid_t child =
      start(command, confinement, {.output = output.ends[1], .reports = reports.ends[1]});
  output.close_end(1);
  reports.close_end(1);
  output.read_without_waiting();
  reports.read_without_waiting();
  Guard guard(child, {output.ends[0], reports.ends[0]}, confinement, listener);
  static_cast<void>(guard.wait_for());
  Ended ended = guard.end();
  end_leftovers(child);
  return ended;
}

bool Sandbox::has_only_kept() const {
  std::vector<pid_t> expected = kept_;
  for (const auto& [program, first] : firsts_) {
    expected.push_back(first);
    if (!children_of(first).empty()) {
      return false;  // what has lost its parent
    }
  }
  const std::vector<pid_t> children = children_of(::getpid());
  return std::is_permutation(children.begin(), children.end(), expected.begin(), expected.end());
}

void Sandbox::end_leftovers(pid_t group) {
  ++endings_;
  kept_.clear();
  end_numberings();
  ::kill(-group, SIGKILL);
  // What has lost its parent is ours to bury.
  for (int i = 0; i < 200; ++i) {
    if (user_ != 0) {
      end_all_of(user_);
    } else {
      end_children();
    }
    if (reap_children()) {
      return;
    }
    ::poll(nullptr, 0, 5);
  }
}

void Sandbox::end_children() {
  for (const pid_t child : children_of(::getpid())) {
    ::kill(child, SIGKILL);
  }
}

/// True when none is left.
bool Sandbox::reap_children() {
  pid_t reaped = 0;
  do {
    reaped = ::waitpid(-1, nullptr, WNOHANG);
  } while (reaped > 0);
  return reaped < 0;
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

std::vector<std::string> Sandbox::walls() const {
  std::vector<std::string> names{"own session", "limits", "summed memory", "watchdog"};
  if (user_ != 0) {
    names.emplace_back("another user");
  }
  if (network_.is_there()) {
    names.emplace_back("no network");
  }
  if (can_number_) {
    names.emplace_back("own numbers of processes");
  }
  if (has_view_) {
    names.emplace_back("own view of files");
  }
  for (std::string& name : walls_of_this_machine()) {
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace watchlab::course
