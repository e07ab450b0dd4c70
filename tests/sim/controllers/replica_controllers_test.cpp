#include <boost/test/unit_test.hpp>

#include "sim/controllers/pod_templates.hpp"
#include "tests/sim/controllers/cluster.hpp"

using namespace watchlab;
using namespace watchlab::sim;
using namespace watchlab::tests;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(replica_controllers_test)

namespace {

const api::GroupVersionResource kPods{"", "v1", "pods"};
const api::GroupVersionResource kSets{"apps", "v1", "replicasets"};
const api::GroupVersionResource kRollouts{"apps", "v1", "deployments"};
const api::GroupVersionResource kQuotas{"", "v1", "resourcequotas"};

std::string set_of(int replicas, const std::string& image, const std::string& more = "") {
  return R"({"spec":{"replicas":)" + std::to_string(replicas) + more +
         R"(,"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},)" +
         R"("spec":{"containers":[{"name":"c","image":")" + image + R"("}]}}}})";
}

std::int64_t number(Cluster& cluster, const api::GroupVersionResource& resource,
                    const std::string& key, std::string_view pointer) {
  const api::ObjectPtr object = cluster.get(resource, key);
  return object == nullptr ? -1 : number_below(members_of(*object), pointer, 0);
}

std::size_t pods_with(Cluster& cluster, const std::string& image) {
  const std::vector<api::ObjectPtr> pods = cluster.all(kPods);
  return static_cast<std::size_t>(std::ranges::count_if(pods, [&](const api::ObjectPtr& pod) {
    return pod->body.find("\"" + image + "\"") != std::string::npos;
  }));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_set_makes_its_pods_and_replaces_those_that_go) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Cluster cluster(runtime, {"pods", "replicas"});
    cluster.make(kSets, {.name = "web"}, set_of(3, "one"));
    cluster.settle();
    expect(cluster.all(kPods).size() == 3, "as many as it asks for");
    expect(number(cluster, kSets, "default/web", "/status/readyReplicas") == 3, "they are ready");
    cluster.remove(kPods, "default", cluster.all(kPods).front()->metadata.name);
    cluster.settle();
    expect(cluster.all(kPods).size() == 3, "another comes");
    cluster.change(kSets, "default/web", set_of(1, "one"));
    cluster.settle();
    expect(cluster.all(kPods).size() == 1, "those that are too many go");
  });
}

/// In several looks, so that others come in between.
BOOST_AUTO_TEST_CASE(two_large_sets_get_all_of_their_pods) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Cluster cluster(runtime, {"replicas"});
    cluster.make(kSets, {.name = "a"}, set_of(130, "one"));
    cluster.make(kSets, {.name = "b"}, set_of(110, "two"));
    cluster.settle();
    expect(pods_with(cluster, "one") == 130, "all of the first");
    expect(pods_with(cluster, "two") == 110, "all of the second");
  });
}

BOOST_AUTO_TEST_CASE(a_set_takes_what_it_selects_and_lets_go_what_it_does_not) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Cluster cluster(runtime, {"replicas"});
    cluster.make(kPods, {.name = "alone", .labels = {{"app", "web"}}}, R"({"spec":{}})");
    const std::string uid = cluster.make(kSets, {.name = "web"}, set_of(1, "one"));
    cluster.settle();
    expect(cluster.all(kPods).size() == 1, "it needs no other");
    expect(controller_of(cluster.get(kPods, "default/alone")->metadata) == uid, "it is taken");
    api::Object other = *cluster.get(kPods, "default/alone");
    other.metadata.labels = {{"app", "other"}};
    cluster.put(kPods, other);
    cluster.settle();
    expect(controller_of(cluster.get(kPods, "default/alone")->metadata).empty(), "it is let go");
    expect(cluster.all(kPods).size() == 2, "another is made");
  });
}

BOOST_AUTO_TEST_CASE(a_deployment_rolls_from_one_set_to_the_next) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Cluster cluster(runtime, {"pods", "deployments", "replicas", "garbage"});
    cluster.make(kRollouts, {.name = "web"}, set_of(4, "one"));
    cluster.settle();
    expect(pods_with(cluster, "one") == 4, "the first template has all pods");
    expect(number(cluster, kRollouts, "default/web", "/status/availableReplicas") == 4, "ready");
    cluster.change(kRollouts, "default/web", set_of(4, "two"));
    cluster.settle(2s);
    expect(cluster.all(kSets).size() == 2, "the old set stays");
    expect(pods_with(cluster, "two") == 4 && pods_with(cluster, "one") == 0, "all are new");
    cluster.change(kRollouts, "default/web", set_of(4, "one"));
    cluster.settle(2s);
    expect(cluster.all(kSets).size() == 2, "the first set is used again");
    expect(cluster.get(kRollouts, "default/web")
                   ->metadata.annotations.at("deployment.kubernetes.io/revision") == "3",
           "under a new revision");
    cluster.remove(kRollouts, "default", "web", "Background");
    cluster.settle(2s);
    expect(cluster.all(kSets).empty() && cluster.all(kPods).empty(), "all goes with it");
  });
}

BOOST_AUTO_TEST_CASE(a_deployment_that_recreates_has_no_pods_of_two_templates) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Cluster cluster(runtime, {"pods", "deployments", "replicas"}, 1s);
    const std::string recreates = R"(,"strategy":{"type":"Recreate"})";
    cluster.make(kRollouts, {.name = "web"}, set_of(2, "one", recreates));
    cluster.settle(3s);
    cluster.change(kRollouts, "default/web", set_of(2, "two", recreates));
    cluster.settle(500ms);
    expect(pods_with(cluster, "two") == 0, "the old end first");
    cluster.settle(4s);
    expect(pods_with(cluster, "two") == 2 && pods_with(cluster, "one") == 0, "then the new come");
  });
}

BOOST_AUTO_TEST_CASE(a_set_says_why_it_has_too_few_pods) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Cluster cluster(runtime, {"replicas"});
    cluster.refuse_pods("there is no room");
    cluster.make(kSets, {.name = "web"}, set_of(1, "one"));
    cluster.settle();
    const std::string failed = R"("type":"ReplicaFailure")";
    const auto says = [&](const std::string& words) {
      return cluster.get(kSets, "default/web")->body.find(words) != std::string::npos;
    };
    expect(says(failed) && says("there is no room"), "it says so");
    cluster.refuse_pods("");
    cluster.make(kQuotas, {.name = "q"});
    cluster.settle();
    expect(!says(failed) && cluster.all(kPods).size() == 1, "it tries again when quotas change");
  });
}

BOOST_AUTO_TEST_CASE(a_quota_says_what_is_used) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Cluster cluster(runtime, {"quotas"});
    cluster.make(kQuotas, {.name = "q"},
                 R"({"spec":{"hard":{"configmaps":"9","cpu":"1","what":"1","pods":"2"}}})");
    cluster.make(kMaps, {.name = "a"});
    cluster.make(kPods, {.name = "p"},
                 R"({"spec":{"containers":[{"resources":{"requests":{"cpu":"300m"}}}]}})");
    cluster.settle();
    expect(cluster.text(kQuotas, "default/q", "/status/used/configmaps") == "1", "maps");
    expect(cluster.text(kQuotas, "default/q", "/status/used/cpu") == "300m", "and pods");
    expect(cluster.text(kQuotas, "default/q", "/status/used/what").empty(), "not what is unknown");
    cluster.remove_map("a");
    cluster.settle();
    expect(cluster.text(kQuotas, "default/q", "/status/used/configmaps") == "0", "it is released");
  });
}

BOOST_AUTO_TEST_SUITE_END()
