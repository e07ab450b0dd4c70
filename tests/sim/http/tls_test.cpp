#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "sim/http/tls_channel.hpp"
#include "tests/sim/http/served_server.hpp"

using namespace watchlab;
using namespace watchlab::sim;

BOOST_AUTO_TEST_SUITE(tls_test)

namespace {

/// Carries bytes between two ends until neither has any. The first failure of each.
std::vector<std::string> carry(TlsChannel& client, TlsChannel& server) {
  std::vector<std::string> failures;
  for (int quiet = 0; quiet < 2;) {
    const std::string up = client.take_sealed();
    const api::Result<std::string> at_server = server.open(up);
    const std::string down = server.take_sealed();
    const api::Result<std::string> at_client = client.open(down);
    for (const auto* const result : {&at_server, &at_client}) {
      if (!*result) {
        failures.push_back(result->error().message);
      }
    }
    quiet = up.empty() && down.empty() ? quiet + 1 : 0;
  }
  return failures;
}

std::string first_failure(TlsChannel& client, TlsChannel& server) {
  const std::vector<std::string> failures = carry(client, server);
  return failures.empty() ? "" : failures.front();
}

/// What the server sends to a client that speaks something else, until it closes the connection.
std::string answer_to(const ServedServer& served, const std::string& bytes) {
  const auto socket = *ClientSocket::connect({.host = "127.0.0.1", .port = served.server.port()});
  (void)socket->write(bytes);
  return all_of(socket);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_greeting_may_come_in_pieces) {
  const TlsIdentity identity({"localhost"});
  TlsChannel server(identity);
  TlsChannel client(identity.authority(), "localhost");
  for (const char each : client.take_sealed()) {
    BOOST_TEST(*server.open(std::string(1, each)) == "");
  }
  BOOST_TEST(first_failure(client, server) == "");
  BOOST_TEST((client.ready() && server.ready()));
}

BOOST_AUTO_TEST_CASE(both_ends_understand_each_other) {
  const TlsIdentity identity({"localhost", "127.0.0.1"});
  TlsChannel server(identity);
  TlsChannel client(identity.authority(), "127.0.0.1");
  BOOST_TEST(!client.seal("too early"));
  BOOST_TEST(first_failure(client, server) == "");
  BOOST_REQUIRE((client.ready() && server.ready()));
  const std::string text(100'000, 'x');
  BOOST_TEST(client.seal(text));
  const std::string sealed = client.take_sealed();
  BOOST_TEST(sealed.find("xxx") == std::string::npos);
  std::string opened;
  for (std::size_t at = 0; at < sealed.size(); at += 1000) {
    opened += *server.open(sealed.substr(at, 1000));
  }
  BOOST_TEST(opened == text);
  client.finish();
  BOOST_TEST(*server.open(client.take_sealed()) == "");
  BOOST_TEST(server.ended());
}

BOOST_AUTO_TEST_CASE(a_client_trusts_its_authority_and_the_names_of_the_certificate) {
  const TlsIdentity identity({"localhost", "127.0.0.1"});
  const TlsIdentity other({"localhost"});
  TlsChannel server(identity);
  TlsChannel stranger(other.authority(), "localhost");
  BOOST_TEST(first_failure(stranger, server).find("verify failed") != std::string::npos);
  TlsChannel again(identity);
  TlsChannel elsewhere(identity.authority(), "192.0.2.1");
  BOOST_TEST(first_failure(elsewhere, again).find("verify failed") != std::string::npos);
  BOOST_CHECK_THROW(TlsChannel("nonsense", "localhost"), std::runtime_error);
}

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
                              .authority = TlsIdentity({"127.0.0.1"}).authority()};
  const auto refused = ClientSocket::connect(stranger);
  BOOST_TEST(refused.error().message.find("verify failed") != std::string::npos);
  Tester tester(served);
  (void)tester.create("still-here");
  BOOST_TEST(watch.next_type() == "ADDED");
}

BOOST_AUTO_TEST_CASE(base64_is_read_as_it_was_written) {
  for (const std::string text : {"", "a", "ab", "abc", "abcd"}) {
    BOOST_TEST(from_base64(to_base64(text)).value_or("none") == text);
  }
  BOOST_TEST(to_base64("watchlab") == "d2F0Y2hsYWI=");
  BOOST_TEST(!from_base64("a?==").has_value());
  BOOST_TEST(!from_base64("abc").has_value());
}

BOOST_AUTO_TEST_SUITE_END()
