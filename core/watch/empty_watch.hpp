#pragma once

#include <memory>

#include "core/watch/watcher.hpp"

namespace watchlab::watch {

/// A watch that is over before it began: its channel is closed already. A client uses it where a
/// connection ended, or took too long, before the first event. Mirrors apimachinery pkg/watch,
/// NewEmptyWatch.
[[nodiscard]] std::shared_ptr<Watcher> make_empty_watch(
    runtime::Runtime& runtime, runtime::Location here = runtime::Location::current());

}  // namespace watchlab::watch
