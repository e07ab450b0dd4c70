#include <boost/test/unit_test.hpp>

#include "core/watch/json_frame_decoder.hpp"

namespace watchlab::tests {

using watch::JsonFramer;

BOOST_AUTO_TEST_SUITE(json_framer_test)

namespace {

/// All frames that are whole, each followed by "|"; "!" when the bytes are refused.
std::string frames_of(JsonFramer& framer) {
  std::string frames;
  while (true) {
    const api::Result<std::optional<std::string>> frame = framer.next();
    if (!frame.ok()) {
      return frames + "!";
    }
    if (!*frame) {
      return frames;
    }
    frames += **frame;
    frames += "|";
  }
}

std::string frames_of(std::string_view bytes) {
  JsonFramer framer;
  framer.feed(bytes);
  return frames_of(framer);
}

std::string nested(std::size_t depth) {
  std::string text;
  for (std::size_t i = 0; i < depth; ++i) {
    text += R"({"a":)";
  }
  return text + "1" + std::string(depth, '}');
}

}  // namespace

BOOST_AUTO_TEST_CASE(values_stand_one_after_the_other_with_or_without_space) {
  BOOST_TEST(frames_of(R"({"a":1}{"b":[{}]})"
                       "\n \t\r\n"
                       R"({"c":"}{"}  )") == R"({"a":1}|{"b":[{}]}|{"c":"}{"}|)");
}

BOOST_AUTO_TEST_CASE(bytes_may_be_torn_anywhere) {
  const std::string stream = "{\"a\":\"\\\"\xC3\xA4\\u00e4}\"}\n{\"b\":[1.5e3,true,null]} {}";
  JsonFramer whole;
  whole.feed(stream);
  const std::string expected = frames_of(whole);
  for (std::size_t i = 0; i <= stream.size(); ++i) {
    JsonFramer framer;
    framer.feed(stream.substr(0, i));
    std::string frames = frames_of(framer);
    framer.feed(stream.substr(i));
    frames += frames_of(framer);
    BOOST_TEST(frames == expected, "torn at " << i);
  }
  JsonFramer slow;
  std::string frames;
  for (const char byte : stream) {
    slow.feed(std::string_view(&byte, 1));
    frames += frames_of(slow);
  }
  BOOST_TEST(frames == expected);
}

BOOST_AUTO_TEST_CASE(it_knows_whether_a_frame_is_torn) {
  JsonFramer framer;
  framer.feed(" \n");
  BOOST_TEST(frames_of(framer).empty());
  BOOST_TEST(!framer.inside_a_frame());
  framer.feed("{\"a\"");
  BOOST_TEST(frames_of(framer).empty());
  BOOST_TEST(framer.inside_a_frame());
  framer.feed(":1}\n");
  BOOST_TEST(frames_of(framer) == R"({"a":1}|)");
  BOOST_TEST(!framer.inside_a_frame());
}

BOOST_AUTO_TEST_CASE(what_is_no_json_is_refused_from_its_first_wrong_byte_on) {
  for (const std::string_view bytes : {"}", "]", "x", "{x", "{\"a\"1", "{\"a\":nul!", "[1 2", "{,",
                                       "\"\x01", "\"\xFF\xFF", "HTTP/1.1 200 OK"}) {
    JsonFramer framer;
    framer.feed("{}");
    framer.feed(bytes);
    BOOST_TEST(frames_of(framer) == "{}|!", bytes);
    framer.feed("{}");
    BOOST_TEST(frames_of(framer) == "!", bytes);
    BOOST_TEST((framer.next().error().kind == api::ErrorKind::Decode));
    BOOST_TEST(!framer.inside_a_frame());
  }
}

BOOST_AUTO_TEST_CASE(nesting_has_a_limit) {
  BOOST_TEST(frames_of(nested(128)) == nested(128) + "|");
  BOOST_TEST(frames_of(nested(129)) == "!");
  BOOST_TEST(frames_of(std::string(1'000'000, '[')) == "!");
}

BOOST_AUTO_TEST_CASE(the_size_of_a_frame_has_a_limit_and_that_of_the_stream_has_none) {
  const std::string ten = R"({"a":1234})";
  for (int chunk = 1; chunk < 12; ++chunk) {
    JsonFramer framer({.bytes_max = 10});
    std::string frames;
    for (std::size_t i = 0; i < 40; i += static_cast<std::size_t>(chunk)) {
      framer.feed((ten + ten + ten + ten).substr(i, static_cast<std::size_t>(chunk)));
      frames += frames_of(framer);
    }
    BOOST_TEST(frames == ten + "|" + ten + "|" + ten + "|" + ten + "|", "in pieces of " << chunk);
  }
  JsonFramer framer({.bytes_max = 10});
  framer.feed(R"({"a":12345})");
  BOOST_TEST(frames_of(framer) == "!");
  JsonFramer endless({.bytes_max = 10});
  endless.feed(R"({"a":"1234)");
  BOOST_TEST(frames_of(endless) == "!");
}

BOOST_AUTO_TEST_CASE(the_default_limit_is_sixteen_mebibytes) {
  const std::size_t limit = std::size_t{16} << 20;
  const std::string fits = "\"" + std::string(limit - 2, 'a') + "\"";
  BOOST_TEST(frames_of(fits).size() == limit + 1);
  BOOST_TEST(frames_of("\"" + std::string(limit - 1, 'a') + "\"") == "!");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
