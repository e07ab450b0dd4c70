#include <boost/test/unit_test.hpp>

#include "core/api/json.hpp"
#include "sim/network/http_names.hpp"
#include "sim/network/wire_messages.hpp"

using namespace watchlab;
using namespace watchlab::sim;

BOOST_AUTO_TEST_SUITE(wire_answer_test)

namespace {

HttpHead head_of(std::int32_t code, std::string type, HttpFields more = {}) {
  HttpHead head{code, {{"Content-Type", std::move(type)}}};
  head.fields.insert(head.fields.end(), more.begin(), more.end());
  return head;
}

/// What a client makes of an answer that travels as bytes.
api::Result<Response> travelled(const Response& response, Verb verb) {
  HttpResponseReader reader;
  BOOST_REQUIRE(reader.feed(message_of(response).bytes()).ok());
  BOOST_REQUIRE(reader.done());
  return response_from(*reader.head(), reader.take_body(), verb);
}

std::int32_t wait_reported(std::string value) {
  const auto refused = response_from(
      head_of(429, "text/plain", {{"Retry-After", std::move(value)}}), "", Verb::List);
  return refused.error().status.details.retry_after_seconds;
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_answer_comes_back_as_it_was_sent) {
  const auto object = std::make_shared<const api::Object>(api::Object{
      .api_version = "v1", .kind = "Pod", .metadata = {.name = "a"}, .body = R"({"b":1})"});
  const auto got = travelled({201, object}, Verb::Create);
  BOOST_REQUIRE(got.ok());
  BOOST_TEST(got->code == 201);
  BOOST_TEST((*std::get<api::ObjectPtr>(got->answer) == *object));
  const auto list = travelled(
      {200,
       api::ObjectList{
           .api_version = "v1", .kind = "PodList", .resource_version = "7", .items = {object}}},
      Verb::List);
  BOOST_REQUIRE(list.ok());
  BOOST_TEST(std::get<api::ObjectList>(list->answer).resource_version == "7");
}

BOOST_AUTO_TEST_CASE(a_refusal_comes_back_with_its_status_and_how_long_to_wait) {
  api::Status status = api::failure(api::StatusReason::TooManyRequests, "slow down");
  status.details.retry_after_seconds = 9;
  const auto refused = travelled(response_of(status), Verb::List);
  BOOST_REQUIRE(!refused.ok());
  BOOST_TEST((refused.error().status == status));
}

BOOST_AUTO_TEST_CASE(a_refusal_without_a_status_is_read_by_its_code) {
  const auto refused = response_from(head_of(429, "text/plain", {{"Retry-After", "7"}}),
                                     "come back later", Verb::List);
  BOOST_REQUIRE(!refused.ok());
  const api::Status& status = refused.error().status;
  BOOST_TEST(status.code == 429);
  BOOST_TEST((status.reason == api::StatusReason::TooManyRequests));
  BOOST_TEST(status.details.retry_after_seconds == 7);
  BOOST_REQUIRE(status.details.causes.size() == 1);
  BOOST_TEST(status.details.causes[0].message == "come back later");
}

BOOST_AUTO_TEST_CASE(a_wait_that_is_no_number_of_seconds_is_none) {
  BOOST_TEST(wait_reported("12") == 12);
  for (const char* value : {"", "soon", "-3", "99999999999"}) {
    BOOST_TEST(wait_reported(value) == 0, value);
  }
}

BOOST_AUTO_TEST_CASE(a_success_that_is_no_json_is_a_decoding_error) {
  for (const auto& [type, body] :
       {std::pair("text/html", "{}"), std::pair("application/json", "<html>")}) {
    const auto read = response_from(head_of(200, type), body, Verb::List);
    BOOST_TEST((!read.ok() && read.error().kind == api::ErrorKind::Decode), body);
  }
}

BOOST_AUTO_TEST_CASE(only_json_opens_a_watch) {
  BOOST_TEST(!opens_watch(head_of(200, "text/html"), Verb::Watch));
  BOOST_TEST(opens_watch(head_of(200, "application/json;stream=watch"), Verb::Watch));
  BOOST_TEST(!opens_watch(head_of(200, "application/json"), Verb::List));
  BOOST_TEST(!opens_watch(head_of(410, "application/json"), Verb::Watch));
}

BOOST_AUTO_TEST_CASE(a_failure_in_the_body_counts_whatever_the_code_says) {
  const std::string body = to_json(api::failure(api::StatusReason::Expired, "too old"));
  BOOST_TEST(!response_from(head_of(200, "application/json"), body, Verb::List).ok());
}

BOOST_AUTO_TEST_SUITE_END()
