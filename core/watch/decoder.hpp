#pragma once

#include <cstddef>
#include <span>

#include "core/api/result.hpp"
#include "core/runtime/ensure.hpp"
#include "core/runtime/interface.hpp"
#include "core/watch/watch.hpp"

namespace watchlab::watch {

/// The bytes of a response's body as they come in: what `io.ReadCloser` is in the original.
class ByteStream : public runtime::Interface {
 public:
  /// Blocks for at least one byte and puts at most as many as there is room for into `into`, which
  /// is not empty. Returns how many; 0 is the orderly end, and stays so. Fails with
  /// ErrorKind::ConnectionReset or Timeout when the connection broke, with Cancelled after a
  /// `close`. One task calls it.
  [[nodiscard]] virtual api::Result<std::size_t> read(std::span<char> into) = 0;
  /// Gives the stream up, and ends a `read` that waits. Any task may call it, and again.
  virtual void close(runtime::Location here = runtime::Location::current()) = 0;
};

/// Turns some stream into events, one at a time. Mirrors apimachinery pkg/watch/streamwatcher.go,
/// Decoder.
class Decoder : public runtime::Interface {
 public:
  /// Blocks for the next event. ErrorKind::Eof is the orderly end, UnexpectedEof an end in the
  /// middle of an event, Decode a stream that makes no sense. After a failure every later call
  /// fails too. One task calls it.
  [[nodiscard]] virtual api::Result<Event> decode() = 0;
  /// Ends the stream, and with it a `decode` that waits. Any task may call it, and again.
  virtual void close(runtime::Location here = runtime::Location::current()) = 0;
};

}  // namespace watchlab::watch
