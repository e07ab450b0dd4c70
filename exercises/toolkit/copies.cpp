#include "exercises/toolkit/copies.hpp"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <vector>

#include "exercises/toolkit/protocol.hpp"

namespace watchlab::course {
namespace {

/// The next settings; ends the process when nobody sends any more.
std::string received() {
  std::vector<char> buffer(settings_bytes_max);
  while (true) {
    const ssize_t size = ::recv(settings_descriptor, buffer.data(), buffer.size(), 0);
    if (size > 0) {
      return {buffer.data(), static_cast<std::size_t>(size)};
    }
    if (size == 0 || errno != EINTR) {
      ::_exit(0);
    }
  }
}

/// Like fork, but the grader becomes the parent, which so learns how the copy ends.
pid_t copy_for_the_grader() {
  return static_cast<pid_t>(
      ::syscall(SYS_clone, CLONE_PARENT | SIGCHLD, nullptr, nullptr, nullptr, nullptr));
}

}  // namespace

std::string settings_of_this_copy() {
  // A copy runs under the same user, and must not look into the process that waits or change it.
  ::prctl(PR_SET_DUMPABLE, 0);
  while (true) {
    std::string settings = received();
    const pid_t copy = copy_for_the_grader();
    if (copy == 0) {
      ::setsid();
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      ::prctl(PR_SET_DUMPABLE, 1);
      return settings;
    }
    static_cast<void>(::send(settings_descriptor, &copy, sizeof copy, MSG_NOSIGNAL));
  }
}

}  // namespace watchlab::course
