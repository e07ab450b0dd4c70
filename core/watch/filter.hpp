#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "core/watch/watcher.hpp"

namespace watchlab::watch {

/// Looks at one event: returns it, as it is or altered, or nothing to drop it. Runs in the filter's
/// own task.
using FilterFunction = std::function<std::optional<Event>(Event)>;

/// A watch that passes on what `function` lets through. Mirrors apimachinery pkg/watch/filter.go,
/// Filter.
///
/// A task copies the events, so one more event than in `source` can be on its way. Stopping stops
/// `source`; the result channel is closed when the channel of `source` is, and the task ends then.
/// A reader who neither reads on nor has a source that closes leaves the task waiting to send for
/// ever (kubernetes issue 113254), so after a stop read until the channel is closed.
[[nodiscard]] std::shared_ptr<Watcher> filter(
    runtime::Runtime& runtime, std::shared_ptr<Watcher> source, FilterFunction function,
    runtime::Location here = runtime::Location::current());

}  // namespace watchlab::watch
