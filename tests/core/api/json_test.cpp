#include "core/api/json.hpp"

#include <boost/test/unit_test.hpp>

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(json_test)

namespace {

using api::Object;
using api::Result;

/// The text after a round through an object.
std::string again(std::string_view text) {
  const Result<Object> object = api::object_from_json(text);
  return object ? api::to_json(*object) : "error: " + object.error().message;
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_object_is_written_in_the_servers_order_without_what_is_unset) {
  Object object;
  object.api_version = "v1";
  object.kind = "ConfigMap";
  object.body = R"({"data":{"b":"1","a":"2"}})";
  object.metadata.name = "demo";
  object.metadata.namespace_ = "default";
  object.metadata.uid = "u-1";
  object.metadata.resource_version = "7";
  object.metadata.generation = 2;
  object.metadata.labels = {{"b", "2"}, {"a", "1"}};
  object.metadata.finalizers = {"x", "y"};
  BOOST_TEST(api::to_json(object) ==
             R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"demo",)"
             R"("namespace":"default","uid":"u-1","resourceVersion":"7","generation":2,)"
             R"("labels":{"a":"1","b":"2"},"finalizers":["x","y"]},"data":{"b":"1","a":"2"}})");
}

BOOST_AUTO_TEST_CASE(an_object_comes_back_as_it_was_written) {
  Object object;
  object.api_version = "apps/v1";
  object.kind = "Deployment";
  object.body = R"({"spec":{"replicas":3},"status":null})";
  object.metadata.name = "web";
  object.metadata.generate_name = "web-";
  object.metadata.creation_timestamp = "2026-01-01T00:00:00Z";
  object.metadata.deletion_timestamp = "2026-01-02T00:00:00Z";
  object.metadata.annotations = {{"quote\"and\\slash", "line\nbreak \u00e9"}};
  object.metadata.other_members = R"({"managedFields":[{"manager":"kubectl"}]})";
  const Result<Object> read = api::object_from_json(api::to_json(object));
  BOOST_REQUIRE(read.ok());
  BOOST_TEST((*read == object));
}

BOOST_AUTO_TEST_CASE(what_we_do_not_know_is_kept_to_the_letter) {
  BOOST_TEST(again(R"({"odd":1.50,"kind":"K","apiVersion":"v1","more":[1e3, {}],)"
                   R"("metadata":{"selfLink":"/x","name":"n","ownerReferences":[ ]}})") ==
             R"({"kind":"K","apiVersion":"v1","metadata":{"name":"n","selfLink":"/x",)"
             R"("ownerReferences":[ ]},"odd":1.50,"more":[1e3, {}]})");
}

BOOST_AUTO_TEST_CASE(members_that_stand_twice_come_back_as_something_readable) {
  const auto object = api::object_from_json(
      R"({"kind":"A","metadata":{"name":"a","x":1},"b":1,"metadata":{"name":"b","y":2},"b":2})");
  BOOST_REQUIRE(object.ok());
  BOOST_TEST(object->metadata.name == "b");
  BOOST_TEST(object->metadata.other_members == R"({"x":1,"y":2})");
  BOOST_TEST((api::object_from_json(to_json(*object)).value() == *object));
}

BOOST_AUTO_TEST_CASE(nulls_read_as_unset) {
  BOOST_TEST(again(R"({"kind":"K","metadata":{"name":"n","labels":null,"creationTimestamp":null,)"
                   R"("finalizers":null}})") == R"({"kind":"K","metadata":{"name":"n"}})");
}

BOOST_AUTO_TEST_CASE(escaped_text_is_understood) {
  const Result<Object> object = api::object_from_json(
      R"({"kind":"K","metadata":{"name":"a\u0062\"c","labels":{"k\u0031":"v"}}})");
  BOOST_REQUIRE(object.ok());
  BOOST_TEST(object->metadata.name == "ab\"c");
  BOOST_TEST(object->metadata.labels.at("k1") == "v");
}

BOOST_AUTO_TEST_CASE(an_object_needs_a_kind) {
  BOOST_TEST(again(R"({"metadata":{"name":"n"}})") == "error: kind is missing");
}

BOOST_AUTO_TEST_CASE(a_member_of_the_wrong_type_is_named) {
  BOOST_TEST(again(R"({"kind":"K","metadata":{"name":7}})") ==
             "error: metadata.name is not a string");
  BOOST_TEST(again(R"({"kind":"K","metadata":[]})") == "error: metadata is not an object");
  BOOST_TEST(again(R"({"kind":"K","metadata":{"generation":1.5}})") ==
             "error: metadata.generation is not a whole number of 64 bits");
  BOOST_TEST(again(R"({"kind":"K","metadata":{"labels":{"a":1}}})") ==
             "error: metadata.labels is not a string");
}

BOOST_AUTO_TEST_CASE(text_that_is_no_json_is_refused_with_its_place) {
  const std::string_view texts[] = {
      "",
      "{",
      "[]",
      "nonsense",
      R"({"a"})",
      R"({"a":})",
      R"({"a":1,})",
      R"({"a":01})",
      R"({"a":00})",
      R"({"a":1.})",
      R"({"a":-})",
      R"({"a":1e})",
      R"({"a":"\x"})",
      R"({"a":"\u12g4"})",
      "{\"a\":\"\n\"}",
      R"({"a":tru})",
      R"({"a":[1 2]})",
      R"({"a":1} x)",
      R"({"a":"open})",
  };
  for (const std::string_view text : texts) {
    const Result<Object> object = api::object_from_json(text);
    BOOST_TEST(!object.ok(), text);
    BOOST_TEST((object.ok() || object.error().kind == api::ErrorKind::Decode), text);
    BOOST_TEST((object.ok() || object.error().message.starts_with("no valid JSON at byte ")), text);
  }
}

BOOST_AUTO_TEST_CASE(numbers_of_every_form_pass) {
  BOOST_TEST(api::object_from_json(R"({"kind":"K","a":[0,-0,10,-1.5e-7,2E+3,0.1]})").ok());
}

BOOST_AUTO_TEST_CASE(strings_of_every_length_end_at_their_quote) {
  for (std::size_t length = 0; length < 40; ++length) {
    const std::string name(length, 'x');
    const auto object =
        api::object_from_json(R"({"kind":"A","metadata":{"name":")" + name + R"("},"b":1})");
    BOOST_REQUIRE(object.ok());
    BOOST_TEST(object->metadata.name == name);
    BOOST_TEST(object->body == R"({"b":1})");
  }
}

BOOST_AUTO_TEST_CASE(a_control_character_is_refused_wherever_it_stands) {
  const std::string plain(24, '\xff');
  for (std::size_t place = 0; place < plain.size(); ++place) {
    std::string text = plain;
    text[place] = '\x1f';
    BOOST_TEST(!api::object_from_json(R"({"kind":"A","b":")" + text + R"("})").ok());
  }
  BOOST_TEST(api::object_from_json(R"({"kind":"A","b":")" + plain + R"("})").ok());
}

BOOST_AUTO_TEST_CASE(text_nested_without_end_is_refused) {
  const std::string deep(5000, '[');
  BOOST_TEST(!api::object_from_json(R"({"kind":"K","a":)" + deep).ok());
}

BOOST_AUTO_TEST_CASE(a_list_comes_back_as_it_was_written) {
  Object item;
  item.api_version = "v1";
  item.kind = "ConfigMap";
  item.metadata.name = "a";
  api::ObjectList list;
  list.kind = "ConfigMapList";
  list.resource_version = "12";
  list.continue_token = "more";
  list.remaining_item_count = 0;
  list.items = {std::make_shared<const Object>(item)};
  const std::string text = api::to_json(list);
  BOOST_TEST(text ==
             R"({"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"12",)"
             R"("continue":"more","remainingItemCount":0},"items":[{"kind":"ConfigMap",)"
             R"("apiVersion":"v1","metadata":{"name":"a"}}]})");
  const Result<api::ObjectList> read = api::list_from_json(text);
  BOOST_REQUIRE(read.ok());
  BOOST_TEST(api::to_json(*read) == text);
}

BOOST_AUTO_TEST_CASE(a_list_has_the_version_that_it_says_and_no_other) {
  for (const char* text : {R"({"kind":"PodList"})", R"({"kind":"PodList","apiVersion":null})"}) {
    BOOST_TEST(api::list_from_json(text)->api_version.empty(), text);
  }
}

BOOST_AUTO_TEST_CASE(items_without_a_kind_take_it_from_their_list) {
  const Result<api::ObjectList> list = api::list_from_json(
      R"({"items":[{"metadata":{"name":"a"}}],"kind":"PodList","apiVersion":"v1","metadata":{}})");
  BOOST_REQUIRE(list.ok());
  BOOST_TEST(list->items.front()->kind == "Pod");
  BOOST_TEST(list->items.front()->api_version == "v1");
}

BOOST_AUTO_TEST_CASE(an_empty_list_may_have_null_items) {
  const Result<api::ObjectList> list = api::list_from_json(R"({"kind":"PodList","items":null})");
  BOOST_REQUIRE(list.ok());
  BOOST_TEST(list->items.empty());
}

BOOST_AUTO_TEST_CASE(a_status_comes_back_as_it_was_written) {
  api::Status status = api::failure(api::StatusReason::Timeout, "Too large resource version");
  status.details.name = "demo";
  status.details.kind = "configmaps";
  status.details.causes = {
      {.reason = "ResourceVersionTooLarge", .message = "Too large", .field = ""}};
  status.details.retry_after_seconds = 1;
  status.continue_token = "token";
  const std::string text = api::to_json(status);
  BOOST_TEST(text ==
             R"({"kind":"Status","apiVersion":"v1","metadata":{"continue":"token"},)"
             R"("status":"Failure","message":"Too large resource version","reason":"Timeout",)"
             R"("details":{"name":"demo","kind":"configmaps","causes":[)"
             R"({"reason":"ResourceVersionTooLarge","message":"Too large"}],)"
             R"("retryAfterSeconds":1},"code":504})");
  const Result<api::Status> read = api::status_from_json(text);
  BOOST_REQUIRE(read.ok());
  BOOST_TEST((*read == status));
}

BOOST_AUTO_TEST_CASE(only_a_status_reads_as_one) {
  BOOST_TEST(!api::status_from_json(R"({"kind":"Pod"})").ok());
  BOOST_TEST(!api::status_from_json(R"({"kind":"Status","code":"x"})").ok());
  BOOST_TEST(*api::kind_in_json(R"({"a":1,"kind":"Status"})") == "Status");
  BOOST_TEST(api::kind_in_json("{}")->empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
