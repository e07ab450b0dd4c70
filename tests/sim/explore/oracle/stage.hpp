#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/runtime/atomic.hpp"
#include "core/runtime/channel.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/shared_mutex.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/timer.hpp"
#include "core/runtime/wait_group.hpp"
#include "sim/std/atomic.hpp"
#include "sim/std/barrier.hpp"
#include "sim/std/condition_variable.hpp"
#include "sim/std/future.hpp"
#include "sim/std/latch.hpp"
#include "sim/std/mutex.hpp"
#include "sim/std/semaphore.hpp"
#include "sim/std/thread.hpp"
#include "tests/sim/explore/oracle/program_model.hpp"

namespace watchlab::sim::oracle {

using std::chrono_literals::operator""ms;

/// A promise with its future, and the same of a packaged task.
struct Promised {
  stdx::promise<int> promise;
  stdx::shared_future<int> future = promise.get_future().share();
};
struct Called {
  explicit Called(int result) : call([result] { return result; }) {}
  stdx::packaged_task<int()> call;
  stdx::shared_future<int> future = call.get_future().share();
};
/// A stop source, and how often a callback of it was called.
struct Source {
  stdx::stop_source source;
  stdx::atomic<int> calls{0};
};
/// A condition of core without the guard that its class wants.
struct Signal {
  explicit Signal(runtime::Runtime& runtime)
      : backend(runtime.make_cond_var("condition", runtime::Location::current())) {}
  runtime::Owned<runtime::CondVarBackend> backend;
};

/// The objects of one kind.
template <typename T>
struct Pool {
  std::vector<std::unique_ptr<T>> objects;
  std::function<std::unique_ptr<T>(int)> make;
  std::vector<std::unique_ptr<stdx::once_flag>> once;  ///< where who needs one first makes it

  T& at(int number) {
    const auto i = static_cast<std::size_t>(number);
    if (!once.empty()) {
      stdx::call_once(*once[i], [&] { objects[i] = make(number); });
    }
    return *objects[i];
  }
};

/// What a program plays on.
struct Objects {
  std::tuple<
      Pool<stdx::atomic<int>>, Pool<stdx::atomic_flag>, Pool<stdx::mutex>, Pool<stdx::timed_mutex>,
      Pool<stdx::recursive_mutex>, Pool<stdx::recursive_timed_mutex>,
      Pool<stdx::shared_timed_mutex>, Pool<stdx::counting_semaphore<64>>, Pool<stdx::latch>,
      Pool<stdx::barrier<>>, Pool<stdx::condition_variable>, Pool<stdx::condition_variable_any>,
      Pool<stdx::once_flag>, Pool<Promised>, Pool<Called>, Pool<Source>, Pool<stdx::watched<int>>,
      Pool<runtime::Atomic<int>>, Pool<runtime::Mutex>, Pool<runtime::SharedMutex>, Pool<Signal>,
      Pool<runtime::Channel<int>>, Pool<runtime::Timer>, Pool<runtime::WaitGroup>>
      pools;

  template <typename T>
  Pool<T>& of() {
    return std::get<Pool<T>>(pools);
  }
};

class ProgramStage;

/// One task of a program that is being played; what words are played with.
class Player {
 public:
  Player(ProgramStage& stage, std::size_t task) : stage_(stage), task_(task) {}

  template <typename T>
  [[nodiscard]] T& at(int object);
  [[nodiscard]] std::int8_t& held(Kind kind, int object, bool shared = false) {
    return held_.at((static_cast<std::size_t>(kind) + (shared ? kKinds : 0)) * kObjectsMax +
                    static_cast<std::size_t>(object));
  }
  [[nodiscard]] std::int8_t& held(const Op& op, bool shared = false) {
    return held(op.word->kind, op.object, shared);
  }
  [[nodiscard]] int value() const { return program_value(task_, place_); }
  [[nodiscard]] runtime::Runtime& runtime() const;
  /// Writes down an observation, unless the world is being taken down.
  void saw(int value);
  /// What it has seen last.
  [[nodiscard]] int last() const;
  /// Starts the task of that number, once, and waits for it.
  void spawn(int task);
  void join(int task);

  void play();

 private:
  ProgramStage& stage_;
  std::size_t task_;
  std::size_t place_ = 0;
  std::array<std::int8_t, 2 * kKinds* kObjectsMax> held_ = {};
};

/// Plays a program on simulated worlds, one run after the other. The last task of a run takes with
/// it what the run has made, also when it failed.
class ProgramStage {
 public:
  explicit ProgramStage(const Program& program);

  /// As the body of the root task.
  void play(runtime::Runtime& runtime);
  /// After each run, outside of it.
  void clear();
  /// "101 end | 1 end | ".
  [[nodiscard]] std::string shown() const;
  /// The same of a run that ended with a deadlock, of which the sentence names who is stuck. What
  /// others have seen, who could go on, ends with `kCut`.
  [[nodiscard]] std::string shown_beside(const std::string& deadlock) const;

 private:
  friend class Player;
  struct Started {
    stdx::thread thread;
    runtime::Task task;
    bool is_joined = true;
  };
  struct Run {
    Objects objects;
    std::vector<Player> players;
    std::vector<Started> started;
  };

  void make(Objects& objects);
  void make_of_core(Objects& objects);
  template <typename T, typename Make>
  void make_pool(Objects& objects, Kind kind, Make make);
  [[nodiscard]] Objects& objects() { return older_ ? *older_ : run_.lock()->objects; }
  void start(std::size_t task);
  void join(std::size_t task);

  const Program& program_;
  runtime::Runtime* runtime_ = nullptr;
  std::vector<std::vector<int>> seen_;
  std::vector<std::string> paths_;  ///< of the tasks that have begun
  std::weak_ptr<Run> run_;          ///< its tasks own it
  std::unique_ptr<Objects> older_;  ///< than any world
};

template <typename T>
T& Player::at(int object) {
  return stage_.objects().of<T>().at(object);
}

}  // namespace watchlab::sim::oracle
