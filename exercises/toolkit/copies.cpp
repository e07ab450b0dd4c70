#include "exercises/toolkit/copies.hpp"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include "exercises/toolkit/protocol.hpp"
#include "exercises/toolkit/remote_protocol.hpp"
#include "exercises/toolkit/seccomp_filter.hpp"
#include "sim/kernel/fiber.hpp"

namespace watchlab::course {
namespace {

/// The next settings, and the connection to another program that may come with them: it becomes
/// `kLibraryDescriptor`. Ends the process when the grader sends no more.
std::string received() {
  std::vector<char> buffer(kSettingsBytesMax);
  iovec text{buffer.data(), buffer.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> extra{};
  while (true) {
    msghdr message{};
    message.msg_iov = &text;
    message.msg_iovlen = 1;
    message.msg_control = extra.data();
    message.msg_controllen = extra.size();
    const ssize_t size = ::recvmsg(kSettingsDescriptor, &message, 0);
    if (size > 0) {
      if (const cmsghdr* const header = CMSG_FIRSTHDR(&message)) {
        int connection = -1;
        std::memcpy(&connection, CMSG_DATA(header), sizeof connection);
        if (connection != kLibraryDescriptor) {
          ::dup2(connection, kLibraryDescriptor);
          ::close(connection);
        }
      }
      return {buffer.data(), static_cast<std::size_t>(size)};
    }
    if (size == 0 || errno != EINTR) {
      ::_exit(0);
    }
  }
}

/// Closed until the process that waits has let go of it. A copy may end that process, and must not
/// do so before the grader knows of the copy.
class Gate {
 public:
  Gate() {
    if (::pipe(ends_.data()) != 0) {
      ::_exit(1);
    }
  }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  ~Gate() {
    ::close(ends_[0]);
    if (ends_[1] >= 0) {
      ::close(ends_[1]);
    }
  }

  /// In the copy: until the other process has let go.
  void wait() {
    ::close(std::exchange(ends_[1], -1));
    char nothing = 0;
    while (::read(ends_[0], &nothing, 1) < 0 && errno == EINTR) {
    }
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

/// Lets this process signal itself only, and refuses clocks and random numbers of the kernel and
/// the processor: the C library's are noticed
/// (forbidden_calls.cpp). To ask the processor's clock is a SIGSEGV; its random numbers cannot be
/// refused. A process or a thread beside it could count, which is a clock as well. Where the kernel
/// has no filters, the other walls must do.
void keep_to_itself() {
#if !defined(WATCHLAB_ASAN) && !defined(WATCHLAB_TSAN)
  ::prctl(PR_SET_TSC, PR_TSC_SIGSEGV);
#endif
  std::vector<sock_filter> program{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  const sock_filter refuse = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
  const sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  for (const unsigned call : {
#if defined(SYS_time)
         unsigned{SYS_time},
#endif
#if !defined(WATCHLAB_ASAN) && !defined(WATCHLAB_TSAN)
#if defined(SYS_fork)
             unsigned{SYS_fork}, unsigned{SYS_vfork},
#endif
             unsigned{SYS_clone}, unsigned{SYS_clone3},
#endif
             unsigned{SYS_getrandom}, unsigned{SYS_clock_gettime}, unsigned{SYS_gettimeofday},
             unsigned{SYS_times}, unsigned{SYS_getrusage}, unsigned {
           SYS_timerfd_create
         }
       }) {
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1));
    program.push_back(refuse);
  }
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, unsigned{SYS_tgkill}, 0, 3));
  program.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[0])));
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(::getpid()), 1, 0));
  program.push_back(refuse);
  program.push_back(allow);
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  static_cast<void>(::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter));
  // Its number stands there, which is not for the student.
  ::explicit_bzero(program.data(), program.size() * sizeof program.front());
}

/// What the grader reads: the number of this process when it is loaded, then that of each copy.
void notify_copy(pid_t process) {
  static_cast<void>(::send(kSettingsDescriptor, &process, sizeof process, MSG_NOSIGNAL));
}

/// Numbers of processes begin anew with each program, and a copy that knows how many there were
/// before knows what for it is run. So some are left out, a random number of them. A copy that
/// judges holds nothing of the student.
void leave_numbers_out() {
  unsigned char drawn = 0;
  // Not by its name: a call by that name is noticed (forbidden_calls.cpp).
  if (::syscall(SYS_getrandom, &drawn, sizeof drawn, 0) != sizeof drawn) {
    return;
  }
  for (int left = drawn % 32; left > 0; --left) {
    const pid_t number = ::vfork();
    if (number == 0) {
      ::_exit(0);
    }
    ::waitpid(number, nullptr, 0);
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
  prepare_seccomp_filter();
  notify_copy(::getpid());
  while (true) {
    std::string settings = received();
    if (!parse_settings(settings).judges) {
      leave_numbers_out();
    }
    Gate gate;
    const pid_t copy = copy_for_the_grader();
    if (copy == 0) {
      gate.wait();
      ::setsid();
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      keep_to_itself();
      return settings;
    }
    ::close(kLibraryDescriptor);  // the copy's; closing what is not there does no harm
    notify_copy(copy);
  }
}

}  // namespace watchlab::course
