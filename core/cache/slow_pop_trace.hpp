#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/runtime/runtime.hpp"

namespace watchlab::cache {

/// Logs a process function that holds up a long queue. Mirrors the trace of the original's Pop.
/// Private to the queues, on the stack of their pop; the texts must outlive it.
class SlowPopTrace {
 public:
  static constexpr std::size_t kDepthMin = 10;  ///< with no more than that left, nothing is logged
  static constexpr runtime::Duration kDurationMin = std::chrono::milliseconds(100);

  SlowPopTrace(runtime::Runtime& runtime, const std::string& queue, std::string_view key,
               std::size_t depth)
      : runtime_(runtime), queue_(queue), key_(key), depth_(depth) {
    if (depth_ > kDepthMin) {
      started_ = runtime_.now();
    }
  }

  /// To be called when the process function is back. It may take so long.
  void finish(runtime::Duration allowed = kDurationMin) {
    if (!started_) {
      return;
    }
    const runtime::Duration took = runtime_.now() - *started_;
    if (took > allowed) {
      const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(took);
      runtime_.log(runtime::LogLevel::Warning,
                   fmt::format("{}: {} took {} ms to process, with {} more in the queue", queue_,
                               key_, milliseconds.count(), depth_));
    }
  }

 private:
  runtime::Runtime& runtime_;
  const std::string& queue_;
  std::string_view key_;
  std::size_t depth_;
  std::optional<runtime::TimePoint> started_;
};

}  // namespace watchlab::cache
