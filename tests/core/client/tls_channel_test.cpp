#include "core/client/tls_channel.hpp"

#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <string>
#include <vector>

using namespace watchlab;
using namespace watchlab::client;

BOOST_AUTO_TEST_SUITE(tls_channel_test)

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

}  // namespace

BOOST_AUTO_TEST_CASE(a_greeting_may_come_in_pieces) {
  const TlsIdentity identity({"localhost"});
  TlsChannel server(identity);
  TlsChannel client({.authority = identity.authority(), .host = "localhost"});
  for (const char each : client.take_sealed()) {
    BOOST_TEST(*server.open(std::string(1, each)) == "");
  }
  BOOST_TEST(first_failure(client, server) == "");
  BOOST_TEST((client.ready() && server.ready()));
}

BOOST_AUTO_TEST_CASE(both_ends_understand_each_other) {
  const TlsIdentity identity({"localhost", "127.0.0.1"});
  TlsChannel server(identity);
  TlsChannel client({.authority = identity.authority(), .host = "127.0.0.1"});
  BOOST_TEST(!client.seal("too early"));
  BOOST_TEST(first_failure(client, server) == "");
  BOOST_REQUIRE((client.ready() && server.ready()));
  const std::string text(100'000, 'x');
  BOOST_TEST(client.seal(text));
  const std::string sealed = client.take_sealed();
  // Bytes as good as random hold any three letters once in 170 runs, sixteen never.
  BOOST_TEST(sealed.find(std::string(16, 'x')) == std::string::npos);
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
  TlsChannel stranger({.authority = other.authority(), .host = "localhost"});
  BOOST_TEST(first_failure(stranger, server).find("authority that is not among") !=
             std::string::npos);
  TlsChannel again(identity);
  TlsChannel elsewhere({.authority = identity.authority(), .host = "192.0.2.1"});
  BOOST_TEST(first_failure(elsewhere, again).find("for other names than") != std::string::npos);
  BOOST_CHECK_THROW(TlsChannel({.authority = "nonsense", .host = "localhost"}), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(every_authority_of_a_bundle_is_trusted) {
  const TlsIdentity identity({"localhost"});
  const TlsIdentity other({"localhost"});
  for (const std::string& bundle :
       {identity.authority() + other.authority(), other.authority() + identity.authority()}) {
    TlsChannel server(identity);
    TlsChannel client({.authority = bundle, .host = "localhost"});
    BOOST_TEST(first_failure(client, server) == "");
    BOOST_TEST(client.ready());
  }
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
