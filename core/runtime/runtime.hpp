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

/// Something worth telling about a run, for traces and pictures: "delta", "default/demo", "Added".
struct Note {
  std::string_view kind;     ///< what sort of thing happened, one word: request, delta, handler …
  std::string_view subject;  ///< to what: a key, a client, a resource
  std::string_view text;     ///< what exactly
  std::string_view by = {};  ///< a part of the subject, for people: a handler's name
};

enum class LogLevel : std::uint8_t { Debug, Info, Warning, Error };

/// The one interface through which core touches the outside: tasks, locks, time, randomness, and
/// the order of what has no promised order. It is handed by reference to every constructor that
/// needs it; there is no global one. `ThreadRuntime` maps it on OS threads and the real clock,
/// `sim::World` on fibers, virtual time and a choice at every operation.
///
/// Code under test rarely calls the `make_…` functions: `Mutex`, `Channel` and the other primitives
/// of this folder do. A runtime outlives everything made from it. Any task may call any function.
class Runtime : public Interface {
 public:
  /// Starts a task. When it starts to run is the scheduler's choice, as with a goroutine. A task
  /// that no task joins continues by itself. An exception that leaves `body` is a crash.
  virtual std::shared_ptr<TaskBackend> spawn(std::string_view name, std::function<void()> body,
                                             Location here) = 0;
  /// Lets others go first. A loop that polls must call it, or fair schedules cannot exist.
  virtual void yield(Location here) = 0;

  /// The present moment of this runtime's clock, which never goes back and is far from the zero
  /// time.
  [[nodiscard]] virtual TimePoint now() = 0;
  /// Blocks the calling task until the moment has come; a past one is no wait.
  virtual void sleep_until(TimePoint deadline, Location here) = 0;

  /// What the primitives are made of. A name stands in reports and schedules, `here` in reports
  /// only.
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
  /// A timer that puts the moment of firing, a `TimePoint`, into `channel` (capacity 1) and drops
  /// it when the channel is full. Armed when `delay` is given. With a `period` it rearms itself.
  [[nodiscard]] virtual Owned<TimerBackend> make_timer(std::shared_ptr<ChannelBackend> channel,
                                                       std::optional<Duration> delay,
                                                       std::optional<Duration> period,
                                                       Location here) = 0;

  /// Does exactly one ready case and returns its index; which of several is a choice. When none is
  /// ready: waits, or returns nothing if `blocking` is false. Panics on a send to a closed channel.
  virtual std::optional<std::size_t> select(std::span<SelectCase> cases, bool blocking,
                                            Location here) = 0;

  /// The seed of a random stream. Streams with different purposes are independent; the same purpose
  /// asked twice gives two streams. See `Random`.
  [[nodiscard]] virtual std::uint64_t seed_for(std::string_view purpose) = 0;
  /// One of `options` alternatives (at least 1) that the outside decides; 0 is the default one.
  [[nodiscard]] virtual std::size_t choose(std::size_t options, std::string_view what) = 0;
  /// A visiting order for `size` things in a container whose order is not promised: as they are,
  /// reversed, or shuffled. One choice, whatever the size.
  [[nodiscard]] virtual Order order(std::size_t size, std::string_view what) = 0;

  /// Names what the current task is doing, for narration.
  virtual void label(std::string_view text) = 0;
  /// Reports what happened, for pictures and comparisons of this run.
  virtual void note(const Note& note) = 0;
  /// A line for people, as klog gets in the original. Decides nothing.
  virtual void log(LogLevel level, std::string_view text) = 0;
  /// Whether objects shall check their own invariants after each change.
  [[nodiscard]] virtual bool checks() const = 0;
};

}  // namespace watchlab::runtime
