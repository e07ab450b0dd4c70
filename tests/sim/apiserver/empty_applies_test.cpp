// Applies that leave a map empty, and applies that leave nothing to write, as a real server was
// seen to answer them (docs/apiserver_rules.md U9).
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <string>

#include "sim/apiserver/apply_patch.hpp"
#include "tests/sim/apiserver/applied_cluster.hpp"

using namespace watchlab;
using namespace watchlab::sim;

BOOST_AUTO_TEST_SUITE(empty_applies_test)

namespace {

const api::GroupVersionResource kWidgets{"example.com", "v1", "widgets"};

/// A cluster with custom resources, whose widget "a" is applied, a second after each other.
struct WidgetCluster : AppliedCluster {
  WidgetCluster() {
    plane.types().define({.resource = kWidgets,
                          .kind = "Widget",
                          .counts_generations = true,
                          .status_subresource = true,
                          .custom = true});
  }

  Response apply(const std::string& manager, const std::string& members, bool of_status = false) {
    Request request = apply_of(
        R"({"kind":"Widget","apiVersion":"example.com/v1","metadata":{"name":"a")" + members + "}",
        manager);
    request.resource = kWidgets;
    request.of_status = of_status;
    now += std::chrono::seconds(1);
    return send(request);
  }
};

const std::string kConflict = "Apply failed with 1 conflict: conflict with ";

}  // namespace

BOOST_AUTO_TEST_CASE(an_empty_map_is_lost_to_who_fills_it_and_not_to_who_empties_it) {
  AppliedCluster cluster;
  const auto apply = [&cluster](const std::string& manager, const std::string& data) {
    return cluster.write({manager, R"("data":)" + data});
  };
  (void)apply("x", "{}");
  BOOST_TEST(status_in(apply("y", R"({"k":"1"})")).message == kConflict + R"("x": .data)");
  BOOST_TEST(owners_of(object_in(apply("x", R"({"k":"1"})"))) == "x: .data.k");
  BOOST_TEST(owners_of(object_in(apply("y", "{}"))) == "x: .data.k; y: .data");
  BOOST_TEST(owners_of(object_in(apply("x", "{}"))) == "y: .data; x: .data");
}

BOOST_AUTO_TEST_CASE(a_forced_apply_takes_the_empty_map_that_it_fills) {
  AppliedCluster cluster;
  (void)cluster.write({"x", R"("data":{})"});
  const Response filled = cluster.write({"y", R"("data":{"k":"1"})", true});
  BOOST_TEST(owners_of(object_in(filled)) == "y: .data.k");
}

BOOST_AUTO_TEST_CASE(a_member_of_a_custom_resource_that_its_owner_empties_is_null) {
  WidgetCluster cluster;
  (void)cluster.apply("x", R"(},"spec":{"m":{"n":1},"k":1})");
  BOOST_TEST(object_in(cluster.apply("x", R"(},"spec":{"m":{},"k":1})")).body ==
             R"({"spec":{"m":null,"k":1}})");
  BOOST_TEST(object_in(cluster.apply("x", R"(},"spec":{})")).body == R"({"spec":null})");
  BOOST_TEST(status_in(cluster.apply("y", R"(},"spec":{})")).message ==
             kConflict + R"("x": .spec)");
  const api::Object again = object_in(cluster.apply("x", R"(},"spec":{})"));
  BOOST_TEST(again.body == R"({"spec":{}})");
  BOOST_TEST(again.metadata.generation == 4);
  BOOST_TEST(object_in(cluster.apply("y", R"(},"spec":{"k":2})")).body == R"({"spec":{"k":2}})");
}

BOOST_AUTO_TEST_CASE(who_fills_what_is_null_takes_it_from_no_manager) {
  WidgetCluster cluster;
  (void)cluster.apply("x", R"(},"spec":{"k":1})");
  (void)cluster.apply("x", R"(},"spec":{})");
  BOOST_TEST(owners_of(object_in(cluster.apply("y", R"(},"spec":{"k":2})"))) ==
             "x: .spec; y: .spec.k");
}

BOOST_AUTO_TEST_CASE(labels_that_their_owner_empties_are_not_null) {
  WidgetCluster cluster;
  (void)cluster.apply("x", R"(,"labels":{"l":"1"}},"spec":{"k":1})");
  const api::Object emptied = object_in(cluster.apply("x", R"(,"labels":{}},"spec":{"k":1})"));
  BOOST_TEST(emptied.metadata.labels.empty());
  BOOST_TEST(owners_of(emptied) == "x: .metadata.labels .spec.k");
}

BOOST_AUTO_TEST_CASE(a_list_without_elements_belongs_to_no_manager) {
  AppliedCluster cluster;
  BOOST_TEST(owners_of(object_in(
                 cluster.write({"x", R"(metadata:"finalizers":[],"labels":{"l":"1"})"}))) ==
             "x: .metadata.labels.l");
  const Response filled = cluster.write({"y", R"(metadata:"finalizers":["x.y/1"])"});
  BOOST_TEST(owners_of(object_in(filled)) ==
             R"(x: .metadata.labels.l; y: .metadata.finalizers[="x.y/1"])");
}

BOOST_AUTO_TEST_CASE(an_apply_of_what_is_not_kept_is_a_write_once) {
  AppliedCluster cluster;
  for (int i = 0; i < 3; ++i) {
    BOOST_TEST(object_in(cluster.write({"x", R"("data":{})"})).metadata.resource_version == "3");
  }
}

// The status is what it was, and the spec beside it is not written; but it counts as one that was
// asked for, so the time of the entry moves, and that is stored only where it moves the entry.
BOOST_AUTO_TEST_CASE(an_apply_beside_another_spec_is_a_write_where_its_owner_changes_places) {
  WidgetCluster cluster;
  const std::string old_spec = R"(},"spec":{"k":1},"status":{"s":1})";
  (void)cluster.apply("x", R"(},"spec":{"k":1})");
  (void)cluster.apply("x", old_spec, true);
  BOOST_TEST(object_in(cluster.apply("x", R"(},"spec":{"k":2})")).metadata.resource_version == "5");
  const api::Object moved = object_in(cluster.apply("x", old_spec, true));
  BOOST_TEST(moved.metadata.resource_version == "6");
  BOOST_TEST(moved.body == R"({"spec":{"k":2},"status":{"s":1}})");
  BOOST_TEST(owners_of(moved) == "x: .spec.k; x with subresource status: .status.s");
  BOOST_TEST(object_in(cluster.apply("x", old_spec, true)).metadata.resource_version == "6");
}

BOOST_AUTO_TEST_SUITE_END()
