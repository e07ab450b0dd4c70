#pragma once

#include <memory>
#include <vector>

#include "core/watch/watcher.hpp"

namespace watchlab::watch {

/// Passes a watch on and remembers every event of it. Mirrors apimachinery pkg/watch/filter.go,
/// Recorder. An event is remembered before it is passed on, so it may be remembered and never read.
/// Stops and ends as a `filter` does, with the same duty to read on. Any task may call any
/// function.
class Recorder : public Watcher {
 public:
  Recorder(runtime::Runtime& runtime, std::shared_ptr<Watcher> source,
           runtime::Location here = runtime::Location::current());

  void stop(runtime::Location here = runtime::Location::current()) override;
  [[nodiscard]] const runtime::Channel<Event>& result_channel() const override;
  /// A copy of what came by until now, in order.
  [[nodiscard]] std::vector<Event> events(
      runtime::Location here = runtime::Location::current()) const;

 private:
  struct Journal;

  /// Shared with the copying task, which may outlive the recorder.
  std::shared_ptr<Journal> journal_;
  std::shared_ptr<Watcher> filtered_;
};

}  // namespace watchlab::watch
