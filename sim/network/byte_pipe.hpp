#pragma once

#include <deque>
#include <optional>
#include <span>
#include <string>

#include "core/runtime/mutex.hpp"
#include "core/watch/decoder.hpp"
#include "sim/network/stream.hpp"

namespace watchlab::sim {

struct BytePipeOptions {
  runtime::Duration latency{0};  ///< of each byte
  std::string name = "bytes";    ///< the name of the lock, for reports
};

/// One direction of a connection: bytes go in at one end and come out of the other after a latency,
/// in order, in whatever pieces the reader asks for. It can end cleanly, break, and be given up by
/// its reader. One task writes and one reads; any task may call `cut` and `close`.
///
/// Nothing limits what is in transit: a writer that should be held back by a slow reader waits with
/// `drain`.
class BytePipe : public watch::ByteStream {
 public:
  /// `stop` ends a waiting `read` or `drain`.
  BytePipe(runtime::Runtime& runtime, BytePipeOptions options, runtime::StopToken stop);

  /// Bytes leave at this time, or when those before them have left. Bytes that nobody will read are
  /// dropped. A bug after `finish`.
  void write(std::string bytes, runtime::TimePoint leave);
  /// The clean end, after everything that was written: a FIN.
  void finish(runtime::TimePoint leave);
  /// The connection breaks after everything that was written: a reset.
  void cut(runtime::TimePoint leave);
  /// Waits until the reader has taken everything and waits for more. Returns false if it never
  /// will.
  [[nodiscard]] bool drain();

  [[nodiscard]] api::Result<std::size_t> read(std::span<char> into) override;
  void close(runtime::Location here = runtime::Location::current()) override;
  [[nodiscard]] bool closed();

 private:
  struct Segment {
    std::string bytes;
    std::size_t taken = 0;
    runtime::TimePoint arrives;
  };
  struct Look {
    std::optional<api::Result<std::size_t>> found;
    std::optional<runtime::TimePoint> wake_at;
  };

  // Both need the lock.
  [[nodiscard]] Look look(std::span<char> into);
  [[nodiscard]] std::size_t take(std::span<char> into, runtime::TimePoint now);
  void end(runtime::TimePoint leave, bool broken);
  [[nodiscard]] runtime::TimePoint arrival(runtime::TimePoint leave);

  runtime::Runtime& runtime_;
  BytePipeOptions options_;
  runtime::StopToken stop_;
  runtime::Mutex mutex_;
  std::deque<Segment> segments_;
  runtime::TimePoint last_arrival_;
  std::optional<runtime::TimePoint> ends_;
  bool broken_ = false;
  bool closed_ = false;
  bool hungry_ = false;  // the reader waits, and there is nothing for it
  WakeUp reader_;
  WakeUp writer_;
};

}  // namespace watchlab::sim
