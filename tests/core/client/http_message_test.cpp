#include "core/client/http_message.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

using namespace watchlab;
using namespace watchlab::client;

BOOST_AUTO_TEST_SUITE(http_message_test)

namespace {

const std::string kStream =
    "HTTP/1.1 100 Continue\r\n\r\n"
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";

/// What is read when the bytes come in two pieces, and whether it was whole.
std::string read_in_two(const std::string& text, std::size_t first) {
  HttpResponseReader reader;
  const bool fed = reader.feed(text.substr(0, first)).ok() && reader.feed(text.substr(first)).ok();
  const std::string body = reader.take_body();
  return fed && reader.head() && reader.head()->code == 200 && reader.done() ? body : "not whole";
}

api::ErrorKind kind_of_end(const std::string& text) {
  HttpResponseReader reader;
  if (const api::Result<void> fed = reader.feed(text); !fed) {
    return fed.error().kind;
  }
  const api::Result<void> end = reader.end();
  return end ? api::ErrorKind::Other : end.error().kind;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_response_reads_the_same_wherever_its_bytes_are_torn) {
  for (std::size_t first = 0; first <= kStream.size(); ++first) {
    BOOST_TEST(read_in_two(kStream, first) == "abcde", "torn after " << first);
  }
}

BOOST_AUTO_TEST_CASE(a_body_of_no_chunk_but_the_last_reads_the_same_wherever_its_bytes_are_torn) {
  const std::string request = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  const std::string response = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const std::string last : {"0\r\n\r\n", "00\r\n\r\n", "0\r\nA: b\r\n\r\n", "0;x=y\r\n\r\n"}) {
    for (std::size_t first = 0; first <= last.size(); ++first) {
      for (std::size_t second = first; second <= last.size(); ++second) {
        HttpRequestReader server;
        HttpResponseReader client;
        bool fed = server.feed(request).ok() && client.feed(response).ok();
        for (const std::string& piece :
             {last.substr(0, first), last.substr(first, second - first), last.substr(second)}) {
          fed = fed && server.feed(piece).ok() && client.feed(piece).ok();
        }
        BOOST_TEST((fed && server.done() && client.done()), last << first << " " << second);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(an_end_anywhere_but_after_the_last_chunk_is_unexpected) {
  BOOST_TEST((kind_of_end("") == api::ErrorKind::Eof));
  for (std::size_t length = 1; length < kStream.size(); ++length) {
    BOOST_TEST((kind_of_end(kStream.substr(0, length)) == api::ErrorKind::UnexpectedEof),
               "cut to " << length);
  }
  BOOST_TEST((kind_of_end(kStream) == api::ErrorKind::Other));
}

BOOST_AUTO_TEST_CASE(what_is_no_http_is_an_error_and_stays_one) {
  for (const char* text : {"\xff\xfe\x01 is no HTTP\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n",
                           "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
                           "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"}) {
    HttpResponseReader reader;
    BOOST_TEST(!reader.feed(text).ok(), text);
    BOOST_TEST(!reader.feed("more").ok(), text);
  }
}

BOOST_AUTO_TEST_CASE(lines_and_bodies_without_end_break_a_limit) {
  HttpResponseReader head({.head_max = 1000});
  BOOST_TEST(!head.feed("HTTP/1.1 200 OK\r\nX: " + std::string(2000, 'x')).ok());
  HttpResponseReader line({.head_max = 1000});
  BOOST_TEST(line.feed("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n").ok());
  BOOST_TEST(!line.feed("1;" + std::string(2000, 'x')).ok());
  HttpResponseReader body({.body_max = 1000});
  BOOST_TEST(!body.feed("HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n").ok());
  HttpRequestReader request({.body_max = 10});
  const auto refused = request.feed("POST / HTTP/1.1\r\nContent-Length: 20\r\n\r\n");
  BOOST_REQUIRE(!refused.ok());
  BOOST_TEST(refused.error().status.code == 413);
  for (const std::string& head :
       {"GET / HTTP/1.1\r\nX: " + std::string(2000, 'x') + "\r\n\r\n", std::string(2000, 'x')}) {
    HttpRequestReader long_head({.head_max = 1000});
    const auto too_large = long_head.feed(head);
    BOOST_REQUIRE(!too_large.ok());
    BOOST_TEST(too_large.error().status.code == 431);
  }
}

BOOST_AUTO_TEST_CASE(a_length_that_no_body_has_makes_no_room_for_it) {
  for (const char* length : {"100000000000", "4000000000000000000", "18446744073709551615"}) {
    const std::string text =
        std::string("HTTP/1.1 200 OK\r\nContent-Length: ") + length + "\r\n\r\nx";
    HttpResponseReader at_once;
    BOOST_TEST(!at_once.feed(text).ok(), length);
    HttpResponseReader in_two;
    BOOST_TEST(!(in_two.feed(text.substr(0, 20)).ok() && in_two.feed(text.substr(20)).ok()));
  }
}

BOOST_AUTO_TEST_CASE(a_request_is_read_as_it_was_written) {
  const HttpRequest written{"POST", "/api/v1/pods?x=1", {{"User-Agent", "a b"}}, "{\"a\":1}"};
  const std::string text = to_string(written);
  for (std::size_t first = 0; first <= text.size(); ++first) {
    HttpRequestReader reader;
    BOOST_REQUIRE(reader.feed(text.substr(0, first)).ok());
    BOOST_REQUIRE(reader.feed(text.substr(first)).ok());
    BOOST_REQUIRE(reader.done());
    const HttpRequest read = reader.take();
    BOOST_TEST(read.method == "POST");
    BOOST_TEST(read.target == written.target);
    BOOST_TEST(field_of(read.fields, "user-agent") == "a b");
    BOOST_TEST(read.body == written.body);
  }
}

BOOST_AUTO_TEST_CASE(a_target_that_is_a_url_says_the_host) {
  struct Case {
    std::string target;
    std::string fields;
    std::string path;
    std::string host;
  };
  const std::vector<Case> cases{
      {"http://b/api?x=http://c/", "Host: a\r\n", "/api?x=http://c/", "b"},
      {"http://b:80", "Host: a\r\n", "/", "b:80"},
      {"HTTP://u:p@[::1]:5?x", "host: a\r\n", "/?x", "[::1]:5"},
      {"http:///api", "Host: a\r\n", "/api", "a"},
      {"http://b/api", "", "/api", ""},
      {"/http://b/api", "Host: a\r\n", "/http://b/api", "a"},
      {"/?x=http://b/", "Host: a\r\n", "/?x=http://b/", "a"},
      {"http://b:c/api", "Host: a\r\n", "http://b:c/api", "a"},
      {"://b/api", "Host: a\r\n", "://b/api", "a"},
  };
  for (const Case& each : cases) {
    HttpRequestReader reader;
    BOOST_REQUIRE(reader.feed("GET " + each.target + " HTTP/1.1\r\n" + each.fields + "\r\n").ok());
    const HttpRequest read = reader.take();
    BOOST_TEST(read.target == each.path, each.target);
    BOOST_TEST(field_of(read.fields, "Host") == each.host, each.target);
  }
  HttpRequestReader old;
  BOOST_REQUIRE(old.feed("GET http://b/api HTTP/1.0\r\n\r\n").ok());
  BOOST_TEST(field_of(old.take().fields, "Host") == "b");
}

BOOST_AUTO_TEST_CASE(a_client_that_waits_for_an_invitation_is_seen) {
  HttpRequestReader reader;
  BOOST_TEST(
      reader.feed("PUT / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n").ok());
  BOOST_TEST(reader.expects_continue());
  BOOST_TEST(reader.feed("ab").ok());
  BOOST_TEST(!reader.expects_continue());
}

BOOST_AUTO_TEST_SUITE_END()
