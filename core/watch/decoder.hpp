#pragma once

#include "core/api/result.hpp"
#include "core/watch/event.hpp"

namespace watchlab::watch {

/// Turns some stream into events, one at a time. Mirrors apimachinery pkg/watch/streamwatcher.go,
/// Decoder.
class Decoder {
 public:
  Decoder() = default;
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  virtual ~Decoder() = default;

  /// Blocks for the next event. ErrorKind::Eof is the orderly end, UnexpectedEof an end in the
  /// middle of an event, Decode a stream that makes no sense. After a failure every later call
  /// fails too. One task calls it.
  [[nodiscard]] virtual api::Result<Event> decode() = 0;
  /// Ends the stream, and with it a `decode` that waits. Any task may call it, and again.
  virtual void close(runtime::Location here = runtime::Location::current()) = 0;
};

}  // namespace watchlab::watch
