#include <zlib.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <memory>

#include "core/api/json.hpp"
#include "sim/faults/fault_catalogue.hpp"
#include "sim/http/kind_protobuf.hpp"
#include "sim/http/list_body.hpp"
#include "sim/http/media_types.hpp"
#include "sim/http/request_checks.hpp"
#include "tests/sim/http/served_server.hpp"

using namespace watchlab;
using namespace watchlab::sim;

// Other forms of requests and answers: packed bodies, the scale of what has replicas, and what is
// refused for its letters.

BOOST_AUTO_TEST_SUITE(http_forms_test)

namespace {

const std::string kDeployments = "/apis/apps/v1/namespaces/default/deployments";
const std::string kScale = kDeployments + "/web/scale";

std::string unpacked(const std::string& packed, std::size_t size) {
  std::string text(size, '\0');
  z_stream stream{};
  BOOST_REQUIRE(inflateInit2(&stream, MAX_WBITS + 16) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  BOOST_TEST(inflate(&stream, Z_FINISH) == Z_STREAM_END);
  text.resize(stream.total_out);
  inflateEnd(&stream);
  return text;
}

HttpAnswer ask_packed(const Tester& tester, const std::string& target,
                      const std::string& encoding) {
  HttpRequest request = http_request("GET", target);
  request.fields.push_back({"Accept-Encoding", encoding});
  const api::Result<HttpAnswer> answer = ask(tester.socket, request);
  BOOST_REQUIRE(answer.ok());
  return *answer;
}

void create_web(Tester& tester) {
  BOOST_TEST(tester.code("POST", kDeployments,
                         {.body = R"({"kind":"Deployment","apiVersion":"apps/v1",)"
                                  R"("metadata":{"name":"web"},"spec":{"replicas":1,"paused":true,)"
                                  R"("selector":{"matchLabels":{"a":"b","c":"d"}},)"
                                  R"("template":{"metadata":{"labels":{"a":"b","c":"d"}},)"
                                  R"("spec":{"containers":[{"name":"c"}]}}}})"}) == 201);
}

}  // namespace

BOOST_AUTO_TEST_CASE(long_answers_are_packed_for_those_who_take_that) {
  ServedServer served;
  Tester tester(served);
  (void)tester.create("small");
  const std::string target = "/api/v1/configmaps";
  BOOST_TEST(field_of(ask_packed(tester, target, "gzip").head.fields, "Content-Encoding") == "");
  (void)tester.create("large", R"({"k":")" + std::string(200'000, 'x') + R"("})");
  const HttpAnswer plain = ask_packed(tester, target, "identity, gzip;q=0");
  BOOST_TEST(field_of(plain.head.fields, "Content-Encoding") == "");
  const HttpAnswer packed = ask_packed(tester, target, "deflate, gzip");
  BOOST_TEST(field_of(packed.head.fields, "Content-Encoding") == "gzip");
  BOOST_TEST(packed.body.size() < plain.body.size() / 10);
  BOOST_TEST(unpacked(packed.body, plain.body.size()) == plain.body);
  const HttpAnswer again = ask_packed(tester, target, "identity");
  BOOST_TEST(field_of(again.head.fields, "Content-Encoding") == "");
  BOOST_TEST(again.body == plain.body);
  (void)tester.create("larger", R"({"k":")" + std::string(2'000'000, 'y') + R"("})");
  const HttpAnswer in_pieces = ask_packed(tester, target, "identity");
  const HttpAnswer packed_pieces = ask_packed(tester, target, "gzip");
  BOOST_TEST(field_of(in_pieces.head.fields, "Transfer-Encoding") == "chunked");
  BOOST_TEST(field_of(packed_pieces.head.fields, "Content-Encoding") == "gzip");
  BOOST_TEST(unpacked(packed_pieces.body, in_pieces.body.size()) == in_pieces.body);
  (void)served.add_fault(make_fault("garble_bytes", {.client = "tester", .times = 1},
                                    {{"what", std::string("answers")}}));
  BOOST_TEST(field_of(ask_packed(tester, target, "gzip").head.fields, "Content-Encoding") == "");
}

BOOST_AUTO_TEST_CASE(the_pieces_of_a_list_are_the_whole_text) {
  const runtime::TimePoint now{std::chrono::hours(1000)};
  const BodyView plain{.resource = {"", "v1", "configmaps"}};
  BodyView table = plain;
  table.form = BodyForm::Table;
  BodyView metadata = plain;
  metadata.form = BodyForm::Metadata;
  for (const std::size_t items : {0U, 1U, 2U, 300U}) {
    api::ObjectList list{.api_version = "v1",
                         .kind = "ConfigMapList",
                         .resource_version = "7",
                         .continue_token = "to]be",
                         .remaining_item_count = 3};
    for (std::size_t i = 0; i < items; ++i) {
      api::Object object{.api_version = "v1", .kind = "ConfigMap"};
      object.metadata.name = "c" + std::to_string(i);
      object.body = R"({"data":{"k":")" + std::string(i * 10, 'x') + "\"}}";
      list.items.push_back(std::make_shared<const api::Object>(std::move(object)));
    }
    BOOST_TEST(!is_long(list.items));
    for (const BodyView& view : {plain, table, metadata}) {
      const Response response{.answer = list};
      const std::string whole =
          view.form == BodyForm::Plain ? api::to_json(list) : shown_body(response, view, now);
      for (const bool packs : {false, true}) {
        ListBody body(list, view, now, packs);
        std::string text;
        std::size_t pieces = 0;
        for (; !body.done(); ++pieces) {
          text += body.next();
        }
        BOOST_TEST((packs ? unpacked(text, whole.size()) : text) == whole);
        BOOST_TEST(((pieces > 1) == (whole.size() > 200'000)));
      }
      if (view.form != BodyForm::Table) {
        BodyView packed = view;
        packed.protobuf = true;
        ListBody body(list, packed, now, false);
        std::string text;
        while (!body.done()) {
          text += body.next();
        }
        BOOST_TEST((text == protobuf_from_json(whole)));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_scale_is_read_and_written) {
  const ServedServer served;
  Tester tester(served);
  create_web(tester);
  const std::string before = tester.ask("GET", kScale).body;
  BOOST_TEST(text_at(before, "/kind") == "Scale");
  BOOST_TEST(text_at(before, "/apiVersion") == "autoscaling/v1");
  BOOST_TEST(text_at(before, "/spec/replicas") == "1");
  BOOST_TEST(text_at(before, "/status/selector") == "a=b,c=d");
  const HttpAnswer patched = tester.ask("PATCH", kScale,
                                        {.type = "application/merge-patch+json",
                                         .body = R"({"spec":{"replicas":3,"paused":false}})"});
  BOOST_TEST(patched.head.code == 200);
  BOOST_TEST(text_at(patched.body, "/spec/replicas") == "3");
  const std::string stale = text_at(before, "/metadata/resourceVersion");
  const auto put = [&](const std::string& revision) {
    return tester.code("PUT", kScale,
                       {.body = R"({"kind":"Scale","apiVersion":"autoscaling/v1","metadata":)"
                                R"({"name":"web","resourceVersion":")" +
                                revision + R"("},"spec":{"replicas":5}})"});
  };
  BOOST_TEST(put(stale) == 409);
  BOOST_TEST(put(text_at(patched.body, "/metadata/resourceVersion")) == 200);
  BOOST_TEST(tester.code("PATCH", kScale,
                         {.type = "application/json-patch+json",
                          .body = R"([{"op":"replace","path":"/spec/replicas","value":7}])"}) ==
             200);
  const std::string after = tester.ask("GET", kDeployments + "/web").body;
  BOOST_TEST(text_at(after, "/spec/replicas") == "7");
  BOOST_TEST(text_at(after, "/spec/paused") == "true");
}

BOOST_AUTO_TEST_CASE(media_types_are_the_same_in_capitals) {
  const ServedServer served;
  Tester tester(served);
  create_web(tester);
  const auto ask_as = [&](const std::string& method, const std::string& target,
                          const std::string& type, const std::string& body) {
    return tester.code(method, target, {.type = type, .body = body});
  };
  const std::string web = kDeployments + "/web";
  const std::string maps = "/api/v1/namespaces/default/configmaps";
  int made = 0;
  for (const char* type : {"APPLICATION/JSON; Charset=UTF-8", "Application/Json ;a=b"}) {
    const std::string name = "made" + std::to_string(++made);
    BOOST_TEST(ask_as("POST", maps, type, R"({"metadata":{"name":")" + name + R"("}})") == 201);
    BOOST_TEST(ask_as("DELETE", maps + "/" + name, type, "{}") == 200);
  }
  for (const char* type : {"APPLICATION/MERGE-PATCH+JSON", "Application/Strategic-Merge-Patch+json",
                           "application/merge-patch+json ; Charset=x"}) {
    BOOST_TEST(ask_as("PATCH", web, type, R"({"spec":{"paused":false}})") == 200);
    BOOST_TEST(ask_as("PATCH", web + "/scale", type, R"({"spec":{"replicas":2}})") == 200);
  }
  const std::string steps = R"([{"op":"replace","path":"/spec/replicas","value":5}])";
  BOOST_TEST(ask_as("PATCH", web, "application/JSON-patch+json", steps) == 200);
  BOOST_TEST(ask_as("PATCH", web + "/scale", "APPLICATION/JSON-PATCH+JSON; a=b", steps) == 200);
  BOOST_TEST(ask_as("PATCH", web + "?fieldManager=me", "Application/Apply-Patch+YAML; a=b",
                    R"({"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"web"}})") ==
             200);
  BOOST_TEST(ask_as("PATCH", web, "APPLICATION/JSON", "{}") == 415);
  BOOST_TEST(ask_as("POST", kDeployments, "TEXT/Plain", "{}") == 415);
  BOOST_TEST(ask_as("POST", kDeployments, "application/json, text/plain", "{}") == 415);
}

BOOST_AUTO_TEST_CASE(what_is_no_scale_is_refused) {
  const ServedServer served;
  Tester tester(served);
  create_web(tester);
  for (const std::string body :
       {R"({"spec":{"replicas":-1}})", R"({"spec":{"replicas":"a"}})", R"({})", "nonsense"}) {
    const Asked asked{.type = "application/merge-patch+json", .body = body};
    BOOST_TEST(tester.code("PATCH", kScale, asked) == 422, body);
  }
  BOOST_TEST(tester.code("PATCH", kScale,
                         {.type = "application/json-patch+json",
                          .body = R"([{"op":"add","path":"/metadata/name","value":7}])"}) == 422);
  BOOST_TEST(tester.code("DELETE", kScale) == 405);
  BOOST_TEST(tester.code("GET", kDeployments + "/none/scale") == 404);
  BOOST_TEST(tester.code("GET", "/api/v1/namespaces/default/configmaps/web/scale") == 404);
  const std::string legacy = tester.ask("GET", "/apis/apps/v1").body;
  BOOST_TEST(legacy.find("\"deployments/scale\"") != std::string::npos);
  BOOST_TEST(legacy.find("daemonsets/scale") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_watch_over_a_websocket_is_over_at_once_and_one_without_is_served) {
  const ServedServer served;
  const Tester tester(served);
  HttpRequest request = http_request("GET", "/api/v1/configmaps?watch=true");
  request.fields.push_back({"Connection", "Upgrade"});
  request.fields.push_back({"Upgrade", "WebSocket"});
  const api::Result<HttpAnswer> answer = ask(tester.socket, request);
  BOOST_REQUIRE(answer.ok());
  BOOST_TEST(answer->head.code == 200);
  BOOST_TEST(answer->body == "");
  BOOST_TEST(OpenWatch(served, "/api/v1/configmaps?watch=true").code == 200);
}

BOOST_AUTO_TEST_CASE(names_that_no_object_can_have_are_refused) {
  const ServedServer served;
  Tester tester(served);
  const std::string most(253, 'x');
  for (const std::string& name : {std::string("a.b-c"), std::string("0"), most}) {
    BOOST_TEST(tester.create(name).head.code == 201, name);
  }
  for (const std::string name :
       {"Upper", "a_b", "-a", "a-", "a..b", ".a", "a.", "a b", "ä", "a/b"}) {
    const HttpAnswer answer = tester.create(name);
    BOOST_TEST(answer.head.code == 422, name);
    BOOST_TEST(text_at(answer.body, "/details/causes/0/field") == "metadata.name");
  }
  BOOST_TEST(tester.create(most + "x").head.code == 422);
  const auto code = [&](const std::string& collection, const std::string& metadata) {
    const std::string spec =
        collection == "namespaces" ? "" : R"(,"spec":{"containers":[{"name":"c"}]})";
    return tester.code("POST", "/api/v1/" + collection,
                       {.body = "{\"metadata\":" + metadata + spec + "}"});
  };
  BOOST_TEST(code("namespaces", R"({"name":"a.b"})") == 422);
  BOOST_TEST(code("namespaces", R"({"name":"a-b"})") == 201);
  BOOST_TEST(code("namespaces/default/pods", R"({"generateName":"A-"})") == 422);
  BOOST_TEST(code("namespaces/default/pods", R"({"generateName":"a-"})") == 201);
  BOOST_TEST(code("namespaces/default/pods", "{}") == 422);
  BOOST_TEST(tester.code("PATCH", "/api/v1/namespaces/default/configmaps/A?fieldManager=m",
                         {.type = "application/apply-patch+yaml",
                          .body = R"({"apiVersion":"v1","kind":"ConfigMap"})"}) == 422);
}

BOOST_AUTO_TEST_CASE(bodies_that_are_no_utf8_are_refused) {
  const ServedServer served;
  Tester tester(served);
  const std::string maps = "/api/v1/namespaces/default/configmaps";
  for (const std::string bytes : {"\xff", "\xc0\xaf", "\xe2\x82", "\xf5\x80\x80\x80"}) {
    const Asked asked{.body = R"({"metadata":{"name":"a"},"data":{"k":")" + bytes + "\"}}"};
    BOOST_TEST(tester.code("POST", maps, asked) == 400);
    BOOST_TEST(tester.code("PATCH", maps + "/a",
                           {.type = "application/merge-patch+json", .body = asked.body}) == 400);
  }
  BOOST_TEST(tester.create("a", R"({"k":"€"})").head.code == 201);
}

BOOST_AUTO_TEST_CASE(utf8_has_one_form_for_each_character_and_no_halves) {
  for (const std::string text :
       {"", "a", "\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
        "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    BOOST_TEST(is_utf8(text), escaped(text));
    BOOST_TEST(is_utf8("x" + text + "x"), escaped(text));
  }
  for (const std::string text : {"\x80",
                                 "\xbf",
                                 "\xc0\x80",
                                 "\xc0\xaf",
                                 "\xc1\xbf",
                                 "\xc2",
                                 "\xc2\x7f",
                                 "\xc2\xc0",
                                 "\xe0\x80\xaf",
                                 "\xe0\x9f\xbf",
                                 "\xe2\x82",
                                 "\xe2\x82\x7f",
                                 "\xed\xa0\x80",
                                 "\xed\xbf\xbf",
                                 "\xf0\x80\x80\xaf",
                                 "\xf0\x8f\xbf\xbf",
                                 "\xf0\x90\x80",
                                 "\xf0\x90\x80\xc0",
                                 "\xf4\x90\x80\x80",
                                 "\xf5\x80\x80\x80",
                                 "\xf8\x88\x80\x80\x80",
                                 "\xff"}) {
    BOOST_TEST(!is_utf8(text), escaped(text));
    BOOST_TEST(!is_utf8("x" + text + "x"), escaped(text));
  }
}

BOOST_AUTO_TEST_SUITE_END()
