#include <boost/test/unit_test.hpp>

#include "tests/sim/http/served_server.hpp"

using namespace watchlab;
using namespace watchlab::sim;

BOOST_AUTO_TEST_SUITE(served_versions_test)

namespace {

const std::string kDefinitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const std::string kNew = "/apis/demo.io/v1/namespaces/default/gadgets";
const std::string kOld = "/apis/demo.io/v1beta1/namespaces/default/gadgets";

/// Three versions: the one that is stored, a deprecated one of other fields, one that is gone.
const std::string kVersions =
    R"([{"name":"v1","served":true,"storage":true,"subresources":{"status":{}},
      "additionalPrinterColumns":[
        {"name":"Size","type":"integer","jsonPath":".spec.size"},
        {"name":"Ready","type":"string","priority":1,"description":"Whether.",
         "jsonPath":".status.conditions[?(@.type==\"Ready\")].status"},
        {"name":"Born","type":"date","jsonPath":".metadata.creationTimestamp"}],
      "schema":{"openAPIV3Schema":{"type":"object","properties":{
        "spec":{"type":"object","properties":{"size":{"type":"integer","default":1},
          "color":{"type":"string"}}},
        "status":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}}},
     {"name":"v1beta1","served":true,"storage":false,"deprecated":true,
      "schema":{"openAPIV3Schema":{"type":"object","properties":{
        "spec":{"type":"object","properties":{"size":{"type":"integer","maximum":9},
          "mode":{"type":"string","default":"a"}}}}}}},
     {"name":"v1alpha1","served":false,"storage":false,
      "schema":{"openAPIV3Schema":{"type":"object"}}}])";

std::string definition(const std::string& versions, const std::string& more = "") {
  return R"({"metadata":{"name":"gadgets.demo.io"},"spec":{"group":"demo.io",)" + more +
         R"("scope":"Namespaced","names":{"plural":"gadgets","kind":"Gadget"},"versions":)" +
         versions + "}}";
}

std::string gadget(const std::string& version, const std::string& name, const std::string& spec) {
  return R"({"kind":"Gadget","apiVersion":"demo.io/)" + version + R"(","metadata":{"name":")" +
         name + R"("},"spec":)" + spec + "}";
}

const std::string kDeprecated =
    R"(299 - "demo.io/v1beta1 Gadget is deprecated; use demo.io/v1 Gadget")";

struct Gadgets {
  Gadgets() {
    BOOST_TEST(tester.code("POST", kDefinitions, {.body = definition(kVersions)}) == 201);
  }

  ServedServer served;
  Tester tester{served};
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_default_that_comes_later_is_added_to_what_is_read) {
  Gadgets gadgets;
  Tester& tester = gadgets.tester;
  BOOST_TEST(tester.code("POST", kNew, {.body = gadget("v1", "a", "{}")}) == 201);
  BOOST_TEST(tester.code("PATCH", kDefinitions + "/gadgets.demo.io",
                         {.type = "application/json-patch+json", .body = R"([{"op":"add",
      "path":"/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/color/default",
      "value":"red"}])"}) == 200);
  BOOST_TEST(text_at(tester.ask("GET", kNew + "/a").body, "/spec/color") == "red");
  BOOST_TEST(text_at(tester.ask("GET", kNew).body, "/items/0/spec/color") == "red");
  OpenWatch watch(gadgets.served, kNew + "?watch=1");
  BOOST_TEST(watch.next().at_pointer("/object/spec/color") == "red");
}

BOOST_AUTO_TEST_CASE(each_served_version_is_listed_the_best_first) {
  Gadgets gadgets;
  const std::string group = gadgets.tester.ask("GET", "/apis/demo.io").body;
  BOOST_TEST(text_at(group, "/preferredVersion/version") == "v1");
  BOOST_TEST(text_at(group, "/versions/1/version") == "v1beta1");
  BOOST_TEST(text_at(group, "/versions/2/version") == "");
  const std::string resources = gadgets.tester.ask("GET", "/apis/demo.io/v1beta1").body;
  BOOST_TEST(text_at(resources, "/resources/0/name") == "gadgets");
  BOOST_TEST(text_at(resources, "/resources/1/name") == "", "without the status of v1");
  BOOST_TEST(gadgets.tester.code("GET", "/apis/demo.io/v1alpha1") == 404);
  BOOST_TEST(gadgets.tester.code("GET", "/apis/demo.io/v1alpha1/gadgets") == 404);
}

BOOST_AUTO_TEST_CASE(an_object_is_the_same_in_each_version_but_for_its_api_version) {
  Gadgets gadgets;
  Tester& tester = gadgets.tester;
  BOOST_TEST(tester.code("POST", kNew, {.body = gadget("v1", "a", R"({"size":3})")}) == 201);
  const std::string is_new = tester.ask("GET", kNew + "/a").body;
  const std::string is_old = tester.ask("GET", kOld + "/a").body;
  BOOST_TEST(text_at(is_old, "/apiVersion") == "demo.io/v1beta1");
  BOOST_TEST(text_at(is_old, "/spec/size") == "3");
  BOOST_TEST(text_at(is_old, "/metadata/resourceVersion") ==
             text_at(is_new, "/metadata/resourceVersion"));
  const std::string listed = tester.ask("GET", kOld).body;
  BOOST_TEST(text_at(listed, "/apiVersion") == "demo.io/v1beta1");
  BOOST_TEST(text_at(listed, "/items/0/apiVersion") == "demo.io/v1beta1");
  BOOST_TEST(tester.code("PUT", kOld + "/a", {.body = is_old}) == 200);
  BOOST_TEST(tester.code("PUT", kNew + "/a", {.body = is_new}) == 409, "written since");
  BOOST_TEST(tester.code("DELETE", kOld + "/a") == 200);
  BOOST_TEST(tester.code("GET", kNew + "/a") == 404);
}

BOOST_AUTO_TEST_CASE(each_version_has_the_fields_of_its_own_schema) {
  Gadgets gadgets;
  Tester& tester = gadgets.tester;
  const HttpAnswer made =
      tester.ask("POST", kOld, {.body = gadget("v1beta1", "a", R"({"color":"red"})")});
  BOOST_TEST(made.head.code == 201);
  BOOST_TEST(text_at(made.body, "/apiVersion") == "demo.io/v1beta1");
  const auto warnings = fields_of(made.head.fields, "Warning");
  BOOST_REQUIRE(warnings.size() == 2U);
  BOOST_TEST(warnings[1] == R"(299 - "unknown field \"spec.color\"")");
  const std::string seen = tester.ask("GET", kNew + "/a").body;
  BOOST_TEST(text_at(seen, "/spec/size") == "1", "the default of what is stored");
  BOOST_TEST(text_at(seen, "/spec/mode") == "", "which the stored version does not have");
  BOOST_TEST(tester.code("POST", kOld, {.body = gadget("v1beta1", "b", R"({"size":10})")}) == 422);
  BOOST_TEST(tester.code("POST", kNew, {.body = gadget("v1", "b", R"({"size":10})")}) == 201);
  const Asked patch{.type = "application/merge-patch+json", .body = R"({"spec":{"color":"blue"}})"};
  BOOST_TEST(tester.code("PATCH", kNew + "/a", patch) == 200);
  BOOST_TEST(text_at(tester.ask("GET", kOld + "/a").body, "/spec/color") == "");
  BOOST_TEST(text_at(tester.ask("GET", kNew + "/a").body, "/spec/color") == "blue");
  const Asked resized{.type = "application/merge-patch+json", .body = R"({"spec":{"size":2}})"};
  BOOST_TEST(text_at(tester.ask("PATCH", kOld + "/a", resized).body, "/spec/size") == "2");
  BOOST_TEST(text_at(tester.ask("GET", kNew + "/a").body, "/spec/color") == "",
             "lost by a writer who cannot see it");
  BOOST_TEST(tester.code("PATCH", kOld + "/a/status", resized) == 404);
  BOOST_TEST(tester.code("PATCH", kNew + "/a/status", resized) == 200);
}

BOOST_AUTO_TEST_CASE(a_watch_shows_its_own_version) {
  Gadgets gadgets;
  OpenWatch old(gadgets.served, kOld + "?watch=1&resourceVersion=0");
  BOOST_TEST(gadgets.tester.code("POST", kNew, {.body = gadget("v1", "a", "{}")}) == 201);
  const boost::json::value event = old.next();
  BOOST_TEST(event.at("type").as_string() == "ADDED");
  BOOST_TEST(event.at("object").at("apiVersion").as_string() == "demo.io/v1beta1");
}

BOOST_AUTO_TEST_CASE(a_deprecated_version_warns) {
  Gadgets gadgets;
  Tester& tester = gadgets.tester;
  BOOST_TEST(field_of(tester.ask("GET", kOld).head.fields, "Warning") == kDeprecated);
  BOOST_TEST(field_of(tester.ask("GET", kNew).head.fields, "Warning") == "");
  std::string other = kVersions;
  other.replace(other.find(R"("deprecated":true)"), 17,
                R"("deprecated":true,"deprecationWarning":"go away")");
  const std::string patch = R"({"spec":{"versions":)" + other + "}}";
  BOOST_TEST(tester.code("PATCH", kDefinitions + "/gadgets.demo.io",
                         {.type = "application/merge-patch+json", .body = patch}) == 200);
  BOOST_TEST(field_of(tester.ask("GET", kOld).head.fields, "Warning") == R"(299 - "go away")");
}

BOOST_AUTO_TEST_CASE(objects_stay_when_another_version_is_stored) {
  Gadgets gadgets;
  Tester& tester = gadgets.tester;
  BOOST_TEST(tester.code("POST", kNew, {.body = gadget("v1", "a", R"({"size":3})")}) == 201);
  OpenWatch watch(gadgets.served, kNew + "?watch=1&resourceVersion=0");
  BOOST_TEST(watch.next_type() == "ADDED");
  const std::string patch = R"({"spec":{"versions":[{"name":"v2","served":true,"storage":true}]}})";
  BOOST_TEST(tester.code("PATCH", kDefinitions + "/gadgets.demo.io",
                         {.type = "application/merge-patch+json", .body = patch}) == 200);
  BOOST_TEST(watch.next_type() == "end");
  BOOST_TEST(tester.code("GET", kNew + "/a") == 404);
  const std::string seen = tester.ask("GET", "/apis/demo.io/v2/namespaces/default/gadgets/a").body;
  BOOST_TEST(text_at(seen, "/apiVersion") == "demo.io/v2");
  BOOST_TEST(text_at(seen, "/spec/size") == "3");
  BOOST_TEST(text_at(tester.ask("GET", kDefinitions + "/gadgets.demo.io").body,
                     "/status/storedVersions") == R"(["v1","v2"])");
  BOOST_TEST(tester.code("DELETE", kDefinitions + "/gadgets.demo.io") == 200);
  BOOST_TEST(tester.code("POST", kDefinitions, {.body = definition(kVersions)}) == 201);
  BOOST_TEST(tester.code("GET", kNew + "/a") == 404, "gone with its definition");
}

BOOST_AUTO_TEST_CASE(a_status_that_comes_with_a_definition_is_not_believed) {
  const ServedServer served;
  Tester tester(served);
  std::string text = definition(kVersions);
  text.insert(1, R"("status":{"storedVersions":["v1"],"conditions":[]},)");
  BOOST_TEST(tester.code("POST", kDefinitions, {.body = text}) == 201);
  BOOST_TEST(text_at(tester.ask("GET", kDefinitions + "/gadgets.demo.io").body,
                     "/status/conditions/1/type") == "Established");
}

BOOST_AUTO_TEST_CASE(a_body_must_be_of_the_version_of_its_path) {
  Gadgets gadgets;
  const HttpAnswer answer = gadgets.tester.ask("POST", kOld, {.body = gadget("v1", "a", "{}")});
  BOOST_TEST(answer.head.code == 400);
  BOOST_TEST(text_at(answer.body, "/message") ==
             "the API version in the data (demo.io/v1) does not match the expected API version "
             "(demo.io/v1beta1)");
}

BOOST_AUTO_TEST_CASE(tables_have_the_columns_of_the_version) {
  Gadgets gadgets;
  Tester& tester = gadgets.tester;
  BOOST_TEST(tester.code("POST", kNew, {.body = gadget("v1", "a", R"({"size":3})")}) == 201);
  const Asked status{.type = "application/merge-patch+json",
                     .body = R"({"status":{"conditions":[{"type":"Up","status":"No"},
                                 {"type":"Ready","status":"True"}]}})"};
  BOOST_TEST(tester.code("PATCH", kNew + "/a/status", status) == 200);
  const Asked table{.accept = "application/json;as=Table;v=v1;g=meta.k8s.io"};
  const std::string is_new = tester.ask("GET", kNew, table).body;
  BOOST_TEST(text_at(is_new, "/columnDefinitions/1/name") == "Size");
  BOOST_TEST(text_at(is_new, "/columnDefinitions/2/priority") == "1");
  BOOST_TEST(text_at(is_new, "/columnDefinitions/2/description") == "Whether.");
  BOOST_TEST(text_at(is_new, "/rows/0/cells/1") == "3");
  BOOST_TEST(text_at(is_new, "/rows/0/cells/2") == "True");
  BOOST_TEST(text_at(is_new, "/rows/0/cells/3").ends_with("s"));
  const std::string is_old = tester.ask("GET", kOld, table).body;
  BOOST_TEST(text_at(is_old, "/columnDefinitions/1/name") == "Age");
}

BOOST_AUTO_TEST_CASE(one_version_is_stored) {
  const ServedServer served;
  Tester tester(served);
  const HttpAnswer none =
      tester.ask("POST", kDefinitions,
                 {.body = definition(R"([{"name":"v1","served":true,"storage":false}])")});
  BOOST_TEST(none.head.code == 422);
  BOOST_TEST(text_at(none.body, "/details/causes/0/message")
                 .ends_with("must have exactly one version marked as storage version"));
  const HttpAnswer twice = tester.ask(
      "POST", kDefinitions, {.body = definition(R"([{"name":"v1","served":true,"storage":true},
                              {"name":"v1","served":true,"storage":false}])")});
  BOOST_TEST(text_at(twice.body, "/details/causes/0/field") == "spec.versions[1].name");
}

BOOST_AUTO_TEST_CASE(what_is_not_evaluated_is_said_by_name) {
  const ServedServer served;
  Tester tester(served);
  const std::string versions = R"([{"name":"v1","served":true,"storage":true,
    "schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object",
      "x-kubernetes-validations":[{"rule":"self.a > 1"}],
      "properties":{"list":{"type":"array","items":{"type":"string",
        "x-kubernetes-validations":[{"rule":"self != ''"}]}}}}}}}}])";
  const HttpAnswer made =
      tester.ask("POST", kDefinitions,
                 {.body = definition(versions, R"("conversion":{"strategy":"Webhook"},)")});
  BOOST_TEST(made.head.code == 201);
  const auto warnings = fields_of(made.head.fields, "Warning");
  BOOST_REQUIRE(warnings.size() == 2U);
  BOOST_TEST(warnings[0] ==
             R"(299 - "watchlab does not evaluate the CEL rules of gadgets.demo.io: v1 spec, )"
             R"(v1 spec.list[]")");
  BOOST_TEST(warnings[1] ==
             R"(299 - "watchlab does not call the conversion webhook of gadgets.demo.io: its )"
             R"(versions differ in nothing but apiVersion")");
  BOOST_TEST(fields_of(tester.ask("GET", kDefinitions).head.fields, "Warning").empty());
}

BOOST_AUTO_TEST_SUITE_END()
