#include <boost/test/unit_test.hpp>

#include "sim/kinds/quantity.hpp"
#include "tests/sim/http/served_server.hpp"

using namespace watchlab;
using namespace watchlab::sim;

BOOST_AUTO_TEST_SUITE(quotas_test)

namespace {

const std::string kCore = "/api/v1/namespaces/default/";

std::string pod(const std::string& name, const std::string& requests,
                const std::string& more = "") {
  return R"({"metadata":{"name":")" + name + R"("},"spec":{)" + more +
         R"("containers":[{"name":"c","image":"i","resources":{"requests":)" + requests + "}}]}}";
}

std::string quota(const std::string& hard, const std::string& more = "") {
  return R"({"metadata":{"name":"q"},"spec":{"hard":)" + hard + more + "}}";
}

struct Limited {
  explicit Limited(const std::string& hard, const std::string& more = "") {
    BOOST_TEST(tester.code("POST", kCore + "resourcequotas", {.body = quota(hard, more)}) == 201);
  }
  /// What the server says when it refuses a pod; "" when it takes it.
  std::string refusal(const std::string& body) {
    const HttpAnswer answer = tester.ask("POST", kCore + "pods", {.body = body});
    return answer.head.code == 201 ? "" : text_at(answer.body, "/message");
  }

  ServedServer served;
  Tester tester{served};
};

std::string sum(std::string_view one, std::string_view other) {
  Quantity all = *Quantity::from(one);
  all += *Quantity::from(other);
  return all.text();
}

}  // namespace

BOOST_AUTO_TEST_CASE(quantities_are_read_added_and_written_as_short_as_they_are_exact) {
  BOOST_TEST(sum("500m", "600m") == "1100m");
  BOOST_TEST(sum("500m", "500m") == "1");
  BOOST_TEST(sum("252Mi", "772Mi") == "1Gi");
  BOOST_TEST(sum("1.5", "0") == "1500m");
  BOOST_TEST(sum("0", "2Ki") == "2Ki");
  BOOST_TEST(sum("1k", "500") == "1500");
  BOOST_TEST(sum("-1", "500m") == "-500m");
  BOOST_TEST((*Quantity::from("9999999999999999999999E") > *Quantity::from("9E")));
  for (const char* const text : {"", "m", "1.2.3", "1Xi", "abc", "1 "}) {
    BOOST_TEST(!Quantity::from(text).has_value(), text);
  }
}

BOOST_AUTO_TEST_CASE(what_exceeds_a_quota_is_forbidden) {
  Limited limited(R"({"pods":"2","cpu":"1","requests.example.com/dongle":"3"})");
  BOOST_TEST(limited.refusal(pod("a", R"({"cpu":"500m","example.com/dongle":"2"})")).empty());
  BOOST_TEST(limited.refusal(pod("b", R"({"cpu":"600m"})")) ==
             "pods \"b\" is forbidden: exceeded quota: q, requested: cpu=600m, used: cpu=500m, "
             "limited: cpu=1");
  BOOST_TEST(limited.refusal(pod("b", R"({"cpu":"100m","example.com/dongle":"2"})")) ==
             "pods \"b\" is forbidden: exceeded quota: q, requested: "
             "requests.example.com/dongle=2, used: requests.example.com/dongle=2, limited: "
             "requests.example.com/dongle=3");
  BOOST_TEST(limited.refusal(pod("b", R"({"memory":"1Mi"})")) ==
             "pods \"b\" is forbidden: failed quota: q: must specify cpu for: c");
  BOOST_TEST(limited.refusal(pod("b", R"({"cpu":"500m"})")).empty());
}

BOOST_AUTO_TEST_CASE(a_quota_with_scopes_limits_the_pods_in_them) {
  Limited limited(R"({"pods":"0"})", R"(,"scopes":["Terminating"])");
  BOOST_TEST(limited.refusal(pod("a", "{}")).empty());
  BOOST_TEST(!limited.refusal(pod("b", "{}", R"("activeDeadlineSeconds":9,)")).empty());
  Limited classes(R"({"pods":"0"})", R"(,"scopeSelector":{"matchExpressions":[
      {"scopeName":"PriorityClass","operator":"In","values":["high"]}]})");
  BOOST_TEST(classes.refusal(pod("a", "{}", R"("priorityClassName":"low",)")).empty());
  BOOST_TEST(!classes.refusal(pod("b", "{}", R"("priorityClassName":"high",)")).empty());
}

BOOST_AUTO_TEST_CASE(a_quota_counts_objects_and_ports) {
  Limited limited(R"({"services.nodeports":"1","count/configmaps":"1","configmaps":"5"})");
  BOOST_TEST(limited.tester.create("a").head.code == 201);
  BOOST_TEST(limited.tester.create("b").head.code == 403);
  const auto service = [&](const std::string& name, const std::string& type) {
    return limited.tester.code(
        "POST", kCore + "services",
        {.body = R"({"metadata":{"name":")" + name + R"("},"spec":{"type":")" + type +
                 R"(","ports":[{"port":80}]}})"});
  };
  BOOST_TEST(service("one", "NodePort") == 201);
  BOOST_TEST(service("two", "ClusterIP") == 201);
  BOOST_TEST(service("three", "LoadBalancer") == 403);
}

BOOST_AUTO_TEST_SUITE_END()
