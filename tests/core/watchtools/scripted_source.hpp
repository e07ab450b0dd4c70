#pragma once

#include <string>
#include <variant>
#include <vector>

#include "core/cache/list_watch.hpp"
#include "core/runtime/channel.hpp"
#include "core/watchtools/retry_watcher.hpp"

namespace watchlab::tests {

/// How a `ScriptedSource` answers one request for a watch.
struct WatchAnswer {
  std::vector<watch::Event> events;
  /// Instead of a stream.
  std::optional<api::Error> error;
  /// A stream that is no object at all.
  bool null = false;
  /// How long the stream stays open after its events.
  runtime::Duration open = runtime::Duration::zero();
};

/// Answers requests for watches in the order of a script; after its end with streams that stay open
/// and silent. Lists are all the same. The script is read by one task at a time.
class ScriptedSource : public cache::ListerWatcher {
 public:
  ScriptedSource(runtime::Runtime& runtime, std::vector<WatchAnswer> script);

  [[nodiscard]] api::Result<api::ObjectList> list(const runtime::StopToken& stop,
                                                  const api::ListOptions& options) override;
  [[nodiscard]] api::Result<std::shared_ptr<watch::Watcher>> watch(
      const runtime::StopToken& stop, const api::ListOptions& options) override;
  /// The same, for a `RetryWatcher`; the source must outlive it.
  [[nodiscard]] watchtools::WatchFunction function();

  /// Closed when a watch is asked for that the script does not foresee.
  [[nodiscard]] const runtime::Channel<runtime::Unit>& exhausted() const { return exhausted_; }
  /// The revisions that watches were asked for, separated by commas.
  [[nodiscard]] const std::string& revisions() const { return revisions_; }
  /// When watches were asked for, in milliseconds since the construction, separated by commas.
  [[nodiscard]] const std::string& times() const { return times_; }
  [[nodiscard]] int lists() const { return lists_; }

  api::ObjectList listed;
  /// What the second list and later ones answer; `listed` again when there is nothing left.
  std::vector<api::ObjectList> relisted;
  std::optional<api::Error> list_error;
  /// Set, lists are answered only once it is closed.
  std::optional<runtime::Channel<runtime::Unit>> list_held;

 private:
  void record(const api::ListOptions& options);

  runtime::Runtime& runtime_;
  std::vector<WatchAnswer> script_;
  std::size_t answered_ = 0;
  runtime::TimePoint start_;
  runtime::Channel<runtime::Unit> exhausted_;
  std::string revisions_;
  std::string times_;
  int lists_ = 0;
};

}  // namespace watchlab::tests
