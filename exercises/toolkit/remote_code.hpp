#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "exercises/toolkit/remote_peer.hpp"
#include "exercises/toolkit/remote_protocol.hpp"
#include "exercises/toolkit/uneven_walk.hpp"

namespace watchlab::sim {
class Actor;
class World;
}  // namespace watchlab::sim

namespace watchlab::course {

/// An arm of a select, and what came of it: the arm that happened, and what a receive got. A value
/// is known by a number; one that a timer has sent is a moment, whose bits that number has.
struct RemoteArm {
  bool sends = false;
  std::optional<std::uint64_t> channel;  ///< nothing for the nil channel
  std::uint64_t value = 0;
};
struct RemoteChoice {
  std::optional<std::size_t> arm;
  std::optional<std::uint64_t> received;  ///< nothing when the channel is closed
};

/// What the tests asked for in one run of a body, and what they were answered.
struct Dialogue {
  /// An operation that the tests wait for. `before` is what they did without waiting.
  struct Turn {
    std::string before;
    std::uint64_t object = 0;
    std::uint32_t method = 0;
    std::string arguments;
    ToHost kind = ToHost::Result;
    std::string answer;
  };

  std::vector<Turn> turns;
  std::string rest;        ///< what they did without waiting at last
  Peer::Numbers numbers;   ///< with which this side has begun
  std::size_t calls = 0;   ///< of the tests, by the world: the body is one
  std::size_t bytes = 0;   ///< of all texts
  bool has_ended = false;  ///< whether the body has returned

  static constexpr std::size_t kBytesMax = std::size_t{256} << 10U;

  /// Whether another run can be played by it: one task has done all that there is.
  [[nodiscard]] bool is_whole() const { return has_ended && calls == 1 && bytes <= kBytesMax; }
};

/// What a student wrote, in a process of its own: see `Host`. It is a library that this program
/// judges, or tests whose worlds this program plays. Calls into it and the operations that it asks
/// for happen in the world of the calling task, so that every lock over there is a scheduling point
/// here. What it sends is checked: the worst that it can achieve is that the case at hand fails.
class RemoteCode final : public Peer {
 public:
  /// The program's own, because tests call factories that get a runtime and nothing else.
  static RemoteCode& of_program();

  explicit RemoteCode(int connection) : connection_(connection) {}

  /// Steps of tests in a run, where the library's are not counted.
  static constexpr std::size_t kTestsStepsMax = 25'000;
  /// Tasks of theirs in a run, and bytes that they send. All of it is far from filling the memory
  /// of this process: where that ends would show how much the library needs.
  static constexpr std::size_t kTestsTasksMax = 2'000;
  static constexpr std::size_t kTestsBytesMax = 32U << 20U;
  /// Calls of theirs within each other, of one task. Each of them, and what it asks for, has frames
  /// on the stack of that task here. Where that ends would show how large those of the library are.
  static constexpr std::size_t kTestsNestedMax = 8;
  /// Objects of runs that are over, which stay for good.
  static constexpr std::size_t kLeftBehindMax = 200'000;
  /// No deadline of theirs is later than this after the beginning: until then even a library whose
  /// timers never rest is far from the world's limit of steps, which would show how many it takes.
  static constexpr runtime::Duration kTestsTimeMax = std::chrono::hours(24);
  /// How a run of more ends.
  static constexpr std::string_view kTooLong = "the tests come to no end";

  /// A run of a world, while it is played: nothing of the one before is used any more.
  class Run {
   public:
    Run(RemoteCode& code, runtime::Runtime& runtime);
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;
    ~Run() { code_.last_step_ = nullptr; }

   private:
    RemoteCode& code_;
  };

  [[nodiscard]] std::string request(std::uint64_t object, std::uint32_t method,
                                    std::string_view arguments) override;
  /// Throws `BrokenProtocol` where there is no world.
  [[nodiscard]] runtime::Runtime& runtime() override;
  [[nodiscard]] bool is_in_world() const { return runtime_ != nullptr; }
  void set_runtime(runtime::Runtime& runtime) override { runtime_ = &runtime; }

  /// Is notified of the calls that tests make; null for none.
  void set_listener(CallListener* listener) { listener_ = listener; }
  /// Writes down the next run of a body; null for none.
  void set_dialogue(Dialogue* dialogue) { dialogue_ = dialogue; }
  /// Whether each run that `play` plays goes by what is known of one, until the end of `play`. Such
  /// a run calls `rehearse` in place of the tests, which learn nothing of it. `play` says whether
  /// all runs have held.
  [[nodiscard]] bool holds_in_rehearsal(const std::function<bool()>& play);
  /// Does in the world of the calling task what the tests asked for in that run. Fails unless all
  /// is answered in the same way.
  void rehearse(const Dialogue& known, runtime::Runtime& runtime);

  /// Does what tests ask for, until they end; and ends the process.
  [[noreturn]] void serve();
  [[nodiscard]] bool serves() const { return serves_; }

  // What the other process asks of the world of the calling task, beside what it does with its
  // runtime and with primitives. It numbers what it makes.

  void spawn(std::uint64_t number, std::uint64_t object, std::string_view name,
             runtime::Location here);
  void sleep_until(runtime::TimePoint deadline, runtime::Location here);
  [[nodiscard]] bool wait(std::uint64_t cond_var, std::uint64_t mutex,
                          std::optional<runtime::TimePoint> deadline, runtime::Location here);
  [[nodiscard]] bool stop_timer(std::uint64_t timer, runtime::Location here);
  [[nodiscard]] bool reset_timer(std::uint64_t timer, runtime::Duration delay,
                                 runtime::Location here);
  [[nodiscard]] std::uint64_t seed_for(std::string_view purpose);
  [[nodiscard]] std::size_t choose(std::size_t options, std::string_view what);
  [[nodiscard]] std::vector<std::size_t> order(std::size_t size, std::string_view what);
  [[nodiscard]] RemoteChoice select(const std::vector<RemoteArm>& arms, bool blocking,
                                    runtime::Location here);

  // The same without a result: it is not waited for.

  template <auto make_primitive>
  void make(std::uint64_t number, std::string_view name, runtime::Location here) {
    keep(number, {std::shared_ptr((runtime().*make_primitive)(name, here))});
  }
  void make_channel(std::uint64_t number, std::size_t capacity, std::string_view name,
                    runtime::Location here);
  void make_timer(std::uint64_t number, std::uint64_t channel,
                  std::optional<runtime::Duration> delay, std::optional<runtime::Duration> period,
                  runtime::Location here);
  void plain_access(std::uint64_t cell, runtime::AccessKind kind, runtime::Location here);
  void retire(std::uint64_t number);
  /// Ends an object that this side has published.
  void end_published(std::uint64_t object);

  /// A primitive that was made over there; shared, because what a task waits for may be retired
  /// meanwhile. Throws `BrokenProtocol` when there is none.
  template <typename Backend>
  [[nodiscard]] std::shared_ptr<Backend>& at(std::uint64_t number);

 private:
  struct Primitive {
    std::variant<
        std::shared_ptr<runtime::MutexBackend>, std::shared_ptr<runtime::SharedMutexBackend>,
        std::shared_ptr<runtime::CondVarBackend>, std::shared_ptr<runtime::WaitGroupBackend>,
        std::shared_ptr<runtime::CellBackend>, std::shared_ptr<runtime::ChannelBackend>,
        std::shared_ptr<runtime::TimerBackend>, std::shared_ptr<runtime::TaskBackend>>
        backend;
    bool has_moments = false;  ///< of a channel that a timer sends to
  };
  using Primitives = std::unordered_map<std::uint64_t, Primitive>;
  /// Of graded tests. A ticker that fires by itself takes steps of the world that no operation of
  /// the tests is counted for. So each tick has a timer of its own, and the next one is armed at
  /// the first operation after it; a tick that finds the channel full is dropped in any case.
  struct Ticker {
    std::shared_ptr<runtime::ChannelBackend> channel;
    runtime::Duration period{1};
    runtime::TimePoint next;
  };
  using Tickers = std::map<std::uint64_t, Ticker>;  ///< by the number of the timer

  /// A call, while it lasts.
  class Nested {
   public:
    explicit Nested(RemoteCode& code);
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;
    ~Nested();

   private:
    std::size_t* depth_ = nullptr;  ///< of its task; null where nothing is counted
  };

  struct Operation {
    std::uint64_t object = 0;
    std::uint32_t method = 0;
    std::string_view arguments;
  };
  struct Answer {
    ToHost kind = ToHost::Result;
    std::string text;
  };

  [[nodiscard]] sim::World* world_of_tests() const;
  [[nodiscard]] bool is_over_for_tests() const;
  void begin_run();
  void leave_world();
  void send(ToHost kind, std::uint64_t call, std::string_view text);
  [[nodiscard]] std::string follow(std::uint64_t call);
  [[nodiscard]] Answer answer_to(std::uint64_t call, const Operation& asked,
                                 std::exception_ptr& killed_by);
  void answer(std::uint64_t call, std::string_view before, ByteReader& message,
              std::exception_ptr& killed_by);
  void write_down(std::string_view before, const Operation& asked, const Answer& answer);
  [[nodiscard]] std::string operate(std::uint64_t object, std::uint32_t method,
                                    std::string_view arguments);
  [[nodiscard]] std::string operate_outside(std::uint64_t object, std::uint32_t method,
                                            std::string_view arguments);
  [[nodiscard]] std::string serve_call(std::uint64_t object, std::uint32_t method,
                                       std::string_view arguments);
  [[nodiscard]] bool catch_up(std::string_view operations, std::exception_ptr& killed_by);
  void operate_without_result(std::string_view operations);
  void count_step_of_tests();
  void arm_tickers();
  [[nodiscard]] bool is_in_time(runtime::TimePoint deadline) const;
  [[nodiscard]] bool fires_in(runtime::Duration delay);
  [[nodiscard]] std::string name_of_tests(std::string_view purpose) const;

  void keep(std::uint64_t number, Primitive primitive);
  [[nodiscard]] Primitive& primitive_at(std::uint64_t number);
  [[noreturn]] void end_with(const char* why) const;

  MessageStream connection_;
  bool serves_ = false;  ///< whether it is tests that ask
  runtime::Runtime* runtime_ = nullptr;
  CallListener* listener_ = nullptr;
  Dialogue* dialogue_ = nullptr;
  bool is_rehearsing_ = false;
  bool rehearsal_differs_ = false;
  std::size_t tests_steps_ = 0;  ///< of this run
  std::size_t tests_tasks_ = 0;
  std::size_t tests_bytes_ = 0;
  std::map<const sim::Actor*, std::size_t> tests_nested_;  ///< calls that a task is in
  std::size_t left_behind_ = 0;                            ///< of all runs
  runtime::TimePoint began_;
  Tickers tickers_;
  /// What each call of tests reads when it is over, where a grader runs them: an operation at which
  /// other tasks may run, whatever the library did.
  std::shared_ptr<runtime::CellBackend> last_step_;
  std::uint64_t next_call_ = 0;
  Primitives primitives_;
};

template <typename Backend>
std::shared_ptr<Backend>& RemoteCode::at(std::uint64_t number) {
  auto* const backend = std::get_if<std::shared_ptr<Backend>>(&primitive_at(number).backend);
  if (backend == nullptr) {
    throw BrokenProtocol("a primitive is used as another one");
  }
  return *backend;
}

/// What the other process calls and waits for.
using Operations = Methods<&RemoteCode::spawn, &RemoteCode::sleep_until, &RemoteCode::wait,
                           &RemoteCode::stop_timer, &RemoteCode::reset_timer, &RemoteCode::seed_for,
                           &RemoteCode::choose, &RemoteCode::order, &RemoteCode::select>;
using RuntimeMethods =
    Methods<&runtime::Runtime::yield, &runtime::Runtime::now, &runtime::Runtime::checks>;
/// And what it does not wait for.
using LaterOperations =
    Methods<&RemoteCode::make<&runtime::Runtime::make_mutex>,
            &RemoteCode::make<&runtime::Runtime::make_shared_mutex>,
            &RemoteCode::make<&runtime::Runtime::make_cond_var>,
            &RemoteCode::make<&runtime::Runtime::make_wait_group>,
            &RemoteCode::make<&runtime::Runtime::make_cell>, &RemoteCode::make_channel,
            &RemoteCode::make_timer, &RemoteCode::plain_access, &RemoteCode::retire,
            &RemoteCode::end_published>;
using LaterRuntimeMethods =
    Methods<&runtime::Runtime::label, &runtime::Runtime::note, &runtime::Runtime::log>;

/// What it calls of primitives and waits for, save what is among `Operations`.
Methods<&runtime::MutexBackend::lock, &runtime::MutexBackend::try_lock,
        &runtime::MutexBackend::unlock>
methods_of(const runtime::MutexBackend& mutex);
Methods<&runtime::SharedMutexBackend::lock, &runtime::SharedMutexBackend::unlock,
        &runtime::SharedMutexBackend::lock_shared, &runtime::SharedMutexBackend::unlock_shared>
methods_of(const runtime::SharedMutexBackend& mutex);
Methods<&runtime::CondVarBackend::notify_one, &runtime::CondVarBackend::notify_all> methods_of(
    const runtime::CondVarBackend& cond_var);
Methods<&runtime::WaitGroupBackend::add, &runtime::WaitGroupBackend::wait> methods_of(
    const runtime::WaitGroupBackend& group);
Methods<&runtime::CellBackend::atomic_access> methods_of(const runtime::CellBackend& cell);
Methods<&runtime::ChannelBackend::close, &runtime::ChannelBackend::size> methods_of(
    const runtime::ChannelBackend& channel);
Methods<> methods_of(const runtime::TimerBackend& timer);
Methods<&runtime::TaskBackend::join, &runtime::TaskBackend::done> methods_of(
    const runtime::TaskBackend& task);
template <typename Backend>
using MethodsOf = decltype(methods_of(std::declval<const Backend&>()));

}  // namespace watchlab::course
