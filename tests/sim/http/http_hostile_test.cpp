#include <array>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <optional>
#include <semaphore>
#include <stdexcept>
#include <vector>

#include "sim/faults/fault_catalogue.hpp"
#include "tests/sim/http/served_server.hpp"

using namespace watchlab;
using namespace watchlab::sim;

// Bytes that are no request, or more of one than a server can take: each is answered or the
// connection is closed, and the watch of another client goes on.

BOOST_AUTO_TEST_SUITE(http_hostile_test)

namespace {

std::string answer_to(const ServedServer& served, const std::string& bytes) {
  const auto socket = *ClientSocket::connect(served.endpoint());
  (void)socket->write(bytes);
  return all_of(socket);
}

const std::string kHead = "GET /api/v1/configmaps HTTP/1.1\r\nHost: a\r\n";
const std::string kMaps = "/api/v1/namespaces/default/configmaps";

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_no_request_gets_an_answer_and_the_end) {
  const ServedServer served;
  OpenWatch watch(served, "/api/v1/configmaps?watch=true");
  const std::vector<std::pair<std::string, std::string>> cases{
      {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "HTTP/2"},
      {std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11) + "\r\n\r\n", "TLS"},
      {"nonsense\r\n\r\n", "malformed"},
      {"GET /api HTTP/9\r\n\r\n", "malformed"},
      {std::string("GET /\0 HTTP/1.1\r\n\r\n", 20), "malformed"},
      {kHead + "Transfer-Encoding: chunked\r\n\r\nzz\r\n", "malformed"},
      {kHead + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n", "malformed"},
      {kHead + "Content-Length: 67108864\r\n\r\n", "too large"},
      {kHead + "X: " + std::string(100'000, 'x') + "\r\n\r\n", "too large"},
  };
  for (const auto& [bytes, word] : cases) {
    const std::string answer = answer_to(served, bytes);
    BOOST_TEST_CONTEXT(bytes.substr(0, 80)) {
      BOOST_TEST(answer.starts_with("HTTP/1.1 4"));
      BOOST_TEST(answer.find(word) != std::string::npos);
    }
  }
  Tester tester(served);
  (void)tester.create("still-here");
  BOOST_TEST(watch.next_type() == "ADDED");
}

BOOST_AUTO_TEST_CASE(a_body_of_64_megabytes_is_refused_and_not_kept) {
  const ServedServer served;
  const auto socket = *ClientSocket::connect(served.endpoint());
  (void)socket->write(
      "POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: a\r\n"
      "Transfer-Encoding: chunked\r\n\r\n");
  const std::string chunk = "100000\r\n" + std::string(1U << 20U, 'x') + "\r\n";
  for (int i = 0; i < 64 && socket->write(chunk); ++i) {
  }
  const std::string answer = all_of(socket);
  BOOST_TEST((answer.empty() || answer.starts_with("HTTP/1.1 413")));
}

BOOST_AUTO_TEST_CASE(paths_and_queries_that_are_no_names_are_refused) {
  const ServedServer served;
  Tester tester(served);
  for (const std::string target :
       {"/api/v1/namespaces/../secrets", "/api/v1/namespaces/%2e%2e/secrets",
        "/api/v1/namespaces/a%2Fb/pods", "/api/v1/namespaces/%00/pods",
        "/api/v1/namespaces/%ff/pods", "/api/v1/namespaces/%ed%a0%80/pods",
        "/api/v1/namespaces/%e0%80%af/pods", "/api/v1/namespaces/%f0%80%80%af/pods",
        "/api/v1/namespaces/%f4%90%80%80/pods", "/api/v1/pods?labelSelector=%ff",
        "/api/v1/pods?limit=%f"}) {
    BOOST_TEST_CONTEXT(target) { BOOST_TEST(tester.code("GET", target) == 400); }
  }
  BOOST_TEST(tester.code("GET", "//api//v1//pods") == 200);
}

/// A client that is sent a body all the same takes it for the beginning of the next answer.
BOOST_AUTO_TEST_CASE(an_answer_to_head_has_no_body) {
  const ServedServer served;
  const std::vector<std::pair<std::string, std::string>> cases{
      {"/healthz", "200"}, {"/version", "200"}, {"/api/v1/pods", "405"}, {"/nothing", "404"}};
  for (const auto& [target, code] : cases) {
    const std::string answers =
        answer_to(served, "HEAD " + target + " HTTP/1.1\r\nHost: a\r\n\r\n" +
                              "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    BOOST_TEST_CONTEXT(target) {
      BOOST_TEST(answers.starts_with("HTTP/1.1 " + code), answers);
      const std::size_t end = answers.find("\r\n\r\n");
      BOOST_TEST(answers.substr(end + 4, 12) == "HTTP/1.1 200", answers);
    }
  }
}

BOOST_AUTO_TEST_CASE(what_follows_a_head_has_its_body) {
  const ServedServer served;
  const std::string head = "HEAD /version HTTP/1.1\r\nHost: a\r\n\r\n";
  const std::string answers =
      answer_to(served, head + "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  BOOST_TEST(answers.ends_with("\r\n\r\nok"), answers);
  const std::string refused = answer_to(served, head + "nonsense\r\n\r\n");
  BOOST_TEST(refused.find("malformed") != std::string::npos, refused);
}

BOOST_AUTO_TEST_CASE(requests_ahead_of_their_answers_are_answered_in_order) {
  const ServedServer served;
  const auto socket = *ClientSocket::connect(served.endpoint());
  std::string requests;
  for (int i = 0; i < 500; ++i) {
    requests += "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";
  }
  requests += "GET /version HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  BOOST_TEST(socket->write(requests));
  const std::string answers = all_of(socket);
  std::size_t count = 0;
  for (std::size_t at = answers.find("HTTP/1.1 200"); at != std::string::npos;
       at = answers.find("HTTP/1.1 200", at + 1)) {
    ++count;
  }
  BOOST_TEST(count == 501U);
  BOOST_TEST(answers.ends_with("}"));
}

BOOST_AUTO_TEST_CASE(a_request_that_never_ends_is_given_up) {
  const ServedServer served({}, {.limits = {.request_max = std::chrono::milliseconds(50)}});
  BOOST_TEST(answer_to(served, "GET / HTTP/1.1\r\nHost:").starts_with("HTTP/1.1 408"));
  const ServedServer other({}, {.limits = {.idle_max = std::chrono::milliseconds(50)}});
  BOOST_TEST(answer_to(other, "") == "");
}

BOOST_AUTO_TEST_CASE(a_client_that_is_invited_sends_its_body) {
  const ServedServer served;
  const auto socket = *ClientSocket::connect(served.endpoint());
  for (const std::string name : {"a", "b"}) {  // each request of a connection is invited
    const std::string body =
        R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":")" + name + "\"}}";
    (void)socket->write(
        "POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: a\r\n"
        "Expect: 100-continue\r\nContent-Length: " +
        std::to_string(body.size()) + "\r\n\r\n");
    std::array<char, 64> chunk{};
    const api::Result<std::size_t> size = socket->read(chunk);
    BOOST_REQUIRE(size.ok());
    BOOST_TEST(std::string(chunk.data(), *size) == "HTTP/1.1 100 Continue\r\n\r\n");
    (void)socket->write(body);
    HttpBody answer(socket);
    BOOST_TEST(answer.read_head()->code == 201);
    BOOST_TEST(answer.read_all().ok());
  }
}

BOOST_AUTO_TEST_CASE(a_client_that_has_said_all_still_gets_its_answer) {
  ServedServer served;
  (void)served.add_fault(
      make_fault("delay", {}, {{"by", runtime::Duration(std::chrono::milliseconds(20))}}));
  const auto socket = *ClientSocket::connect(served.endpoint());
  BOOST_TEST(socket->write("GET /api/v1/pods HTTP/1.1\r\nHost: a\r\n\r\n"));
  socket->finish();
  BOOST_TEST(all_of(socket).starts_with("HTTP/1.1 200"));
}

BOOST_AUTO_TEST_CASE(many_connections_that_say_nothing_leave_room_for_others) {
  const ServedServer served;
  std::vector<std::shared_ptr<ClientSocket>> silent;
  for (int i = 0; i < 300; ++i) {
    silent.push_back(*ClientSocket::connect(served.endpoint()));
    (void)silent.back()->write("GET /");
  }
  Tester tester(served);
  BOOST_TEST(tester.code("GET", "/readyz") == 200);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_told_from_the_next_request_is_refused_as_go_refuses_it) {
  const ServedServer served;
  const std::string next = "GET /version HTTP/1.1\r\nHost: a\r\n\r\n";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"GET /version HTTP/1.1\r\n\r\n", "400"},
      {"GET /version HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", "400"},
      {"GET /version HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n", "400"},
      {"GET /version HTTP/1.0\r\n\r\n", "200"},
      {kHead + "Transfer-Encoding: xchunked\r\n\r\n", "501"},
      {kHead + "Transfer-Encoding: identity\r\n\r\n", "501"},
      {kHead + "Transfer-Encoding: chunked, identity\r\n\r\n", "501"},
      {kHead + "Transfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n", "501"},
  };
  for (const auto& [bytes, code] : cases) {
    const std::string answer = answer_to(served, bytes + next);
    BOOST_TEST_CONTEXT(bytes) {
      BOOST_TEST(answer.starts_with("HTTP/1.1 " + code), answer.substr(0, 60));
      BOOST_TEST((answer.find("HTTP/1.1", 1) == std::string::npos), answer);
    }
  }
}

/// Each is answered at once, and not when a body comes that nobody has announced. What differs from
/// Go is stricter: of a body in chunks, no line ends with a bare LF.
BOOST_AUTO_TEST_CASE(lengths_chunks_and_lines_are_read_as_go_reads_them) {
  const ServedServer served;
  const std::string head = "POST /version HTTP/1.1\r\nHost: a\r\nConnection: close\r\n";
  const std::string chunked = head + "Transfer-Encoding: chunked\r\n\r\n";
  const std::string length = head + "Content-Length: ";
  std::vector<std::pair<std::string, std::string>> cases{
      {length + "5\r\n\r\nhello", "405"},
      {length + " 05 \r\n\r\nhello", "405"},
      {length + "5\r\ncontent-length: 5\r\n\r\nhello", "405"},
      {length + "5\r\nContent-Length: 6\r\n\r\n", "400"},
      {length + "5\r\nContent-Length: 05\r\n\r\n", "400"},
      {length + "5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "405"},
      {head + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n", "405"},
      {length + "x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400"},
      {length + "5\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n", "400"},
      {head + "Transfer-Encoding: identity\r\nContent-Length: 5\r\n\r\n", "501"},
      {head + "Transfer-Encoding: \r\nContent-Length: 5\r\n\r\n", "501"},
      {"POST /version HTTP/1.1\r\nContent-Length: 5\r\n\r\n", "400"},
      {head + "Host: b\r\nContent-Length: 5\r\n\r\n", "400"},
      {length + "9223372036854775808\r\n\r\n", "413"},
      {chunked + "5\r\nhello\r\n0\r\n\r\n", "405"},
      {chunked + "5;a=b\r\nhello\r\n0\r\nX: y\r\n\r\n", "405"},
      {"GET /version HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX: a\r\n b\r\n\r\n", "200"},
      {"GET /version HTTP/1.1\nHost: a\nConnection: close\n\n", "200"},
      {"GET /version HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\n", "200"},
      {"GET /version HTTP/1.1\r\nHost: a\nX: a\n b\nConnection: close\r\n\r\n", "200"},
      {"POST /version HTTP/1.1\nHost: a\nConnection: close\nContent-Length: 1\n\nx", "405"},
      {"GET /version HTTP/1.1\r\nHost: a\r\r\n\r\n", "400"},
      {"GET /version HTTP/1.1\rHost: a\r\r\n", "400"},
      {"GET /version HTTP/1.1\r\nHost: a\r\nX : y\r\n\r\n", "400"},
      {"GET /version HTTP/1.1\r\nConnection: close\r\nHost: a\r\n X: y\r\n\r\n", "400"},
      {head + "X: " + std::string(100'000, 'x') + "\r\n\r\n", "431"},
      {head + std::string(100'000, 'x'), "431"},
  };
  for (const std::string target :
       {"http://a/version", "HTTP://b:80/version?x=1", "https://c@[::1]:/version", "//version",
        "ftp://a/version", "http:///version"}) {
    cases.emplace_back("GET " + target + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
                       "200");
  }
  for (const auto& [version, code] :
       std::vector<std::pair<std::string, std::string>>{{"HTTP/1.2", "200"},
                                                        {"HTTP/1.9", "200"},
                                                        {"HTTP/2.0", "505"},
                                                        {"HTTP/0.9", "505"},
                                                        {"HTTP/9.9", "505"},
                                                        {"HTTP/2", "400"},
                                                        {"HTTP/1.10", "400"},
                                                        {"HTTP/01.1", "400"},
                                                        {"http/1.1", "400"},
                                                        {"HTTP/1.1 ", "400"},
                                                        {"HTTP/1,1", "400"},
                                                        {"HTTP/+.1", "400"},
                                                        {"", "400"}}) {
    cases.emplace_back("GET /version " + version + "\r\nHost: a\r\nConnection: close\r\n\r\n",
                       code);
  }
  cases.emplace_back("GET /version HTTP/1.2\r\n\r\n", "400");
  cases.emplace_back("OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "200");
  cases.emplace_back("OPTIONS ** HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "400");
  cases.emplace_back("GET * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "400");
  cases.emplace_back("OPTIONS /version HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "405");
  for (const std::string encoding : {"chunked", "gzip", "", "chunked\r\nTransfer-Encoding: x"}) {
    cases.emplace_back(
        "POST /version HTTP/1.0\r\nHost: a\r\nContent-Length: 5\r\n"
        "Transfer-Encoding: " +
            encoding + "\r\n\r\nhello",
        "405");
  }
  for (const std::string second : {"chunked", "identity", "", "chunked\r\n x"}) {
    cases.emplace_back(
        head + "Transfer-Encoding: chunked\r\nTransfer-Encoding: " + second + "\r\n\r\n0\r\n\r\n",
        "501");
  }
  for (const char sign : std::string("/@<\"\\?#^`{|} \t\x80")) {
    cases.emplace_back("GET /version HTTP/1.1\r\nHost: a" + std::string(1, sign) +
                           "b\r\nConnection: close\r\n\r\n",
                       "400");
  }
  for (const std::string host : {"", "a:b", "[::1", "%", "a,b;c", "*"}) {
    cases.emplace_back("GET /version HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n",
                       "200");
  }
  cases.emplace_back("GET http://a/version HTTP/1.1\r\n\r\n", "400");
  cases.emplace_back("GET http://a/version HTTP/1.0\r\n\r\n", "200");
  for (const std::string target :
       {"http://a:b/version", "http://[::1/version", "http://[::1]x/version", "1http://a/version",
        "://a/version", "version"}) {
    cases.emplace_back("GET " + target + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
                       "400");
  }
  for (const auto& [expected, code] :
       std::vector<std::pair<std::string, std::string>>{{"foo", "417"},
                                                        {"100-continu", "417"},
                                                        {"100-continue-not", "417"},
                                                        {"foo\r\nExpect: 100-continue", "417"},
                                                        {"", "405"},
                                                        {"100-Continue", "405"},
                                                        {"foo, 100-continue", "405"}}) {
    cases.emplace_back(length + "1\r\nExpect: " + expected + "\r\n\r\nx", code);
  }
  for (const std::string wrong : {"5, 5", "5,5", "+5", "-5", "-0", "0x5", "", "5;", "5_0", "5.0",
                                  "1e1", "\"5\"", "18446744073709551621"}) {
    cases.emplace_back(length + wrong + "\r\n\r\n", "400");
  }
  for (const std::string wrong :
       {"+5\r\n", "-5\r\n", " 5\r\n", "\r\n", "g\r\n", "5\n", "10000000000000005\r\n", "5;a\nb",
        "5\r\nhello\n0\r\n\r\n", "0\r\nX y\r\n\r\n", "0\n\n", "0x5\r\n", "5\r\nhello\r\n0x5\r\n",
        "00_1\r\n", "0-\r\n", "5x\r\n"}) {
    cases.emplace_back(chunked + wrong, "400");
  }
  for (const char wrong : {'\0', '\1', '\x7f', '\r', '\v'}) {
    cases.emplace_back(
        "GET /version HTTP/1.1\r\nHost: a\r\nX: a" + std::string(1, wrong) + "b\r\n\r\n", "400");
  }
  for (const auto& [bytes, code] : cases) {
    const std::string answer = answer_to(served, bytes);
    BOOST_TEST(answer.starts_with("HTTP/1.1 " + code), bytes << " gets " << answer.substr(0, 60));
  }
}

BOOST_AUTO_TEST_CASE(a_request_that_is_cut_is_answered_as_go_answers_it) {
  const ServedServer served;
  const std::string whole = "POST /version HTTP/1.1\r\nHost: a\r\n";
  const std::string good = "GET /version HTTP/1.1\r\nHost: a\r\n\r\n";
  const auto codes = [&](const std::string& bytes) {
    const auto socket = *ClientSocket::connect(served.endpoint());
    (void)socket->write(bytes);
    socket->finish();
    const std::string answers = all_of(socket);
    std::string found;
    for (std::size_t at = answers.find("HTTP/1.1 "); at != std::string::npos;
         at = answers.find("HTTP/1.1 ", at + 1)) {
      found += answers.substr(at + 9, 3) + " ";
    }
    return found;
  };
  BOOST_TEST(codes("") == "");
  BOOST_TEST(codes(good) == "200 ");
  for (const std::string& bytes :
       {std::string("GET"), std::string("GET "), std::string("GET /version HTTP/1.1"),
        std::string("nonsense"), std::string("GET /version HTTP/2.0\r\n"), whole, whole + "X: y",
        whole + "\r", whole + "Content-Length: 5\r\n\r\nab",
        whole + "Transfer-Encoding: chunked\r\n\r\n5\r\na",
        whole + "Transfer-Encoding: chunked\r\n\r\n0\r\n"}) {
    BOOST_TEST(codes(bytes) == "400 ", bytes);
    BOOST_TEST(codes(good + bytes) == (bytes.size() < 4 ? "200 " : "200 400 "), bytes);
  }
}

BOOST_AUTO_TEST_CASE(empty_lines_stand_between_a_post_and_the_next_request_alone) {
  const ServedServer served;
  const std::string post = "POST /version HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx";
  const std::string get = "GET /version HTTP/1.1\r\nHost: a\r\n";
  const std::string last = get + "Connection: close\r\n\r\n";
  for (const std::string lines : {"\r\n", "\n", "\r\n\r\n", "\n\n\n\n"}) {
    BOOST_TEST(answer_to(served, post + lines + last).ends_with("}"), lines.size());
    BOOST_TEST(answer_to(served, get + "\r\n" + lines + last).find("HTTP/1.1 400") !=
               std::string::npos);
  }
  BOOST_TEST(answer_to(served, post + "\n\n\n\n\n" + last).find("HTTP/1.1 400") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_local_server_answers_this_machine_and_no_web_page) {
  const ServedServer served({.is_local = true});
  const std::vector<std::pair<std::string, std::string>> cases{
      {"Host: 127.0.0.1:8001", "200"},
      {"Host: 127.9.9.9", "200"},
      {"Host: LOCALHOST:8001", "200"},
      {"Host: [::1]:8001", "200"},
      {"Host: localhost\r\nOrigin: http://localhost", "200"},
      {"Host: localhost:8001\r\nOrigin: http://LOCALHOST:8001", "200"},
      {"Host: localhost:8001\r\nOrigin: https://localhost:8001", "403"},
      {"Host: localhost:8001\r\nOrigin: http://localhost", "403"},
      {"Host: localhost\r\nOrigin: http://evil.example", "403"},
      {"Host: localhost\r\nOrigin: null", "403"},
      {"Host: localhost\r\nOrigin: http://localhost\r\nOrigin: http://evil.example", "403"},
      {"Host: evil.example", "403"},
      {"Host: 127.evil.example", "403"},
      {"Host: 127.0.0.1.nip.io", "403"},
      {"Host: 127.0.0.1@evil", "400"},
      {"Host: 127.", "403"},
      {"Host: 127.0.0.1:", "403"},
      {"Host: 127.0.0.1:80x", "403"},
      {"Host: 127.1", "403"},
      {"Host: 128.0.0.1", "403"},
      {"Host: [::1].evil", "403"},
      {"Host: [::1", "403"},
      {"Host: ::1", "403"},
      {"Host: localhost.evil.example", "403"},
      {"Host: ", "403"},
      {"Host: localhost\r\nSec-Fetch-Site: none", "200"},
      {"Host: localhost\r\nSec-Fetch-Site: same-origin", "200"},
      {"Host: localhost\r\nSec-Fetch-Site: same-site", "403"},
      {"Host: localhost\r\nSec-Fetch-Site: cross-site", "403"},
      {"Host: localhost\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n"
       "Sec-Fetch-Dest: document",
       "200"},
      {"Host: localhost\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n"
       "Sec-Fetch-Dest: iframe",
       "403"},
  };
  for (const auto& [fields, code] : cases) {
    const std::string answer =
        answer_to(served, "GET /version HTTP/1.1\r\nConnection: close\r\n" + fields + "\r\n\r\n");
    BOOST_TEST_CONTEXT(fields) { BOOST_TEST(answer.starts_with("HTTP/1.1 " + code), answer); }
  }
}

/// A script can leave `Content-Type` out, by a Blob without a type; so do clients in Python.
BOOST_AUTO_TEST_CASE(a_body_without_a_type_is_json_of_a_client_and_nothing_of_a_web_page) {
  const ServedServer served({.is_local = true});
  const std::string body = R"({"metadata":{"name":"x"}})";
  const auto posted = [&](const std::string& fields) {
    return answer_to(served,
                     "POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: localhost\r\n"
                     "Connection: close\r\n" +
                         fields + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
                         body)
        .substr(0, 12);
  };
  BOOST_TEST(posted("Origin: http://evil.example\r\n") == "HTTP/1.1 403");
  BOOST_TEST(posted("Origin: null\r\n") == "HTTP/1.1 403");
  BOOST_TEST(posted("Sec-Fetch-Site: cross-site\r\n") == "HTTP/1.1 403");
  BOOST_TEST(posted("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n"
                    "Sec-Fetch-Dest: document\r\n") == "HTTP/1.1 403");
  BOOST_TEST(posted("Content-Type: text/plain\r\n") == "HTTP/1.1 415");
  BOOST_TEST(posted("") == "HTTP/1.1 201");
  const auto changed = [&](const std::string& method) {
    return answer_to(served, method +
                                 " /api/v1/namespaces/default/configmaps/x HTTP/1.1\r\n"
                                 "Host: localhost\r\nConnection: close\r\nContent-Length: " +
                                 std::to_string(body.size()) + "\r\n\r\n" + body)
        .substr(0, 12);
  };
  BOOST_TEST(changed("PUT") == "HTTP/1.1 200");
  BOOST_TEST(changed("PATCH") == "HTTP/1.1 415");  // which of the patches, nobody can know
}

BOOST_AUTO_TEST_CASE(json_is_read_as_go_reads_it) {
  const ServedServer served;
  Tester tester(served);
  const std::string all = "/apis/apps/v1/namespaces/default/controllerrevisions";  // of anything
  const auto sent = [&](const std::string& value) {
    (void)tester.code("DELETE", all + "/x");
    return tester.ask(
        "POST", all,
        {.body = R"({"metadata":{"name":"x"},"revision":1,"data":{"v":)" + value + "}}"});
  };
  const std::vector<std::pair<std::string, std::string>> halves{
      {R"("\ud800")", "\ufffd"},        {R"("\uDC00x")", "\ufffdx"},
      {R"("\ud800\u0041")", "\ufffdA"}, {R"("\ud83d\ude00")", "\xF0\x9F\x98\x80"},
      {R"("\\ud800")", "\\ud800"},
  };
  for (const auto& [value, read] : halves) {
    BOOST_TEST(sent(value).head.code == 201, value);
    BOOST_TEST(text_at(tester.ask("GET", all + "/x").body, "/data/v") == read);
  }
  for (const std::string value : {"1e400", "-1e400", "1e99999999999", "[{\"a\":1e999}]"}) {
    BOOST_TEST(sent(value).head.code == 400, value);
  }
  const HttpAnswer patched =
      tester.ask("PATCH", all + "/x",
                 {.type = "application/json-patch+json",
                  .body = R"([{"op":"add","path":"/data/v","value":1e400}])"});
  BOOST_TEST(patched.head.code == 400);
  std::string deep = "1";
  for (int i = 0; i < 60; ++i) {  // as schemas of custom resources are
    deep = R"({"a":)" + deep + "}";
  }
  BOOST_TEST(sent(deep).head.code == 201);
  BOOST_TEST(tester.code("PATCH", all + "/x",
                         {.type = "application/merge-patch+json",
                          .body = R"({"data":{"w":)" + deep + "}}"}) == 200);
}

/// Whatever went wrong, the others go on.
BOOST_AUTO_TEST_CASE(a_mistake_of_the_server_ends_one_request) {
  ServedServer served;
  Tester other(served);
  BOOST_TEST(other.code("GET", "/version") == 200);
  served.there([&] {
    served.front.add_pages(
        [](const HttpRequest& http, const Target& /*target*/) -> std::optional<HttpPage> {
          if (http.target == "/broken") {
            throw std::runtime_error("planted");
          }
          return std::nullopt;
        });
  });
  const std::string answer =
      answer_to(served, "GET /broken HTTP/1.1\r\nHost: a\r\n\r\nGET /version HTTP/1.1\r\n\r\n");
  BOOST_TEST(answer.starts_with("HTTP/1.1 500"), answer);
  BOOST_TEST((answer.find("planted") != std::string::npos), answer);
  BOOST_TEST((answer.find("HTTP/1.1", 1) == std::string::npos), answer);
  BOOST_TEST(other.code("GET", "/version") == 200);
}

BOOST_AUTO_TEST_CASE(what_a_form_of_a_web_page_can_send_is_no_object) {
  const ServedServer served;
  Tester tester(served);
  for (const char* type :
       {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data"}) {
    BOOST_TEST(tester.code("POST", kMaps, {.type = type, .body = R"({"metadata":{"name":"x"}})"}) ==
               415);
  }
  BOOST_TEST(tester.code("GET", kMaps + "/x") == 404);
}

namespace {

/// Waits until the server keeps more bytes for its connections than that.
void await_kept(ServedServer& served, std::size_t more_than) {
  std::size_t kept = 0;
  while (kept <= more_than) {
    served.there([&] { kept = served.front.budget().bytes(); });
  }
}

constexpr std::size_t kMegabyte = std::size_t{1} << 20;

/// Asks for 10 MB and reads nothing, which is more than sockets take.
std::shared_ptr<ClientSocket> unread_answer(const ServedServer& served) {
  std::shared_ptr<ClientSocket> socket = *ClientSocket::connect(served.endpoint());
  (void)socket->write(kHead + "User-Agent: slow\r\n\r\n");
  return socket;
}

/// What a fault changes is made in one go.
void make_answers_whole(ServedServer& served) {
  (void)served.add_fault(
      make_fault("garble_bytes", {.client = "slow"}, {{"what", std::string("answers")}}));
}

void make_large_objects(const ServedServer& served) {
  Tester tester(served);
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    (void)tester.create(name, R"({"x":")" + std::string(2'000'000, 'x') + "\"}");
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(unfinished_requests_of_all_connections_share_one_limit) {
  ServedServer served({.unread_max = 2 * kMegabyte});
  const std::string part =
      "POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: a\r\n"
      "Connection: close\r\nContent-Length: 1500001\r\n\r\n" +
      std::string(1'500'000, 'x');
  const auto first = *ClientSocket::connect(served.endpoint());
  (void)first->write(part);
  await_kept(served, 1'500'000);
  const std::string second = answer_to(served, part + "x");
  BOOST_TEST(second.starts_with("HTTP/1.1 400"), second.substr(0, 60));  // it is no JSON
  BOOST_TEST(all_of(first).starts_with("HTTP/1.1 429"));                 // the older one
}

BOOST_AUTO_TEST_CASE(answers_that_are_not_read_cost_nobody_else_an_answer) {
  ServedServer served({.unread_max = 4 * kMegabyte});
  make_large_objects(served);
  make_answers_whole(served);
  const std::shared_ptr<ClientSocket> first = unread_answer(served);
  await_kept(served, 4 * kMegabyte);
  Tester calm(served);
  for (const char* page : {"/healthz", "/readyz", "/livez", "/version", "/api/v1/namespaces"}) {
    BOOST_TEST(calm.code("GET", page) == 200, page);
  }
  // Of many, only the last is kept; what a calm client asks for comes whole.
  std::vector<std::shared_ptr<ClientSocket>> slow;
  for (int i = 0; i < 20; ++i) {
    slow.push_back(unread_answer(served));
    std::array<char, 16> beginning{};
    BOOST_TEST(slow.back()->read(beginning).ok());  // so that it has been served
  }
  BOOST_TEST(calm.ask("GET", "/api/v1/configmaps").body.size() > 10'000'000U);
  std::size_t kept = 0;
  served.there([&] { kept = served.front.budget().bytes(); });
  BOOST_TEST(kept < 15'000'000U);
  BOOST_TEST(all_of(first).size() < 10'000'000U);
}

BOOST_AUTO_TEST_CASE(an_answer_that_is_read_late_comes_whole_while_there_is_room) {
  ServedServer served({.unread_max = 4 * kMegabyte});
  make_large_objects(served);
  const std::shared_ptr<ClientSocket> first = unread_answer(served);
  await_kept(served, kMegabyte / 4);
  (void)first->write(kHead + "Connection: close\r\n\r\n");
  BOOST_TEST(all_of(first).size() > 20'000'000U);
}

BOOST_AUTO_TEST_CASE(long_lists_that_are_not_read_are_not_made) {
  ServedServer served({.unread_max = 60 * kMegabyte});
  make_large_objects(served);
  std::vector<std::shared_ptr<ClientSocket>> slow;
  for (int i = 0; i < 20; ++i) {
    slow.push_back(*ClientSocket::connect(served.endpoint()));
    (void)slow.back()->write("GET /api/v1/configmaps HTTP/1." + std::to_string(i % 2) +
                             "\r\nHost: a\r\nConnection: close\r\n\r\n");
    std::array<char, 16> beginning{};
    BOOST_TEST(slow.back()->read(beginning).ok());
  }
  Tester calm(served);
  BOOST_TEST(calm.ask("GET", "/api/v1/configmaps").body.size() > 10'000'000U);
  for (const auto& each : slow) {
    const std::string list = all_of(each);
    BOOST_TEST(list.size() > 10'000'000U);
    BOOST_TEST((list.ends_with("]}") || list.ends_with("]}\r\n0\r\n\r\n")));
  }
}

/// However long parsing one takes.
BOOST_AUTO_TEST_CASE(a_long_body_in_yaml_holds_up_nobody) {
  std::counting_semaphore<> begun(0);
  std::counting_semaphore<> released(0);
  ServedServer served({.json_from_yaml = [&](std::string_view body) -> api::Result<ReadBody> {
    begun.release();
    released.acquire();
    return ReadBody{R"({"metadata":{"name":"m)" + std::to_string(body.size()) + "\"}}"};
  }});
  const auto post = [](std::size_t size) {
    return "POST " + kMaps + " HTTP/1.1\r\nHost: a\r\nContent-Type: application/yaml\r\n" +
           "Content-Length: " + std::to_string(size) + "\r\n\r\n" + std::string(size, '#');
  };
  const auto gone = *ClientSocket::connect(served.endpoint());
  (void)gone->write(post(20'000));
  begun.acquire();
  const auto waits = *ClientSocket::connect(served.endpoint());
  (void)waits->write(post(30'000));
  Tester other(served);
  BOOST_TEST(other.code("GET", kMaps) == 200);
  gone->close();
  BOOST_TEST(other.code("GET", "/version") == 200);
  released.release(2);
  begun.acquire();
  std::array<char, 4096> answer{};
  const api::Result<std::size_t> size = waits->read(answer);
  BOOST_REQUIRE(size.ok());
  BOOST_TEST(std::string_view(answer.data(), *size).starts_with("HTTP/1.1 201"));
  BOOST_TEST(other.code("GET", kMaps + "/m30000") == 200);
}

BOOST_AUTO_TEST_CASE(a_full_store_refuses_writes_as_etcd_does_and_takes_deletes) {
  ServedServer served({.store_max = 100'000});
  Tester tester(served);
  const std::string large = R"({"k":")" + std::string(40'000, 'x') + "\"}";
  BOOST_TEST(tester.create("a", large).head.code == 201);
  BOOST_TEST(tester.create("b", large).head.code == 201);
  const HttpAnswer full = tester.create("c", large);
  BOOST_TEST(full.head.code == 500);
  BOOST_TEST(text_at(full.body, "/message") == "etcdserver: mvcc: database space exceeded");
  BOOST_TEST(text_at(full.body, "/reason") == "");
  BOOST_TEST(tester.code("GET", kMaps + "/a") == 200);
  BOOST_TEST(tester.code("DELETE", kMaps + "/a") == 200);
}

BOOST_AUTO_TEST_SUITE_END()
