#include <boost/test/unit_test.hpp>
#include <vector>

#include "core/api/json.hpp"
#include "sim/network/wire_messages.hpp"

using namespace watchlab;
using namespace watchlab::sim;

BOOST_AUTO_TEST_SUITE(wire_request_test)

namespace {

const api::GroupVersionResource kPods{"", "v1", "pods"};
const api::GroupVersionResource kDeployments{"apps", "v1", "deployments"};

Request request_to(Verb verb, const api::GroupVersionResource& resource, std::string name = "") {
  Request request{.verb = verb, .resource = resource, .namespace_ = "default"};
  request.name = std::move(name);
  request.client = "reflector";
  return request;
}

/// The request after a way over the wire, as its method and target and then as text.
void comes_back_alike(const Request& request, const std::string& line) {
  BOOST_TEST_CONTEXT(line) {
    const HttpRequest http = http_from(request);
    BOOST_TEST(http.method + " " + http.target == line);
    const api::Result<Request> back = request_from(http);
    BOOST_REQUIRE(back.ok());
    BOOST_TEST((back->verb == request.verb));
    BOOST_TEST((back->resource == request.resource));
    BOOST_TEST(back->namespace_ == request.namespace_);
    BOOST_TEST(back->name == request.name);
    BOOST_TEST((back->options == request.options));
    BOOST_TEST(back->client == request.client);
    BOOST_TEST(back->patch == request.patch);
    BOOST_TEST((back->patch_type == request.patch_type));
    BOOST_TEST(back->field_manager == request.field_manager);
    BOOST_TEST(back->force == request.force);
    BOOST_TEST(back->deletion.uid == request.deletion.uid);
    BOOST_TEST(back->deletion.propagation_policy == request.deletion.propagation_policy);
  }
}

std::int32_t refusal_for(const std::string& method, const std::string& target,
                         const std::string& type = "", const std::string& body = "") {
  const auto request = request_from({method, target, {{"Content-Type", type}}, body});
  return request ? 0 : request.error().status.code;
}

}  // namespace

BOOST_AUTO_TEST_CASE(list_options_become_a_query_and_come_back) {
  Request list = request_to(Verb::List, kPods);
  list.options = {.resource_version = "0", .limit = 500, .label_selector = "a=b,c in (d e)"};
  comes_back_alike(list,
                   "GET /api/v1/namespaces/default/pods?labelSelector=a%3Db%2Cc%20in%20%28d%20e%29"
                   "&limit=500&resourceVersion=0");
  Request watch = request_to(Verb::Watch, kDeployments);
  watch.options = {.resource_version = "12",
                   .resource_version_match = api::ResourceVersionMatch::NotOlderThan,
                   .timeout_seconds = 300,
                   .allow_watch_bookmarks = true,
                   .send_initial_events = true};
  comes_back_alike(watch,
                   "GET /apis/apps/v1/namespaces/default/deployments?allowWatchBookmarks=true"
                   "&resourceVersion=12&resourceVersionMatch=NotOlderThan&sendInitialEvents=true"
                   "&timeoutSeconds=300&watch=true");
}

BOOST_AUTO_TEST_CASE(requests_about_one_object_name_it_in_the_path) {
  comes_back_alike(request_to(Verb::Get, kPods, "demo"),
                   "GET /api/v1/namespaces/default/pods/demo");
  Request patch = request_to(Verb::Patch, kPods, "demo");
  patch.patch = R"({"data":null})";
  patch.patch_type = PatchType::Strategic;
  comes_back_alike(patch, "PATCH /api/v1/namespaces/default/pods/demo");
  Request removal = request_to(Verb::Delete, kPods, "demo");
  removal.deletion = {.uid = "u", .resource_version = "3", .propagation_policy = "Orphan"};
  comes_back_alike(removal, "DELETE /api/v1/namespaces/default/pods/demo");
  comes_back_alike(request_to(Verb::DeleteCollection, kPods),
                   "DELETE /api/v1/namespaces/default/pods");
}

BOOST_AUTO_TEST_CASE(writers_say_who_they_are_in_the_query) {
  Request apply = request_to(Verb::Patch, kPods, "demo");
  apply.patch = R"({"kind":"Pod"})";
  apply.patch_type = PatchType::Apply;
  apply.field_manager = "kube ctl";
  apply.force = true;
  comes_back_alike(apply,
                   "PATCH /api/v1/namespaces/default/pods/demo?fieldManager=kube%20ctl&force=true");
  Request create = request_to(Verb::Create, kPods);
  create.object = std::make_shared<const api::Object>(
      api::Object{.api_version = "v1", .kind = "Pod", .metadata = {.name = "demo"}});
  create.field_manager = "me";
  comes_back_alike(create, "POST /api/v1/namespaces/default/pods?fieldManager=me");
}

BOOST_AUTO_TEST_CASE(an_unknown_match_is_refused_field_by_field) {
  const auto request =
      request_from({"GET", "/api/v1/pods?resourceVersion=3&resourceVersionMatch=Almost", {}, ""});
  const std::string why =
      "Unsupported value: \"Almost\": supported values: \"Exact\", \"NotOlderThan\", \"\"";
  BOOST_TEST(
      (request.error().status == api::Status{.reason = api::StatusReason::Invalid,
                                             .code = 422,
                                             .message = "ListOptions.meta.k8s.io \"\" is invalid: "
                                                        "resourceVersionMatch: " +
                                                        why,
                                             .details = {.group = "meta.k8s.io",
                                                         .kind = "ListOptions",
                                                         .causes = {{"FieldValueNotSupported", why,
                                                                     "resourceVersionMatch"}}}}));
}

BOOST_AUTO_TEST_CASE(an_object_travels_as_json) {
  Request update = request_to(Verb::UpdateStatus, kPods, "demo");
  update.object = std::make_shared<const api::Object>(api::Object{
      .api_version = "v1", .kind = "Pod", .metadata = {.name = "demo"}, .body = R"({"a":1})"});
  comes_back_alike(update, "PUT /api/v1/namespaces/default/pods/demo/status");
  BOOST_TEST((*request_from(http_from(update))->object == *update.object));
}

BOOST_AUTO_TEST_CASE(a_namespace_is_an_object_and_a_place) {
  const auto about = request_from({"GET", "/api/v1/namespaces/a", {}, ""});
  BOOST_TEST(about->resource.resource == "namespaces");
  BOOST_TEST(about->name == "a");
  const auto inside = request_from({"GET", "/api/v1/namespaces/a/pods", {}, ""});
  BOOST_TEST(inside->namespace_ == "a");
  BOOST_TEST((inside->verb == Verb::List));
}

BOOST_AUTO_TEST_CASE(a_number_in_a_query_is_whole_and_nothing_else) {
  const auto number = [](const std::string& name, const std::string& text) {
    const auto request = request_from({"GET", "/api/v1/pods?" + name + "=" + text, {}, ""});
    BOOST_REQUIRE_MESSAGE(request.ok(), name + "=" + text);
    return name == "limit" ? request->options.limit : request->options.timeout_seconds;
  };
  for (const std::string name : {"limit", "timeoutSeconds"}) {
    BOOST_TEST(number(name, "0") == 0);
    BOOST_TEST(number(name, "7") == 7);
    BOOST_TEST(number(name, "007") == 7);
    BOOST_TEST(number(name, "-1") == -1);
    BOOST_TEST(number(name, "9223372036854775807") == INT64_MAX);
    for (const char* text : {"",
                             "x",
                             "7x",
                             "7%20",
                             "%207",
                             "7.0",
                             "7.",
                             "1e3",
                             "0x",
                             "0x7",
                             "7,000",
                             "7_000",
                             "--7",
                             "%2B7",
                             "-",
                             "9223372036854775808",
                             "-9223372036854775809",
                             "99999999999999999999999",
                             "7%00",
                             "seven",
                             "TRUE",
                             "7&limit=x7x&limit=%"}) {
      BOOST_TEST(refusal_for("GET", "/api/v1/pods?" + name + "=" + text) == 400, name + text);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_flag_in_a_query_is_true_unless_it_is_0_or_false) {  // W6
  const auto flags = [](const std::string& text) {
    const auto request =
        request_from({"GET",
                      "/api/v1/pods?watch=" + text + "&allowWatchBookmarks=" + text +
                          "&sendInitialEvents=" + text,
                      {},
                      ""});
    BOOST_REQUIRE_MESSAGE(request.ok(), text);
    BOOST_REQUIRE(request->options.send_initial_events.has_value());
    BOOST_TEST(request->options.allow_watch_bookmarks == *request->options.send_initial_events);
    BOOST_TEST(request->options.allow_watch_bookmarks == (request->verb == Verb::Watch));
    return request->options.allow_watch_bookmarks;
  };
  for (const char* yes :
       {"1", "t", "true", "TRUE", "yes", "no", "2", "", "f", "maybe", "false0", "%20false", "-1"}) {
    BOOST_TEST(flags(yes), yes);
  }
  for (const char* no : {"0", "false", "False", "FALSE"}) {
    BOOST_TEST(!flags(no), no);
  }
  BOOST_TEST((request_from({"GET", "/api/v1/pods", {}, ""})->verb == Verb::List));
  BOOST_TEST((request_from({"GET", "/api/v1/namespaces/a?watch=1", {}, ""})->verb == Verb::Get));
}

BOOST_AUTO_TEST_CASE(escapes_in_a_query_have_two_digits) {
  for (const char* query : {"x=%", "x=%4", "x=%zz", "x=%4z", "x=%z4", "%=x", "x=%-1", "x=%%41"}) {
    BOOST_TEST(refusal_for("GET", std::string("/api/v1/pods?") + query) == 400, query);
  }
  const auto request =
      request_from({"GET", "/api/v1/pods?labelSelector=a%3Db%2Cc&continue=x+y%2Bz", {}, ""});
  BOOST_TEST(request->options.label_selector == "a=b,c");
  BOOST_TEST(request->options.continue_token == "x y+z");
}

BOOST_AUTO_TEST_CASE(what_makes_no_sense_is_refused_with_the_code_of_a_server) {
  BOOST_TEST(refusal_for("GET", "/api/v1/pods?limit=many") == 400);
  BOOST_TEST(refusal_for("GET", "/api/v1/pods?resourceVersionMatch=Almost") == 422);
  BOOST_TEST(refusal_for("GET", "/api/v1/pods?x=%4") == 400);
  BOOST_TEST(refusal_for("GET", "pods") == 400);
  BOOST_TEST(refusal_for("GET", "/nowhere") == 404);
  BOOST_TEST(refusal_for("GET", "/api/v1/namespaces/a/pods/b/log") == 404);
  BOOST_TEST(refusal_for("BREW", "/api/v1/pods") == 405);
  BOOST_TEST(refusal_for("POST", "/api/v1/pods", "application/vnd.kubernetes.protobuf") == 415);
  BOOST_TEST(refusal_for("PATCH", "/api/v1/pods/a", "text/plain", "{}") == 415);
  BOOST_TEST(refusal_for("POST", "/api/v1/pods", "", "{\"kind\":") == 400);
  BOOST_TEST(refusal_for("DELETE", "/api/v1/pods/a", "", "[1]") == 400);
}

BOOST_AUTO_TEST_CASE(a_precondition_that_cannot_be_read_does_not_count_as_none) {
  for (const char* body :
       {R"({"preconditions":{"uid":5}})", R"({"preconditions":{"resourceVersion":7}})",
        R"({"preconditions":"uid"})", R"({"propagationPolicy":[]})"}) {
    BOOST_TEST(refusal_for("DELETE", "/api/v1/pods/a", "", body) == 400, body);
  }
  const auto read = request_from(
      {"DELETE", "/api/v1/pods/a", {}, R"({"preconditions":{"uid":null,"resourceVersion":"7"}})"});
  BOOST_TEST(read->deletion.resource_version == "7");
}

BOOST_AUTO_TEST_SUITE_END()
