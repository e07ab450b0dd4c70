#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/api/result.hpp"
#include "core/runtime/channel.hpp"
#include "core/runtime/interface.hpp"
#include "core/runtime/stop_token.hpp"

namespace watchlab::cache {

/// Something that becomes done once and stays done, such as the first list of an informer. A cheap
/// handle. Mirrors client-go 0.36 tools/cache/wait.go, DoneChecker.
struct DoneChecker {
  std::string name;                      ///< for log lines
  runtime::Channel<runtime::Unit> done;  ///< closed once it is done
};

/// Whether it is done, without waiting. Mirrors client-go 0.36 IsDone.
[[nodiscard]] bool is_done(const DoneChecker& checker);

/// Waits until all are done; returns false if the stop comes first. What is done at the moment of
/// the stop counts. If a name is given, logs each one that gets done, and at the end those that did
/// not, sorted by name. Mirrors client-go 0.36 WaitFor.
[[nodiscard]] bool wait_for(runtime::Runtime& runtime, const runtime::StopToken& stop,
                            std::string_view what, const std::vector<DoneChecker>& checkers);

/// The channel of a `DoneChecker`, made only when somebody asks for it. Not shared between tasks:
/// its owner's lock guards it.
class LatchedSignal {
 public:
  [[nodiscard]] bool is_set() const { return is_set_; }
  /// Closes the channel, if there is one. Idempotent.
  void set();
  /// Closed once `set` has been called; always the same channel.
  [[nodiscard]] runtime::Channel<runtime::Unit> channel(runtime::Runtime& runtime);

 private:
  bool is_set_ = false;
  runtime::Channel<runtime::Unit> channel_;
};

/// A queue that can signal by a channel that it has synced. Mirrors client-go 0.36
/// tools/cache/fifo.go, Queue.HasSyncedChecker. Differs from client-go: `DeltaFIFO` and `FIFO` do
/// not have it, because the informers that have checkers use a `RealFIFO`.
class SignalsSync : public runtime::Interface {
 public:
  [[nodiscard]] virtual DoneChecker has_synced_checker() = 0;
};

}  // namespace watchlab::cache
