#pragma once

#include <cstddef>
#include <span>

#include "core/api/result.hpp"
#include "core/runtime/ensure.hpp"
#include "core/runtime/interface.hpp"
#include "core/watch/watch.hpp"

namespace watchlab::watch {

/// The bytes of a response body as they arrive: `io.ReadCloser` in the original.
class ByteStream : public runtime::Interface {
 public:
  /// Blocks for at least one byte, and stores at most as many as fit into `into`, which is not
  /// empty. Returns how many; 0 is the clean end, now and in later calls. Fails with
  /// ErrorKind::ConnectionReset or Timeout if the connection broke, with Cancelled after a `close`.
  /// Called by one task.
  [[nodiscard]] virtual api::Result<std::size_t> read(std::span<char> into) = 0;
  /// Gives the stream up, and ends a waiting `read`. Any task may call it, repeatedly.
  virtual void close(runtime::Location here = runtime::Location::current()) = 0;
};

/// Decodes a stream into events, one at a time. Mirrors apimachinery pkg/watch/streamwatcher.go,
/// Decoder.
class Decoder : public runtime::Interface {
 public:
  /// Blocks for the next event. ErrorKind::Eof is the clean end, UnexpectedEof an end in the middle
  /// of an event, Decode an invalid stream. After a failure every later call fails too. Called by
  /// one task.
  [[nodiscard]] virtual api::Result<Event> decode() = 0;
  /// Ends the stream and a waiting `decode`. Any task may call it, repeatedly.
  virtual void close(runtime::Location here = runtime::Location::current()) = 0;
};

}  // namespace watchlab::watch
