#include "sim/http/object_checks.hpp"

#include <boost/test/unit_test.hpp>

#include "sim/http/kind_rules.hpp"
#include "sim/kinds/kind_shape.hpp"
#include "tests/sim/http/served_server.hpp"

using namespace watchlab;
using namespace watchlab::sim;

BOOST_AUTO_TEST_SUITE(object_checks_test)

namespace {

const std::string kCore = "/api/v1/namespaces/default/";
const std::string kDeployments = "/apis/apps/v1/namespaces/default/deployments";
const std::string kGadgets = "/apis/demo.io/v1/namespaces/default/gadgets";

/// What a 422 says of the first mistake: "spec.containers: Required value".
std::string first_cause(const HttpAnswer& answer) {
  return answer.head.code == 422 ? text_at(answer.body, "/details/causes/0/field") + ": " +
                                       text_at(answer.body, "/details/causes/0/message")
                                 : std::to_string(answer.head.code);
}

std::string deployment(const std::string& selected, const std::string& labelled) {
  return R"({"metadata":{"name":"web"},"spec":{"selector":{"matchLabels":{"a":")" + selected +
         R"("}},"template":{"metadata":{"labels":{"a":")" + labelled +
         R"("}},"spec":{"containers":[{"name":"c"}]}}}})";
}

const std::string kDefinitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// What comes of a definition whose objects have a spec of that schema.
HttpAnswer define(Tester& tester, const std::string& schema) {
  return tester.ask("POST", kDefinitions,
                    {.body = R"({"metadata":{"name":"gadgets.demo.io"},"spec":{"group":"demo.io",
        "scope":"Namespaced","names":{"plural":"gadgets","kind":"Gadget"},
        "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":
          {"type":"object","properties":{"spec":)" +
                             schema + "}}}}]}}"});
}

/// What comes of such an object.
HttpAnswer make(Tester& tester, const std::string& spec) {
  return tester.ask("POST", kGadgets,
                    {.body = R"({"kind":"Gadget","apiVersion":"demo.io/v1","metadata":
                      {"generateName":"g-"},"spec":)" +
                             spec + "}"});
}

/// "[x,x,x]".
std::string list_of(const std::string& item, int count) {
  std::string list = "[";
  for (int i = 0; i < count; ++i) {
    list += (i == 0 ? "" : ",") + item;
  }
  return list + "]";
}

void define_gadgets(Tester& tester) {
  BOOST_TEST(
      tester.code("POST", kDefinitions,
                  {.body = R"({"metadata":{"name":"gadgets.demo.io"},"spec":{"group":"demo.io",
        "scope":"Namespaced","names":{"plural":"gadgets","kind":"Gadget"},
        "versions":[{"name":"v1","served":true,"storage":true,"subresources":{"status":{},
          "scale":{"specReplicasPath":".spec.size","statusReplicasPath":".status.replicas"}},
        "schema":{"openAPIV3Schema":{"type":"object","properties":{
          "spec":{"type":"object","required":["size"],"properties":{
            "size":{"type":"integer","minimum":1,"maximum":10},
            "mode":{"type":"string","enum":["a","b"],"default":"a"},
            "name":{"type":"string","pattern":"^[a-z]+$","maxLength":5},
            "free":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
            "list":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}}}},
          "status":{"type":"object","properties":{"phase":{"type":"string"}}}}}}}]}})"}) == 201);
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_a_kind_requires_must_be_there) {
  const ServedServer served;
  Tester tester(served);
  const auto made = [&](const std::string& collection, const std::string& body) {
    return first_cause(tester.ask("POST", collection, {.body = body}));
  };
  BOOST_TEST(made(kCore + "pods", R"({"metadata":{"name":"p"},"spec":{"containers":[]}})") ==
             "spec.containers: Required value");
  BOOST_TEST(made(kCore + "pods", R"({"metadata":{"name":"p"},"spec":{"containers":[{}]}})") ==
             "spec.containers[0].name: Required value");
  BOOST_TEST(made(kCore + "pods", R"({"metadata":{"name":"p"},"spec":{"restartPolicy":"Maybe",
                  "containers":[{"name":"c"}]}})") ==
             R"(spec.restartPolicy: Unsupported value: "Maybe": supported values: "Always", )"
             R"("Never", "OnFailure")");
  BOOST_TEST(made(kDeployments, R"({"metadata":{"name":"d"}})") == "spec.selector: Required value");
  const HttpAnswer refused =
      tester.ask("POST", kCore + "pods", {.body = R"({"metadata":{"name":"p"},"spec":{}})"});
  BOOST_TEST(text_at(refused.body, "/message") ==
             R"(Pod "p" is invalid: spec.containers: Required value)");
}

BOOST_AUTO_TEST_CASE(labels_and_selectors_are_checked) {
  const ServedServer served;
  Tester tester(served);
  const auto labels = [&](const std::string& metadata) {
    return first_cause(tester.ask("POST", kCore + "configmaps",
                                  {.body = R"({"metadata":{"name":"m",)" + metadata + "}}"}));
  };
  BOOST_TEST(
      labels(R"("labels":{"a":"not valid!"})")
          .starts_with("metadata.labels: Invalid value: \"not valid!\": a valid label must be"));
  BOOST_TEST(labels(R"("labels":{"a b":""})").starts_with("metadata.labels: Invalid value"));
  BOOST_TEST(labels(R"("annotations":{"x/y/z":""})").starts_with("metadata.annotations: Invalid"));
  BOOST_TEST(labels(R"("labels":{"a.b/c-d":"e_f.1"})") == "201");
  const std::string other =
      first_cause(tester.ask("POST", kDeployments, {.body = deployment("x", "y")}));
  BOOST_TEST(other ==
             R"(spec.template.metadata.labels: Invalid value: {"a":"y"}: `selector` does not )"
             "match template `labels`");
}

BOOST_AUTO_TEST_CASE(what_is_fixed_cannot_change) {
  const ServedServer served;
  Tester tester(served);
  BOOST_TEST(tester.code("POST", kDeployments, {.body = deployment("x", "x")}) == 201);
  BOOST_TEST(first_cause(tester.ask("PUT", kDeployments + "/web", {.body = deployment("y", "y")}))
                 .ends_with("field is immutable"));
  const std::string secrets = kCore + "secrets";
  BOOST_TEST(tester.code("POST", secrets, {.body = R"({"metadata":{"name":"s"},"type":"a/b"})"}) ==
             201);
  const Asked patch{.type = "application/merge-patch+json", .body = R"({"type":"Opaque"})"};
  BOOST_TEST(first_cause(tester.ask("PATCH", secrets + "/s", patch)) ==
             R"(type: Invalid value: "Opaque": field is immutable)");
  BOOST_TEST(tester.code("POST", kCore + "configmaps",
                         {.body = R"({"metadata":{"name":"m"},"immutable":true})"}) == 201);
  const Asked filled{.type = "application/merge-patch+json", .body = R"({"data":{"a":"b"}})"};
  BOOST_TEST(first_cause(tester.ask("PATCH", kCore + "configmaps/m", filled)) ==
             "data: Forbidden: field is immutable when `immutable` is set");
}

BOOST_AUTO_TEST_CASE(custom_resources_follow_their_schema) {
  const ServedServer served;
  Tester tester(served);
  define_gadgets(tester);
  const auto made = [&](const std::string& name, const std::string& spec) {
    return tester.ask(
        "POST", kGadgets,
        {.body = R"({"kind":"Gadget","apiVersion":"demo.io/v1","metadata":{"name":")" + name +
                 R"("},"spec":)" + spec + "}"});
  };
  const HttpAnswer good = made("good", R"({"size":3,"unknown":1,"free":{"any":1}})");
  BOOST_TEST(good.head.code == 201);
  BOOST_TEST(text_at(good.body, "/spec/mode") == "a");
  BOOST_TEST(text_at(good.body, "/spec/unknown") == "");
  BOOST_TEST(text_at(good.body, "/spec/free/any") == "1");
  BOOST_TEST(field_of(good.head.fields, "Warning") == R"(299 - "unknown field \"spec.unknown\"")");
  BOOST_TEST(first_cause(made("a", "{}")) == "spec.size: Required value");
  BOOST_TEST(first_cause(made("b", R"({"size":11})")) ==
             "spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10");
  BOOST_TEST(first_cause(made("c", R"({"size":"x"})")) ==
             R"(spec.size: Invalid value: "string": spec.size in body must be of type integer: )"
             R"("string")");
  BOOST_TEST(first_cause(made("d", R"({"size":1,"mode":"z"})")) ==
             R"(spec.mode: Unsupported value: "z": supported values: "a", "b")");
  BOOST_TEST(first_cause(made("e", R"({"size":1,"name":"A"})")) ==
             R"(spec.name: Invalid value: "A": spec.name in body should match '^[a-z]+$')");
  BOOST_TEST(first_cause(made("f", R"({"size":1,"list":["x","x"]})")) ==
             R"(spec.list[1]: Duplicate value: "x")");
  const Asked status{.type = "application/merge-patch+json", .body = R"({"status":{"phase":1}})"};
  BOOST_TEST(first_cause(tester.ask("PATCH", kGadgets + "/good/status", status))
                 .starts_with("status.phase: Invalid value"));
}

BOOST_AUTO_TEST_CASE(a_pattern_that_go_cannot_read_is_refused_with_its_definition) {
  const ServedServer served;
  Tester tester(served);
  const std::string spec = "spec.versions[0].schema.openAPIV3Schema.properties[spec].";
  const std::string rule = "must be a valid regular expression, but isn't: error parsing regexp: ";
  BOOST_TEST(first_cause(define(tester, R"({"type":"string","pattern":"("})")) ==
             spec + "pattern: Invalid value: \"(\": " + rule + "missing closing ): `(`");
  BOOST_TEST(first_cause(define(tester, R"({"type":"array","items":{"anyOf":[{},
                                          {"not":{"pattern":"a**"}}]}})")) ==
             spec + "items.anyOf[1].not.pattern: Invalid value: \"a**\": " + rule +
                 "invalid nested repetition operator: `**`");
  BOOST_TEST(define(tester, R"({"type":"string","pattern":"^(?P<x>a+)+$"})").head.code == 201);
  const Asked patch{.type = "application/json-patch+json", .body = R"([{"op":"replace","path":
      "/spec/versions/0/schema/openAPIV3Schema/properties/spec/pattern","value":"["}])"};
  BOOST_TEST(tester.code("PATCH", kDefinitions + "/gadgets.demo.io", patch) == 422);
  BOOST_TEST(make(tester, R"("aa")").head.code == 201);
  BOOST_TEST(make(tester, "\"" + std::string(100'000, 'a') + "!\"").head.code == 422);
  BOOST_TEST(make(tester, R"("b")").head.code == 422);
}

BOOST_AUTO_TEST_CASE(defaults_make_no_object_larger_than_one_may_be) {
  const ServedServer served;
  Tester tester(served);
  const std::string text = R"({"type":"string","default":")" + std::string(1'000, 'x') + "\"}";
  BOOST_TEST(define(tester, R"({"type":"object","properties":{"l":{"type":"array","items":
               {"type":"object","properties":{"x":)" +
                                text + "}}}}}")
                 .head.code == 201);
  BOOST_TEST(make(tester, R"({"l":)" + list_of("{}", 3'000) + "}").head.code == 201);
  BOOST_TEST(make(tester, R"({"l":)" + list_of("{}", 300'000) + "}").head.code == 413);
  const std::string path = kGadgets + "/a?fieldManager=m";
  const auto apply = [&](int count) {
    return tester.code("PATCH", path,
                       {.type = "application/apply-patch+yaml",
                        .body = R"({"kind":"Gadget","apiVersion":"demo.io/v1",
                          "metadata":{"name":"a"},"spec":{"l":)" +
                                list_of("{}", count) + "}}"});
  };
  BOOST_TEST(apply(10) == 201);
  BOOST_TEST(apply(300'000) == 413);
}

BOOST_AUTO_TEST_CASE(an_object_that_is_too_much_work_to_check_is_refused) {
  std::string halves = R"({"minLength":1})";
  for (int i = 0; i < 15; ++i) {
    halves = R"({"anyOf":[)" + halves + "," + halves + "]}";
  }
  const std::string letters = "\"" + std::string(1'000, 'y') + "\"";
  const std::vector<std::pair<std::string, std::string>> rows{
      {halves, R"("zz")"},
      {R"({"anyOf":)" + list_of(R"({"pattern":"^(x|y)*z$"})", 500) + "}", letters},
      {R"({"enum":)" + list_of("1", 20'000) + "}", "2"},
      {R"({"allOf":)" + list_of(R"({"maxLength":9})", 50'000) + "}", letters},
      {R"({"required":)" + list_of("\"name\"", 20'000) + "}", "{}"},
  };
  for (const auto& [schema, value] : rows) {
    BOOST_TEST_CONTEXT(schema.substr(0, 60)) {
      const ServedServer served;
      Tester tester(served);
      BOOST_TEST(define(tester, R"({"type":"array","items":)" + schema + "}").head.code == 201);
      BOOST_TEST(make(tester, "[]").head.code == 201);
      BOOST_TEST(first_cause(make(tester, list_of(value, 2'000))) ==
                 "spec: Invalid value: to check it takes more than 20000000 steps");
    }
  }
}

BOOST_AUTO_TEST_CASE(long_enums_are_looked_up) {
  const ServedServer served;
  Tester tester(served);
  std::string words = "[";
  for (int i = 0; i < 100'000; ++i) {
    words += (i == 0 ? "\"w" : ",\"w") + std::to_string(i) + "\"";
  }
  BOOST_TEST(define(tester, R"({"type":"array","items":{"enum":)" + words + "]}}").head.code ==
             201);
  BOOST_TEST(make(tester, list_of(R"("w99999")", 200'000)).head.code == 201);
  BOOST_TEST(make(tester, R"(["w100000"])").head.code == 422);
}

/// Each field is owned by its path, which begins with the long name.
BOOST_AUTO_TEST_CASE(owners_of_fields_with_long_paths_are_not_kept) {
  const ServedServer served;
  Tester tester(served);
  const std::string any = R"({"type":"object","x-kubernetes-preserve-unknown-fields":true})";
  BOOST_TEST(define(tester, any).head.code == 201);
  const auto spec_of = [](int fields) {
    std::string members;
    for (int i = 0; i < fields; ++i) {
      members += (i == 0 ? "\"m" : ",\"m") + std::to_string(i) + "\":1";
    }
    return "{\"" + std::string(100'000, 'n') + "\":{" + members + "}}";
  };
  const auto apply = [&](const std::string& name, const std::string& spec) {
    return tester.code(
        "PATCH", kGadgets + "/" + name + "?fieldManager=m",
        {.type = "application/apply-patch+yaml",
         .body = R"({"kind":"Gadget","apiVersion":"demo.io/v1","metadata":{"name":")" + name +
                 R"("},"spec":)" + spec + "}"});
  };
  BOOST_TEST(apply("a", spec_of(100)) == 201);
  BOOST_TEST(apply("b", spec_of(1'000)) == 413);
  BOOST_TEST(tester.code("PATCH", kGadgets + "/a",
                         {.type = "application/merge-patch+json",
                          .body = R"({"spec":)" + spec_of(1'000) + "}"}) == 413);
}

/// Each container gets a few hundred bytes.
BOOST_AUTO_TEST_CASE(a_built_in_kind_adds_no_more_than_an_object_may_have) {
  const Kind& pod = *KindTable::newest().find("v1", "pods");
  const auto size_of = [&pod](int count) {
    boost::json::object body;
    body["spec"] = {{"containers", boost::json::array(count, boost::json::object())}};
    return boost::json::serialize(shaped(body, *pod.message, {.kind = pod.kind})).size();
  };
  BOOST_TEST(size_of(30'000) > 3U << 20U);
  BOOST_TEST(size_of(60'000) < 5U << 20U);
  const ServedServer served;
  Tester tester(served);
  BOOST_TEST(tester.code("POST", kCore + "pods",
                         {.body = R"({"metadata":{"name":"p"},"spec":{"containers":)" +
                                  list_of("{}", 60'000) + "}}"}) == 413);
}

BOOST_AUTO_TEST_CASE(of_many_mistakes_the_first_thousand_are_named) {
  const ServedServer served;
  Tester tester(served);
  const auto causes = [&](const std::string& collection, const std::string& body) {
    const HttpAnswer answer = tester.ask("POST", kCore + collection, {.body = body});
    BOOST_TEST(answer.head.code == 422);
    BOOST_TEST(text_at(answer.body, "/details/causes/999/message") != "");
    BOOST_TEST(text_at(answer.body, "/details/causes/1000/message") == "");
  };
  causes("pods", R"({"metadata":{"name":"p"},"spec":{"containers":)" + list_of("{}", 5'000) + "}}");
  std::string labels = "\"\":\"\"";
  for (int i = 0; i < 2'000; ++i) {
    labels += ",\"- " + std::to_string(i) + "\":\"\"";
  }
  causes("configmaps", R"({"metadata":{"name":"m","labels":{)" + labels + "}}}");
}

BOOST_AUTO_TEST_CASE(custom_resources_have_the_scale_that_they_declare) {
  const ServedServer served;
  Tester tester(served);
  define_gadgets(tester);
  (void)tester.ask("POST", kGadgets, {.body = R"({"kind":"Gadget","apiVersion":"demo.io/v1",
                               "metadata":{"name":"g"},"spec":{"size":3}})"});
  BOOST_TEST(text_at(tester.ask("GET", kGadgets + "/g/scale").body, "/spec/replicas") == "3");
  const Asked patch{.type = "application/merge-patch+json", .body = R"({"spec":{"replicas":5}})"};
  BOOST_TEST(tester.code("PATCH", kGadgets + "/g/scale", patch) == 200);
  BOOST_TEST(text_at(tester.ask("GET", kGadgets + "/g").body, "/spec/size") == "5");
}

/// A story may hold what a server would not have stored; who writes its status cannot help that.
BOOST_AUTO_TEST_CASE(a_write_of_a_status_is_not_refused_for_the_rest) {
  ResourceTypes types;
  types.define(built_in_collections());
  const ResourceType* const type = types.find_kind("Deployment");
  BOOST_REQUIRE(type != nullptr);
  api::Object before;
  before.body = R"({"spec":{"replicas":1}})";
  api::Object next = before;
  next.body = R"({"spec":{"replicas":1},"status":{"replicas":1}})";
  BOOST_TEST(!refusal_of_object(*type, &before, next).has_value());
  next.body = R"({"spec":{"replicas":2},"status":{"replicas":1}})";
  BOOST_TEST(refusal_of_object(*type, &before, next).has_value());
}

BOOST_AUTO_TEST_CASE(of_a_pod_only_a_few_fields_change) {
  const ServedServer served;
  Tester tester(served);
  const std::string pods = kCore + "pods";
  BOOST_TEST(tester.code("POST", pods, {.body = R"({"metadata":{"name":"p"},"spec":{"containers":[
                            {"name":"c","image":"i","resources":{"requests":{"cpu":"1"}}}]}})"}) ==
             201);
  const auto patch = [&](const std::string& below, const std::string& spec) {
    return tester.ask(
        "PATCH", pods + "/p" + below,
        {.type = "application/strategic-merge-patch+json", .body = R"({"spec":)" + spec + "}"});
  };
  const std::string larger =
      R"({"containers":[{"name":"c","resources":{"requests":{"cpu":"2"}}}]})";
  BOOST_TEST(first_cause(patch("", larger)).starts_with("spec: Forbidden: pod updates may not"));
  BOOST_TEST(patch("/resize", larger).head.code == 200);
  BOOST_TEST(patch("", R"({"containers":[{"name":"c","image":"j"}]})").head.code == 200);
  BOOST_TEST(patch("", R"({"nodeName":"one"})").head.code == 200);
  BOOST_TEST(patch("", R"({"nodeName":"two"})").head.code == 422);
}

BOOST_AUTO_TEST_CASE(words_of_several_words_are_known) {
  const ServedServer served;
  Tester tester(served);
  const auto request = [&](const std::string& usage) {
    return tester.code("POST", "/apis/certificates.k8s.io/v1/certificatesigningrequests",
                       {.body = R"({"metadata":{"generateName":"a"},"spec":{"request":"YQ==",
                          "signerName":"a.io/b","usages":[")" +
                                usage + R"("]}})"});
  };
  BOOST_TEST(request("client auth") == 201);
  BOOST_TEST(request("ipsec end system") == 201);
  BOOST_TEST(request("timestamping") == 201);
  BOOST_TEST(request("ipsec end") == 422);
}

BOOST_AUTO_TEST_CASE(fields_that_are_there_twice_are_named) {
  const ServedServer served;
  Tester tester(served);
  const std::string twice =
      R"({"metadata":{"name":"web"},"spec":{"none":1,"replicas":2,"replicas":3,
      "selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},
      "spec":{"containers":[{"name":"c"},{"name":"d","name":"e"}]}}}})";
  const HttpAnswer strict =
      tester.ask("POST", kDeployments + "?fieldValidation=Strict", {.body = twice});
  BOOST_TEST(strict.head.code == 400);
  BOOST_TEST(text_at(strict.body, "/message")
                 .ends_with("strict decoding error: unknown field \"spec.none\", duplicate field "
                            "\"spec.replicas\", "
                            "duplicate field \"spec.template.spec.containers[1].name\""));
  const HttpAnswer warned = tester.ask("POST", kDeployments, {.body = twice});
  BOOST_TEST(warned.head.code == 201);
  BOOST_TEST(fields_of(warned.head.fields, "Warning").size() == 3U);
}

BOOST_AUTO_TEST_SUITE_END()
