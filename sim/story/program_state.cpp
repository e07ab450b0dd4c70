#include <fmt/format.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "sim/story/program_start.hpp"

namespace watchlab::sim {
namespace {

constexpr std::chrono::milliseconds kSampleTime{1000};
constexpr std::chrono::milliseconds kSampleEvery{5};

/// What the system says of a process or a thread, from its state on.
std::istringstream state_of(const std::filesystem::path& folder) {
  std::ifstream file(folder / "stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  // "NUMBER (NAME) STATE …", and a name may have anything in it.
  const std::size_t name_end = text.rfind(") ");
  return std::istringstream(name_end == std::string::npos ? "" : text.substr(name_end + 2));
}

/// The processor time of a process or a thread, in the ticks of the system; nothing where it is
/// gone.
std::optional<std::int64_t> ticks_of(const std::filesystem::path& folder) {
  constexpr std::ptrdiff_t fields_before = 11;
  std::istringstream state = state_of(folder);
  std::string skipped;
  for (std::ptrdiff_t i = 0; i < fields_before; ++i) {
    state >> skipped;
  }
  std::int64_t in_program = 0;
  std::int64_t in_system = 0;
  state >> in_program >> in_system;
  return state ? std::optional(in_program + in_system) : std::nullopt;
}

/// Whether a thread runs, or would if there were a processor for it.
bool is_running(pid_t process, pid_t thread) {
  return state_of(fmt::format("/proc/{}/task/{}", process, thread)).get() == 'R';
}

/// A thread that computes; nothing when none has for a second.
std::optional<pid_t> running_thread(pid_t process) {
  ThreadTicks before = thread_ticks(process);
  for (std::chrono::milliseconds waited{0}; waited < kSampleTime; waited += kSampleEvery) {
    (void)::poll(nullptr, 0, static_cast<int>(kSampleEvery.count()));
    ThreadTicks now = thread_ticks(process);
    const std::optional<pid_t> thread = computing_thread(before, now);
    if (thread && is_running(process, *thread)) {
      return thread;
    }
    if (thread) {  // a goroutine changes threads: it was this one's
      before = std::move(now);
    }
  }
  return std::nullopt;
}

/// The next line of `text`, which is taken from it.
std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), line.size() + 1));
  return line;
}

}  // namespace

std::optional<std::chrono::milliseconds> processor_time(pid_t process) {
  constexpr std::int64_t thousand = 1000;
  const std::optional<std::int64_t> ticks = ticks_of(fmt::format("/proc/{}", process));
  if (!ticks) {
    return std::nullopt;
  }
  return std::chrono::milliseconds(*ticks * thousand / ::sysconf(_SC_CLK_TCK));
}

bool could_run(pid_t process) {
  std::error_code gone;
  const std::filesystem::path tasks = fmt::format("/proc/{}/task", process);
  for (std::filesystem::directory_iterator each(tasks, gone), end; !gone && each != end;
       each.increment(gone)) {
    const int state = state_of(each->path()).get();
    if (state == 'R' || state == 'D') {
      return true;
    }
    std::ifstream children(each->path() / "children");
    for (pid_t child = 0; children >> child;) {
      if (could_run(child)) {
        return true;
      }
    }
  }
  return false;
}

ThreadTicks thread_ticks(pid_t process) {
  ThreadTicks ticks;
  std::error_code gone;
  const std::filesystem::path tasks = fmt::format("/proc/{}/task", process);
  for (std::filesystem::directory_iterator each(tasks, gone), end; !gone && each != end;
       each.increment(gone)) {
    const std::string name = each->path().filename().string();
    pid_t number = 0;
    const std::optional<std::int64_t> used = ticks_of(each->path());
    if (used && std::from_chars(name.data(), name.data() + name.size(), number).ec == std::errc()) {
      ticks[number] = *used;
    }
  }
  return ticks;
}

std::optional<pid_t> computing_thread(const ThreadTicks& before, const ThreadTicks& now) {
  // Less may be the monitor of the runtime, which runs now and then.
  constexpr std::int64_t computes = 3;
  for (const auto& [thread, used] : now) {
    const auto found = before.find(thread);
    if (used - (found == before.end() ? 0 : found->second) >= computes) {
      return thread;
    }
  }
  return std::nullopt;
}

void ask_for_stacks(pid_t process) {
  // The thread that gets the signal prints its own goroutine first, and with its stack.
  const std::optional<pid_t> thread = running_thread(process);
  if (!thread || ::syscall(SYS_tgkill, process, *thread, SIGQUIT) != 0) {
    (void)::kill(-process, SIGQUIT);
  }
}

std::string place_in_stacks(std::string_view printed) {
  const std::size_t begin = printed.find("\ngoroutine ");
  if (begin == std::string_view::npos) {
    return "";
  }
  printed.remove_prefix(begin + 1);
  (void)take_line(printed);  // "goroutine 7 [running]:"
  while (!printed.empty()) {
    const std::string_view function = take_line(printed);
    const std::string_view place = take_line(printed);
    if (function.empty() || !place.starts_with('\t')) {
      break;
    }
    if (function.starts_with("runtime.")) {
      continue;
    }
    const std::string_view file = place.substr(1, place.find(' ', 1) - 1);
    return fmt::format("{} ({})", file.substr(file.rfind('/') + 1),
                       function.substr(0, function.rfind('(')));
  }
  return "";
}

}  // namespace watchlab::sim
