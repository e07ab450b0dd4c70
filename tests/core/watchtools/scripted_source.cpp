#include "tests/core/watchtools/scripted_source.hpp"

#include <fmt/format.h>

#include "core/runtime/select.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/timer.hpp"
#include "core/watch/fake_watcher.hpp"
#include "tests/support/campaign.hpp"

namespace watchlab::tests {

using watch::RaceFreeFakeWatcher;
using watch::Watcher;

ScriptedSource::ScriptedSource(runtime::Runtime& runtime, std::vector<WatchAnswer> script)
    : runtime_(runtime),
      script_(std::move(script)),
      start_(runtime.now()),
      exhausted_(runtime, 0, "exhausted") {}

api::Result<api::ObjectList> ScriptedSource::list(const runtime::StopToken& /*stop*/,
                                                  const api::ListOptions& /*options*/) {
  const auto earlier = static_cast<std::size_t>(lists_++);
  if (list_held) {
    list_held->receive();
  }
  if (list_error) {
    return *list_error;
  }
  const bool again = earlier > 0 && earlier <= relisted.size();
  return again ? relisted[earlier - 1] : listed;
}

api::Result<std::shared_ptr<Watcher>> ScriptedSource::watch(const runtime::StopToken& /*stop*/,
                                                            const api::ListOptions& options) {
  record(options);
  const auto watcher = std::make_shared<RaceFreeFakeWatcher>(runtime_);
  if (answered_ == script_.size()) {
    ++answered_;
    exhausted_.close();
    return std::shared_ptr<Watcher>(watcher);
  }
  expect(answered_ < script_.size(), "a watch more than the test can mean");
  const WatchAnswer& answer = script_[answered_++];
  if (answer.error) {
    return *answer.error;
  }
  if (answer.null) {
    return std::shared_ptr<Watcher>();
  }
  for (const watch::Event& event : answer.events) {
    watcher->action(event);
  }
  if (answer.open == runtime::Duration::zero()) {
    watcher->stop();
  } else {
    runtime::spawn(runtime_, "stream", [&runtime = runtime_, watcher, open = answer.open] {
      runtime::sleep_for(runtime, open);
      watcher->stop();
    });
  }
  return std::shared_ptr<Watcher>(watcher);
}

watchtools::WatchFunction ScriptedSource::function() {
  return [this](const runtime::StopToken& stop, const api::ListOptions& options) {
    expect(options.allow_watch_bookmarks, "a RetryWatcher asks for bookmarks");
    return watch(stop, options);
  };
}

void ScriptedSource::record(const api::ListOptions& options) {
  const char* comma = revisions_.empty() ? "" : ",";
  revisions_ += comma;
  revisions_ += options.resource_version;
  const auto since = std::chrono::duration_cast<std::chrono::milliseconds>(runtime_.now() - start_);
  times_ += fmt::format("{}{}", comma, since.count());
}

}  // namespace watchlab::tests
