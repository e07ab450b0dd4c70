#include <boost/test/unit_test.hpp>

#include "tests/sim/http/served_server.hpp"

using namespace watchlab;
using namespace watchlab::sim;

BOOST_AUTO_TEST_SUITE(http_pages_test)

namespace {

/// What kubectl sends.
const std::string kDiscovery =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
    "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

}  // namespace

BOOST_AUTO_TEST_CASE(health_and_version_are_said) {
  const ServedServer served;
  Tester tester(served);
  for (const std::string path : {"/healthz", "/livez", "/readyz"}) {
    BOOST_TEST(tester.ask("GET", path + "?timeout=32s").body == "ok");
  }
  BOOST_TEST(text_at(tester.ask("GET", "/version").body, "/major") == "1");
  BOOST_TEST(tester.code("GET", "/nowhere") == 404);
  BOOST_TEST(tester.code("POST", "/version") == 405);
  BOOST_TEST(text_at(tester.ask("GET", "/").body, "/paths/0") == "/api");
}

BOOST_AUTO_TEST_CASE(discovery_has_its_form_of_old) {
  const ServedServer served;
  Tester tester(served);
  BOOST_TEST(text_at(tester.ask("GET", "/api").body, "/versions/0") == "v1");
  const std::string groups = tester.ask("GET", "/apis", {.accept = "application/json, */*"}).body;
  BOOST_TEST(text_at(groups, "/kind") == "APIGroupList");
  BOOST_TEST(groups.find(R"("groupVersion":"apps/v1")") != std::string::npos);
  BOOST_TEST(text_at(tester.ask("GET", "/apis/apps").body, "/preferredVersion/version") == "v1");
  const std::string core = tester.ask("GET", "/api/v1").body;
  BOOST_TEST(text_at(core, "/groupVersion") == "v1");
  BOOST_TEST(core.find(R"("name":"pods/status")") != std::string::npos);
  BOOST_TEST(core.find(R"("shortNames":["cm"])") != std::string::npos);
  BOOST_TEST(tester.code("GET", "/apis/none/v1") == 404);
}

BOOST_AUTO_TEST_CASE(discovery_is_aggregated_for_clients_that_ask_for_it) {
  const ServedServer served;
  Tester tester(served);
  for (const std::string path : {"/api", "/apis"}) {
    const HttpAnswer answer = tester.ask("GET", path, {.accept = kDiscovery});
    BOOST_TEST(field_of(answer.head.fields, "Content-Type") ==
               "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");
    BOOST_TEST(text_at(answer.body, "/kind") == "APIGroupDiscoveryList");
  }
  const std::string core = tester.ask("GET", "/api", {.accept = kDiscovery}).body;
  BOOST_TEST(text_at(core, "/items/0/metadata") == "{}");
  BOOST_TEST(text_at(core, "/items/0/versions/0/resources/0/responseKind/kind") == "ConfigMap");
  BOOST_TEST(text_at(core, "/items/0/versions/0/resources/0/scope") == "Namespaced");
}

BOOST_AUTO_TEST_CASE(schemas_are_there_for_kubectl) {
  const ServedServer served;
  Tester tester(served);
  const HttpAnswer old =
      tester.ask("GET", "/openapi/v2",
                 {.accept = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf"});
  BOOST_TEST(old.body.empty());
  BOOST_TEST(field_of(old.head.fields, "Content-Type") ==
             "application/com.github.proto-openapi.spec.v2.v1.0+protobuf");
  const std::string index = tester.ask("GET", "/openapi/v3").body;
  const std::string document = text_at(index, "/paths/api~1v1/serverRelativeURL");
  BOOST_TEST(document.starts_with("/openapi/v3/api/v1?hash="));
  const std::string core = tester.ask("GET", document).body;
  BOOST_TEST(core.find("fieldValidation") != std::string::npos);
  BOOST_TEST(text_at(core,
                     "/components/schemas/io.k8s.api.core.v1.ConfigMap/properties/data/"
                     "additionalProperties/type") == "string");
  BOOST_TEST(text_at(core,
                     "/components/schemas/io.k8s.api.core.v1.PodSpec/properties/containers/"
                     "x-kubernetes-patch-merge-key") == "name");
  BOOST_TEST(tester.code("GET", "/openapi/v3/apis/none/v1") == 404);
}

BOOST_AUTO_TEST_CASE(schemas_of_definitions_are_published) {
  const ServedServer served;
  Tester tester(served);
  BOOST_TEST(tester.code("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                         {.body = R"({"metadata":{"name":"gadgets.demo.io"},"spec":{
        "group":"demo.io","scope":"Namespaced","names":{"plural":"gadgets","kind":"Gadget"},
        "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{
          "description":"A gadget.","type":"object","properties":{"spec":{"type":"object",
            "required":["size","color"],"properties":{"size":{"type":"integer"},
              "color":{"type":"string","nullable":true,"anyOf":[{"maxLength":3}]},
              "any":{"type":"object","x-kubernetes-preserve-unknown-fields":true,
                     "properties":{"x":{"type":"string"}}}}}}}}},
          {"name":"v2","served":true,"storage":false,"schema":{"openAPIV3Schema":{"type":"object",
            "x-kubernetes-preserve-unknown-fields":true}}}]}})"}) == 201);
  const std::string newer = tester.ask("GET", "/openapi/v3/apis/demo.io/v1").body;
  const std::string spec = "/components/schemas/io.demo.v1.Gadget/properties/spec/properties";
  BOOST_TEST(text_at(newer, spec + "/size/type") == "integer");
  BOOST_TEST(text_at(newer, spec + "/color/nullable") == "true");
  const std::string older = tester.ask("GET", "/openapi/v2").body;
  const std::string gadget = "/definitions/io.demo.v1.Gadget";
  BOOST_TEST(text_at(older, gadget + "/description") == "A gadget.");
  BOOST_TEST(text_at(older, gadget + "/properties/metadata/$ref") ==
             "#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
  BOOST_TEST(text_at(older, gadget + "/properties/spec/required") == R"(["size"])");
  BOOST_TEST(text_at(older, gadget + "/properties/spec/properties/color") == "{}");
  BOOST_TEST(text_at(older, gadget + "/properties/spec/properties/any") ==
             R"({"x-kubernetes-preserve-unknown-fields":true})");
  BOOST_TEST(text_at(older, "/definitions/io.demo.v2.Gadget/properties").empty());
  BOOST_TEST(text_at(older, "/definitions/io.k8s.api.core.v1.Pod/properties/spec/$ref") ==
             "#/definitions/io.k8s.api.core.v1.PodSpec");
}

BOOST_AUTO_TEST_CASE(lists_and_objects_come_in_the_form_that_is_asked_for) {
  const ServedServer served;
  Tester tester(served);
  (void)tester.create("a", R"({"x":"y"})");
  const std::string maps = "/api/v1/namespaces/default/configmaps";
  const std::string table = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
  const std::string list = tester.ask("GET", maps, {.accept = table}).body;
  BOOST_TEST(text_at(list, "/kind") == "Table");
  BOOST_TEST(text_at(list, "/metadata/resourceVersion") != "");
  BOOST_TEST(text_at(list, "/rows/0/cells/0") == "a");
  BOOST_TEST(text_at(list, "/rows/0/object/kind") == "PartialObjectMetadata");
  const std::string whole =
      tester.ask("GET", maps + "?includeObject=Object", {.accept = table}).body;
  BOOST_TEST(text_at(whole, "/rows/0/object/data/x") == "y");
  BOOST_TEST(text_at(tester.ask("GET", maps + "/a", {.accept = table}).body, "/rows/0/cells/1") ==
             "1");
  const std::string metadata =
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
  const std::string bare = tester.ask("GET", maps, {.accept = metadata}).body;
  BOOST_TEST(text_at(bare, "/kind") == "PartialObjectMetadataList");
  BOOST_TEST(text_at(bare, "/items/0/metadata/name") == "a");
  BOOST_TEST(bare.find("\"data\"") == std::string::npos);
  const HttpAnswer missing = tester.ask("GET", maps + "/none", {.accept = table});
  BOOST_TEST(text_at(missing.body, "/kind") == "Status");
}

BOOST_AUTO_TEST_SUITE_END()
