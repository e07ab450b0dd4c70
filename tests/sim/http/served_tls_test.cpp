#include <boost/test/unit_test.hpp>
#include <string>

#include "tests/sim/http/served_server.hpp"

using namespace watchlab;
using namespace watchlab::sim;

BOOST_AUTO_TEST_SUITE(served_tls_test)

namespace {

/// What the server sends to a client that speaks something else, until it closes the connection.
std::string answer_to(const ServedServer& served, const std::string& bytes) {
  const auto socket = *ClientSocket::connect({.host = "127.0.0.1", .port = served.server.port()});
  (void)socket->write(bytes);
  return all_of(socket);
}

}  // namespace

BOOST_AUTO_TEST_CASE(lists_watches_and_cuts_come_through) {
  ServedServer served({}, {.tls = true});
  BOOST_TEST(served.server.url().starts_with("https://127.0.0.1:"));
  Tester tester(served);
  OpenWatch watch(served, "/api/v1/configmaps?watch=true");
  (void)tester.create("a", R"({"k":")" + std::string(100'000, 'y') + R"("})");
  BOOST_TEST(watch.next_type() == "ADDED");
  BOOST_TEST(tester.ask("GET", "/api/v1/configmaps").body.size() > 100'000U);
  served.add_fault(make_fault("cut_watch", {.client = "tester"}));
  BOOST_TEST(watch.next_type() == "end");
  BOOST_TEST((watch.failure == api::ErrorKind::ConnectionReset ||
              watch.failure == api::ErrorKind::UnexpectedEof));
}

BOOST_AUTO_TEST_CASE(clients_that_speak_something_else_are_answered_or_let_go) {
  const ServedServer served({}, {.tls = true});
  OpenWatch watch(served, "/api/v1/configmaps?watch=true");
  const std::string answer = answer_to(served, "GET /api HTTP/1.1\r\nHost: a\r\n\r\n");
  BOOST_TEST(answer.starts_with("HTTP/1.0 400"));
  BOOST_TEST(answer.find("https:") != std::string::npos);
  for (const std::string& bytes :
       {std::string("\x16\x03\x01\xff\xff", 5) + std::string(70'000, 'z'), std::string(300, '\0'),
        std::string("\x16\x03\x01\x00\x05hello", 10)}) {
    BOOST_TEST(answer_to(served, bytes).find("HTTP") == std::string::npos);
  }
  const HttpEndpoint stranger{.host = "127.0.0.1",
                              .port = served.server.port(),
                              .tls = true,
                              .authority = client::TlsIdentity({"127.0.0.1"}).authority()};
  const auto refused = ClientSocket::connect(stranger);
  BOOST_TEST(refused.error().message.find("verify failed") != std::string::npos);
  Tester tester(served);
  (void)tester.create("still-here");
  BOOST_TEST(watch.next_type() == "ADDED");
}

BOOST_AUTO_TEST_SUITE_END()
