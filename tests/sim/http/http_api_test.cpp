#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <set>

#include "tests/sim/http/served_server.hpp"

using namespace watchlab;
using namespace watchlab::sim;

BOOST_AUTO_TEST_SUITE(http_api_test)

namespace {

const std::string kMaps = "/api/v1/namespaces/default/configmaps";

std::string named(const std::string& kind, const std::string& name, const std::string& more = "") {
  return R"({"kind":")" + kind + R"(","apiVersion":"v1","metadata":{"name":")" + name + "\"}" +
         more + "}";
}

const std::string kWidgets = R"({"kind":"CustomResourceDefinition",
  "apiVersion":"apiextensions.k8s.io/v1","metadata":{"name":"widgets.example.com"},
  "spec":{"group":"example.com","scope":"Namespaced",
    "names":{"plural":"widgets","kind":"Widget","shortNames":["wd","wdg"]},
    "versions":[{"name":"v1","served":true,"storage":true,"subresources":{"status":{}}}]}})";

}  // namespace

BOOST_AUTO_TEST_CASE(objects_live_through_all_verbs_on_one_connection) {
  const ServedServer served;
  Tester tester(served);
  const HttpAnswer created = tester.create("demo", R"({"a":"b"})");
  BOOST_TEST(created.head.code == 201);
  BOOST_TEST(text_at(created.body, "/metadata/uid").size() == 36U);
  BOOST_TEST(text_at(tester.ask("GET", kMaps + "/demo").body, "/data/a") == "b");
  BOOST_TEST(text_at(tester.ask("GET", kMaps).body, "/items/0/metadata/name") == "demo");
  const HttpAnswer patched =
      tester.ask("PATCH", kMaps + "/demo",
                 {.type = "application/merge-patch+json", .body = R"({"data":{"a":"c"}})"});
  BOOST_TEST(patched.head.code == 200);
  BOOST_TEST(text_at(patched.body, "/data/a") == "c");
  std::string update = patched.body;
  update.replace(update.find("\"c\""), 3, "\"d\"");
  BOOST_TEST(tester.code("PUT", kMaps + "/demo", {.body = update}) == 200);
  BOOST_TEST(tester.code("PUT", kMaps + "/demo", {.body = update}) == 409);
  const HttpAnswer deleted = tester.ask("DELETE", kMaps + "/demo");
  BOOST_TEST(text_at(deleted.body, "/status") == "Success");
  BOOST_TEST(tester.code("GET", kMaps + "/demo") == 404);
}

BOOST_AUTO_TEST_CASE(a_definition_has_a_group_and_the_name_that_it_makes) {
  const ServedServer served;
  Tester tester(served);
  const std::string path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const auto answer = [&](const std::string& part, const std::string& instead) {
    std::string text = kWidgets;
    text.replace(text.find(part), part.size(), instead);
    return tester.ask("POST", path, {.body = text});
  };
  const HttpAnswer nameless = answer(R"("group":"example.com")", R"("group":"")");
  BOOST_TEST(nameless.head.code == 422);
  BOOST_TEST(text_at(nameless.body, "/reason") == "Invalid");
  BOOST_TEST(text_at(nameless.body, "/details/causes/0/field") == "metadata.name");
  BOOST_TEST(text_at(nameless.body, "/details/causes/1/field") == "spec.group");
  const HttpAnswer other = answer("widgets.example.com", "gadgets.example.com");
  BOOST_TEST(other.head.code == 422);
  BOOST_TEST(text_at(other.body, "/details/causes/0/field") == "metadata.name");
  BOOST_TEST(answer(R"("plural":"widgets",)", "").head.code == 422);
  BOOST_TEST(answer(R"("kind":"Widget",)", "").head.code == 422);
  BOOST_TEST(answer("example.com\",\"scope", "example\",\"scope").head.code == 422);
  const HttpAnswer right = answer("widgets", "widgets");
  BOOST_TEST(right.head.code == 201);
  std::string update = right.body;
  update.replace(update.find(R"("group":"example.com")"), 21, R"("group":"")");
  BOOST_TEST(tester.code("PUT", path + "/widgets.example.com", {.body = update}) == 422);
}

BOOST_AUTO_TEST_CASE(refusals_are_statuses) {
  const ServedServer served;
  Tester tester(served);
  const HttpAnswer missing = tester.ask("GET", kMaps + "/none");
  BOOST_TEST(missing.head.code == 404);
  BOOST_TEST(text_at(missing.body, "/kind") == "Status");
  BOOST_TEST(text_at(missing.body, "/reason") == "NotFound");
  BOOST_TEST(text_at(missing.body, "/details/name") == "none");
  BOOST_TEST(tester.code("GET", "/api/v1/namespaces/default/gadgets") == 404);
  BOOST_TEST(tester.code("POST", kMaps, {.body = "{"}) == 400);
  BOOST_TEST(tester.code("POST", kMaps, {.type = "text/csv", .body = "a,b"}) == 415);
  BOOST_TEST(tester.code("POST", kMaps, {.type = "application/yaml", .body = "a: b"}) == 415);
  BOOST_TEST(tester.code("POST", kMaps + "/a") == 405);
  BOOST_TEST(tester.code("GET", kMaps, {.accept = "text/csv"}) == 406);
  BOOST_TEST(tester.code("GET", kMaps + "?limit=many") == 400);
  BOOST_TEST(tester.code("PUT", kMaps + "/a", {.body = named("ConfigMap", "b")}) == 400);
  BOOST_TEST(tester.code("POST", kMaps, {.body = named("Secret", "a")}) == 400);
  BOOST_TEST(tester.code("POST", kMaps, {.body = "{}"}) == 422);
  BOOST_TEST(tester.code("POST", "/api/v1/namespaces/nowhere/configmaps",
                         {.body = named("ConfigMap", "a")}) == 404);
}

BOOST_AUTO_TEST_CASE(an_object_without_a_kind_is_of_the_kind_of_its_path) {
  const ServedServer served;
  Tester tester(served);
  const HttpAnswer made = tester.ask("POST", kMaps, {.body = R"({"metadata":{"name":"a"}})"});
  BOOST_TEST(made.head.code == 201);
  BOOST_TEST(text_at(made.body, "/kind") == "ConfigMap");
  const HttpAnswer logs = tester.ask("GET", "/api/v1/namespaces/default/pods/p/log");
  BOOST_TEST(text_at(logs.body, "/message").find("no log of pods") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_dry_run_writes_nothing) {
  const ServedServer served;
  Tester tester(served);
  const HttpAnswer made =
      tester.ask("POST", kMaps + "?dryRun=All", {.body = named("ConfigMap", "a")});
  BOOST_TEST(made.head.code == 201);
  BOOST_TEST(text_at(made.body, "/metadata/uid") != "");
  BOOST_TEST(text_at(made.body, "/metadata/resourceVersion") == "");
  BOOST_TEST(tester.code("GET", kMaps + "/a") == 404);
  (void)tester.create("a");
  BOOST_TEST(text_at(tester.ask("GET", kMaps + "/a").body, "/metadata/uid") !=
             text_at(made.body, "/metadata/uid"));
  const std::string before = tester.ask("GET", kMaps + "/a").body;
  const HttpAnswer patched =
      tester.ask("PATCH", kMaps + "/a?dryRun=All",
                 {.type = "application/merge-patch+json", .body = R"({"data":{"x":"y"}})"});
  BOOST_TEST(text_at(patched.body, "/data/x") == "y");
  BOOST_TEST(text_at(patched.body, "/metadata/resourceVersion") ==
             text_at(before, "/metadata/resourceVersion"));
  BOOST_TEST(tester.code("DELETE", kMaps + "/a", {.body = R"({"dryRun":["All"]})"}) == 200);
  BOOST_TEST(tester.ask("GET", kMaps + "/a").body == before);
}

BOOST_AUTO_TEST_CASE(a_dry_run_that_is_not_understood_writes_nothing_either) {
  const ServedServer served;
  Tester tester(served);
  (void)tester.create("a");
  const HttpAnswer refused = tester.ask("DELETE", kMaps + "/a?dryRun=all");
  BOOST_TEST(refused.head.code == 422);
  BOOST_TEST(text_at(refused.body, "/message").find("supported values: \"All\"") !=
             std::string::npos);
  BOOST_TEST(tester.code("DELETE", kMaps + "?dryRun=") == 422);
  BOOST_TEST(tester.code("DELETE", kMaps + "/a", {.body = R"({"dryRun":["all"]})"}) == 422);
  BOOST_TEST(tester.code("POST", kMaps + "?dryRun=true", {.body = named("ConfigMap", "b")}) == 422);
  BOOST_TEST(tester.code("GET", kMaps + "/a") == 200);
  BOOST_TEST(tester.code("GET", kMaps + "/b") == 404);
}

BOOST_AUTO_TEST_CASE(a_pod_on_a_node_goes_after_its_grace_period_and_others_at_once) {
  const ServedServer served;
  Tester tester(served);
  const std::string pods = "/api/v1/namespaces/default/pods";
  const auto make = [&](const std::string& more) {
    (void)tester.ask(
        "POST", pods,
        {.body = named("Pod", "p", R"(,"spec":{"containers":[{"name":"c"}])" + more + "}")});
  };
  make("");
  BOOST_TEST(tester.code("DELETE", pods + "/p?gracePeriodSeconds=60") == 200);
  BOOST_TEST(tester.code("GET", pods + "/p") == 404);
  make(R"(,"nodeName":"n","terminationGracePeriodSeconds":5)");
  const std::string stopping = tester.ask("DELETE", pods + "/p").body;
  BOOST_TEST(text_at(stopping, "/metadata/deletionGracePeriodSeconds") == "5");
  BOOST_TEST(text_at(stopping, "/metadata/deletionTimestamp") != "");
  const Asked failed{.type = "application/merge-patch+json",
                     .body = R"({"metadata":{"labels":{"a":"b"}},"status":{"phase":"Running"}})"};
  BOOST_TEST(tester.code("PATCH", pods + "/p/status", failed) == 200);
  BOOST_TEST(tester.code("PATCH", pods + "/p", failed) == 200);
  BOOST_TEST(text_at(tester.ask("GET", pods + "/p").body, "/metadata/deletionGracePeriodSeconds") ==
             "5");
  BOOST_TEST(tester.code("DELETE", pods + "/p?gracePeriodSeconds=9") == 200);
  const std::string sooner =
      tester.ask("DELETE", pods + "/p", {.body = R"({"gracePeriodSeconds":3})"}).body;
  BOOST_TEST(text_at(sooner, "/metadata/deletionGracePeriodSeconds") == "3");
  BOOST_TEST(tester.code("DELETE", pods + "/p?gracePeriodSeconds=x") == 400);
  BOOST_TEST(tester.code("GET", pods + "/p") == 200);
  BOOST_TEST(tester.code("DELETE", pods + "/p?gracePeriodSeconds=0") == 200);
  BOOST_TEST(tester.code("GET", pods + "/p") == 404);
}

BOOST_AUTO_TEST_CASE(a_client_that_asks_may_do_everything) {
  const ServedServer served;
  Tester tester(served);
  const std::string reviews = "/apis/authorization.k8s.io/v1/";
  const HttpAnswer access = tester.ask(
      "POST", reviews + "selfsubjectaccessreviews",
      {.body = R"({"spec":{"resourceAttributes":{"verb":"get","resource":"configmaps"}}})"});
  BOOST_TEST(access.head.code == 201);
  BOOST_TEST(text_at(access.body, "/status/allowed") == "true");
  BOOST_TEST(text_at(access.body, "/spec/resourceAttributes/verb") == "get");
  // As kubectl sends it: the kind, and in its spec the verb "get".
  const std::string packed(
      "k8s\0\x0a\x32\x0a\x17"
      "authorization.k8s.io/v1\x12\x17"
      "SelfSubjectAccessReview\x12\x09\x12\x07\x0a\x05\x12\x03"
      "get",
      67);
  const HttpAnswer unpacked =
      tester.ask("POST", reviews + "selfsubjectaccessreviews",
                 {.type = "application/vnd.kubernetes.protobuf", .body = packed});
  BOOST_TEST(unpacked.head.code == 201);
  BOOST_TEST(text_at(unpacked.body, "/spec/resourceAttributes/verb") == "get");
  const HttpAnswer rules =
      tester.ask("POST", reviews + "selfsubjectrulesreviews", {.body = R"({"spec":{}})"});
  BOOST_TEST(text_at(rules.body, "/status/resourceRules/0/verbs/0") == "*");
  const HttpAnswer user =
      tester.ask("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {.body = "{}"});
  BOOST_TEST(text_at(user.body, "/status/userInfo/username") == "watchlab");
  BOOST_TEST(tester.code("POST", reviews + "localreviews", {.body = "{}"}) == 404);
  const std::string table = "application/json;as=Table;v=v1;g=meta.k8s.io";
  BOOST_TEST(tester.code("POST", reviews + "selfsubjectrulesreviews",
                         {.accept = table, .body = "{}"}) == 406);
  BOOST_TEST(tester.code("POST", reviews + "selfsubjectrulesreviews",
                         {.accept = table + ",application/json", .body = "{}"}) == 201);
}

BOOST_AUTO_TEST_CASE(what_others_may_do_and_whose_a_token_is_can_be_asked) {
  const ServedServer served;
  Tester tester(served);
  const std::string access = "/apis/authorization.k8s.io/v1/";
  for (const char* const path :
       {"subjectaccessreviews", "namespaces/default/localsubjectaccessreviews"}) {
    const HttpAnswer answer =
        tester.ask("POST", access + path, {.body = R"({"spec":{"user":"a"}})"});
    BOOST_TEST(answer.head.code == 201, path);
    BOOST_TEST(text_at(answer.body, "/status/allowed") == "true");
  }
  BOOST_TEST(tester.code("POST", "/api/v1/namespaces/default/serviceaccounts",
                         {.body = R"({"metadata":{"name":"robot"}})"}) == 201);
  const std::string token = text_at(
      tester.ask("POST", "/api/v1/namespaces/default/serviceaccounts/robot/token", {.body = "{}"})
          .body,
      "/status/token");
  const auto user = [&](const std::string& shown) {
    return tester
        .ask("POST", "/apis/authentication.k8s.io/v1/tokenreviews",
             {.body = R"({"spec":{"token":")" + shown + R"("}})"})
        .body;
  };
  BOOST_TEST(text_at(user(token), "/status/user/username") ==
             "system:serviceaccount:default:robot");
  BOOST_TEST(text_at(user("x.y.z"), "/status/authenticated").empty());
  BOOST_TEST(text_at(tester.ask("GET", "/apis/authentication.k8s.io/v1").body,
                     "/resources/1/name") == "tokenreviews");
}

BOOST_AUTO_TEST_CASE(status_is_written_through_its_own_path) {
  const ServedServer served;
  Tester tester(served);
  const std::string pods = "/api/v1/namespaces/default/pods";
  (void)tester.ask("POST", pods,
                   {.body = named("Pod", "p", R"(,"spec":{"containers":[{"name":"c"}]})")});
  BOOST_TEST(text_at(tester.ask("GET", pods + "/p").body, "/status/phase") == "Pending");
  const Asked patch{.type = "application/merge-patch+json",
                    .body = R"({"status":{"phase":"Running"}})"};
  BOOST_TEST(text_at(tester.ask("PATCH", pods + "/p", patch).body, "/status/phase") == "Pending");
  BOOST_TEST(text_at(tester.ask("PATCH", pods + "/p/status", patch).body, "/status/phase") ==
             "Running");
  BOOST_TEST(text_at(tester.ask("GET", pods + "/p/status").body, "/status/phase") == "Running");
  BOOST_TEST(tester.code("GET", pods + "/p/log") == 404);
}

BOOST_AUTO_TEST_CASE(a_collection_is_deleted_by_its_selector) {
  const ServedServer served;
  Tester tester(served);
  for (const std::string name : {"a", "b", "c"}) {
    (void)tester.create(name);
  }
  (void)tester.ask(
      "PATCH", kMaps + "/b",
      {.type = "application/merge-patch+json", .body = R"({"metadata":{"labels":{"x":"y"}}})"});
  BOOST_TEST(tester.code("DELETE", kMaps + "?labelSelector=x%3Dy") == 200);
  const std::string rest = tester.ask("GET", kMaps).body;
  BOOST_TEST(text_at(rest, "/items/0/metadata/name") == "a");
  BOOST_TEST(text_at(rest, "/items/1/metadata/name") == "c");
}

BOOST_AUTO_TEST_CASE(a_namespace_waits_for_what_holds_it) {
  const ServedServer served({.servers = {.writes = {.holds_namespaces = true}}});
  Tester tester(served);
  const std::string team = "/api/v1/namespaces/team";
  (void)tester.ask("POST", "/api/v1/namespaces",
                   {.body = R"({"metadata":{"name":"team","finalizers":["a/b"]}})"});
  BOOST_TEST(text_at(tester.ask("GET", team).body, "/status/phase") == "Active");
  (void)tester.ask("DELETE", team);
  const std::string ending = tester.ask("GET", team).body;
  BOOST_TEST(text_at(ending, "/status/phase") == "Terminating");
  BOOST_TEST(text_at(ending, "/spec/finalizers") == R"(["kubernetes"])");
  BOOST_TEST(tester.code("POST", team + "/configmaps", {.body = named("ConfigMap", "late")}) ==
             403);
  const std::string held = R"(["kubernetes"])";
  std::string emptied = ending;
  emptied.replace(emptied.find(held), held.size(), "[]");
  BOOST_TEST(tester.code("PUT", team + "/finalize", {.body = emptied}) == 200);
  BOOST_TEST(text_at(tester.ask("GET", team).body, "/metadata/finalizers") == R"(["a/b"])");
}

BOOST_AUTO_TEST_CASE(what_stands_below_pods_and_accounts_is_served) {
  const ServedServer served;
  Tester tester(served);
  const std::string core = "/api/v1/namespaces/default/";
  (void)tester.ask("POST", core + "pods",
                   {.body = named("Pod", "p", R"(,"spec":{"containers":[{"name":"c"}]})")});
  const HttpAnswer bound =
      tester.ask("POST", core + "pods/p/binding",
                 {.body = named("Binding", "p", R"(,"target":{"kind":"Node","name":"n"})")});
  BOOST_TEST(bound.head.code == 201);
  BOOST_TEST(text_at(bound.body, "/status") == "Success");
  BOOST_TEST(text_at(tester.ask("GET", core + "pods/p").body, "/spec/nodeName") == "n");
  BOOST_TEST(tester.code("POST", core + "pods/p/eviction",
                         {.body = named("Eviction", "p",
                                        R"(,"deleteOptions":{"gracePeriodSeconds":0})")}) == 201);
  BOOST_TEST(tester.code("GET", core + "pods/p") == 404);
  BOOST_TEST(tester.code("POST", core + "pods/p/eviction", {.body = named("Eviction", "p")}) ==
             404);
  BOOST_TEST(tester.code("GET", core + "pods/p/eviction") == 405);
  BOOST_TEST(tester.code("POST", core + "serviceaccounts/a/token", {.body = "{}"}) == 404);
  (void)tester.ask("POST", core + "serviceaccounts", {.body = named("ServiceAccount", "a")});
  HttpAnswer token = tester.ask("POST", core + "serviceaccounts/a/token",
                                {.body = R"({"spec":{"expirationSeconds":600}})"});
  BOOST_TEST(token.head.code == 201);
  BOOST_TEST(text_at(token.body, "/status/token") != "");
  BOOST_TEST(text_at(token.body, "/spec/expirationSeconds") == "600");
  token = tester.ask("POST", core + "serviceaccounts/a/token",
                     {.body = R"({"spec":{"expirationSeconds":9223372036854775807}})"});
  BOOST_TEST(text_at(token.body, "/spec/expirationSeconds") == "4294967296");
}

BOOST_AUTO_TEST_CASE(annotations_come_with_the_status_of_built_in_kinds) {
  const ServedServer served;
  Tester tester(served);
  const std::string pods = "/api/v1/namespaces/default/pods";
  (void)tester.ask("POST", pods,
                   {.body = named("Pod", "p", R"(,"spec":{"containers":[{"name":"c"}]})")});
  const Asked patch{.type = "application/merge-patch+json",
                    .body = R"({"metadata":{"annotations":{"a":"b"}},"spec":{"nodeName":"n"}})"};
  BOOST_TEST(tester.code("PATCH", pods + "/p/status", patch) == 200);
  const std::string after = tester.ask("GET", pods + "/p").body;
  BOOST_TEST(text_at(after, "/metadata/annotations/a") == "b");
  BOOST_TEST(text_at(after, "/spec/nodeName") == "");
}

BOOST_AUTO_TEST_CASE(only_groups_that_custom_resources_make_are_no_paths_without_them) {
  const ServedServer served;
  Tester tester(served);
  for (const char* unknown : {"/apis/no.such/v1/x", "/nothing", "/api/v9/pods"}) {
    BOOST_TEST(tester.ask("GET", unknown).body == "404 page not found\n", unknown);
  }
  const std::string other_version = tester.ask("GET", "/apis/apps/v9/deployments").body;
  BOOST_TEST(text_at(other_version, "/message") ==
             "the server could not find the requested resource");
}

BOOST_AUTO_TEST_CASE(a_custom_resource_is_served_while_it_is_defined) {
  const ServedServer served;
  Tester tester(served);
  const std::string definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const std::string widgets = "/apis/example.com/v1/namespaces/default/widgets";
  BOOST_TEST(tester.ask("GET", widgets).body == "404 page not found\n");
  BOOST_TEST(tester.code("POST", definitions, {.body = kWidgets}) == 201);
  const std::string made = tester.ask("GET", definitions + "/widgets.example.com").body;
  BOOST_TEST(text_at(made, "/status/conditions/1/type") == "Established");
  const std::string one =
      R"({"kind":"Widget","apiVersion":"example.com/v1","metadata":{"name":"w"}})";
  BOOST_TEST(tester.code("POST", widgets, {.body = one}) == 201);
  BOOST_TEST(text_at(tester.ask("GET", "/apis/example.com/v1").body, "/resources/0/shortNames") ==
             R"(["wd","wdg"])");
  OpenWatch watch(served, widgets + "?watch=1&resourceVersion=0");
  BOOST_TEST(watch.next_type() == "ADDED");
  BOOST_TEST(tester.code("DELETE", definitions + "/widgets.example.com") == 200);
  BOOST_TEST(watch.next_type() == "DELETED", "W25");
  BOOST_TEST(watch.next_type() == "end");
  BOOST_TEST(tester.code("GET", widgets) == 404);
  BOOST_TEST(tester.code("POST", definitions, {.body = kWidgets}) == 201);
  BOOST_TEST(text_at(tester.ask("GET", widgets).body, "/items") == "[]");
}

BOOST_AUTO_TEST_CASE(what_a_kind_does_not_have_is_dropped_with_a_warning) {  // U1
  const ServedServer served;
  Tester tester(served);
  const auto create = [&](const std::string& name, const std::string& query = "") {
    return tester.ask("POST", kMaps + query,
                      {.body = named("ConfigMap", name, R"(,"data":{"a":"b"},"more":{"x":1})")});
  };
  const HttpAnswer made = create("a");
  BOOST_TEST(made.head.code == 201);
  BOOST_TEST(field_of(made.head.fields, "Warning") == R"(299 - "unknown field \"more\"")");
  BOOST_TEST(text_at(made.body, "/data/a") == "b");
  BOOST_TEST(text_at(made.body, "/more") == "");
  BOOST_TEST(field_of(create("b", "?fieldValidation=Ignore").head.fields, "Warning") == "");
  const auto warned = [&](const std::string& name, const std::string& more) {
    const HttpAnswer answer =
        tester.ask("POST", kMaps, {.body = R"({"metadata":{"name":")" + name + "\"}" + more + "}"});
    BOOST_TEST(answer.head.code == 201);
    return fields_of(answer.head.fields, "Warning").size();
  };
  // Mirrors apiserver's filters.recorder: no control characters, and no more than is read.
  BOOST_TEST(warned("w1",
                    ",\"\xc2\x9b"
                    "31m\":1,\"\x7f\":1,\"\xc2\xa0\":1") == 1U);
  std::string many;
  for (int i = 0; i < 1000; ++i) {
    many += fmt::format(",\"{}{:0300}\":1", i == 0 ? "é" : "", i);
  }
  BOOST_TEST(warned("w2", many) == 16U);  // 4096 characters, each 256
  BOOST_TEST(text_at(tester.ask("GET", kMaps + "/b").body, "/more") == "");
  const HttpAnswer strict = create("c", "?fieldValidation=Strict");
  BOOST_TEST(strict.head.code == 400);
  BOOST_TEST(text_at(strict.body, "/message") ==
             "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict decoding error: "
             "unknown field \"more\"");
  BOOST_TEST(tester.code("GET", kMaps + "/c") == 404);
}

BOOST_AUTO_TEST_CASE(every_answer_has_a_name_of_its_own_and_is_not_to_be_kept) {
  const ServedServer served;
  Tester tester(served);
  std::set<std::string> numbers;
  for (const std::string& path : {kMaps, kMaps + "/none", std::string("/api"), std::string("/x")}) {
    const HttpAnswer answer = tester.ask("GET", path);
    BOOST_TEST(field_of(answer.head.fields, "Cache-Control") == "no-cache, private", path);
    numbers.insert(std::string(field_of(answer.head.fields, "Audit-Id")));
  }
  BOOST_TEST(numbers.size() == 4U);
  BOOST_TEST(!numbers.contains(""));
}

BOOST_AUTO_TEST_CASE(a_token_is_asked_for_where_there_is_one) {
  const ServedServer served({.token = "secret"});
  Tester tester(served);
  BOOST_TEST(tester.code("GET", kMaps) == 401);
  BOOST_TEST(tester.code("GET", "/watchlab/v1/faults") == 401);
  BOOST_TEST(tester.code("GET", "/readyz") == 200);
  HttpRequest shown = http_request("GET", kMaps);
  shown.fields.push_back({"Authorization", "Bearer secret"});
  BOOST_TEST(ask(tester.socket, shown)->head.code == 200);
  shown.fields.back().value = "bEARER secret";
  BOOST_TEST(ask(tester.socket, shown)->head.code == 200);
  shown.fields.back().value = "Basic secret";
  BOOST_TEST(ask(tester.socket, shown)->head.code == 401);
  shown.fields.back().value = "Bearer secrets";
  BOOST_TEST(ask(tester.socket, shown)->head.code == 401);
}

BOOST_AUTO_TEST_SUITE_END()
