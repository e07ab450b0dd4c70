#include "exercises/toolkit/seccomp_filter.hpp"

#include <dlfcn.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <string>
#include <utility>
#include <vector>

#include "exercises/toolkit/remote_protocol.hpp"
#include "sim/kernel/fiber.hpp"

namespace watchlab::course {
namespace {

#if defined(WATCHLAB_ASAN) || defined(WATCHLAB_TSAN)
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif

using Program = std::vector<sock_filter>;

/// What the kernel checks calls with; empty while the wall is not ready.
Program& program() {
  static Program program;
  return program;
}

/// Calls that may be asked for anything.
constexpr std::array kAllowed{
    SCMP_SYS(read),         SCMP_SYS(write),          SCMP_SYS(writev),      SCMP_SYS(close),
    SCMP_SYS(brk),          SCMP_SYS(munmap),         SCMP_SYS(mprotect),    SCMP_SYS(mremap),
    SCMP_SYS(rt_sigreturn), SCMP_SYS(rt_sigprocmask), SCMP_SYS(sigaltstack), SCMP_SYS(exit),
    SCMP_SYS(exit_group)};

/// An argument of a call that is an int: the kernel does not look at the other half of it either.
scmp_arg_cmp is(unsigned argument, int value) {
  constexpr scmp_datum_t half = 0xffff'ffff;
  return {argument, SCMP_CMP_MASKED_EQ, half, static_cast<unsigned>(value)};
}

void add(scmp_filter_ctx filter, std::uint32_t action, int call,
         const std::vector<scmp_arg_cmp>& arguments = {}) {
  static_cast<void>(seccomp_rule_add_array(
      filter, action, call, static_cast<unsigned>(arguments.size()), arguments.data()));
}

void add_memory(scmp_filter_ctx filter) {
  // The pool of large pages is one for the whole machine.
  constexpr scmp_datum_t of_the_machine = MAP_HUGETLB | MAP_LOCKED;
  add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), {{3, SCMP_CMP_MASKED_EQ, of_the_machine, 0}});
  add(filter, SCMP_ACT_ALLOW, SCMP_SYS(madvise), {is(2, MADV_DONTNEED)});
  // There are no threads: no thread is woken, but the C library tries to.
  add(filter, SCMP_ACT_ALLOW, SCMP_SYS(futex), {{1, SCMP_CMP_MASKED_EQ, 0x7f, FUTEX_WAKE}});
}

/// The process can end itself. It has a session of its own, so that its group is itself, and it can
/// name that without its number. A handler of a signal learns its sender: those that can be sent,
/// and the one of a broken connection, which the process itself is said to send, are not handled.
void add_signals(scmp_filter_ctx filter) {
  for (const int call : {SCMP_SYS(getpid), SCMP_SYS(gettid)}) {
    add(filter, SCMP_ACT_ERRNO(0), call);
  }
  for (const int signal : {SIGABRT, SIGKILL}) {
    add(filter, SCMP_ACT_ALLOW, SCMP_SYS(kill), {is(0, 0), is(1, signal)});
  }
  add(filter, SCMP_ACT_TRAP, SCMP_SYS(tgkill), {is(2, SIGABRT)});
  for (int signal = 1; signal < NSIG; ++signal) {
    if (signal != SIGABRT && signal != SIGPIPE) {
      add(filter, SCMP_ACT_ALLOW, SCMP_SYS(rt_sigaction), {is(0, signal)});
      continue;
    }
    // Boost.Test looks at one of them, and must not take it for broken.
    add(filter, SCMP_ACT_ALLOW, SCMP_SYS(rt_sigaction), {is(0, signal), {1, SCMP_CMP_EQ, 0, 0}});
    add(filter, SCMP_ACT_ERRNO(0), SCMP_SYS(rt_sigaction), {is(0, signal), {1, SCMP_CMP_NE, 0, 0}});
  }
}

/// How the C library's `abort` ends the process, which it names by its number: as a signal to its
/// group.
void abort_group(int /*signal*/) { ::syscall(SYS_kill, 0, SIGABRT); }

Program compiled(scmp_filter_ctx filter) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return {};
  }
  const bool exported = seccomp_export_bpf(filter, ends[1]) == 0;
  ::close(ends[1]);
  Program program;
  sock_filter step{};
  while (exported && ::read(ends[0], &step, sizeof step) == sizeof step) {
    program.push_back(step);
  }
  ::close(ends[0]);
  return program;
}

}  // namespace

void prepare_seccomp_filter() {
  if (kIsSanitized) {
    return;  // what looks for errors asks for much
  }
  const scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
  if (filter == nullptr) {
    return;
  }
  for (const int call : kAllowed) {
    add(filter, SCMP_ACT_ALLOW, call);
  }
  add_memory(filter);
  add_signals(filter);
  add(filter, SCMP_ACT_ALLOW, SCMP_SYS(sendto),
      {is(0, kLibraryDescriptor), is(3, MSG_NOSIGNAL), {4, SCMP_CMP_EQ, 0, 0}});
  program() = compiled(filter);
  seccomp_release(filter);
  (void)std::signal(SIGSYS, abort_group);
  (void)std::signal(SIGPIPE, SIG_IGN);
}

const char* path_of_wall_library() {
  static const std::string path = [] {
    Dl_info own{};
    ::dladdr(reinterpret_cast<void*>(&prepare_seccomp_filter), &own);
    const std::string toolkit = own.dli_fname;
    return toolkit.substr(0, toolkit.rfind('/') + 1) + kWallLibrary;
  }();
  return path.c_str();
}

}  // namespace watchlab::course

void watchlab_install_seccomp_filter() {
  using namespace watchlab::course;
  static bool is_up = false;
  if (std::exchange(is_up, true) || program().empty()) {
    return;
  }
  // Where the kernel does not let it, the other walls must do; `Sandbox::walls` reports it.
  static_cast<void>(unmap_clock_page());
  const sock_fprog filter{static_cast<unsigned short>(program().size()), program().data()};
  static_cast<void>(::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter));
}
