#include "core/watch/stream_watcher.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "core/runtime/mutex.hpp"
#include "core/runtime/recover.hpp"
#include "core/runtime/select.hpp"
#include "core/runtime/task.hpp"

namespace watchlab::watch {

using runtime::Channel;
using runtime::Location;
using runtime::Unit;

namespace {

/// Whether the stream ended as streams do, which is not reported to the reader.
bool is_end_of_stream(api::ErrorKind kind) {
  using enum api::ErrorKind;
  return kind == Eof || kind == UnexpectedEof || kind == ConnectionReset || kind == Timeout ||
         kind == Cancelled;
}

}  // namespace

class StreamWatcher::State {
 public:
  State(runtime::Runtime& runtime, std::unique_ptr<Decoder> decoder, Reporter reporter)
      : runtime_(runtime),
        decoder_(std::move(decoder)),
        reporter_(std::move(reporter)),
        mutex_(runtime, "stream_watcher"),
        result_(runtime, 0, "stream_watcher.result"),
        done_(runtime, 0, "stream_watcher.done") {}

  void stop(Location here);
  void receive();
  [[nodiscard]] const Channel<Event>& result() const { return result_; }

 private:
  void receive_until_end();
  [[nodiscard]] bool send(Event event);
  void report(const api::Error& error);

  runtime::Runtime& runtime_;
  std::unique_ptr<Decoder> decoder_;
  Reporter reporter_;
  runtime::Mutex mutex_;
  Channel<Event> result_;
  Channel<Unit> done_;
};

void StreamWatcher::State::stop(Location here) {
  const runtime::Lock lock(mutex_, here);
  std::optional<Unit> nothing;
  if (!done_.try_receive(nothing, here)) {
    done_.close(here);
    decoder_->close(here);
  }
}

void StreamWatcher::State::receive() {
  runtime::run_then([this] { receive_until_end(); },
                    [this] {
                      stop(Location::current());
                      result_.close();
                    });
}

void StreamWatcher::State::receive_until_end() {
  while (true) {
    api::Result<Event> event = decoder_->decode();
    if (!event.ok()) {
      report(event.error());
      return;
    }
    if (!send(*std::move(event))) {
      return;
    }
  }
}

/// False when the watch was stopped instead. A reader may be gone, so a plain send could wait for
/// ever.
bool StreamWatcher::State::send(Event event) {
  runtime::Select choice(runtime_);
  choice.receive(done_).send(result_, std::move(event));
  return choice.wait() == 1;
}

void StreamWatcher::State::report(const api::Error& error) {
  if (is_end_of_stream(error.kind)) {
    if (error.kind != api::ErrorKind::Eof) {
      runtime_.log(runtime::LogLevel::Info,
                   fmt::format("the watch stream broke: {}", error.message));
    }
    return;
  }
  api::Error seen = error;
  seen.message = fmt::format("unable to decode an event from the watch stream: {}", error.message);
  auto status = std::make_shared<const api::Status>(reporter_(seen));
  // When the stop came first, the failure is most likely its consequence and no task reads.
  const bool delivered = send({.type = EventType::Error, .status = std::move(status)});
  if (!delivered) {
    runtime_.log(runtime::LogLevel::Debug, "a stopped watch does not report its decoding failure");
  }
}

api::Status report_decoding_failure(const api::Error& error) {
  api::Status status = api::failure(
      api::StatusReason::InternalError,
      fmt::format("an error on the server (\"{}\") has prevented the request from succeeding",
                  error.message));
  status.details.causes = {
      {.reason = "UnexpectedServerResponse", .message = error.message, .field = ""},
      {.reason = "ClientWatchDecoding", .message = error.message, .field = ""},
  };
  return status;
}

StreamWatcher::StreamWatcher(runtime::Runtime& runtime, std::unique_ptr<Decoder> decoder,
                             Reporter reporter, Location here)
    : state_(std::make_shared<State>(runtime, std::move(decoder), std::move(reporter))) {
  runtime::spawn(
      runtime, "stream_watcher.receive", [state = state_] { state->receive(); }, here);
}

void StreamWatcher::stop(Location here) { state_->stop(here); }

const Channel<Event>& StreamWatcher::result_channel() const { return state_->result(); }

}  // namespace watchlab::watch
