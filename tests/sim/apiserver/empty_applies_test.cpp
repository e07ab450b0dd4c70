// Applies that leave a map empty, applies with nulls, applies that leave nothing to write, and what
// goes with a map or an element, as a real server was seen to answer them (docs/apiserver_rules.md
// U9 and U12).
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

  Response apply(const std::string& manager, const std::string& members, bool of_status = false,
                 bool force = false) {
    Request request = apply_of(
        R"({"kind":"Widget","apiVersion":"example.com/v1","metadata":{"name":"a")" + members + "}",
        manager);
    request.of_status = of_status;
    request.force = force;
    return send_next(request);
  }
  /// A merge patch by "z".
  Response update(const std::string& patch) {
    Request request = apply_of(patch, "z");
    request.patch_type = PatchType::Merge;
    return send_next(request);
  }

 private:
  Response send_next(Request& request) {
    request.resource = kWidgets;
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
             "x: .spec; y: .spec .spec.k");
}

BOOST_AUTO_TEST_CASE(labels_that_their_owner_empties_are_not_null) {
  WidgetCluster cluster;
  (void)cluster.apply("x", R"(,"labels":{"l":"1"}},"spec":{"k":1})");
  const api::Object emptied = object_in(cluster.apply("x", R"(,"labels":{}},"spec":{"k":1})"));
  BOOST_TEST(emptied.metadata.labels.empty());
  BOOST_TEST(owners_of(emptied) == "x: .metadata.labels .spec .spec.k");
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
  BOOST_TEST(owners_of(moved) == "x: .spec .spec.k; x with subresource status: .status .status.s");
  BOOST_TEST(object_in(cluster.apply("x", old_spec, true)).metadata.resource_version == "6");
}

BOOST_AUTO_TEST_CASE(a_map_of_a_custom_resource_goes_with_what_updates_have_put_into_it) {  // U12
  WidgetCluster cluster;
  (void)cluster.apply("x", R"(},"spec":{"in":{"a":1},"k":1})");
  (void)cluster.update(R"({"spec":{"in":{"b":2}}})");
  const api::Object gone = object_in(cluster.apply("x", R"(},"spec":{"k":1})"));
  BOOST_TEST(gone.body == R"({"spec":{"k":1}})");
  BOOST_TEST(owners_of(gone) == "x: .spec .spec.k");
}

BOOST_AUTO_TEST_CASE(a_map_that_an_update_has_made_stays_when_its_applier_leaves_it_out) {  // U12
  WidgetCluster cluster;
  (void)cluster.apply("x", R"(},"spec":{"k":1})");
  (void)cluster.update(R"({"spec":{"in":{"a":1}}})");
  (void)cluster.apply("x", R"(},"spec":{"in":{"b":1},"k":1})");
  const api::Object left = object_in(cluster.apply("x", R"(},"spec":{"k":1})"));
  BOOST_TEST(left.body == R"({"spec":{"k":1,"in":{"a":1}}})");
  BOOST_TEST(owners_of(left) == "x: .spec .spec.k; z using example.com/v1: .spec.in .spec.in.a");
}

BOOST_AUTO_TEST_CASE(who_replaces_a_map_by_a_value_leaves_its_owner_what_is_around_it) {  // U12
  WidgetCluster cluster;
  (void)cluster.apply("x", R"(},"spec":{"q":{"s":1}})");
  (void)cluster.apply("y", R"(},"spec":{"q":{"s":1}})");
  const api::Object replaced = object_in(cluster.apply("y", R"(},"spec":{"q":5})", false, true));
  BOOST_TEST(replaced.body == R"({"spec":{"q":5}})");
  BOOST_TEST(owners_of(replaced) == "x: .spec; y: .spec .spec.q");
  BOOST_TEST(status_in(cluster.apply("x", R"(},"spec":{"q":{"s":1}})")).message ==
             kConflict + R"("y": .spec.q)");
}

BOOST_AUTO_TEST_CASE(what_is_null_in_a_custom_resource_is_there_and_owned) {  // U12
  WidgetCluster cluster;
  const api::Object made = object_in(
      cluster.apply("x", R"(,"labels":null,"annotations":{"n":null}},"spec":{"a":null,"b":1})"));
  BOOST_TEST(made.body == R"({"spec":{"a":null,"b":1}})");
  BOOST_TEST(made.metadata.annotations.at("n").empty());
  BOOST_TEST(owners_of(made) ==
             "x: .metadata.annotations.n .metadata.labels .spec .spec.a .spec.b");
  BOOST_TEST(status_in(cluster.apply("y", R"(},"spec":{"a":1})")).message ==
             kConflict + R"("x": .spec.a)");
}

BOOST_AUTO_TEST_CASE(a_map_that_is_null_leaves_what_others_own_in_it) {  // U12
  AppliedCluster cluster;
  (void)cluster.write({"x", R"("data":{"k":"1"})"});
  (void)cluster.write({"y", R"("data":{"m":"1"})"});
  const api::Object left = object_in(cluster.write({"x", R"("data":null,"immutable":null)"}));
  BOOST_TEST(left.body == R"({"data":{"m":"1"}})");
  BOOST_TEST(owners_of(left) == "y: .data.m; x: .data .immutable");
}

BOOST_AUTO_TEST_CASE(an_owner_reference_is_one_value) {  // U12
  AppliedCluster cluster;
  const auto apply = [&cluster](const std::string& manager, const std::string& more) {
    return cluster.write(
        {manager, R"(metadata:"ownerReferences":[{"uid":"1","name":"o")" + more + "}]"});
  };
  BOOST_TEST(owners_of(object_in(apply("x", ""))) == R"(x: .metadata.ownerReferences[uid="1"])");
  BOOST_TEST(status_in(apply("y", R"(,"controller":true)")).message ==
             kConflict + R"("x": .metadata.ownerReferences[uid="1"])");
}

BOOST_AUTO_TEST_SUITE_END()
