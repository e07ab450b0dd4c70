#pragma once

#include <cstddef>
#include <deque>
#include <string>

#include "core/runtime/mutex.hpp"
#include "core/runtime/shared.hpp"
#include "core/watch/watch.hpp"

namespace watchlab::watch {

/// The common part of the two watches below: a channel, the five functions that send, `stop` and
/// `reset`. They differ in `action` and in the buffer size of a new channel. Any task may call any
/// function.
class HandWrittenWatcher : public Watcher {
 public:
  /// Closes the channel; the second and later calls do nothing.
  void stop(runtime::Location here = runtime::Location::current()) override;
  /// Whether the watch has been stopped and not reset since.
  [[nodiscard]] bool is_stopped(runtime::Location here = runtime::Location::current()) const;
  /// Makes the watch usable again: not stopped, with a new, empty channel. Readers of the old
  /// channel are not moved to the new one, so ask for it.
  void reset(runtime::Location here = runtime::Location::current());
  /// The current channel. The reference stays valid for the watcher's lifetime, but refers to the
  /// old channel after a `reset`.
  [[nodiscard]] const runtime::Channel<Event>& result_channel() const override;

  /// Each of these sends one event of its type.
  void add(api::ObjectPtr object, runtime::Location here = runtime::Location::current());
  void modify(api::ObjectPtr object, runtime::Location here = runtime::Location::current());
  /// Sends Deleted with the object's last state.
  void remove(api::ObjectPtr last, runtime::Location here = runtime::Location::current());
  /// Sends Error with the status.
  void error(api::Status status, runtime::Location here = runtime::Location::current());
  /// Sends any event unchanged.
  virtual void action(Event event, runtime::Location here = runtime::Location::current()) = 0;

 protected:
  /// The buffer size of the first channel, and of each one after a `reset`.
  struct Capacities {
    std::size_t first = 0;
    std::size_t after_reset = 0;
  };

  /// `name` is the prefix of the names of the lock, the channel and the flag in traces.
  HandWrittenWatcher(runtime::Runtime& runtime, std::string name, Capacities capacities,
                     runtime::Location here);

  /// A new channel for each reset. A deque, because references to the old ones were handed out.
  std::deque<runtime::Channel<Event>> channels_;
  mutable runtime::Mutex mutex_;
  runtime::Shared<bool> stopped_;

 private:
  runtime::Runtime& runtime_;
  std::string channel_name_;
  std::size_t capacity_after_reset_;
};

/// A watch whose events a test sends by hand. Mirrors apimachinery pkg/watch, FakeWatcher.
///
/// Every function that sends blocks until the event is read or buffered. It panics if the watch is
/// stopped, even while it blocks: a stop closes the channel and nothing protects the senders. That
/// is faithful; use `RaceFreeFakeWatcher` if the reader may stop at any moment. After a `reset` the
/// channel is unbuffered, whatever the first one was.
class FakeWatcher : public HandWrittenWatcher {
 public:
  /// `capacity` 0 is unbuffered; otherwise that many events fit without a reader. Mirrors NewFake
  /// and NewFakeWithChanSize, whose second argument the original ignores.
  explicit FakeWatcher(runtime::Runtime& runtime, std::size_t capacity = 0,
                       runtime::Location here = runtime::Location::current());

  void action(Event event, runtime::Location here = runtime::Location::current()) override;

 private:
  [[nodiscard]] runtime::Channel<Event> current(runtime::Location here) const;
};

/// How many events a `RaceFreeFakeWatcher` and a watch of the original's tests can hold.
/// Mirrors apimachinery pkg/watch, DefaultChanSize.
inline constexpr std::size_t kDefaultChannelSize = 100;

/// A watch whose events a test sends by hand and whose reader may stop it at any moment. Mirrors
/// apimachinery pkg/watch, RaceFreeFakeWatcher.
///
/// One lock protects everything, so a send never hits a closed channel: after a stop the event is
/// silently dropped. Nothing blocks: a send panics with "channel full" if the buffer of
/// `kDefaultChannelSize` is full. After a `reset` the buffer is empty and has the same size.
class RaceFreeFakeWatcher : public HandWrittenWatcher {
 public:
  explicit RaceFreeFakeWatcher(runtime::Runtime& runtime,
                               runtime::Location here = runtime::Location::current());

  void action(Event event, runtime::Location here = runtime::Location::current()) override;
};

}  // namespace watchlab::watch
