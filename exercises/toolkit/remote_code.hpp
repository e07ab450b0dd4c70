#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>

#include "exercises/toolkit/remote_peer.hpp"
#include "exercises/toolkit/remote_protocol.hpp"
#include "exercises/toolkit/uneven_walk.hpp"

namespace watchlab::course {

/// What a student wrote, in a process of its own (see `Host`): a library that this program judges,
/// or tests whose worlds this program plays. Calls into it and the operations that it asks for
/// happen in the world of the calling task, so that every lock over there is a scheduling point
/// here. What it sends is checked: the worst that it can achieve is that the case at hand fails.
class RemoteCode final : public Peer {
 public:
  /// The program's own, because tests call factories that get a runtime and nothing else.
  static RemoteCode& of_program();

  explicit RemoteCode(int connection) : connection_(connection) {}

  /// Steps of tests in a run, where the library's are not counted.
  static constexpr std::size_t kTestsStepsMax = 25'000;
  /// No deadline of theirs is later than this after the beginning: until then even a library whose
  /// timers never rest is far from the world's limit of steps, which would tell how many it takes.
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

  /// Who hears of the calls that tests make; null for nobody.
  void set_listener(CallListener* listener) { listener_ = listener; }
  /// Does what tests ask for, until they end; and ends the process.
  [[noreturn]] void serve();
  [[nodiscard]] bool serves() const { return serves_; }
  /// A channel that was made over there. Throws `BrokenProtocol` when there is none.
  [[nodiscard]] std::shared_ptr<runtime::ChannelBackend> channel_at(std::uint64_t number);

 private:
  struct Channel {
    std::shared_ptr<runtime::ChannelBackend> backend;
    bool has_moments = false;
  };
  /// Shared, because what a task waits for may be retired meanwhile.
  using Handle = std::variant<
      std::shared_ptr<runtime::MutexBackend>, std::shared_ptr<runtime::SharedMutexBackend>,
      std::shared_ptr<runtime::CondVarBackend>, std::shared_ptr<runtime::WaitGroupBackend>,
      std::shared_ptr<runtime::CellBackend>, Channel, std::shared_ptr<runtime::TimerBackend>,
      std::shared_ptr<runtime::TaskBackend>>;
  using Handles = std::unordered_map<std::uint64_t, Handle>;
  /// Of graded tests. A ticker that fires by itself takes steps of the world that no operation of
  /// the tests is counted for. So each tick has a timer of its own, and the next one is armed at
  /// the first operation after it; a tick that finds the channel full is dropped in any case.
  struct Ticker {
    std::shared_ptr<runtime::ChannelBackend> channel;
    runtime::Duration period{1};
    runtime::TimePoint next;
  };
  using Tickers = std::map<std::uint64_t, Ticker>;  ///< by the number of the timer

  [[nodiscard]] bool is_over_for_tests() const;
  void begin_run();
  void leave_world();
  void send(ToHost kind, std::uint64_t call, std::string_view text);
  [[nodiscard]] std::string follow(std::uint64_t call);
  void answer(std::uint64_t call, ByteReader& message, std::exception_ptr& killed_by);
  [[nodiscard]] std::string operate(Operation operation, ByteReader& arguments);
  void count_step_of_tests();
  void arm_tickers();
  [[nodiscard]] bool is_in_time(runtime::TimePoint deadline) const;
  [[nodiscard]] bool fires_in(runtime::Duration delay);
  [[nodiscard]] std::shared_ptr<runtime::TimerBackend> timer_for(
      const Channel& channel, std::uint64_t number, std::optional<runtime::Duration> delay,
      std::optional<runtime::Duration> period, runtime::Location here);
  [[nodiscard]] std::string serve_call(ByteReader& arguments);
  [[nodiscard]] std::string operate_outside(Operation operation, ByteReader& arguments);
  void make(Operation operation, ByteReader& arguments);
  [[nodiscard]] std::string use_lock(Operation operation, ByteReader& arguments);
  [[nodiscard]] std::string use_other(Operation operation, ByteReader& arguments);
  [[nodiscard]] std::string name_of_tests(std::string_view purpose) const;
  [[nodiscard]] std::string spawn(ByteReader& arguments);
  [[nodiscard]] std::string select(ByteReader& arguments);
  [[nodiscard]] std::string order(ByteReader& arguments);
  [[nodiscard]] bool catch_up(std::string_view operations, std::exception_ptr& killed_by);
  void operate_without_result(std::string_view operations);

  void keep(std::uint64_t number, Handle handle);
  template <typename T>
  [[nodiscard]] T& at(std::uint64_t number);
  template <typename T>
  [[nodiscard]] std::shared_ptr<T> shared_at(std::uint64_t number);
  [[noreturn]] void end_with(const char* why) const;

  MessageStream connection_;
  bool serves_ = false;  ///< whether it is tests that ask
  runtime::Runtime* runtime_ = nullptr;
  CallListener* listener_ = nullptr;
  std::size_t tests_steps_ = 0;  ///< of this run
  runtime::TimePoint began_;
  Tickers tickers_;
  /// What each call of tests reads when it is over, where a grader runs them: an operation at which
  /// other tasks may go on, whatever the library did.
  std::shared_ptr<runtime::CellBackend> last_step_;
  std::uint64_t next_call_ = 0;
  Handles handles_;
};

}  // namespace watchlab::course
