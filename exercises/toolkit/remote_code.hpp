#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
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

/// What a student wrote, in a process of its own: see `Host`. It is a library that this program
/// judges, or tests whose worlds this program plays. Calls into it and the operations that it asks
/// for happen in the world of the calling task, so that every lock over there is a scheduling point
/// here. What it sends is checked: the worst that it can achieve is that the case at hand fails.
class RemoteCode final : public Peer {
 public:
  /// The program's own, because tests call factories that get a runtime and nothing else.
  static RemoteCode& of_program();

  explicit RemoteCode(int connection) : connection_(connection) {}

  /// Another run of a world begins: nothing of the one before is used any more.
  void begin_run();

  [[nodiscard]] std::string request(std::uint64_t object, std::uint32_t method,
                                    std::string_view arguments) override;
  /// Throws `BrokenProtocol` where there is no world.
  [[nodiscard]] runtime::Runtime& runtime() override;
  [[nodiscard]] bool is_in_world() const { return runtime_ != nullptr; }
  void set_runtime(runtime::Runtime& runtime) override { runtime_ = &runtime; }

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
  struct Operation {
    std::uint64_t object = 0;
    std::uint32_t method = 0;
    std::string_view arguments;
  };
  struct Answer {
    ToHost kind = ToHost::Result;
    std::string text;
  };

  void leave_world();
  void send(ToHost kind, std::uint64_t call, std::string_view text);
  [[nodiscard]] std::string follow(std::uint64_t call);
  [[nodiscard]] Answer answer_to(std::uint64_t call, const Operation& asked,
                                 std::exception_ptr& killed_by);
  void answer(std::uint64_t call, ByteReader& message, std::exception_ptr& killed_by);
  [[nodiscard]] std::string operate(std::uint64_t object, std::uint32_t method,
                                    std::string_view arguments);
  [[nodiscard]] std::string operate_outside(std::uint64_t object, std::uint32_t method,
                                            std::string_view arguments);
  [[nodiscard]] bool catch_up(std::string_view operations, std::exception_ptr& killed_by);
  void operate_without_result(std::string_view operations);

  void keep(std::uint64_t number, Primitive primitive);
  [[nodiscard]] Primitive& primitive_at(std::uint64_t number);
  [[noreturn]] void end_with(const char* why) const;

  MessageStream connection_;
  bool serves_ = false;  ///< whether it is tests that ask
  runtime::Runtime* runtime_ = nullptr;
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
using Operations =
    Methods<&RemoteCode::spawn, &RemoteCode::sleep_until, &RemoteCode::wait, &RemoteCode::seed_for,
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
Methods<&runtime::TimerBackend::stop, &runtime::TimerBackend::reset> methods_of(
    const runtime::TimerBackend& timer);
Methods<&runtime::TaskBackend::join, &runtime::TaskBackend::done> methods_of(
    const runtime::TaskBackend& task);
template <typename Backend>
using MethodsOf = decltype(methods_of(std::declval<const Backend&>()));

}  // namespace watchlab::course
