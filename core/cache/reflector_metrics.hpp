#pragma once

#include <cstddef>
#include <string>

#include "core/runtime/time.hpp"

namespace watchlab::cache {

/// What a reflector counts. Every function does nothing unless overridden; they are called by the
/// reflector's tasks, two of which can overlap after a stop (an abandoned list), and must not
/// block. Mirrors client-go tools/cache/reflector_metrics.go, MetricsProvider, as one object a
/// reflector in place of seven metrics.
class ReflectorMetrics {
 public:
  ReflectorMetrics() = default;
  ReflectorMetrics(const ReflectorMetrics&) = delete;
  ReflectorMetrics& operator=(const ReflectorMetrics&) = delete;
  virtual ~ReflectorMetrics() = default;

  /// A list, of however many pages, begins.
  virtual void list_started() {}
  /// A list that was not abandoned has ended, well or badly.
  virtual void list_ended(runtime::Duration /*took*/) {}
  /// A list was good and had so many items.
  virtual void items_listed(std::size_t /*items*/) {}
  /// A watch request is about to be sent.
  virtual void watch_started() {}
  /// A stream has ended after so long, measured from before its request, and with so many events
  /// that counted.
  virtual void watch_ended(runtime::Duration /*took*/, std::size_t /*events*/) {}
  /// The stream that has just ended was a very short one: no event within less than a second.
  virtual void watch_was_short() {}
  /// The reflector has reached this revision.
  virtual void reached(const std::string& /*resource_version*/) {}
};

}  // namespace watchlab::cache
