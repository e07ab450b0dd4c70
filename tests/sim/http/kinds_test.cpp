#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <sstream>

#include "sim/http/discovery.hpp"
#include "sim/http/kind_protobuf.hpp"
#include "sim/http/kind_rules.hpp"
#include "sim/kinds/kind_moment.hpp"
#include "sim/kinds/kind_shape.hpp"
#include "tests/sim/http/served_server.hpp"

using namespace watchlab;
using namespace watchlab::sim;

namespace json = boost::json;

BOOST_AUTO_TEST_SUITE(kinds_test)

namespace {

/// What a real server has answered; `./dev kinds` records it.
json::array recorded() {
  std::ifstream file("tests/conformance/kinds/1.37.2.json");
  std::ostringstream text;
  text << file.rdbuf();
  return json::parse(text.str()).as_array();
}

std::string text_in(const json::object& row, const char* member) {
  return std::string(row.at(member).as_string());
}

/// The same, with the members in one order.
json::value sorted(const json::value& value) {
  if (value.is_array()) {
    json::array made;
    for (const json::value& each : value.get_array()) {
      made.push_back(sorted(each));
    }
    return made;
  }
  if (!value.is_object()) {
    return value;
  }
  std::map<std::string, json::value> members;
  for (const auto& [name, each] : value.get_object()) {
    members[name] = sorted(each);
  }
  return json::object(members.begin(), members.end());
}

std::string field(char tag, const std::string& bytes) {
  std::string made(1, static_cast<char>(tag << 3 | 2));
  std::size_t size = bytes.size();
  for (; size > 0x7FU; size >>= 7U) {
    made += static_cast<char>((size & 0x7FU) | 0x80U);
  }
  return made + static_cast<char>(size) + bytes;
}

/// The envelope that Go clients put around an object.
std::string envelope(const std::string& kind, const std::string& raw,
                     const std::string& version = "v1") {
  return std::string(kProtobufMagic) + field(1, field(1, version) + field(2, kind)) +
         field(2, raw) + field(3, "") + field(4, "");
}

std::int32_t code_for(const std::string& bytes) {
  const api::Result<std::string> text = json_from_protobuf(bytes);
  return text ? 0 : text.error().status.code;
}

const std::string kDeployments = "/apis/apps/v1/namespaces/default/deployments";

std::string deployment(const std::string& name, const std::string& more = "") {
  return R"({"metadata":{"name":")" + name + R"("},"spec":{)" + more +
         R"("selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},)"
         R"("spec":{"containers":[{"name":"c","image":"i:1"}]}}}})";
}

}  // namespace

BOOST_AUTO_TEST_CASE(objects_become_what_a_real_server_makes_of_them) {
  int compared = 0;
  for (const json::value& each : recorded()) {
    const json::object& row = each.as_object();
    if (row.contains("sent")) {
      const std::string kind = text_in(row, "kind");
      const KindMessage* const message =
          KindTable::newest().message_of(text_in(row, "apiVersion"), kind);
      BOOST_REQUIRE_MESSAGE(message != nullptr, kind);
      const json::object made =
          shaped(row.at("sent").as_object(), *message, {.kind = kind, .without_metadata = true});
      BOOST_TEST(json::serialize(made) == json::serialize(row.at("answered")), kind);
      ++compared;
    }
  }
  BOOST_TEST(compared > 50);
}

BOOST_AUTO_TEST_CASE(protobuf_is_that_of_a_real_server_to_the_byte) {
  int compared = 0;
  for (const json::value& each : recorded()) {
    const json::object& row = each.as_object();
    if (row.contains("protobuf")) {
      const std::string bytes = *client::from_base64(text_in(row, "protobuf"));
      const std::string text = json::serialize(row.at("json"));
      BOOST_TEST((protobuf_from_json(text) == bytes), text);
      BOOST_TEST(json::serialize(sorted(json::parse(*json_from_protobuf(bytes)))) ==
                 json::serialize(sorted(row.at("json"))));
      ++compared;
    }
  }
  BOOST_TEST(compared > 10);
}

BOOST_AUTO_TEST_CASE(bytes_that_are_cut_or_wrong_are_refused) {
  const std::string whole = envelope("ConfigMap", field(1, field(1, "demo")));
  BOOST_TEST(code_for(whole) == 0);
  BOOST_TEST(code_for("") == 400);
  BOOST_TEST(code_for("{}") == 400);
  for (std::size_t i = 5; i < 20; ++i) {
    BOOST_TEST(code_for(whole.substr(0, i)) != 0, i);
  }
  BOOST_TEST(code_for(whole.substr(0, whole.size() - 5)) == 400);  // in the object
  BOOST_TEST(code_for(envelope("ConfigMap", "\x0a\x7f")) == 400);
  BOOST_TEST(code_for(envelope("ConfigMap", std::string(12, '\xff'))) == 400);
  BOOST_TEST(code_for(envelope("ConfigMap", "\x20\x01")) == 0);
  BOOST_TEST(code_for(envelope("ConfigMap", field(4, "no flag"))) == 400);
}

BOOST_AUTO_TEST_CASE(envelopes_inside_of_envelopes_have_an_end) {
  std::string inner;
  for (int i = 0; i < 9; ++i) {  // ControllerRevision.data holds an object of any kind
    inner =
        envelope("ControllerRevision", inner.empty() ? "" : field(2, field(1, inner)), "apps/v1");
    if (inner.size() > 90) {
      break;
    }
  }
  BOOST_TEST(code_for(inner) == 0);
  std::string deep = inner;
  const auto long_field = [](char tag, const std::string& bytes) {
    std::string made(1, static_cast<char>(tag << 3 | 2));
    std::size_t size = bytes.size();
    for (; size > 127; size >>= 7U) {
      made.push_back(static_cast<char>((size & 0x7FU) | 0x80U));
    }
    made.push_back(static_cast<char>(size));
    return made + bytes;
  };
  for (int i = 0; i < 5'000; ++i) {
    deep = std::string(kProtobufMagic) +
           long_field(1, field(1, "apps/v1") + field(2, "ControllerRevision")) +
           long_field(2, long_field(2, long_field(1, deep)));
  }
  BOOST_TEST(code_for(deep) == 400);
}

BOOST_AUTO_TEST_CASE(kinds_that_are_not_built_in_have_no_protobuf) {
  for (const std::string kind : {"meta", "Gadget", ""}) {
    BOOST_TEST(code_for(envelope(kind, "")) == 415, kind);
  }
  BOOST_TEST(!protobuf_from_json(R"({"apiVersion":"demo.io/v1","kind":"Gadget"})").has_value());
  BOOST_TEST(!protobuf_from_json("{").has_value());
  BOOST_TEST(has_protobuf("v1", "PodList"));
}

BOOST_AUTO_TEST_CASE(moments_are_read_in_all_zones_and_years) {
  BOOST_TEST((kind_moment_from("1970-01-01T00:00:01Z") == KindMoment{1, 0}));
  BOOST_TEST((kind_moment_from("1970-01-01T01:00:01.5+01:00") == KindMoment{1, 500'000'000}));
  BOOST_TEST((kind_moment_from("0001-01-01T00:00:00Z") == KindMoment{-62'135'596'800, 0}));
  for (const char* const wrong :
       {"", "1970-01-01", "1970-13-01T00:00:00Z", "1970-01-01T00:00:00", "1970-01-01T00:00:00+1"}) {
    BOOST_TEST(!kind_moment_from(wrong).has_value(), wrong);
  }
  BOOST_TEST(text_of(KindMoment{1'000'000'000, 5'000}, true) == "2001-09-09T01:46:40.000005Z");
  BOOST_TEST(text_of(KindMoment{1'000'000'000'000, 0}, false) == "");
}

BOOST_AUTO_TEST_CASE(all_built_in_collections_are_served) {
  const ServedServer served;
  Tester tester(served);
  for (const Kind& kind : KindTable::newest().kinds()) {
    if (kind.has_objects()) {
      const std::string path =
          (kind.group().empty() ? "/api/" : "/apis/") + kind.api_version + "/" + kind.collection;
      BOOST_TEST(tester.code("GET", path) == 200, path);
    }
  }
  const HttpAnswer scaling = tester.ask("GET", "/apis/autoscaling");
  BOOST_TEST(text_at(scaling.body, "/preferredVersion/version") == "v2");
  const HttpAnswer core = tester.ask("GET", "/api/v1");
  BOOST_TEST(core.body.find(R"("shortNames":["quota"])") != std::string::npos);
  const HttpAnswer apps = tester.ask("GET", "/apis/apps/v1");
  BOOST_TEST(apps.body.find(R"({"name":"deployments/scale","singularName":"","namespaced":true,)"
                            R"("kind":"Scale","verbs":["get","patch","update"],)"
                            R"("group":"autoscaling","version":"v1"})") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(objects_are_completed_and_pruned) {
  const ServedServer served;
  Tester tester(served);
  const HttpAnswer made = tester.ask("POST", kDeployments, {.body = deployment("d")});
  BOOST_TEST(made.head.code == 201);
  BOOST_TEST(text_at(made.body, "/spec/strategy/rollingUpdate/maxSurge") == "25%");
  BOOST_TEST(text_at(made.body, "/spec/template/spec/containers/0/imagePullPolicy") ==
             "IfNotPresent");
  const std::string unknown = deployment("e", R"("foo":1,)");
  const HttpAnswer pruned = tester.ask("POST", kDeployments, {.body = unknown});
  BOOST_TEST(text_at(pruned.body, "/spec/foo") == "");
  BOOST_TEST(field_of(pruned.head.fields, "Warning") == R"(299 - "unknown field \"spec.foo\"")");
  const HttpAnswer strict =
      tester.ask("POST", kDeployments + "?fieldValidation=Strict", {.body = unknown});
  BOOST_TEST(strict.head.code == 400);
  BOOST_TEST(text_at(strict.body, "/message") ==
             R"(Deployment in version "v1" cannot be handled as a Deployment: strict decoding )"
             R"(error: unknown field "spec.foo")");
  const HttpAnswer mistyped =
      tester.ask("POST", kDeployments, {.body = deployment("f", R"("replicas":"x",)")});
  BOOST_TEST(text_at(mistyped.body, "/message") ==
             R"(Deployment in version "v1" cannot be handled as a Deployment: json: cannot )"
             "unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32");
}

BOOST_AUTO_TEST_CASE(texts_of_a_secret_become_its_data) {
  const ServedServer served;
  Tester tester(served);
  const HttpAnswer made = tester.ask(
      "POST", "/api/v1/namespaces/default/secrets",
      {.body = R"({"metadata":{"name":"s"},"data":{"a":"YQ=="},"stringData":{"b":"c"}})"});
  BOOST_TEST(text_at(made.body, "/data/b") == "Yw==");
  BOOST_TEST(text_at(made.body, "/data/a") == "YQ==");
  BOOST_TEST(made.body.find("stringData") == std::string::npos);
  BOOST_TEST(text_at(made.body, "/type") == "Opaque");
}

BOOST_AUTO_TEST_CASE(a_strategic_patch_meets_elements_by_the_keys_of_the_kind) {
  const ServedServer served;
  Tester tester(served);
  const std::string services = "/api/v1/namespaces/default/services";
  BOOST_TEST(tester.code("POST", services,
                         {.body = R"({"metadata":{"name":"s"},"spec":{"ports":[)"
                                  R"({"name":"a","port":80},{"name":"b","port":81}]}})"}) == 201);
  const HttpAnswer patched =
      tester.ask("PATCH", services + "/s",
                 {.type = "application/strategic-merge-patch+json",
                  .body = R"({"spec":{"$setElementOrder/ports":[{"port":80},{"port":81}],)"
                          R"("ports":[{"port":81,"name":"c"}]}})"});
  BOOST_TEST(text_at(patched.body, "/spec/ports/0/name") == "a");
  BOOST_TEST(text_at(patched.body, "/spec/ports/1/name") == "c");
  BOOST_TEST(text_at(patched.body, "/spec/ports/1/targetPort") == "81");
}

BOOST_AUTO_TEST_CASE(a_write_that_changes_defaults_only_changes_nothing) {
  const ServedServer served;
  Tester tester(served);
  const std::string revision =
      text_at(tester.ask("POST", kDeployments, {.body = deployment("d")}).body,
              "/metadata/resourceVersion");
  const HttpAnswer again = tester.ask("PUT", kDeployments + "/d", {.body = deployment("d")});
  BOOST_TEST(text_at(again.body, "/metadata/resourceVersion") == revision);
  BOOST_TEST(text_at(again.body, "/metadata/generation") == "1");
  const HttpAnswer patched =
      tester.ask("PATCH", kDeployments + "/d",
                 {.type = "application/merge-patch+json", .body = R"({"spec":{"replicas":null}})"});
  BOOST_TEST(text_at(patched.body, "/metadata/resourceVersion") == revision);
}

BOOST_AUTO_TEST_CASE(schemas_within_schemas_lose_what_is_unset) {
  const json::object schema = json::parse(R"({"type":"array","items":{"type":"object","id":"",
      "nullable":false,"properties":{"a":{"type":"string","pattern":""}},
      "additionalProperties":{"type":"string","format":""}}})")
                                  .as_object();
  const json::object made =
      shaped(schema, KindTable::newest().message("apiextensions/v1.JSONSchemaProps"));
  BOOST_TEST(sorted(made) == sorted(json::parse(R"({"type":"array","items":{"type":"object",
      "properties":{"a":{"type":"string"}},"additionalProperties":{"type":"string"}}})")));
}

BOOST_AUTO_TEST_CASE(protobuf_is_spoken_both_ways) {
  const ServedServer served;
  Tester tester(served);
  const std::string type(kProtobufType);
  const std::string raw = field(1, field(1, "demo")) + field(2, field(1, "a") + field(2, "b"));
  const HttpAnswer made = tester.ask(
      "POST", "/api/v1/namespaces/default/configmaps",
      {.type = type, .accept = type + ",application/json", .body = envelope("ConfigMap", raw)});
  BOOST_TEST(made.head.code == 201);
  BOOST_TEST(field_of(made.head.fields, "Content-Type") == type);
  const std::string object = *json_from_protobuf(made.body);
  BOOST_TEST(text_at(object, "/data/a") == "b");
  const HttpAnswer list = tester.ask("GET", "/api/v1/configmaps", {.accept = type});
  BOOST_TEST(list.body.starts_with(kProtobufMagic));
  BOOST_TEST(list.body.find("ConfigMapList") != std::string::npos);
  const HttpAnswer missing =
      tester.ask("GET", "/api/v1/namespaces/default/configmaps/none", {.accept = type});
  BOOST_TEST(missing.head.code == 404);
  BOOST_TEST(text_at(*json_from_protobuf(missing.body), "/reason") == "NotFound");
  const HttpAnswer metadata =
      tester.ask("GET", "/api/v1/configmaps",
                 {.accept = type + ";as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"});
  BOOST_TEST(metadata.body.find("PartialObjectMetadataList") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_body_of_protobuf_has_a_limited_number_of_messages) {
  const auto pod = [](int containers) {
    std::string spec;
    for (int i = 0; i < containers; ++i) {
      spec += field(2, "");
    }
    return envelope("Pod", field(2, spec));
  };
  BOOST_TEST(code_for(pod(90'000)) == 0);
  BOOST_TEST(code_for(pod(100'001)) == 413);
}

BOOST_AUTO_TEST_CASE(watches_send_frames_of_protobuf) {
  const ServedServer served;
  Tester tester(served);
  tester.create("a");
  const std::string text =
      R"({"type":"ADDED","object":{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}})";
  const std::string frame = *protobuf_event_from_json(text);
  BOOST_TEST(static_cast<std::size_t>(frame[3]) == frame.size() - 4);
  BOOST_TEST(frame.substr(4, 7) == field(1, "ADDED"));
  OpenWatch watch(served, "/api/v1/configmaps?watch=true&resourceVersion=0",
                  std::string(kProtobufType) + ";stream=watch");
  BOOST_TEST(watch.code == 200);
  std::array<char, 512> chunk{};
  const api::Result<std::size_t> size = watch.body.read(chunk);
  const std::string sent(chunk.data(), *size);
  BOOST_TEST(sent.substr(4, 7) == field(1, "ADDED"));
  BOOST_TEST(sent.find(kProtobufMagic) != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
