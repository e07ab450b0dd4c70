#pragma once

#include <functional>
#include <memory>

#include "core/watch/decoder.hpp"
#include "core/watch/watch.hpp"

namespace watchlab::watch {

/// Makes the Status of the Error event that reports a decoding failure to the reader. Mirrors
/// apimachinery pkg/watch/streamwatcher.go, Reporter.
using Reporter = std::function<api::Status(const api::Error&)>;

/// The Status that a client reports: InternalError with the cause ClientWatchDecoding.
[[nodiscard]] api::Status report_decoding_failure(const api::Error& error);

/// A watch on a stream. Mirrors apimachinery pkg/watch/streamwatcher.go, StreamWatcher.
///
/// A task decodes and sends, with one event in flight. When the stream ends, decoding fails, or the
/// watch is stopped, it closes the decoder, then the channel, and ends. The end of the stream,
/// clean or not, a broken connection and a timeout close the channel without an event, because the
/// reader will watch again anyway; any other failure sends one Error event first. Any task may call
/// any function.
class StreamWatcher : public Watcher {
 public:
  StreamWatcher(runtime::Runtime& runtime, std::unique_ptr<Decoder> decoder,
                Reporter reporter = report_decoding_failure,
                runtime::Location here = runtime::Location::current());

  /// Closes the decoder and releases a task that waits for a reader. The second and later calls do
  /// nothing.
  void stop(runtime::Location here = runtime::Location::current()) override;
  [[nodiscard]] const runtime::Channel<Event>& result_channel() const override;

 private:
  class State;

  /// Shared with the decoding task, which may outlive the watcher.
  std::shared_ptr<State> state_;
};

}  // namespace watchlab::watch
