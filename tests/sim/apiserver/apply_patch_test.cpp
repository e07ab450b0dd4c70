// Server-side apply: what becomes of objects, and who owns what of them
// (docs/apiserver_rules.md U9).
#include "sim/apiserver/apply_patch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <boost/test/unit_test.hpp>
#include <vector>

#include "sim/apiserver/applied_fields.hpp"
#include "tests/sim/apiserver/applied_cluster.hpp"

using namespace watchlab;
using namespace watchlab::sim;

BOOST_AUTO_TEST_SUITE(apply_patch_test)

namespace {

constexpr PatchType kMerge = PatchType::Merge;

/// Writes one after the other, none of which is refused, and what comes of them.
struct Row {
  std::string what;
  std::vector<AppliedWrite> writes;
  std::string body;
  std::string owners;
  Revision revision;  ///< of the last write; the first has 3
};

const std::vector<Row> kMembers{
    {"what is absent is created",
     {{"x", R"("data":{"k":"1"})"}},
     R"({"data":{"k":"1"}})",
     "x: .data.k",
     3},
    {"the same again is no write",
     {{"x", R"("data":{"k":"1"})"}, {"x", R"("data":{"k":"1"})"}},
     R"({"data":{"k":"1"}})",
     "x: .data.k",
     3},
    {"the same by another is shared",
     {{"x", R"("data":{"k":"1"})"}, {"y", R"("data":{"k":"1"})"}},
     R"({"data":{"k":"1"}})",
     "x: .data.k; y: .data.k",
     4},
    {"an owner alone changes its field",
     {{"x", R"("data":{"k":"1"})"}, {"x", R"("data":{"k":"2"})"}},
     R"({"data":{"k":"2"}})",
     "x: .data.k",
     4},
    {"what is left out goes",
     {{"x", R"("data":{"k":"1","m":"1"})"}, {"x", R"("data":{"k":"1"})"}},
     R"({"data":{"k":"1"}})",
     "x: .data.k",
     4},
    {"what is left out stays for another",
     {{"x", R"("data":{"k":"1","m":"1"})"},
      {"y", R"("data":{"m":"1"})"},
      {"x", R"("data":{"k":"1"})"}},
     R"({"data":{"k":"1","m":"1"}})",
     "y: .data.m; x: .data.k",
     5},
    {"what a removal leaves empty goes too",
     {{"x", R"("spec":{"deep":{"k":1}},"data":{"m":"1"})"}, {"x", R"("data":{"m":"1"})"}},
     R"({"data":{"m":"1"}})",
     "x: .data.m",
     4},
    {"who forces takes a field",
     {{"x", R"("data":{"k":"1","m":"1"})"}, {"y", R"("data":{"k":"2"})", true}},
     R"({"data":{"k":"2","m":"1"}})",
     "x: .data.m; y: .data.k",
     4},
    {"what was taken is no longer removed by its first owner",
     {{"x", R"("data":{"k":"1","m":"1"})"},
      {"y", R"("data":{"k":"2"})", true},
      {"x", R"("data":{"m":"1"})"}},
     R"({"data":{"k":"2","m":"1"}})",
     "x: .data.m; y: .data.k",
     4},
    {"who applies nothing owns nothing",
     {{"x", R"("data":{"k":"1"})"}, {"y", R"("data":{"m":"1"})"}, {"x", ""}},
     R"({"data":{"m":"1"}})",
     "y: .data.m",
     5},
    {"a text that is null is empty, and owned",
     {{"x", R"("data":{"k":"1","m":null})"}},
     R"({"data":{"k":"1","m":""}})",
     "x: .data.k .data.m",
     3},
    {"an empty object asks for itself alone",
     {{"x", R"("data":{"k":"1"})"}, {"y", R"("data":{})"}},
     R"({"data":{"k":"1"}})",
     "x: .data.k; y: .data",
     4},
    {"labels are fields",
     {{"x", R"(metadata:"labels":{"app":"web"})"}},
     "",
     "x: .metadata.labels.app",
     3},
};

const std::vector<Row> kLists{
    {"elements meet by their key",
     {{"x", R"("spec":{"containers":[{"name":"c","image":"1"}]})"},
      {"y", R"("spec":{"containers":[{"name":"c","cpu":2},{"name":"d"}]})"}},
     R"({"spec":{"containers":[{"name":"c","image":"1","cpu":2},{"name":"d"}]}})",
     R"(x: .spec.containers[name="c"] .spec.containers[name="c"].image)"
     R"( .spec.containers[name="c"].name; )"
     R"(y: .spec.containers[name="c"] .spec.containers[name="c"].cpu)"
     R"( .spec.containers[name="c"].name .spec.containers[name="d"])"
     R"( .spec.containers[name="d"].name)",
     4},
    {"an element that nobody wants goes",
     {{"x", R"("spec":{"containers":[{"name":"c"},{"name":"d"}]})"},
      {"x", R"("spec":{"containers":[{"name":"d"}]})"}},
     R"({"spec":{"containers":[{"name":"d"}]}})",
     R"(x: .spec.containers[name="d"] .spec.containers[name="d"].name)",
     4},
    {"an element that its applier leaves out goes with what an update owns of it",
     {{"x", R"("spec":{"containers":[{"name":"c","image":"1"}]})"},
      {"z", R"({"spec":{"containers":[{"name":"c","cpu":2}]}})", false, PatchType::Strategic},
      {"x", R"("spec":{"n":1})"}},
     R"({"spec":{"n":1}})",
     "x: .spec.n",
     5},
    {"an element that another applies too loses what is left out",
     {{"x", R"("spec":{"containers":[{"name":"c","image":"1"}]})"},
      {"y", R"("spec":{"containers":[{"name":"c","cpu":2}]})"},
      {"x", R"("spec":{"n":1})"}},
     R"({"spec":{"containers":[{"name":"c","cpu":2}],"n":1}})",
     R"(y: .spec.containers[name="c"] .spec.containers[name="c"].cpu)"
     R"( .spec.containers[name="c"].name; x: .spec.n)",
     5},
    {"other lists are one value",
     {{"x", R"("spec":{"args":["1","2"]})"}, {"y", R"("spec":{"args":["3"]})", true}},
     R"({"spec":{"args":["3"]}})",
     "y: .spec.args",
     4},
    {"a selector is one value",
     {{"x", R"("spec":{"selector":{"a":"1","b":"1"}})"}, {"x", R"("spec":{"selector":{"a":"1"}})"}},
     R"({"spec":{"selector":{"a":"1"}}})",
     "x: .spec.selector",
     4},
    {"an empty list asks for nothing",
     {{"x", R"("spec":{"containers":[{"name":"c"}]})"}, {"y", R"("spec":{"containers":[]})"}},
     R"({"spec":{"containers":[{"name":"c"}]}})",
     R"(x: .spec.containers[name="c"] .spec.containers[name="c"].name)",
     3},
};

const std::vector<Row> kUpdates{
    {"a patch takes what it changes",
     {{"x", R"("data":{"k":"1","m":"1"})"}, {"z", R"({"data":{"k":"2"}})", false, kMerge}},
     R"({"data":{"k":"2","m":"1"}})",
     "x: .data.m; z using v1: .data.k",
     4},
    {"a patch that changes nothing takes nothing",
     {{"x", R"("data":{"k":"1"})"}, {"z", R"({"data":{"k":"1"}})", false, kMerge}},
     R"({"data":{"k":"1"}})",
     "x: .data.k",
     3},
    {"what a patch removes is nobody's",
     {{"x", R"("data":{"k":"1","m":"1"})"}, {"z", R"({"data":{"k":null}})", false, kMerge}},
     R"({"data":{"m":"1"}})",
     "x: .data.m",
     4},
    {"what was left out stays for an updater",
     {{"x", R"("data":{"k":"1","m":"1"})"},
      {"z", R"({"data":{"k":"2"}})", false, kMerge},
      {"x", ""}},
     R"({"data":{"k":"2"}})",
     "z using v1: .data.k",
     5},
    {"two updates of one writer are one entry",
     {{"x", R"("data":{"k":"1"})"},
      {"z", R"({"data":{"m":"1"}})", false, kMerge},
      {"z", R"({"data":{"n":"1"}})", false, kMerge}},
     R"({"data":{"k":"1","m":"1","n":"1"}})",
     "x: .data.k; z using v1: .data.m .data.n",
     5},
    {"a writer without a name is unknown",
     {{"x", R"("data":{"k":"1"})"}, {"", R"({"data":{"m":"1"}})", false, kMerge}},
     R"({"data":{"k":"1","m":"1"}})",
     "x: .data.k; unknown using v1: .data.m",
     4},
    {"one empty entry makes all forgotten",
     {{"x", R"("data":{"k":"1"})"},
      {"z", R"({"metadata":{"managedFields":[{}]},"data":{"k":"2"}})", false, kMerge}},
     R"({"data":{"k":"2"}})",
     "",
     4},
};

void check_rows(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    AppliedCluster cluster;
    BOOST_TEST_CONTEXT(row.what) {
      int code = 201;
      for (const AppliedWrite& write : row.writes) {
        BOOST_TEST(cluster.write(write).code == code);
        code = 200;
      }
      const api::Object object = cluster.stored();
      BOOST_TEST(object.body == row.body);
      BOOST_TEST(owners_of(object) == row.owners);
      BOOST_TEST(object.metadata.resource_version == revision_text(row.revision));
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(members_belong_to_who_applies_them) { check_rows(kMembers); }

BOOST_AUTO_TEST_CASE(elements_of_lists_belong_to_who_applies_them) { check_rows(kLists); }

BOOST_AUTO_TEST_CASE(what_an_update_changes_belongs_to_the_updater) { check_rows(kUpdates); }

BOOST_AUTO_TEST_CASE(managed_fields_are_written_as_documented) {
  AppliedCluster cluster;
  (void)cluster.write({"kubectl", R"(metadata:"labels":{"app":"web"},"finalizers":["x.io/a"])"});
  (void)cluster.write({"z", R"({"data":{"k":"1"}})", false, kMerge});
  BOOST_TEST(cluster.stored().metadata.other_members ==
             R"({"managedFields":[{"manager":"kubectl","operation":"Apply","apiVersion":"v1",)"
             R"("time":"1970-01-02T00:00:01Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":)"
             R"({"f:finalizers":{"v:\"x.io/a\"":{}},"f:labels":{"f:app":{}}}}},)"
             R"({"manager":"z","operation":"Update","apiVersion":"v1",)"
             R"("time":"1970-01-02T00:00:02Z","fieldsType":"FieldsV1",)"
             R"("fieldsV1":{"f:data":{"f:k":{}}}}]})");
}

BOOST_AUTO_TEST_CASE(finalizers_are_a_set_of_many_owners) {
  AppliedCluster cluster;
  (void)cluster.write({"x", R"(metadata:"finalizers":["x.io/a","x.io/b"])"});
  (void)cluster.write({"y", R"(metadata:"finalizers":["x.io/c","x.io/b"])"});
  const std::vector<std::string> all{"x.io/a", "x.io/c", "x.io/b"};
  BOOST_TEST(cluster.stored().metadata.finalizers == all, boost::test_tools::per_element());
  (void)cluster.write({"x", ""});
  const std::vector<std::string> rest{"x.io/c", "x.io/b"};
  BOOST_TEST(cluster.stored().metadata.finalizers == rest, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(objects_that_no_client_applies_have_no_owners) {
  AppliedCluster cluster;
  (void)cluster.create("a", R"({"data":{"k":"1"}})");
  (void)cluster.write({"z", R"({"data":{"k":"2"}})", false, kMerge});
  BOOST_TEST(cluster.stored().metadata.other_members == "");
  (void)cluster.write({"z", R"({"metadata":{"selfLink":"/a"}})", false, kMerge});
  (void)cluster.write({"z", R"({"data":{"k":"3"}})", false, kMerge});
  BOOST_TEST(cluster.stored().metadata.other_members == R"({"selfLink":"/a"})");
}

BOOST_AUTO_TEST_CASE(what_was_there_before_the_first_apply_has_an_owner_too) {
  AppliedCluster cluster;
  (void)cluster.create("a", R"({"data":{"k":"1","m":"1"}})");
  BOOST_TEST(cluster.write({"x", R"("data":{"k":"1"})"}).code == 200);
  BOOST_TEST(owners_of(cluster.stored()) ==
             "x: .data.k; before-first-apply using v1: .data.k .data.m");
  const Response response = cluster.write({"x", R"("data":{"k":"2"})"});
  BOOST_TEST(
      status_in(response).message ==
      "Apply failed with 1 conflict: conflict with \"before-first-apply\" using v1: .data.k");
}

BOOST_AUTO_TEST_CASE(an_update_without_managed_fields_keeps_the_owners) {
  AppliedCluster cluster;
  (void)cluster.write({"x", R"("data":{"k":"1"})"});
  (void)cluster.update("a", R"({"data":{"k":"1","m":"1"}})");
  BOOST_TEST(owners_of(cluster.stored()) == "x: .data.k; unknown using v1: .data.m");
}

BOOST_AUTO_TEST_CASE(a_status_belongs_to_who_reports_it_and_is_not_applied) {
  AppliedCluster cluster;
  Request request =
      apply_of(R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"},"spec":{"n":1},)"
               R"("status":{"b":1}})");
  request.resource = kPods;
  BOOST_TEST(object_in(cluster.send(request)).metadata.generation == 1);
  Request report{.verb = Verb::UpdateStatus, .resource = kPods, .namespace_ = "default"};
  report.object = SmallCluster::object("a", R"({"status":{"b":2}})");
  report.client = "kubelet";
  (void)cluster.send(report);
  const api::Object reported = object_in(cluster.send(request));
  BOOST_TEST(reported.body == R"({"spec":{"n":1},"status":{"b":2}})");
  BOOST_TEST(owners_of(reported) ==
             "y: .spec.n; kubelet with subresource status using v1: .status.b");
}

// Seen at a real server (U9): what is applied through the status subresource is the status alone.
BOOST_AUTO_TEST_CASE(an_apply_of_a_status_writes_the_status_and_nothing_else) {
  AppliedCluster cluster;
  const auto apply = [&](bool status, const std::string& members) {
    Request request =
        apply_of(R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"},)" + members + "}");
    request.resource = kPods;
    request.of_status = status;
    return cluster.send(request);
  };
  BOOST_TEST(apply(true, R"("status":{"b":1})").code == 404);
  (void)apply(false, R"("spec":{"n":1})");
  const api::Object reported = object_in(apply(true, R"("spec":{"n":2},"status":{"b":1})"));
  BOOST_TEST(reported.body == R"({"spec":{"n":1},"status":{"b":1}})");
  BOOST_TEST(reported.metadata.generation == 1);
  BOOST_TEST(owners_of(reported) == "y: .spec.n; y with subresource status: .status.b");
  BOOST_TEST(object_in(apply(true, R"("status":{})")).body == R"({"spec":{"n":1},"status":{}})");
}

// Seen at a real server (U10): only of built-in types the uid is looked at.
BOOST_AUTO_TEST_CASE(a_patch_of_a_status_is_not_meant_for_an_object_of_a_uid) {
  const api::GroupVersionResource widgets{"example.com", "v1", "widgets"};
  for (const api::GroupVersionResource& resource : {widgets, kPods}) {
    SmallCluster cluster;
    cluster.plane.types().define(
        {.resource = widgets, .kind = "Widget", .status_subresource = true, .custom = true});
    Request request{.verb = Verb::Create, .resource = resource, .namespace_ = "default"};
    request.object = SmallCluster::object("a");
    (void)cluster.send(request);
    const auto patch = [&](const std::string& metadata) {
      Request patch{.verb = Verb::Patch, .resource = resource, .namespace_ = "default"};
      patch.name = "a";
      patch.of_status = true;
      patch.patch = R"({"metadata":{)" + metadata + R"(},"status":{"b":1}})";
      return cluster.send(patch);
    };
    BOOST_TEST(status_in(patch(R"("uid":"other","resourceVersion":"2")"))
                   .message.find("the object has been modified") != std::string::npos);
    const Response other = patch(R"("uid":"other")");
    BOOST_TEST(other.code == (resource == widgets ? 200 : 422));
  }
}

// Seen at a real server (U9): what both have stands as the applier has it.
BOOST_AUTO_TEST_CASE(lists_that_merge_follow_the_order_of_the_applier) {
  struct Order {
    std::string live;
    std::string applied;
    std::string merged;
  };
  for (const Order& row : std::vector<Order>{{"1", "21", "21"},
                                             {"12", "2", "12"},
                                             {"12", "32", "132"},
                                             {"123", "341", "2341"},
                                             {"12", "21", "21"},
                                             {"1", "2", "12"}}) {
    const auto with = [](const std::string& digits) {
      std::vector<std::string> quoted;
      for (const char digit : digits) {
        quoted.push_back(fmt::format(R"("x.y/{}")", digit));
      }
      return fmt::format(R"({{"finalizers":[{}]}})", fmt::join(quoted, ","));
    };
    BOOST_TEST(with_configuration(with(row.live), with(row.applied)) == with(row.merged));
  }
}

BOOST_AUTO_TEST_CASE(an_apply_of_what_is_not_there_takes_any_revision) {  // U9
  AppliedCluster cluster;
  for (const char* revision : {"0", "1", "77"}) {
    const std::string name = std::string("of-") + revision;
    Request request = apply_of(R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":")" +
                               name + R"(","resourceVersion":")" + revision + R"("}})");
    request.name = name;
    BOOST_TEST(cluster.send(request).code == 201, name);
  }
}

BOOST_AUTO_TEST_CASE(an_apply_counts_as_a_generation_only_when_the_spec_changes) {
  AppliedCluster cluster;
  const auto apply = [&cluster](const std::string& rest) {
    Request request =
        apply_of(R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a")" + rest + "}");
    request.resource = kPods;
    return object_in(cluster.send(request)).metadata.generation;
  };
  BOOST_TEST(apply(R"(},"spec":{"n":1})") == 1);
  BOOST_TEST(apply(R"(,"labels":{"l":"1"}},"spec":{"n":1})") == 1);
  BOOST_TEST(apply(R"(},"spec":{"n":2})") == 2);
}

BOOST_AUTO_TEST_CASE(watchers_see_an_apply_as_any_write) {
  AppliedCluster cluster;
  const WatchId watch = cluster.watch({.resource_version = "2"});
  for (const char* text : {R"("data":{"k":"1"})", R"("data":{"k":"1"})", R"("data":{"k":"2"})"}) {
    (void)cluster.write({"x", text});
  }
  const std::vector<std::string> expected{"ADDED a rv=3", "MODIFIED a rv=4"};
  BOOST_TEST(cluster.drain(watch) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
