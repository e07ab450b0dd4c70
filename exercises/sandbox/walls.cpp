#include "exercises/sandbox/walls.hpp"

#include <fcntl.h>
#include <linux/keyctl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <sstream>
#include <string>
#include <string_view>

#include "exercises/toolkit/seccomp_filter.hpp"

namespace watchlab::course {
namespace {

// Names with blanks between, because a kernel or a libseccomp may not know each of the calls.

/// What looks into other processes, changes what they see, or reaches what no wall stands around.
constexpr std::string_view kNever =
    "add_key keyctl request_key ptrace process_vm_readv process_vm_writev process_madvise "
    "process_mrelease kcmp pidfd_getfd userfaultfd perf_event_open bpf unshare setns mount "
    "umount2 pivot_root move_mount open_tree fsopen fsconfig fsmount fspick mount_setattr "
    "chroot io_uring_setup io_uring_enter io_uring_register fanotify_init fanotify_mark "
    "inotify_init inotify_init1 inotify_add_watch name_to_handle_at open_by_handle_at "
    "kexec_load kexec_file_load init_module finit_module delete_module swapon swapoff reboot "
    "acct quotactl quotactl_fd syslog settimeofday clock_settime clock_adjtime adjtimex "
    "sethostname setdomainname vhangup lookup_dcookie migrate_pages "
    "move_pages mbind set_mempolicy modify_ldt iopl ioperm";

/// What leaves a trace, or finds one.
constexpr std::string_view kLeavesTraces =
    "chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes futimesat "
    "utimensat setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr getxattr "
    "lgetxattr fgetxattr listxattr llistxattr flistxattr truncate ftruncate fallocate mknod "
    "mknodat mkdir mkdirat link linkat symlink symlinkat rename renameat renameat2 unlink "
    "unlinkat rmdir flock shmget shmat shmctl shmdt msgget msgsnd msgrcv msgctl semget semop "
    "semtimedop semctl mq_open mq_unlink mq_notify socket socketcall statfs fstatfs sysinfo "
    "getpriority setpriority ioprio_set tkill rt_sigqueueinfo rt_tgsigqueueinfo "
    "pidfd_send_signal pidfd_open sched_setaffinity sched_setscheduler sched_setparam "
    "sched_setattr "
    // What keeps something of a file, or of memory, beyond a process: pages that are thrown out of
    // memory, flags of a file, the size of a pipe.
    "mincore fadvise64 readahead cachestat preadv preadv2 fsync fdatasync sync sync_file_range "
    "syncfs process_madvise ioctl memfd_create memfd_secret "
    // Timers tell the time, and no test or library has a use for one.
    "setitimer getitimer alarm timer_create timer_settime timer_gettime clock_getres "
    "sched_rr_get_interval";

void refuse(scmp_filter_ctx filter, std::string_view names) {
  std::istringstream words{std::string(names)};
  for (std::string name; words >> name;) {
    const int number = seccomp_syscall_resolve_name(name.c_str());
    if (number != __NR_SCMP_ERROR) {
      static_cast<void>(seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), number, 0));
    }
  }
}

void refuse_if(scmp_filter_ctx filter, int number, scmp_arg_cmp argument) {
  static_cast<void>(seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM), number, 1, &argument));
}

/// New processes, but no new namespaces. What `clone3` is asked for cannot be seen, so the C
/// library is told to take `clone`.
void refuse_namespaces(scmp_filter_ctx filter) {
  for (const unsigned long flag : {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET,
                                   CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP}) {
    refuse_if(filter, SCMP_SYS(clone), {0, SCMP_CMP_MASKED_EQ, flag, flag});
  }
  static_cast<void>(seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0));
}

/// What has the kernel send signals to another process, or notes of what others open, when
/// something happens to a file; and what types into a terminal.
void refuse_notes_of_files(scmp_filter_ctx filter) {
  constexpr scmp_datum_t command_bits = 0xffff'ffff;
  for (const scmp_datum_t command : {F_SETOWN, F_SETOWN_EX, F_SETSIG, F_SETLEASE, F_NOTIFY}) {
    refuse_if(filter, SCMP_SYS(fcntl), {1, SCMP_CMP_MASKED_EQ, command_bits, command});
  }
  for (const scmp_datum_t command : {FIOSETOWN, SIOCSPGRP, FIOASYNC, TIOCSTI}) {
    refuse_if(filter, SCMP_SYS(ioctl), {1, SCMP_CMP_MASKED_EQ, command_bits, command});
  }
}

void refuse_traces_in_memory(scmp_filter_ctx filter) {
  constexpr scmp_datum_t command_bits = 0xffff'ffff;
  for (const scmp_datum_t command : {F_SETFL, F_SETPIPE_SZ, F_SET_RW_HINT, F_SET_FILE_RW_HINT,
                                     F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW}) {
    refuse_if(filter, SCMP_SYS(fcntl), {1, SCMP_CMP_MASKED_EQ, command_bits, command});
  }
  for (const scmp_datum_t advice : {MADV_COLD, MADV_PAGEOUT}) {
    refuse_if(filter, SCMP_SYS(madvise), {2, SCMP_CMP_MASKED_EQ, command_bits, advice});
  }
}

}  // namespace

bool restrict_system_calls(SystemCalls allowed) {
  const scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  if (filter == nullptr) {
    return false;
  }
  refuse(filter, kNever);
  refuse_namespaces(filter);
  refuse_notes_of_files(filter);
  // The limits of another process; the C library asks for its own as those of process 0.
  refuse_if(filter, SCMP_SYS(prlimit64), {0, SCMP_CMP_NE, 0, 0});
  if (allowed == SystemCalls::Run) {
    refuse(filter, kLeavesTraces);
    refuse_traces_in_memory(filter);
    // Of its own group, which is itself, a process may have the end.
    refuse_if(filter, SCMP_SYS(kill), {0, SCMP_CMP_NE, 0, 0});
  } else {
    // A compiler asks the system for names over local sockets at most.
    refuse_if(filter, SCMP_SYS(socket), {0, SCMP_CMP_NE, AF_UNIX, 0});
  }
  const bool loaded = seccomp_load(filter) == 0;
  seccomp_release(filter);
  return loaded;
}

namespace {

struct Wall {
  const char* name;
  bool (*raise)();
};

/// The filter comes last: it refuses what raises the others.
constexpr std::array kWalls{
    Wall{"Landlock", [] { return landlock_version() > 0; }},
    Wall{"own keyring", &take_own_keyring},
    // Raised by a loaded program in its copies, because the loader itself asks that clock.
    Wall{"no processor clock", [] { return ::prctl(PR_SET_TSC, PR_TSC_SIGSEGV) == 0; }},
    // Raised by the same, around a student's code.
    Wall{"no page of the clock", &unmap_clock_page},
    Wall{"filtered system calls",
         [] {
           return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
                  restrict_system_calls(SystemCalls::Run);
         }},
};

}  // namespace

bool take_own_keyring() { return ::syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, nullptr) >= 0; }

std::vector<std::string> walls_of_this_machine() {
  const pid_t prober = ::fork();
  if (prober == 0) {
    int raised = 0;
    for (std::size_t i = 0; i < kWalls.size(); ++i) {
      raised |= kWalls[i].raise() ? 1 << i : 0;
    }
    ::_exit(raised);
  }
  int status = 0;
  ::waitpid(prober, &status, 0);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kWalls.size(); ++i) {
    if (WIFEXITED(status) && (WEXITSTATUS(status) >> i & 1) != 0) {
      names.emplace_back(kWalls[i].name);
    }
  }
  return names;
}

}  // namespace watchlab::course
