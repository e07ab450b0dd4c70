#include "exercises/sandbox/processes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>

namespace watchlab::course {
namespace {

[[noreturn]] void become(const std::vector<std::string>& words, const std::filesystem::path& folder,
                         int output) {
  ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  std::vector<char*> arguments;
  for (const std::string& word : words) {
    arguments.push_back(const_cast<char*>(word.c_str()));
  }
  arguments.push_back(nullptr);
  if (::chdir(folder.c_str()) == 0) {
    ::execv(arguments.front(), arguments.data());
  }
  ::dprintf(STDOUT_FILENO, "%s: %s\n", arguments.front(), std::strerror(errno));
  ::_exit(127);
}

}  // namespace

ProcessEnd run_plainly(const std::vector<std::string>& words, const std::filesystem::path& folder) {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) {
    throw std::runtime_error(fmt::format("no pipe: {}", std::strerror(errno)));
  }
  const pid_t child = ::fork();
  if (child == 0) {
    become(words, folder, pipe[1]);
  }
  ::close(pipe[1]);
  ProcessEnd end;
  std::array<char, 4096> buffer{};
  for (ssize_t size = 1; size != 0;) {
    size = ::read(pipe[0], buffer.data(), buffer.size());
    if (size > 0) {
      end.output.append(buffer.data(), static_cast<std::size_t>(size));
    } else if (size < 0 && errno != EINTR) {
      break;
    }
  }
  ::close(pipe[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  end.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return end;
}

namespace {

std::uint64_t resident_pages_of(pid_t process) {
  std::ifstream sizes(fmt::format("/proc/{}/statm", process));
  std::uint64_t whole = 0;
  std::uint64_t resident = 0;
  sizes >> whole >> resident;
  return resident;
}

/// What the system says of a process or a thread, from its state on.
std::istringstream state_of(const std::filesystem::path& folder) {
  std::ifstream file(folder / "stat");
  std::string text;
  std::getline(file, text, '\0');
  // The second field is the program's name, which may have blanks and parentheses of its own.
  return std::istringstream(text.substr(std::min(text.rfind(')') + 1, text.size())));
}

/// How many threads of it run, or would if there were a processor for them, or wait for a disk.
std::uint64_t threads_that_could_run(pid_t process) {
  std::uint64_t threads = 0;
  std::error_code gone;
  const std::filesystem::path tasks = fmt::format("/proc/{}/task", process);
  for (std::filesystem::directory_iterator each(tasks, gone), end; !gone && each != end;
       each.increment(gone)) {
    char state = 0;
    state_of(each->path()) >> state;
    threads += state == 'R' || state == 'D' ? 1 : 0;
  }
  return threads;
}

/// Its own, and those of its children that have ended.
std::uint64_t processor_ticks_of(pid_t process) {
  std::istringstream fields = state_of(fmt::format("/proc/{}", process));
  constexpr int kBefore = 11;  // state to cmajflt
  std::string skipped;
  for (int i = 0; i < kBefore; ++i) {
    fields >> skipped;
  }
  std::uint64_t sum = 0;
  std::uint64_t ticks = 0;
  for (int i = 0; i < 4 && fields >> ticks; ++i) {
    sum += ticks;
  }
  return sum;
}

std::uint64_t sum_of_descendants(std::uint64_t (*count)(pid_t)) {
  std::vector<pid_t> found = children_of(::getpid());
  std::uint64_t sum = 0;
  // It grows while it is walked through; whoever forks meanwhile is found at the next look.
  for (std::size_t i = 0; i < found.size(); ++i) {
    sum += count(found[i]);
    const std::vector<pid_t> children = children_of(found[i]);
    found.insert(found.end(), children.begin(), children.end());
  }
  return sum;
}

}  // namespace

std::vector<pid_t> children_of(pid_t process) {
  std::ifstream file(fmt::format("/proc/{0}/task/{0}/children", process));
  std::vector<pid_t> children;
  for (pid_t child = 0; file >> child;) {
    children.push_back(child);
  }
  return children;
}

pid_t number_within(pid_t process) {
  std::ifstream status(fmt::format("/proc/{}/status", process));
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("NSpid:")) {
      return static_cast<pid_t>(std::stol(line.substr(line.find_last_of("\t ") + 1)));
    }
  }
  return 0;
}

std::uint64_t resident_bytes_of_descendants() {
  return sum_of_descendants(resident_pages_of) *
         static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::chrono::milliseconds processor_time_of_descendants() {
  return std::chrono::milliseconds(sum_of_descendants(processor_ticks_of) * 1000 /
                                   static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK)));
}

bool a_descendant_could_run() { return sum_of_descendants(threads_that_could_run) > 0; }

namespace {

namespace fs = std::filesystem;

constexpr std::array kEnds{SIGINT, SIGTERM, SIGHUP};
/// How long the work may take to end by itself, and what it has left to be ended: in looks.
constexpr int kLooksForWork = 100;
constexpr int kLooksForLeftovers = 500;
constexpr int kLookMilliseconds = 10;
/// The status of work that has failed.
constexpr int kFailed = 1;

/// A handler of signals can reach nothing but this.
volatile std::sig_atomic_t end_requested = 0;

void request_end(int signal) { end_requested = signal; }

/// From here on signals that ask for the end wait, but those that the caller ignores, as nohup
/// does. Returns the mask that was there before.
sigset_t hold_signals() {
  struct sigaction action {};
  action.sa_handler = request_end;
  sigset_t held{};
  sigemptyset(&held);
  for (const int signal : kEnds) {
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) {
      ::sigaction(signal, &action, nullptr);
      sigaddset(&held, signal);
    }
  }
  sigaddset(&held, SIGCHLD);
  sigset_t before{};
  ::sigprocmask(SIG_BLOCK, &held, &before);
  return before;
}

/// In the child: signals are what they were.
void release_signals(const sigset_t& before) {
  for (const int signal : kEnds) {
    struct sigaction action {};
    ::sigaction(signal, nullptr, &action);
    if (action.sa_handler == request_end) {
      (void)std::signal(signal, SIG_DFL);
    }
  }
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
}

/// Waits until the work has ended, and ends it when that is asked for. The status of the work.
int status_of(pid_t work, sigset_t open) {
  sigdelset(&open, SIGCHLD);               // whatever the caller has blocked
  (void)std::signal(SIGCHLD, [](int) {});  // so that it ends a wait
  int status = 0;
  while (end_requested == 0 && ::waitpid(work, &status, WNOHANG) != work) {
    ::sigsuspend(&open);
  }
  if (end_requested == 0) {
    return status;
  }
  ::kill(work, end_requested);
  for (int i = 0; i < kLooksForWork && ::waitpid(work, &status, WNOHANG) != work; ++i) {
    ::poll(nullptr, 0, kLookMilliseconds);
  }
  return status;
}

/// Ends whatever the work has left, as long as something appears.
void end_leftovers() {
  for (int i = 0; i < kLooksForLeftovers; ++i) {
    std::ifstream children(fmt::format("/proc/self/task/{}/children", ::getpid()));
    for (pid_t child = 0; children >> child;) {
      ::kill(child, SIGKILL);
    }
    pid_t ended = 0;
    do {
      ended = ::waitpid(-1, nullptr, WNOHANG);
    } while (ended > 0);
    if (ended < 0) {
      return;
    }
    ::poll(nullptr, 0, kLookMilliseconds);
  }
}

[[noreturn]] void end_like(int status) {
  if (end_requested == 0 && WIFEXITED(status)) {
    ::_exit(WEXITSTATUS(status));
  }
  const int signal = end_requested != 0 ? static_cast<int>(end_requested) : WTERMSIG(status);
  (void)std::signal(signal, SIG_DFL);
  sigset_t all{};
  sigfillset(&all);
  ::sigprocmask(SIG_UNBLOCK, &all, nullptr);
  ::raise(signal);
  ::_exit(128 + signal);
}

}  // namespace

fs::path new_work_folder() {
  std::error_code missing;
  const fs::path temporary = fs::temp_directory_path(missing);
  if (missing) {
    throw BadTemporaryFolder("TMPDIR is no folder to work in; expected one that is there");
  }
  std::string pattern = fs::absolute(temporary / "watchlab-course-XXXXXX").string();
  // The loader cuts lists of folders at two of these and replaces what follows a third; the
  // compiler cuts words for the linker at commas; none of them knows a way to quote.
  if (const std::size_t at = pattern.find_first_of(":;$,\n"); at != std::string::npos) {
    throw BadTemporaryFolder(fmt::format(
        "TMPDIR: the name of the folder has a {}; expected one without : ; $ , and line "
        "breaks, which cannot be in lists of folders",
        pattern[at] == '\n' ? "line break" : pattern.substr(at, 1)));
  }
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw std::runtime_error(
        fmt::format("{}: no folder to work in: {}", pattern, std::strerror(errno)));
  }
  ::chmod(pattern.c_str(), 0711);
  return pattern;
}

void oversee(const fs::path& unfinished, const std::function<void()>& after_failure) {
  const fs::path folder = new_work_folder();
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const sigset_t before = hold_signals();
  const pid_t overseer = ::getpid();
  const pid_t work = ::fork();
  if (work < 0) {
    const int why = errno;
    release_signals(before);
    fs::remove(folder);
    throw std::runtime_error(fmt::format("no process: {}", std::strerror(why)));
  }
  if (work == 0) {
    release_signals(before);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != overseer) {
      ::_exit(1);  // it died before it could take this one with it
    }
    ::setenv("TMPDIR", folder.c_str(), 1);
    return;
  }
  const int status = status_of(work, before);
  end_leftovers();
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  if (!unfinished.empty()) {
    fs::remove_all(unfinished, ignored);
  }
  const bool has_failed = !WIFEXITED(status) || WEXITSTATUS(status) == kFailed;
  if (after_failure && (end_requested != 0 || has_failed)) {
    after_failure();
  }
  end_like(status);
}

}  // namespace watchlab::course
