#include <boost/test/unit_test.hpp>
#include <string>

#include "scenarios/language/parse.hpp"
#include "tests/scenarios/language/told_story.hpp"

using namespace watchlab;
using namespace watchlab::scenarios;
using namespace watchlab::tests;

BOOST_AUTO_TEST_SUITE(declared_resources_test)

namespace {

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::string kClient = "clients: [{name: x, kind: informer, watches: Widget}]\n";

std::string widgets(const std::string& more) {
  return kClient + "server:\n  resources: [{kind: Widget, plural: widgets" + more + "}]\n";
}

const std::string kSchema =
    ", schema: {type: object, properties: {spec: {type: object, required: [size], properties: "
    "{size: {type: integer, maximum: 9}, mode: {type: string, default: fast}}}}}";

const std::string kVersions =
    ", versions: [{name: v1beta1, served: true, storage: false}, {name: v1, served: true, storage: "
    "true, subresources: {status: {}}, schema: {openAPIV3Schema: {type: object, properties: {spec: "
    "{type: object, properties: {size: {type: integer, default: 7}}}}}}}]";

}  // namespace

BOOST_AUTO_TEST_CASE(an_update_leaves_the_status_of_a_declared_resource_alone) {
  const std::string script =
      "script:\n"
      "  - {at: 1s, create: {name: w, kind: Widget, body: {spec: {size: 1}}}}\n"
      "  - {after: 1s, patch: {name: w, kind: Widget, status: true, merge: {status: {on: true}}}}\n"
      "  - {after: 1s, patch: {name: w, kind: Widget, merge: {spec: {size: 2}}}}\n"
      "expect: [handler: {exactly: [add: w, update: w, update: w]}]\n";
  BOOST_TEST(failure_of(widgets("") + script) == "");
  const std::string wrong =
      "script: [{at: 1s, update: {name: w, kind: Widget, body: {status: "
      "{on: true}}}}]\n";
  const std::string existing =
      "  objects: [{name: w, kind: Widget, body: {status: {on: false}}}]\n";
  BOOST_TEST(says(problems_with(widgets("") + existing + wrong),
                  "'status' in the body of a Widget, which has a status subresource"));
  BOOST_TEST(failure_of(widgets(", status: false") + existing + wrong +
                        "expect: [handler: {exactly: [add: w, update: w]}]\n") == "");
}

BOOST_AUTO_TEST_CASE(an_object_from_the_start_has_its_status) {
  BOOST_TEST(
      failure_of(widgets("") +
                 "  objects: [{name: w, kind: Widget, rv_as: there, body: {status: {on: "
                 "true}}}]\n"
                 "script: [{at: 1s, patch: {name: w, kind: Widget, status: true, json: [{op: "
                 "test, path: /status/on, value: true}]}}]\n"
                 "expect: [store: {exactly: [{name: w, rv: $there}]}]\n") == "");
}

BOOST_AUTO_TEST_CASE(a_declared_schema_holds_for_whoever_writes) {
  const auto created = [](const std::string& spec, const std::string& more = "") {
    return widgets(kSchema) +
           "script: [{at: 1s, create: {name: w, kind: Widget, body: {spec: " + spec + "}}}" + more +
           "]\n";
  };
  const std::string has_default =
      ", {patch: {name: w, kind: Widget, json: [{op: test, path: /spec/mode, value: fast}]}}";
  BOOST_TEST(failure_of(created("{size: 3}", has_default)) == "");
  BOOST_TEST(
      says(problems_with(created("{size: 10}")),
           "spec.size: Invalid value: 10: spec.size in body should be less than or equal to 9"));
  BOOST_TEST(says(problems_with(created("{}")), "spec.size: Required value"));
  BOOST_TEST(says(problems_with(created("{size: 3, colour: red}")),
                  "'spec.colour', which the schema of a Widget does not have"));
  const std::string later = ", {patch: {name: w, kind: Widget, merge: {spec: {size: 11}}}}";
  BOOST_TEST(says(failure_of(created("{size: 3}", later)), "spec.size: Invalid value: 11"));
}

BOOST_AUTO_TEST_CASE(a_pattern_is_one_of_go) {
  BOOST_TEST(says(problems_with(widgets(", schema: {type: object, properties: {a: {type: string, "
                                        "pattern: \"(\"}}}")),
                  "a pattern that a server refuses: schema"));
}

BOOST_AUTO_TEST_CASE(versions_are_those_of_a_definition) {
  const std::string script =
      "script:\n  - {at: 1s, create: {name: w, kind: Widget}}\n"
      "  - {patch: {name: w, kind: Widget, json: [{op: test, path: /spec/size, value: 7}]}}\n";
  BOOST_TEST(failure_of(widgets(kVersions) + "  objects: []\n" + script) != "",
             "there is no spec to have a default");
  const std::string with_spec =
      "script:\n  - {at: 1s, create: {name: w, kind: Widget, body: {spec: {}}}}\n"
      "  - {patch: {name: w, kind: Widget, json: [{op: test, path: /spec/size, value: 7}]}}\n"
      "expect: [store: {exactly: [w]}]\n";
  BOOST_TEST(failure_of(widgets(kVersions) + with_spec) == "");
  BOOST_TEST(says(problems_with(widgets(", versions: [{name: v1, served: true}]")),
                  "must have exactly one version marked as storage version"));
  BOOST_TEST(
      says(problems_with(widgets(", version: v2" + kVersions)), "'version' beside 'versions'"));
  BOOST_TEST(says(problems_with(widgets(", schema: {openAPIV3Schema: {type: object}}")),
                  "'openAPIV3Schema' in a schema"));
}

BOOST_AUTO_TEST_CASE(a_scale_is_where_its_paths_lead) {
  BOOST_TEST(problems_with(widgets(", scale: {specReplicasPath: .spec.size, statusReplicasPath: "
                                   ".status.size}")) == "");
  BOOST_TEST(says(problems_with(widgets(", scale: {specReplicasPath: spec.size, "
                                        "statusReplicasPath: .status.size}")),
                  "'spec.size' is not a path"));
}

BOOST_AUTO_TEST_CASE(rules_that_are_not_evaluated_are_named) {
  const Parsed parsed =
      parse_scenario("apiVersion: watchlab/v1\nname: x\nstory: x\n" +
                     widgets(", schema: {type: object, properties: {spec: {type: object, "
                             "x-kubernetes-validations: [{rule: self.a > 1}]}}}"));
  BOOST_REQUIRE(parsed.notes.size() == 1U);
  BOOST_TEST(parsed.notes[0].what == "watchlab does not evaluate the CEL rules of Widget: v1 spec");
}

BOOST_AUTO_TEST_CASE(a_declared_resource_is_written_as_it_was_read) {
  for (const std::string& more :
       {std::string(", status: false"), kSchema, kVersions,
        std::string(", scale: {specReplicasPath: .spec.a, statusReplicasPath: .status.a, "
                    "labelSelectorPath: .status.b}")}) {
    const Parsed parsed =
        parse_scenario("apiVersion: watchlab/v1\nname: x\nstory: x\n" + widgets(more));
    BOOST_REQUIRE_MESSAGE(parsed.scenario, more);
    const Parsed again = parse_scenario(scenario_text(*parsed.scenario));
    BOOST_REQUIRE(again.scenario);
    BOOST_TEST((again.scenario->server == parsed.scenario->server), more);
  }
}

BOOST_AUTO_TEST_SUITE_END()
