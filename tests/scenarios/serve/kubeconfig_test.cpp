#include "scenarios/serve/kubeconfig.hpp"

#include <boost/test/unit_test.hpp>

using namespace watchlab;
using namespace watchlab::scenarios;

BOOST_AUTO_TEST_SUITE(kubeconfig_test)

BOOST_AUTO_TEST_CASE(what_was_written_is_read) {
  const ServerAccess written{
      .server = "https://[::1]:8001", .authority = "-----BEGIN\nx\n", .token = "a\"b: {c"};
  const api::Result<ServerAccess> read = access_from(kubeconfig_text(written));
  BOOST_REQUIRE(read.ok());
  BOOST_TEST(read->server == written.server);
  BOOST_TEST(read->authority == written.authority);
  BOOST_TEST(read->token == written.token);
}

BOOST_AUTO_TEST_CASE(every_client_has_a_context_of_its_own) {
  const std::vector<ServerAccess> others{{.server = "http://a", .token = "of a", .name = "web-2"},
                                         {.server = "http://b", .token = "of b", .name = "web"}};
  std::string text = kubeconfig_text({.server = "http://all"}, others);
  for (const ServerAccess& each : others) {
    text.replace(text.find("current-context: "), std::string::npos,
                 "current-context: " + each.name + "\n");
    const api::Result<ServerAccess> read = access_from(text);
    BOOST_REQUIRE(read.ok());
    BOOST_TEST(read->server == each.server);
    BOOST_TEST(read->token == each.token);
  }
}

BOOST_AUTO_TEST_CASE(the_current_context_counts) {
  const api::Result<ServerAccess> read = access_from(
      "clusters:\n- {name: a, cluster: {server: 'http://a'}}\n"
      "- {name: b, cluster: {server: 'http://b'}}\n"
      "users:\n- {name: u, user: {token: t}}\n"
      "contexts:\n- {name: x, context: {cluster: a, user: v}}\n"
      "- {name: y, context: {cluster: b, user: u}}\ncurrent-context: y\n");
  BOOST_REQUIRE(read.ok());
  BOOST_TEST(read->server == "http://b");
  BOOST_TEST(read->token == "t");
}

BOOST_AUTO_TEST_CASE(what_is_no_kubeconfig_is_refused) {
  BOOST_TEST(access_from("a: [").error().status.code == 400);
  BOOST_TEST(access_from("clusters: []").error().message.find("no server") != std::string::npos);
  BOOST_TEST(!access_from("clusters: 7\ncontexts: [1]").ok());
  const std::string bad =
      "clusters: [{name: a, cluster: {server: 'https://a', certificate-authority-data: '?'}}]\n"
      "contexts: [{name: x, context: {cluster: a}}]\ncurrent-context: x\n";
  BOOST_TEST(access_from(bad).error().message.find("base64") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
