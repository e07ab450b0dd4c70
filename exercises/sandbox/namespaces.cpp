#include "exercises/sandbox/namespaces.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "exercises/sandbox/guard.hpp"

namespace watchlab::course {
namespace {

constexpr char kAsTheyAre = 'p';
constexpr char kWithUserNamespace = 'u';
constexpr char kNone = 'n';

int opened(pid_t process, const char* kind) {
  return ::open(fmt::format("/proc/{}/ns/{}", process, kind).c_str(), O_RDONLY | O_CLOEXEC);
}

/// In a user namespace that the calling process has just made: it keeps its own numbers there.
/// Without them it could make no file in a file system of its own.
void keep_numbers(uid_t user, gid_t group) {
  std::ofstream("/proc/self/setgroups") << "deny";
  std::ofstream("/proc/self/uid_map") << fmt::format("{0} {0} 1", user);
  std::ofstream("/proc/self/gid_map") << fmt::format("{0} {0} 1", group);
}

/// Makes the network for itself, says how on `report`, and waits to be ended.
[[noreturn]] void make_and_wait(int report) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const uid_t user = ::geteuid();
  const gid_t group = ::getegid();
  char how = kNone;
  if (::unshare(CLONE_NEWNET) == 0) {
    how = kAsTheyAre;
  } else if (user != 0 && ::unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0) {
    // Root without the right to it could not become another user in there any more, which contains
    // more than a missing network.
    keep_numbers(user, group);
    how = kWithUserNamespace;
  }
  if (::write(report, &how, 1) == 1) {
    while (true) {
      ::pause();
    }
  }
  ::_exit(0);
}

}  // namespace

EmptyNetwork::EmptyNetwork() {
  Connection report;
  const pid_t maker = ::fork();
  if (maker == 0) {
    make_and_wait(report.ends[1]);
  }
  report.close_end(1);
  char how = kNone;
  if (maker > 0 && ::read(report.ends[0], &how, 1) == 1 && how != kNone) {
    keep_those_of(maker, how == kWithUserNamespace);
  }
  if (maker > 0) {
    ::kill(maker, SIGKILL);
    ::waitpid(maker, nullptr, 0);
  }
}

EmptyNetwork::~EmptyNetwork() {
  for (const int descriptor : {user_, network_}) {
    if (descriptor >= 0) {
      ::close(descriptor);
    }
  }
}

bool EmptyNetwork::enter() const { return enter_user() && ::setns(network_, CLONE_NEWNET) == 0; }

bool EmptyNetwork::enter_user() const {
  // Whoever is in it already cannot enter it again.
  static_cast<void>(user_ >= 0 && ::setns(user_, CLONE_NEWUSER) == 0);
  return network_ >= 0;
}

void EmptyNetwork::keep_those_of(pid_t process, bool with_user) {
  user_ = with_user ? opened(process, "user") : -1;
  network_ = opened(process, "net");
}

namespace {

/// The first of a numbering. It takes the rest with it when the grader dies.
[[noreturn]] void wait_for_the_end() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::syscall(SYS_close_range, 0, ~0U, 0);
  // Those that lose their parent are buried by the kernel.
  (void)std::signal(SIGCHLD, SIG_IGN);
  while (true) {
    ::pause();
  }
}

/// Like fork, but the caller's parent is the parent.
pid_t fork_for_parent() {
  return static_cast<pid_t>(
      ::syscall(SYS_clone, CLONE_PARENT | SIGCHLD, nullptr, nullptr, nullptr, nullptr));
}

/// In a process between the grader and the program, which ends at once.
[[noreturn]] void number_anew(const EmptyNetwork& network, int report,
                              const std::function<void()>& work) {
  PidNamespace numbered;
  static_cast<void>(network.enter_user());
  if (::unshare(CLONE_NEWPID) == 0) {
    numbered.first = fork_for_parent();
    if (numbered.first == 0) {
      wait_for_the_end();
    }
    numbered.program = numbered.first > 0 ? fork_for_parent() : 0;
    if (numbered.first > 0 && numbered.program == 0) {
      work();
    }
  }
  static_cast<void>(!::write(report, &numbered, sizeof numbered));
  ::_exit(0);
}

}  // namespace

PidNamespace start_numbered(const EmptyNetwork& network, const std::function<void()>& work) {
  Connection report;
  const pid_t between = ::fork();
  if (between == 0) {
    number_anew(network, report.ends[1], work);
  }
  report.close_end(1);
  PidNamespace numbered;
  const bool has_report = ::read(report.ends[0], &numbered, sizeof numbered) == sizeof numbered;
  if (between > 0) {
    ::waitpid(between, nullptr, 0);
  }
  if (has_report && numbered.program <= 0 && numbered.first > 0) {
    ::kill(numbered.first, SIGKILL);
    ::waitpid(numbered.first, nullptr, 0);
  }
  return has_report && numbered.program > 0 ? numbered : PidNamespace();
}

namespace fs = std::filesystem;
namespace {

/// The uppermost folder on the way to `path` that others may not enter.
std::optional<fs::path> closed_folder(const fs::path& path) {
  fs::path way;
  for (const fs::path& step : path.parent_path()) {
    way /= step;
    std::error_code missing;
    const fs::perms allowed = fs::status(way, missing).permissions();
    if (!missing && (allowed & fs::perms::others_exec) == fs::perms::none) {
      return way;
    }
  }
  return std::nullopt;
}

/// Where a view is put together. It covers what lies there, for the calling process.
constexpr const char* kViewFolder = "/tmp";

void require(int result, std::string_view what) {
  if (result != 0) {
    throw std::runtime_error(fmt::format("{}: {}", what, std::strerror(errno)));
  }
}

/// Puts what was opened into the view, at its own path.
void show(const fs::path& path, int descriptor) {
  const std::string source = fmt::format("/proc/self/fd/{}", descriptor);
  const fs::path place = kViewFolder + path.string();
  fs::create_directories(fs::is_directory(source) ? place : place.parent_path());
  if (!fs::exists(place)) {
    const std::ofstream made(place);
  }
  require(::mount(source.c_str(), place.c_str(), nullptr, MS_BIND | MS_REC, nullptr),
          fmt::format("show {}", path.string()));
  ::close(descriptor);
}

}  // namespace

void show_only(const std::vector<fs::path>& paths) {
  require(::unshare(CLONE_NEWNS), "have a view of its own");
  require(::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr), "have a view of its own");
  std::vector<std::pair<fs::path, int>> opened;  // what was opened in another view cannot be shown
  for (const fs::path& path : paths) {
    if (const int descriptor = ::open(path.c_str(), O_PATH | O_CLOEXEC); descriptor >= 0) {
      opened.emplace_back(path, descriptor);
    }
  }
  const mode_t mask = ::umask(S_IWGRP | S_IWOTH);
  const unsigned long flags = MS_NOSUID | MS_NODEV;
  require(::mount("tmpfs", kViewFolder, "tmpfs", flags, "mode=755"), "have a view of its own");
  for (const auto& [path, descriptor] : opened) {
    show(path, descriptor);
  }
  ::umask(mask);
  const unsigned long closed = flags | MS_REMOUNT | MS_BIND | MS_RDONLY;
  require(::mount(nullptr, kViewFolder, nullptr, closed, nullptr), "close its view");
  require(::chroot(kViewFolder), "enter its view");
  require(::chdir("/"), "enter its view");
}

bool can_show_only(const EmptyNetwork& network) {
  const pid_t prober = ::fork();
  if (prober == 0) {
    static_cast<void>(network.enter_user());
    try {
      show_only({"/usr"});
    } catch (const std::exception&) {
      ::_exit(1);
    }
    ::_exit(0);
  }
  int status = 1;
  return ::waitpid(prober, &status, 0) == prober && status == 0;
}

void require_open(const std::vector<fs::path>& paths) {
  for (const fs::path& path : paths) {
    if (const auto folder = closed_folder(path)) {
      throw std::runtime_error(
          fmt::format("open {} to the program, which others may not enter, because this machine "
                      "lets it have no view of its own; keep the checkout where they may",
                      folder->string()));
    }
  }
}

}  // namespace watchlab::course
