#include <boost/test/unit_test.hpp>

#include "tests/sim/controllers/cluster.hpp"

using namespace watchlab;
using namespace watchlab::sim;
using namespace watchlab::tests;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(pod_controllers_test)

namespace {

const api::GroupVersionResource kPods{"", "v1", "pods"};
const api::GroupVersionResource kJobs{"batch", "v1", "jobs"};
const std::string kWeb = R"({"spec":{"containers":[{"name":"web","image":"nginx"}]}})";

/// A Job of pods that run for two seconds and end with that code.
std::string job_body(const std::string& code, int completions) {
  return R"({"spec":{"backoffLimit":1,"completions":)" + std::to_string(completions) +
         R"(,"template":{"metadata":{"annotations":{"watchlab/runs-seconds":"2",)" +
         R"("watchlab/exit-code":")" + code +
         R"("}},"spec":{"restartPolicy":"Never","containers":[{"name":"c"}]}}}})";
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_pod_is_ready_after_a_while_and_ends_after_a_while) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Cluster cluster(runtime, {"pods"}, 5s);
    cluster.make(kPods, {.name = "web"}, kWeb);
    cluster.settle(4s);
    expect(cluster.text(kPods, "default/web", "/status/phase").empty(), "it takes its time");
    cluster.settle(2s);
    expect(cluster.text(kPods, "default/web", "/status/phase") == "Running", "it runs");
    expect(!cluster.text(kPods, "default/web", "/status/podIP").empty(), "it has an address");
    cluster.remove(kPods, "default", "web");
    cluster.settle(4s);
    expect(cluster.get(kPods, "default/web") != nullptr, "its end takes time, too");
    cluster.settle(2s);
    expect(cluster.get(kPods, "default/web") == nullptr, "it has ended");
  });
}

BOOST_AUTO_TEST_CASE(a_pod_that_says_so_comes_to_its_own_end) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Cluster cluster(runtime, {"pods"});
    cluster.make(kPods,
                 {.name = "once",
                  .annotations = {{"watchlab/runs-seconds", "3"}, {"watchlab/exit-code", "1"}}},
                 R"({"spec":{"restartPolicy":"Never","containers":[{"name":"c"}]}})");
    cluster.settle(2s);
    expect(cluster.text(kPods, "default/once", "/status/phase") == "Running", "it runs first");
    cluster.settle(2s);
    expect(cluster.text(kPods, "default/once", "/status/phase") == "Failed", "then it fails");
  });
}

BOOST_AUTO_TEST_CASE(a_job_has_a_thousand_pods_at_a_time) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Cluster cluster(runtime, {"jobs"});
    cluster.make(kJobs, {.name = "wide"},
                 R"({"spec":{"completions":1000000,"parallelism":1000000,"template":{}}})");
    cluster.settle(2s);
    expect(
        number_below(members_of(*cluster.get(kJobs, "default/wide")), "/status/active", 0) == 1000,
        "no more than that");
  });
}

BOOST_AUTO_TEST_CASE(a_controller_lets_others_in_between_many_objects) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Cluster cluster(runtime, {"jobs"});
    cluster.make(kJobs, {.name = "wide"},
                 R"({"spec":{"completions":600,"parallelism":600,"template":{}}})");
    cluster.settle(1500us);
    expect(cluster.all(kPods).size() == 400, "as many as are looked at in one go");
    cluster.settle(1s);
    expect(cluster.all(kPods).size() == 600, "the others after these");
  });
}

BOOST_AUTO_TEST_CASE(a_job_completes_with_its_pods) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Cluster cluster(runtime, {"pods", "jobs"});
    cluster.make(kJobs, {.name = "sum"}, job_body("0", 2));
    cluster.settle(20s);
    const boost::json::object body = members_of(*cluster.get(kJobs, "default/sum"));
    expect(number_below(body, "/status/succeeded", 0) == 2, "one pod after the other");
    expect(!text_below(body, "/status/completionTime").empty(), "it is complete");
    expect(cluster.all(kPods).size() == 2, "no pod more than it asked for");
  });
}

BOOST_AUTO_TEST_CASE(a_job_fails_when_too_many_pods_have) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Cluster cluster(runtime, {"pods", "jobs"});
    cluster.make(kJobs, {.name = "sum"}, job_body("3", 1));
    cluster.settle(20s);
    const boost::json::object body = members_of(*cluster.get(kJobs, "default/sum"));
    expect(number_below(body, "/status/failed", 0) == 2, "it was tried once more");
    expect(text_below(body, "/status/completionTime").empty(), "it is not complete");
    expect(
        cluster.get(kJobs, "default/sum")->body.find("BackoffLimitExceeded") != std::string::npos,
        "it says why");
  });
}

BOOST_AUTO_TEST_CASE(a_deployment_has_its_replicas_and_a_claim_its_volume) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const api::GroupVersionResource deployments{"apps", "v1", "deployments"};
    const api::GroupVersionResource claims{"", "v1", "persistentvolumeclaims"};
    Cluster cluster(runtime, {"deployments", "volumes"});
    cluster.make(deployments, {.name = "web"}, R"({"spec":{"replicas":3}})");
    cluster.make(claims, {.name = "data"},
                 R"({"spec":{"resources":{"requests":{"storage":"1Gi"}}}})");
    cluster.settle();
    expect(number_below(members_of(*cluster.get(deployments, "default/web")),
                        "/status/readyReplicas", 0) == 3,
           "all are ready");
    expect(cluster.text(claims, "default/data", "/status/phase") == "Bound", "it is bound");
    expect(cluster.get({"", "v1", "persistentvolumes"},
                       cluster.text(claims, "default/data", "/spec/volumeName")) != nullptr,
           "to a volume that is there");
  });
}

BOOST_AUTO_TEST_CASE(a_service_has_a_slice_with_its_ready_pods) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const api::GroupVersionResource slices{"discovery.k8s.io", "v1", "endpointslices"};
    Cluster cluster(runtime, {"pods", "slices", "garbage"});
    cluster.make({"", "v1", "services"}, {.name = "web"},
                 R"({"spec":{"selector":{"app":"web"},"ports":[{"port":80,"targetPort":8080}]}})");
    cluster.make(kPods, {.name = "a", .labels = {{"app", "web"}}}, kWeb);
    cluster.make(kPods, {.name = "b", .labels = {{"app", "other"}}}, kWeb);
    cluster.settle();
    const std::string body = cluster.get(slices, "default/web-watchlab")->body;
    expect(body.find(cluster.text(kPods, "default/a", "/status/podIP")) != std::string::npos &&
               body.find(cluster.text(kPods, "default/b", "/status/podIP")) == std::string::npos,
           "it names the pods that the selector takes");
    cluster.remove({"", "v1", "services"}, "default", "web");
    cluster.settle();
    expect(cluster.get(slices, "default/web-watchlab") == nullptr, "it goes with the service");
  });
}

BOOST_AUTO_TEST_SUITE_END()
