#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/landlock.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

#include "exercises/sandbox/namespaces.hpp"
#include "exercises/sandbox/walls.hpp"
#include "exercises/toolkit/protocol.hpp"

namespace watchlab::course {
namespace {

[[noreturn]] void give_up(const char* what) {
  ::dprintf(STDOUT_FILENO, "the sandbox could not %s: %s\n", what, std::strerror(errno));
  ::_exit(127);
}

/// What every program may read beside its own: there is no /proc among it.
constexpr std::array kReadableSystem{
    "/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/alternatives", "/dev/urandom"};
constexpr const char* kNowhere = "/dev/null";

constexpr std::uint64_t kFileReading = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE;
constexpr std::uint64_t kReading = kFileReading | LANDLOCK_ACCESS_FS_READ_DIR;

/// What a ruleset handles; Debian's header knows the first member only.
struct LandlockAttributes {
  std::uint64_t files = 0;
  std::uint64_t ports = 0;   ///< from version 4 on: bind and connect
  std::uint64_t scopes = 0;  ///< from version 6 on: abstract sockets and signals stay inside
};

/// Everything that a version of Landlock can keep away.
LandlockAttributes all_of(int version) {
  // 13 rights of the first version, then: move across folders, truncate, ioctl on devices.
  const int rights = 13 + (version >= 2 ? 1 : 0) + (version >= 3 ? 1 : 0) + (version >= 5 ? 1 : 0);
  return {.files = (std::uint64_t{1} << rights) - 1,
          .ports = version >= 4 ? std::uint64_t{3} : 0,
          .scopes = version >= 6 ? std::uint64_t{3} : 0};
}

std::size_t size_of_attributes(int version) { return version >= 6 ? 24 : version >= 4 ? 16 : 8; }

void allow(int ruleset, const std::filesystem::path& path, std::uint64_t access) {
  const int descriptor = ::open(path.c_str(), O_PATH | O_CLOEXEC);
  if (descriptor < 0) {
    return;  // what is not there needs no permission
  }
  struct stat status {};
  ::fstat(descriptor, &status);
  landlock_path_beneath_attr rule{};
  constexpr std::uint64_t truncating = std::uint64_t{1} << 14U;
  constexpr std::uint64_t of_files = kFileReading | LANDLOCK_ACCESS_FS_WRITE_FILE | truncating;
  rule.allowed_access = S_ISDIR(status.st_mode) ? access : access & of_files;
  rule.parent_fd = descriptor;
  ::syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  ::close(descriptor);
}

void wall_in(const Confinement& confinement) {
  const int version = landlock_version();
  if (version == 0) {
    return;
  }
  const LandlockAttributes attributes = all_of(version);
  const int ruleset = static_cast<int>(
      ::syscall(SYS_landlock_create_ruleset, &attributes, size_of_attributes(version), 0));
  for (const char* const path : kReadableSystem) {
    allow(ruleset, path, kReading);
  }
  allow(ruleset, kNowhere, kReading | LANDLOCK_ACCESS_FS_WRITE_FILE);
  for (const auto& path : confinement.readable) {
    allow(ruleset, path, kReading);
  }
  for (const auto& path : confinement.writable) {
    allow(ruleset, path, attributes.files);
  }
  if (::syscall(SYS_landlock_restrict_self, ruleset, 0) != 0) {
    give_up("keep files away");
  }
  ::close(ruleset);
}

/// The limit on processes counts all that the user has, so they are counted first, while there is a
/// /proc to be read.
rlim_t processes_of(uid_t user) {
  rlim_t count = 0;
  DIR* const folder = ::opendir("/proc");
  for (const dirent* entry = folder ? ::readdir(folder) : nullptr; entry != nullptr;
       entry = ::readdir(folder)) {
    struct stat status {};
    const bool is_process = entry->d_name[0] >= '1' && entry->d_name[0] <= '9';
    if (is_process && ::fstatat(::dirfd(folder), entry->d_name, &status, 0) == 0) {
      count += status.st_uid == user ? 1 : 0;
    }
  }
  if (folder != nullptr) {
    ::closedir(folder);
  }
  return count;
}

void limit(__rlimit_resource resource, rlim_t most) {
  const rlimit value{most, most};
  if (::setrlimit(resource, &value) != 0) {
    give_up("set its limits");
  }
}

void set_limits(const Confinement& confinement, rlim_t other_processes) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(confinement.silence);
  limit(RLIMIT_CPU, static_cast<rlim_t>(seconds.count()) * 10 + 1);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, confinement.file_bytes);
  limit(RLIMIT_NOFILE, 64);
  limit(RLIMIT_MEMLOCK, 0);
  if (confinement.memory_bytes > 0) {
    limit(RLIMIT_AS, confinement.memory_bytes);
  }
  limit(RLIMIT_NPROC, confinement.processes + other_processes);
}

void leave_network(const EmptyNetwork& network) {
  // `Sandbox::walls` has said whether it can be done. Shared memory of processes outlives them, so
  // that each program gets a place of its own for that.
  static_cast<void>(network.enter() && ::unshare(CLONE_NEWIPC) == 0);
}

/// Only the descriptors of the contract are left.
void place(const ProgramDescriptors& given) {
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(given.output, STDOUT_FILENO);
  ::dup2(given.output, STDERR_FILENO);
  const int reports = ::fcntl(given.reports, F_DUPFD, 10);
  const int settings = ::fcntl(given.settings < 0 ? nothing : given.settings, F_DUPFD, 10);
  ::dup2(reports, kReportDescriptor);
  ::dup2(settings, kSettingsDescriptor);
  ::syscall(SYS_close_range, kSettingsDescriptor + 1, ~0U, 0);
}

void change_user(uid_t user) {
  if (user != 0 && (::setgroups(0, nullptr) != 0 || ::setgid(user) != 0 || ::setuid(user) != 0)) {
    give_up("become another user");
  }
}

/// Leaves in sight what the program may read or write, and nothing else. Where that cannot be, it
/// must all lie where its user can come to it.
void narrow_view(const Confinement& confinement, const Jail& jail) {
  std::vector<std::filesystem::path> paths = confinement.readable;
  paths.insert(paths.end(), confinement.writable.begin(), confinement.writable.end());
  try {
    if (jail.has_view) {
      paths.insert(paths.end(), kReadableSystem.begin(), kReadableSystem.end());
      paths.emplace_back(kNowhere);
      show_only(paths);
    } else if (jail.user != 0) {
      require_open(paths);
    }
  } catch (const std::exception& error) {
    ::dprintf(STDOUT_FILENO, "the sandbox could not %s\n", error.what());
    ::_exit(127);
  }
}

std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) {
    pointers.push_back(const_cast<char*>(word.c_str()));
  }
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

void become(const Command& command, const Confinement& confinement, const Jail& jail) {
  const uid_t user = jail.user;
  ::setsid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);  // Landlock wants it of whoever is not root
  leave_network(jail.network);               // while what leads to the network is open
  place(jail.descriptors);
  const rlim_t others = user != 0 || jail.network.has_user() ? 0 : processes_of(::getuid());
  narrow_view(confinement, jail);
  wall_in(confinement);
  if (::chdir(command.folder.c_str()) != 0) {
    give_up("enter its folder");
  }
  if (user != 0) {
    change_user(user);
  }
  set_limits(confinement, others);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a change of user has cleared it
  // Which of the two can be had is told by `Sandbox::walls`.
  static_cast<void>(take_own_keyring());
  static_cast<void>(
      restrict_system_calls(confinement.writable.empty() ? SystemCalls::Run : SystemCalls::Build));
  (void)std::signal(SIGXFSZ, SIG_DFL);  // we ignore it, and the program would inherit that
  const std::vector<char*> arguments = pointers_to(command.words);
  const std::vector<char*> environment = pointers_to(command.environment);
  ::execve(arguments.front(), arguments.data(), environment.data());
  give_up("start the program");
}

int landlock_version() {
  const long version =
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version > 0 ? static_cast<int>(version) : 0;
}

}  // namespace watchlab::course
