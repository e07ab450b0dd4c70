#include "core/watch/stream_watcher.hpp"

#include <boost/test/unit_test.hpp>

#include "core/runtime/atomic.hpp"
#include "core/runtime/channel.hpp"
#include "core/runtime/select.hpp"
#include "core/runtime/task.hpp"
#include "tests/core/watch/events.hpp"
#include "tests/support/campaign.hpp"

namespace watchlab::tests {

using api::Error;
using api::ErrorKind;
using runtime::Channel;
using runtime::Runtime;
using runtime::Task;
using watch::Event;
using watch::StreamWatcher;

BOOST_AUTO_TEST_SUITE(stream_watcher_test)

namespace {

using Decoded = api::Result<Event>;

Error broken(ErrorKind kind, const std::string& message = "broken") {
  return {.kind = kind, .message = message, .status = {}};
}

/// What a decoder shares with the test that feeds it.
struct Feed {
  explicit Feed(Runtime& runtime)
      : decoded(runtime, 0, "decoded"), closed(runtime, 0, "closed"), closings(runtime, 0) {}

  Channel<Decoded> decoded;
  Channel<runtime::Unit> closed;
  runtime::Atomic<int> closings;
};

/// Decodes what the test sends. A close while it waits reads as a broken connection, as it does
/// with a real one.
class FedDecoder : public watch::Decoder {
 public:
  FedDecoder(Runtime& runtime, std::shared_ptr<Feed> feed)
      : runtime_(runtime), feed_(std::move(feed)) {}

  Decoded decode() override {
    std::optional<Decoded> decoded;
    runtime::Select choice(runtime_);
    choice.receive(feed_->decoded, decoded).receive(feed_->closed);
    if (choice.wait() == 1) {
      return broken(ErrorKind::ConnectionReset);
    }
    return decoded ? *decoded : broken(ErrorKind::Eof);
  }
  void close(runtime::Location /*here*/) override {
    if (feed_->closings.fetch_add(1) == 0) {
      feed_->closed.close();
    }
  }

 private:
  Runtime& runtime_;
  std::shared_ptr<Feed> feed_;
};

struct Fixture {
  explicit Fixture(Runtime& runtime)
      : feed(std::make_shared<Feed>(runtime)),
        watcher(runtime, std::make_unique<FedDecoder>(runtime, feed)) {}

  /// Unless the stream is closed before a task decodes.
  void offer(Runtime& runtime, Decoded decoded) const {
    runtime::Select choice(runtime);
    choice.send(feed->decoded, std::move(decoded)).receive(feed->closed);
    choice.wait();
  }

  std::shared_ptr<Feed> feed;
  StreamWatcher watcher;
};

}  // namespace

// Mirrors TestStreamWatcher.
BOOST_AUTO_TEST_CASE(what_is_decoded_arrives_and_the_end_of_the_stream_closes) {
  holds_everywhere([](Runtime& runtime) {
    Fixture fixture(runtime);
    fixture.feed->decoded.send(added("a"));
    expect_equal(next(fixture.watcher), "ADDED a@1");
    fixture.feed->decoded.send(deleted("a", "2"));
    expect_equal(next(fixture.watcher), "DELETED a@2");
    fixture.feed->decoded.close();
    expect_equal(next(fixture.watcher), "closed");
    expect_equal(fixture.feed->closings.load(), 1);
  });
}

// Mirrors TestStreamWatcherError; the bug B84.
BOOST_AUTO_TEST_CASE(a_failed_decoding_gives_one_error_event_and_closes) {
  holds_everywhere([](Runtime& runtime) {
    Fixture fixture(runtime);
    fixture.feed->decoded.send(broken(ErrorKind::Decode, "test error"));
    Channel<Event> events = fixture.watcher.result_channel();
    const std::optional<Event> seen = events.receive();
    expect(seen && seen->type == watch::EventType::Error && seen->status, "an error");
    expect(seen->status->reason == api::StatusReason::InternalError, "the server is blamed");
    expect_equal(seen->status->code, 500);
    const std::string delivered = "unable to decode an event from the watch stream: test error";
    expect(seen->status->message.find(delivered) != std::string::npos, seen->status->message);
    expect_equal(seen->status->details.causes.back().reason, "ClientWatchDecoding");
    expect_equal(seen->status->details.causes.back().message, delivered);
    expect(seen->object == nullptr, "it holds no object");
    expect_equal(next(fixture.watcher), "closed");
    fixture.watcher.stop();
    expect_equal(next(fixture.watcher), "closed");
    expect_equal(fixture.feed->closings.load(), 1);
  });
}

BOOST_AUTO_TEST_CASE(every_sort_of_end_closes_without_a_word) {
  for (const ErrorKind kind : {ErrorKind::Eof, ErrorKind::UnexpectedEof, ErrorKind::Timeout,
                               ErrorKind::ConnectionReset, ErrorKind::Cancelled}) {
    holds_everywhere([kind](Runtime& runtime) {
      Fixture fixture(runtime);
      fixture.feed->decoded.send(broken(kind));
      expect_equal(next(fixture.watcher), "closed");
    });
  }
}

// Mirrors TestStreamWatcher.
BOOST_AUTO_TEST_CASE(a_stop_closes_the_decoder_once_and_the_channel) {
  holds_everywhere([](Runtime& runtime) {
    Fixture fixture(runtime);
    fixture.feed->decoded.send(added("a"));
    expect_equal(next(fixture.watcher), "ADDED a@1");
    const Task other = runtime::spawn(runtime, "other", [&] { fixture.watcher.stop(); });
    fixture.watcher.stop();
    other.join();
    expect_equal(next(fixture.watcher), "closed");
    expect_equal(fixture.feed->closings.load(), 1);
  });
}

// The bug B83: the reader is gone, and the decoding task must end all the same.
BOOST_AUTO_TEST_CASE(a_stop_releases_an_event_that_waits_for_its_reader) {
  holds_everywhere([](Runtime& runtime) {
    Fixture fixture(runtime);
    fixture.feed->decoded.send(added("a"));
    fixture.watcher.stop();
  });
}

// Mirrors TestStreamWatcherRace; the bug B83.
BOOST_AUTO_TEST_CASE(a_stop_may_meet_a_failed_decoding_whose_reader_is_gone) {
  holds_everywhere([](Runtime& runtime) {
    Fixture fixture(runtime);
    const Task breaks = runtime::spawn(runtime, "breaks",
                                       [&] { fixture.offer(runtime, broken(ErrorKind::Decode)); });
    fixture.watcher.stop();
    breaks.join();
  });
}

// Mirrors TestStreamWatcherRace: nothing is left to be sent.
BOOST_AUTO_TEST_CASE(an_error_event_that_no_task_read_is_gone_after_a_stop) {
  holds_in_every_world([](Runtime& runtime) {
    Fixture fixture(runtime);
    fixture.feed->decoded.send(broken(ErrorKind::Decode));
    runtime::sleep_for(runtime, std::chrono::milliseconds(10));
    fixture.watcher.stop();
    runtime::sleep_for(runtime, std::chrono::milliseconds(10));
    expect_equal(next(fixture.watcher), "closed");
    expect_equal(fixture.feed->closings.load(), 1);
  });
}

// Mirrors TestStreamWatcherError.
BOOST_AUTO_TEST_CASE(the_reporter_says_what_the_error_event_holds) {
  holds_everywhere([](Runtime& runtime) {
    const auto feed = std::make_shared<Feed>(runtime);
    std::string reported;
    StreamWatcher watcher(runtime, std::make_unique<FedDecoder>(runtime, feed),
                          [&](const Error& error) {
                            reported += error.message;
                            return api::failure(api::StatusReason::Gone, "g");
                          });
    feed->decoded.send(broken(ErrorKind::Decode, "test error"));
    expect_error(watcher, api::failure(api::StatusReason::Gone, "g"));
    expect(reported.ends_with("test error"), reported);
    expect_equal(next(watcher), "closed");
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
