#include <boost/test/unit_test.hpp>
#include <string>

#include "core/watch/json_frame_decoder.hpp"
#include "core/watch/stream_watcher.hpp"
#include "sim/network/http_names.hpp"
#include "tests/hostile/readers.hpp"
#include "tests/support/campaign.hpp"

// Bytes from enemies: an error value each time. The fuzzer (./dev hostile) looks for more.

using namespace watchlab;
using namespace watchlab::hostile;

BOOST_AUTO_TEST_SUITE(hostile_test)

namespace {

/// A frame that never ends, in pieces, and how much of it was taken.
class EndlessFrame : public watch::ByteStream {
 public:
  EndlessFrame(std::string beginning, std::size_t size, std::size_t& taken)
      : beginning_(std::move(beginning)), size_(size), taken_(taken) {}

  api::Result<std::size_t> read(std::span<char> into) override {
    for (std::size_t i = 0; i < into.size(); ++i) {
      into[i] = taken_ + i < beginning_.size() ? beginning_[taken_ + i] : 'x';
    }
    const std::size_t count = std::min(into.size(), size_ - taken_);
    taken_ += count;
    return count;
  }
  void close(runtime::Location /*here*/) override { taken_ = size_; }

 private:
  std::string beginning_;
  std::size_t size_;
  std::size_t& taken_;
};

std::string nested(std::size_t depth) {
  std::string text = R"({"kind":"A","apiVersion":"v1","data":)";
  text += std::string(depth, '[') + std::string(depth, ']') + "}";
  return text;
}

std::string response(const std::string& body) {
  return "02HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + body;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_seed_ends_with_words_however_it_is_cut) {
  for (const std::string& seed : seeds()) {
    for (std::size_t length = 0; length <= seed.size(); ++length) {
      BOOST_REQUIRE(!read(std::string_view(seed).substr(0, length)).empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(every_seed_ends_with_words_when_any_byte_is_another) {
  for (std::string seed : seeds()) {
    for (std::size_t place = 1; place < seed.size(); ++place) {
      for (const char other : {'\0', '\n', '"', '{', '9', '\xff'}) {
        const char before = std::exchange(seed[place], other);
        BOOST_REQUIRE(!read(seed).empty());
        seed[place] = before;
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_frame_of_a_hundred_megabytes_is_refused_at_sixteen) {
  constexpr std::size_t kMegabyte = std::size_t{1} << 20;
  std::size_t taken = 0;
  watch::JsonFrameDecoder decoder(std::make_unique<EndlessFrame>(
      R"({"type":"ADDED","object":{"kind":")", 100 * kMegabyte, taken));
  const auto event = decoder.decode();
  BOOST_REQUIRE(!event.ok());
  BOOST_TEST((event.error().kind == api::ErrorKind::Decode));
  BOOST_TEST(taken < 17 * kMegabyte);
}

BOOST_AUTO_TEST_CASE(a_chunk_of_a_hundred_megabytes_is_refused_at_sixteen) {
  constexpr std::size_t kMegabyte = std::size_t{1} << 20;
  std::size_t taken = 0;
  auto body = std::make_unique<sim::HttpBody>(std::make_shared<EndlessFrame>(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6400000\r\n"
      R"({"type":"ADDED","object":{"kind":")",
      100 * kMegabyte, taken));
  BOOST_REQUIRE(body->read_head().ok());
  watch::JsonFrameDecoder decoder(std::move(body));
  const auto event = decoder.decode();
  BOOST_REQUIRE(!event.ok());
  BOOST_TEST((event.error().kind == api::ErrorKind::Decode));
  BOOST_TEST(taken < 17 * kMegabyte);
}

BOOST_AUTO_TEST_CASE(a_body_of_a_hundred_megabytes_is_refused_at_its_limit) {
  constexpr std::size_t kMegabyte = std::size_t{1} << 20;
  std::size_t taken = 0;
  sim::HttpBody body(
      std::make_shared<EndlessFrame>("HTTP/1.1 200 OK\r\n\r\n", 100 * kMegabyte, taken),
      {.body_max = kMegabyte});
  BOOST_REQUIRE(body.read_head().ok());
  const auto text = body.read_all();
  BOOST_REQUIRE(!text.ok());
  BOOST_TEST(taken < 2 * kMegabyte);
}

BOOST_AUTO_TEST_CASE(deep_nesting_is_an_error_and_not_an_overflow) {
  for (const std::size_t depth : {std::size_t{1000}, std::size_t{1'000'000}}) {
    BOOST_TEST(read_as_json(nested(depth)).starts_with("error"));
    const std::string event = R"({"type":"ADDED","object":)" + nested(depth) + "}";
    BOOST_TEST(read(response(event)).starts_with("error"));
  }
}

BOOST_AUTO_TEST_CASE(a_server_refuses_deep_objects_and_patches) {
  const std::string deep = nested(1000);
  const std::string length = std::to_string(deep.size());
  const std::string path = "/api/v1/namespaces/default/configmaps";
  BOOST_TEST(
      read_as_request("POST " + path + " HTTP/1.1\r\nContent-Length: " + length + "\r\n\r\n" + deep)
          .starts_with("error"));
  for (const char* type : {"json-patch", "merge-patch", "strategic-merge-patch"}) {
    BOOST_TEST(read_as_request("PATCH " + path + "/demo HTTP/1.1\r\nContent-Type: application/" +
                               type + "+json\r\nContent-Length: " + length + "\r\n\r\n" + deep)
                   .starts_with("error"));
  }
}

BOOST_AUTO_TEST_CASE(values_of_the_wrong_type_are_errors) {
  for (const char* object :
       {"1", "[]", "null", "\"text\"", R"({"kind":1})", R"({"kind":"A","metadata":[]})",
        R"({"kind":"A","metadata":{"name":1}})", R"({"kind":"A","metadata":{"labels":{"a":1}}})"}) {
    const std::string event = std::string(R"({"type":"ADDED","object":)") + object + "}";
    BOOST_TEST(read(response(event)).starts_with("error"), event);
  }
}

BOOST_AUTO_TEST_CASE(a_stream_watcher_reports_garbage_once_and_closes) {
  tests::holds_in_every_world([](runtime::Runtime& runtime) {
    for (const char* bytes : {"\xff\xfe", "{\"type\":\"WHAT\"}", "[[[", "{\"type\":3}"}) {
      std::size_t taken = 0;
      auto frames = std::make_unique<watch::JsonFrameDecoder>(
          std::make_unique<EndlessFrame>(bytes, 1000, taken));
      watch::StreamWatcher watcher(runtime, std::move(frames));
      const auto event = watcher.result_channel().receive();
      tests::expect(event && event->type == watch::EventType::Error, "an ERROR tells of it");
      tests::expect(!watcher.result_channel().receive(), "and then the watch is over");
      watcher.stop();
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()
