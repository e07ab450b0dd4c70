#include "core/watch/json_frame_decoder.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "core/runtime/select.hpp"
#include "core/runtime/task.hpp"
#include "core/watch/stream_watcher.hpp"
#include "tests/core/watch/events.hpp"
#include "tests/support/campaign.hpp"

namespace watchlab::tests {

using api::ErrorKind;
using runtime::Channel;
using runtime::Runtime;
using watch::Event;
using watch::EventType;
using watch::JsonFrameDecoder;

BOOST_AUTO_TEST_SUITE(json_frame_decoder_test)

namespace {

/// Gives its bytes in pieces of one size, then ends as it was asked to.
class WrittenStream : public watch::ByteStream {
 public:
  WrittenStream(std::string bytes, std::size_t piece, std::optional<ErrorKind> end = std::nullopt)
      : bytes_(std::move(bytes)), piece_(piece), end_(end) {}

  api::Result<std::size_t> read(std::span<char> into) override {
    const std::size_t size = std::min({piece_, into.size(), bytes_.size()});
    if (size == 0 && end_) {
      return api::Error{.kind = *end_, .message = "broken", .status = {}};
    }
    std::copy_n(bytes_.begin(), size, into.begin());
    bytes_.erase(0, size);
    return size;
  }
  void close(runtime::Location /*here*/) override {}

 private:
  std::string bytes_;
  std::size_t piece_;
  std::optional<ErrorKind> end_;
};

/// Has nothing to give until it is closed.
class SilentStream : public watch::ByteStream {
 public:
  explicit SilentStream(Runtime& runtime) : closed_(runtime, 0, "closed") {}

  api::Result<std::size_t> read(std::span<char> /*into*/) override {
    closed_.receive();
    return api::Error{.kind = ErrorKind::Cancelled, .message = "closed", .status = {}};
  }
  void close(runtime::Location here) override { closed_.close(here); }

 private:
  Channel<runtime::Unit> closed_;
};

std::string wire(EventType type, std::string_view revision) {
  api::Object object;
  object.api_version = "v1";
  object.kind = "ConfigMap";
  object.metadata.name = "a";
  object.metadata.resource_version = revision;
  return to_json(Event{.type = type,
                       .object = std::make_shared<const api::Object>(std::move(object)),
                       .status = nullptr});
}

/// The events of a stream, and how it ended.
std::string decode_all(std::string bytes, std::size_t piece = 7,
                       std::optional<ErrorKind> end = std::nullopt) {
  JsonFrameDecoder decoder(std::make_unique<WrittenStream>(std::move(bytes), piece, end));
  std::string text;
  while (true) {
    const api::Result<Event> event = decoder.decode();
    if (!event.ok()) {
      const api::Result<Event> again = decoder.decode();
      BOOST_TEST((!again.ok() && again.error() == event.error()));
      return text + event.error().message;
    }
    text += text_of(*event);
    text += ",";
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_type_of_event_is_read_however_the_bytes_are_torn) {
  api::Status gone = api::failure(api::StatusReason::Expired, "too old");
  const std::string bytes = wire(EventType::Added, "1") + "\n" + wire(EventType::Modified, "2") +
                            wire(EventType::Deleted, "3") + "\n\n" +
                            wire(EventType::Bookmark, "4") + to_json(failed(gone)) + "\n";
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
    BOOST_TEST(decode_all(bytes, piece) ==
               "ADDED a@1,MODIFIED a@2,DELETED a@3,BOOKMARK a@4,ERROR 410,EOF");
  }
}

BOOST_AUTO_TEST_CASE(a_stream_that_ends_inside_a_frame_says_so) {
  const std::string bytes = wire(EventType::Added, "1");
  for (std::size_t size = 1; size < bytes.size(); ++size) {
    BOOST_TEST(decode_all(bytes + bytes.substr(0, size)) == "ADDED a@1,unexpected EOF");
  }
  BOOST_TEST(decode_all(bytes + " \n") == "ADDED a@1,EOF");
  BOOST_TEST(decode_all("") == "EOF");
}

BOOST_AUTO_TEST_CASE(a_stream_that_breaks_says_how) {
  const std::string bytes = wire(EventType::Added, "1");
  BOOST_TEST(decode_all(bytes, 7, ErrorKind::ConnectionReset) == "ADDED a@1,broken");
  BOOST_TEST(decode_all(bytes + "{", 7, ErrorKind::Timeout) == "ADDED a@1,broken");
}

BOOST_AUTO_TEST_CASE(what_is_no_event_is_refused) {
  for (const std::string_view bytes :
       {"[]", "17", "\"ADDED\"", "null", "{}", R"({"type":"ADDED"})",
        R"({"type":"PATCHED","object":{"kind":"ConfigMap"}})", R"({"type":17,"object":{}})",
        R"({"type":"ADDED","object":{}})", R"({"type":"ADDED","object":[]})",
        R"({"type":"ADDED","object":null})", R"({"type":"ERROR","object":"gone"})",
        R"({"type":"ERROR","object":{"apiVersion":"v1","status":"Failure","code":410}})",
        R"({"type":"ADDED","object":{"kind":"ConfigMap","metadata":7}})", "<html>"}) {
    JsonFrameDecoder decoder(std::make_unique<WrittenStream>(std::string(bytes) + "\n", 5));
    const api::Result<Event> event = decoder.decode();
    BOOST_TEST(!event.ok(), bytes);
    BOOST_TEST((event.ok() || event.error().kind == ErrorKind::Decode), bytes);
  }
}

BOOST_AUTO_TEST_CASE(an_error_that_is_no_status_is_an_event_without_one) {
  const auto event =
      watch::event_from_json(R"({"object":{"kind":"Pod","apiVersion":"v1"},"type":"ERROR"})");
  BOOST_REQUIRE(event.ok());
  BOOST_TEST((event->type == EventType::Error));
  BOOST_TEST((event->status == nullptr && event->object == nullptr));
}

BOOST_AUTO_TEST_CASE(an_event_without_content_is_written_with_a_null) {
  BOOST_TEST(to_json(Event{.type = EventType::Error}) == R"({"type":"ERROR","object":null})");
}

BOOST_AUTO_TEST_CASE(a_hostile_stream_ends_as_an_error_event) {
  holds_everywhere([](Runtime& runtime) {
    const std::string deep = wire(EventType::Added, "1") + std::string(100'000, '[');
    watch::StreamWatcher watcher(
        runtime, std::make_unique<JsonFrameDecoder>(std::make_unique<WrittenStream>(deep, 9000)));
    expect_equal(read_all(watcher.result_channel()), "ADDED a@1,ERROR 500");
  });
}

BOOST_AUTO_TEST_CASE(a_stop_ends_a_watch_whose_stream_is_silent) {
  holds_everywhere([](Runtime& runtime) {
    watch::StreamWatcher watcher(
        runtime, std::make_unique<JsonFrameDecoder>(std::make_unique<SilentStream>(runtime)));
    watcher.stop();
    expect_equal(next(watcher), "closed");
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
