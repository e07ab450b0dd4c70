#include "tests/sim/explore/timed_program.hpp"

#include <chrono>
#include <optional>
#include <random>
#include <string_view>

#include "core/runtime/atomic.hpp"
#include "core/runtime/cond_var.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/select.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/timer.hpp"
#include "sim/kernel/world.hpp"
#include "sim/std/semaphore.hpp"

namespace watchlab::sim {
namespace {

using namespace std::chrono_literals;

/// s sleep, w write, r read, c clock; n notify, C wait in the condition; u up, A acquire; S stop, R
/// reset, T look at the timer, L select on it and a timer of its own; K a ticker that is stopped.
constexpr std::string_view kCodes = "swrcnCuASRTLK";
constexpr std::size_t kRunsMax = 3000;

std::string moment(runtime::TimePoint at) {
  return std::to_string((at - Scheduler::start_time()) / 1ms);
}

}  // namespace

struct TimedProgram::Objects {
  explicit Objects(runtime::Runtime& world)
      : runtime(world),
        value(world, 0, "value"),
        mutex(world, "mutex"),
        condition(world, "condition"),
        timer(world, 1ms),
        semaphore(0) {
    (void)semaphore.try_acquire();
  }

  runtime::Runtime& runtime;
  runtime::Atomic<int> value;
  runtime::Mutex mutex;
  runtime::CondVar condition;
  runtime::Timer timer;
  stdx::counting_semaphore<8> semaphore;
};

TimedProgram::TimedProgram(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t end) { return random() % end; };
  tasks_.resize(2);
  for (auto& task : tasks_) {
    for (std::size_t left = 1 + below(3); left > 0; --left) {
      task.push_back({.code = kCodes[below(kCodes.size())], .which = static_cast<int>(below(2))});
    }
  }
}

std::string TimedProgram::to_string() const {
  std::string text;
  for (const auto& task : tasks_) {
    text += text.empty() ? "" : " | ";
    for (const Instruction& each : task) {
      text += each.code + std::to_string(each.which) + " ";
    }
  }
  return text;
}

std::string TimedProgram::wait(const Instruction& what, Objects& on) {
  const auto limit = std::chrono::milliseconds(1 + what.which);
  if (what.code == 'A') {
    return on.semaphore.try_acquire_for(limit) ? "acquired" : "late";
  }
  if (what.code == 'C') {
    runtime::Lock lock(on.mutex);
    return on.condition.wait_until(lock, on.runtime.now() + limit) ? "notified" : "late";
  }
  const runtime::Timer own(on.runtime, limit);
  runtime::Select select(on.runtime);
  select.receive(on.timer.channel()).receive(own.channel());
  return std::to_string(select.wait());
}

std::string TimedProgram::carry_out(const Instruction& what, Objects& on, int task) {
  const auto limit = std::chrono::milliseconds(1 + what.which);
  std::optional<runtime::TimePoint> fired;
  switch (what.code) {
    case 's':
      runtime::sleep_for(on.runtime, limit);
      return "";
    case 'w':
      on.value.store(1 + task);
      return "";
    case 'r':
      return std::to_string(on.value.load());
    case 'c':
      return moment(on.runtime.now());
    case 'n':
      on.condition.notify_one();
      return "";
    case 'u':
      on.semaphore.release();
      return "";
    case 'S':
      return on.timer.stop() ? "stopped" : "over";
    case 'R':
      return on.timer.reset(limit) ? "reset" : "set";
    case 'T':
      (void)on.timer.channel().try_receive(fired);
      return fired ? moment(*fired) : "none";
    case 'K': {
      runtime::Ticker ticker(on.runtime, 1ms);
      on.value.store(10 + task);
      (void)ticker.channel().try_receive(fired);
      ticker.stop();
      return fired ? moment(*fired) : "none";
    }
    default:
      return wait(what, on);
  }
}

void TimedProgram::play(runtime::Runtime& runtime, std::vector<std::string>& seen) const {
  seen.assign(tasks_.size() + 1, "");
  Objects on(runtime);
  const auto& scheduler = dynamic_cast<World&>(runtime).scheduler();
  const auto note = [&](std::size_t line, const std::string& text) {
    if (!scheduler.stopping()) {
      seen[line] += text + " ";
    }
  };
  std::vector<runtime::Task> tasks;
  for (std::size_t task = 0; task < tasks_.size(); ++task) {
    tasks.push_back(spawn(runtime, "task", [&, task] {
      for (const Instruction& each : tasks_[task]) {
        note(task, carry_out(each, on, static_cast<int>(task)));
      }
    }));
  }
  for (runtime::Task& task : tasks) {
    task.join();
  }
  note(tasks_.size(), std::to_string(on.value.load()));
}

TimedProgram::Outcomes TimedProgram::outcomes(ExploreOptions options,
                                              int early_advances_max) const {
  Outcomes found;
  std::vector<std::string> seen;
  options.early_advances_max = early_advances_max;
  options.schedules_max = kRunsMax;
  options.repeats = false;
  options.continues = true;
  options.completed = [&](const CompletedRun& run) {
    std::string text = run.result.failure ? run.result.failure->kind : "";
    for (const std::string& line : seen) {
      text += "|" + line;
    }
    found.insert(text);
  };
  const ExploreResult result =
      explore(options, [&](runtime::Runtime& runtime) { play(runtime, seen); });
  return result.exhausted ? found : Outcomes();
}

}  // namespace watchlab::sim
