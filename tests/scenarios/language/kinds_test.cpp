#include <boost/test/unit_test.hpp>
#include <string>

#include "sim/kinds/kind_table.hpp"
#include "tests/scenarios/language/told_story.hpp"
#include "tests/support/texts.hpp"

using namespace watchlab;
using namespace watchlab::scenarios;
using namespace watchlab::tests;

BOOST_AUTO_TEST_SUITE(kinds_test)

namespace {

const std::string pods = "clients: [{name: x, kind: informer, watches: Pod}]\n";

}  // namespace

BOOST_AUTO_TEST_CASE(a_client_gets_the_objects_of_its_kind_only) {
  const std::string writes =
      "server: {objects: [demo]}\nscript: [{create: {name: demo, kind: Pod, "
      "rv_as: pod}}]\n";
  BOOST_TEST(
      failure_of(pods + writes + "expect: [store: {exactly: [{name: demo, rv: $pod}]}]\n").empty());
  BOOST_TEST(!failure_of(pods + writes + "expect: [store: {exactly: []}]\n").empty());
}

BOOST_AUTO_TEST_CASE(a_body_reaches_the_server_and_an_update_replaces_its_members) {
  const std::string client =
      "clients: [{name: x, kind: informer, watches: Pod, fields: spec.nodeName=b}]\n";
  const std::string bound =
      "server: {objects: [{name: p, kind: Pod, body: {spec: {nodeName: a}}}]}\n"
      "script: [{at: 1s, update: {name: p, kind: Pod, body: {spec: "
      "{nodeName: b}}}}]\n";
  BOOST_TEST(failure_of(client + bound + "expect: [handler: {exactly: [add: p]}]\n").empty());
}

BOOST_AUTO_TEST_CASE(every_kind_of_the_table_can_be_watched_and_written) {
  std::size_t kinds = 0;
  for (const sim::Kind& each : sim::KindTable::newest().kinds()) {
    // Invariants do not know the namespaces that are there before any write.
    if (each.has_objects() && each.kind != "Namespace") {
      const std::string kind = each.kind;
      BOOST_TEST(failure_of("clients: [{name: x, kind: informer, watches: " + kind +
                            "}]\nscript: [{at: 1s, create: {name: a, kind: " + kind +
                            "}}, {after: 1s, update: {name: a, kind: " + kind +
                            ", labels: {b: c}}}]\nexpect: [handler: {in_order: [add: a, update: "
                            "a]}, {objects: {kind: " +
                            kind + ", at_least: [a]}}]\n") == "",
                 kind);
      ++kinds;
    }
  }
  BOOST_TEST(kinds > 50U);
}

BOOST_AUTO_TEST_CASE(what_lives_in_no_namespace_is_expected_without_one) {
  const std::string nodes =
      "clients: [{name: x, kind: shared, watches: Node}]\n"
      "server: {objects: [{name: n, kind: Node}]}\n";
  BOOST_TEST(failure_of(nodes + "script: [{at: 1s, delete: {name: n, kind: Node}}]\n"
                                "expect: [handler: {exactly: [add: n, delete: n]}]\n")
                 .empty());
  BOOST_TEST(
      says(problems_with(nodes + "script: [{update: {name: n, kind: Node, namespace: x}}]\n"),
           "a namespace of the Node 'n'"));
}

BOOST_AUTO_TEST_CASE(a_resource_of_the_server_is_served_under_its_group) {
  const std::string widgets =
      "clients: [{name: x, kind: program, watches: Widget}]\n"
      "server: {resources: [{kind: Widget, plural: widgets, group: a.example, version: v2, "
      "namespaced: false}], objects: [{name: w, kind: Widget}]}\n"
      "script: [{at: 1s, update: {name: w, kind: Widget, body: {spec: {on: true}}}}]\n"
      "expect: [deltas: {exactly: [Replaced: w, Updated: w]}]\n";
  for (const std::string transport : {"direct", "wire"}) {
    BOOST_TEST(failure_of("transport: " + transport + "\n" + widgets).empty());
  }
}

BOOST_AUTO_TEST_CASE(a_resource_of_the_story_takes_the_place_of_a_kind_outside_of_the_core_group) {
  for (const std::string kind : {"Role", "Ingress", "Deployment"}) {
    BOOST_TEST(failure_of("clients: [{name: x, kind: program, watches: " + kind +
                          "}]\nserver: {resources: [{kind: " + kind +
                          ", plural: mine, group: a.example, version: v2}], objects: [{name: w, "
                          "kind: " +
                          kind + "}]}\nscript: [{at: 1s, update: {name: w, kind: " + kind +
                          ", body: {spec: {rules: true}}}}]\n"
                          "expect: [deltas: {exactly: [Replaced: w, Updated: w]}]\n")
                   .empty(),
               kind);
  }
}

BOOST_AUTO_TEST_CASE(a_kind_that_nothing_serves_is_a_mistake_of_the_author) {
  const std::string problem = problems_with("clients: [{name: x, kind: informer, watches: Pot}]\n");
  BOOST_TEST(says(problem, "unknown kind 'Pot'"), problem);
  BOOST_TEST(says(problem, "unknown kind 'Pot'; did you mean \"Pod\"? Expected a kind that all "),
             problem);
  BOOST_TEST(says(problems_with(pods + "script: [{create: {name: a, kind: Widget}}]\n"),
                  "unknown kind 'Widget'; expected a kind that all servers have, as ConfigMap and "
                  "Pod, or one of `server: {resources: "));
  BOOST_TEST(says(problems_with(pods + "server: {resources: [{kind: Pod, plural: pots}]}\n"),
                  "every server has this one"));
}

BOOST_AUTO_TEST_CASE(reconcilers_work_on_config_maps) {
  BOOST_TEST(says(problems_with("clients: [{name: x, kind: controller, watches: Pod, "
                                "reconcile: replicas_with_expectations}]\n"),
                  "a reconciler for objects of the kind Pod"));
}

BOOST_AUTO_TEST_SUITE_END()
