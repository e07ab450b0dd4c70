#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/api/result.hpp"
#include "core/runtime/channel.hpp"
#include "core/runtime/interface.hpp"
#include "core/runtime/stop_token.hpp"

namespace watchlab::cache {

/// Something that becomes done once and stays so, such as the first list of an informer. A cheap
/// handle. Mirrors client-go 0.36 tools/cache/wait.go, DoneChecker.
struct DoneChecker {
  std::string name;                      ///< for log lines
  runtime::Channel<runtime::Unit> done;  ///< closed once it is done
};

/// Whether it is done by now, without waiting. Mirrors client-go 0.36 IsDone.
[[nodiscard]] bool is_done(const DoneChecker& checker);

/// Waits until all are done; false when the stop came before one of them. What is done at the
/// moment of the stop counts. With a name for what is waited for, each that gets done is logged,
/// and in the end, in the order of their names, those that did not. Mirrors client-go 0.36 WaitFor.
[[nodiscard]] bool wait_for(runtime::Runtime& runtime, const runtime::StopToken& stop,
                            std::string_view what, const std::vector<DoneChecker>& checkers);

/// A `DoneChecker`'s channel that is made when it is first asked for: where no task asks there is
/// none. Not to be shared between tasks: its owner's lock guards it.
class LatchedSignal {
 public:
  [[nodiscard]] bool is_set() const { return is_set_; }
  /// Closes the channel, if there is one. Idempotent.
  void set();
  /// Closed once `set` was called; the same each time.
  [[nodiscard]] runtime::Channel<runtime::Unit> channel(runtime::Runtime& runtime);

 private:
  bool is_set_ = false;
  runtime::Channel<runtime::Unit> channel_;
};

/// A queue that can say by a channel that it has synced. Mirrors client-go 0.36
/// tools/cache/fifo.go, Queue.HasSyncedChecker. Differs from client-go: `DeltaFIFO` and `FIFO` are
/// none, because the informers that have checkers have a `RealFIFO`.
class SignalsSync : public runtime::Interface {
 public:
  [[nodiscard]] virtual DoneChecker has_synced_checker() = 0;
};

}  // namespace watchlab::cache
