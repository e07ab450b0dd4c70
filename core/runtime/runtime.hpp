#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/runtime/backend.hpp"
#include "core/runtime/ensure.hpp"
#include "core/runtime/time.hpp"

namespace watchlab::runtime {

class Order;

/// Something worth reporting about a run, for traces and pictures: "delta", "default/demo",
/// "Added".
struct Note {
  std::string_view kind;     ///< what sort of thing happened, one word: request, delta, handler …
  std::string_view subject;  ///< what it happened to: a key, a client, a resource
  std::string_view text;     ///< what exactly
  std::string_view by = {};  ///< part of the subject, for people: a handler's name
};

enum class LogLevel : std::uint8_t { Debug, Info, Warning, Error };

/// The only interface through which core touches the outside: tasks, locks, time, randomness, and
/// the order of whatever promises none. Every constructor that needs it takes it by reference;
/// there is no global one. `ThreadRuntime` implements it with OS threads and the real clock,
/// `sim::World` with fibers, virtual time and a choice at every operation.
///
/// Code under test rarely calls the `make_…` functions: `Mutex`, `Channel` and the other primitives
/// in this folder do. A runtime must outlive everything made from it. Any task may call any
/// function.
class Runtime : public Interface {
 public:
  /// Starts a task. When it first runs is the scheduler's choice, as with a goroutine. A task that
  /// nobody joins runs on by itself. An exception that leaves `body` is a crash.
  virtual std::shared_ptr<TaskBackend> spawn(std::string_view name, std::function<void()> body,
                                             Location here) = 0;
  /// Lets other tasks run first. A loop that polls must call it, or no fair schedule exists.
  virtual void yield(Location here) = 0;

  /// The current time of this runtime's clock, which never goes back and is far from the zero time.
  [[nodiscard]] virtual TimePoint now() = 0;
  /// Blocks the calling task until this time; does not wait if it is in the past.
  virtual void sleep_until(TimePoint deadline, Location here) = 0;

  /// The building blocks of the primitives. A name appears in reports and schedules, `here` only in
  /// reports.
  [[nodiscard]] virtual Owned<MutexBackend> make_mutex(std::string_view name, Location here) = 0;
  [[nodiscard]] virtual Owned<SharedMutexBackend> make_shared_mutex(std::string_view name,
                                                                    Location here) = 0;
  [[nodiscard]] virtual Owned<CondVarBackend> make_cond_var(std::string_view name,
                                                            Location here) = 0;
  [[nodiscard]] virtual Owned<WaitGroupBackend> make_wait_group(std::string_view name,
                                                                Location here) = 0;
  [[nodiscard]] virtual Owned<CellBackend> make_cell(std::string_view name, Location here) = 0;
  /// `capacity` 0 is a rendezvous.
  [[nodiscard]] virtual std::shared_ptr<ChannelBackend> make_channel(std::size_t capacity,
                                                                     std::string_view name,
                                                                     Location here) = 0;
  /// A timer that puts the time of firing, a `TimePoint`, into `channel` (capacity 1), and drops it
  /// if the channel is full. Armed if `delay` is given. With a `period` it rearms itself.
  [[nodiscard]] virtual Owned<TimerBackend> make_timer(std::shared_ptr<ChannelBackend> channel,
                                                       std::optional<Duration> delay,
                                                       std::optional<Duration> period,
                                                       Location here) = 0;

  /// Performs exactly one ready case and returns its index; which one is a choice. If none is ready
  /// it waits, or returns nothing if `blocking` is false. Panics on a send to a closed channel.
  virtual std::optional<std::size_t> select(std::span<SelectCase> cases, bool blocking,
                                            Location here) = 0;

  /// The seed of a random stream. Streams for different purposes are independent; asking twice for
  /// the same purpose gives two streams. See `Random`.
  [[nodiscard]] virtual std::uint64_t seed_for(std::string_view purpose) = 0;
  /// One of `options` alternatives (at least 1), chosen by the runtime; 0 is the default.
  [[nodiscard]] virtual std::size_t choose(std::size_t options, std::string_view what) = 0;
  /// An order for visiting the `size` elements of a container that promises none: unchanged,
  /// reversed, or shuffled. One choice, whatever the size.
  [[nodiscard]] virtual Order order(std::size_t size, std::string_view what) = 0;

  /// Sets what the current task is doing, for narration.
  virtual void label(std::string_view text) = 0;
  /// Reports an event, for pictures and comparisons of this run.
  virtual void note(const Note& note) = 0;
  /// A log line for people, as with klog in the original. It does not affect the run.
  virtual void log(LogLevel level, std::string_view text) = 0;
  /// Whether objects should check their own invariants after each change.
  [[nodiscard]] virtual bool checks() const = 0;
};

}  // namespace watchlab::runtime
