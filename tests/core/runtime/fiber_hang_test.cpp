// Of a program that hangs it can be found out who waits, and where.
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <future>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "core/runtime/channel.hpp"
#include "core/runtime/cond_var.hpp"
#include "core/runtime/fibers/fiber_runtime.hpp"
#include "core/runtime/fibers/scheduler.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/select.hpp"
#include "core/runtime/shared_mutex.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/wait_group.hpp"

extern "C" {

/// As core/runtime/fibers/debugger.cpp has it.
struct WatchlabFibers {
  const void* first;
  std::size_t state;
  std::size_t name;
  std::size_t waits_at;
  std::size_t context;
  std::size_t own_switch;
};
extern const WatchlabFibers watchlab_fibers;
}

BOOST_AUTO_TEST_SUITE(fiber_hang)

namespace {

using namespace watchlab::runtime;
using namespace std::chrono_literals;

constexpr std::size_t kWaiting = 12;

/// What watchlab_gdb.py lists of this process, read in the same way: "NAME FILE:LINE" of each task
/// that waits. Nothing of them may change meanwhile.
std::string who_waits() {
  struct Entry {
    const Entry* next;
    const std::vector<std::unique_ptr<FiberTask>>* tasks;
  };
  const auto read = []<typename T>(const std::unique_ptr<FiberTask>& task, std::size_t place, T) {
    return *reinterpret_cast<const T*>(reinterpret_cast<const std::byte*>(task.get()) + place);
  };
  std::ostringstream text;
  const WatchlabFibers& places = watchlab_fibers;
  for (const auto* entry = static_cast<const Entry*>(places.first); entry != nullptr;
       entry = entry->next) {
    for (const std::unique_ptr<FiberTask>& task : *entry->tasks) {
      if (read(task, places.state, FiberTask::State::Free) == FiberTask::State::Waiting) {
        const auto at = read(task, places.waits_at, Location::current());
        text << read(task, places.name, std::string()) << " " << at.file_name() << ":" << at.line()
             << "\n";
      }
    }
  }
  return text.str();
}

/// What tasks can wait for. Nobody ever lets them continue, except for `first`.
struct Awaited {
  explicit Awaited(Runtime& runtime)
      : runtime(runtime),
        first(runtime, 0),
        never(runtime, 0),
        full(runtime, 0),
        held(runtime),
        condition(runtime),
        table(runtime),
        group(runtime) {}

  Runtime& runtime;
  Channel<int> first;
  Channel<int> never;
  Channel<int> full;
  Mutex held;
  CondVar condition;
  SharedMutex table;
  WaitGroup group;
};

/// The task of each wait is named after the line in which it waits.
void start_waiting(Awaited& on) {
  const auto at = [&on](int line, const std::function<void()>& body) {
    return spawn(on.runtime, "at " + std::to_string(line), body);
  };
  at(__LINE__, [&on] { on.never.receive(); });
  at(__LINE__, [&on] { on.full.send(1); });
  at(__LINE__, [&on] { on.held.lock(); });
  at(__LINE__, [&on] { on.table.lock(); });
  at(__LINE__, [&on] { on.table.lock_shared(); });
  at(__LINE__, [&on] { on.group.wait(); });
  at(__LINE__, [&on] { sleep_for(on.runtime, 24h); });
  at(__LINE__ + 3, [&on] {
    Mutex mine(on.runtime);
    Lock lock(mine);
    on.condition.wait(lock);
  });
  at(__LINE__ + 2, [&on] {
    on.first.receive();  // where it waited before does not matter
    on.never.receive();
  });
  const Task last = at(__LINE__, [&on] { on.never.receive(); });
  at(__LINE__, [last] { last.join(); });
}

/// Blocks the worker for ever when the others wait; nothing of them changes any more.
void hang(Awaited& on, std::promise<void>& hangs) {
  constexpr int kTurns = 10;
  on.held.lock();
  on.table.lock();
  on.group.add(1);
  spawn(on.runtime, "ended", [] {}).join();
  start_waiting(on);
  for (int turn = 0; turn < kTurns; ++turn) {
    on.runtime.yield(Location::current());
    if (turn == kTurns / 2) {
      on.first.send(1);
    }
  }
  hangs.set_value();
  while (pause() != 0) {
  }
}

/// A process that hangs until it is killed, and what it says of itself before.
struct Hanging {
  pid_t process = 0;
  std::string said;
};

[[noreturn]] void play_hanging(int output) {
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  FiberRuntime fibers;
  auto gone = std::make_unique<FiberRuntime>();
  FiberRuntime others;
  gone.reset();  // the list of runtimes has another one on each side of it
  Awaited on(fibers);
  const Channel<int> other(others, 0);
  std::promise<void> hangs;
  std::promise<void> other_hangs;
  const Task one = spawn(fibers, "hangs", [&] { hang(on, hangs); });
  const Task two = spawn(others, "hangs", [&] {
    spawn(others, "at " + std::to_string(__LINE__), [&other] { other.receive(); });
    others.yield(Location::current());
    others.yield(Location::current());
    other_hangs.set_value();
    while (pause() != 0) {
    }
  });
  hangs.get_future().wait();
  other_hangs.get_future().wait();
  const std::string text = who_waits();
  static_cast<void>(!write(output, text.c_str(), text.size() + 1));  // a 0 ends it
  for (;;) {
    pause();
  }
}

Hanging start_hanging_process() {
  std::array<int, 2> ends{};
  BOOST_REQUIRE(pipe(ends.data()) == 0);
  Hanging hanging{.process = fork()};
  if (hanging.process == 0) {
    play_hanging(ends[1]);
  }
  close(ends[1]);
  for (char letter = 0; read(ends[0], &letter, 1) == 1 && letter != 0;) {
    hanging.said += letter;
  }
  close(ends[0]);
  return hanging;
}

/// What a debugger that attaches to the process prints; nothing where there is none, or it may not.
std::string seen_by_gdb(pid_t process, const std::string& command) {
  const std::string line = "gdb -batch -nx -p " + std::to_string(process) +
                           " -ex 'source core/runtime/fibers/watchlab_gdb.py' -ex '" + command +
                           "' 2>&1";
  const std::unique_ptr<FILE, int (*)(FILE*)> output(popen(line.c_str(), "r"), &pclose);
  std::string text;
  std::array<char, 256> part{};
  while (fgets(part.data(), part.size(), output.get()) != nullptr) {
    text += part.data();
  }
  const bool attached =
      text.find("not found") == std::string::npos && text.find("ptrace") == std::string::npos;
  return attached ? text : "";
}

/// How many lines say of a task "at N" that it waits in line N of this file; wrong ones fail.
std::size_t count_waiting(const std::string& text, const std::string& before) {
  std::size_t count = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t name = line.find(before + "at ");
    if (name != std::string::npos) {
      const std::string number = std::to_string(std::stoi(line.substr(name + before.size() + 3)));
      BOOST_TEST(line.ends_with("fiber_hang_test.cpp:" + number), line);
      ++count;
    }
  }
  return count;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_task_that_waits_is_listed_with_the_line_where_it_waits) {
  const Hanging hanging = start_hanging_process();
#if defined(WATCHLAB_OWN_SWITCH)
  const std::string seen = seen_by_gdb(hanging.process, "fibers bt");
#else
  const std::string seen = seen_by_gdb(hanging.process, "fibers");
#endif
  kill(hanging.process, SIGKILL);
  int status = 0;
  BOOST_REQUIRE(waitpid(hanging.process, &status, 0) == hanging.process);
  BOOST_TEST(count_waiting(hanging.said, "") == kWaiting, hanging.said);
  BOOST_TEST(std::ranges::count(hanging.said, '\n') == kWaiting, hanging.said);
  if (seen.empty()) {
    BOOST_TEST_MESSAGE("there is no gdb here, or it may not attach");
    return;
  }
  BOOST_TEST(count_waiting(seen, "waiting   ") == kWaiting, seen);
  BOOST_TEST(seen.find("running   hangs") != std::string::npos, seen);
  BOOST_TEST(seen.find(" ended ") == std::string::npos, seen);
#if defined(WATCHLAB_OWN_SWITCH)
  BOOST_TEST(seen.find("FiberSelect") != std::string::npos, seen);
  BOOST_TEST(seen.find("FiberScheduler::enter") != std::string::npos, seen);
#endif
}

BOOST_AUTO_TEST_SUITE_END()
