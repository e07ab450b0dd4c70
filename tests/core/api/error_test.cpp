#include "core/api/error.hpp"

#include <boost/test/unit_test.hpp>

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(error_test)

namespace {

using api::Error;
using api::StatusReason;

Error failed(StatusReason reason, std::string message = "") {
  return api::error_from(api::failure(reason, std::move(message)));
}

Error with_bare_code(std::int32_t code) {
  api::Status status;
  status.code = code;
  return api::error_from(status);
}

Error with_cause(StatusReason reason, const api::StatusCause& cause) {
  api::Status status = api::failure(reason, "");
  status.details.causes = {cause};
  return api::error_from(status);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_reason_has_a_name_that_leads_back_to_it) {
  for (int i = 0; i <= static_cast<int>(StatusReason::ServiceUnavailable); ++i) {
    const auto reason = static_cast<StatusReason>(i);
    BOOST_TEST((api::reason_named(api::to_string(reason)) == reason), api::to_string(reason));
    BOOST_TEST((reason == StatusReason::Unknown || !api::to_string(reason).empty()));
  }
  BOOST_TEST((api::reason_named("Nonsense") == StatusReason::Unknown));
}

BOOST_AUTO_TEST_CASE(every_reason_has_the_code_that_a_server_uses) {
  const std::pair<StatusReason, std::int32_t> kCodes[] = {
      {StatusReason::Unauthorized, 401},
      {StatusReason::Forbidden, 403},
      {StatusReason::NotFound, 404},
      {StatusReason::MethodNotAllowed, 405},
      {StatusReason::NotAcceptable, 406},
      {StatusReason::AlreadyExists, 409},
      {StatusReason::Conflict, 409},
      {StatusReason::Gone, 410},
      {StatusReason::Expired, 410},
      {StatusReason::RequestEntityTooLarge, 413},
      {StatusReason::UnsupportedMediaType, 415},
      {StatusReason::Invalid, 422},
      {StatusReason::TooManyRequests, 429},
      {StatusReason::InternalError, 500},
      {StatusReason::ServerTimeout, 500},
      {StatusReason::StorageReadError, 500},
      {StatusReason::ServiceUnavailable, 503},
      {StatusReason::Timeout, 504},
      {StatusReason::BadRequest, 400},
      {StatusReason::Unknown, 0},
  };
  for (const auto& [reason, code] : kCodes) {
    BOOST_TEST(api::code_for(reason) == code, api::to_string(reason));
  }
}

BOOST_AUTO_TEST_CASE(an_error_carries_its_status_and_says_its_message) {
  const Error error = failed(StatusReason::NotFound, "no such thing");
  BOOST_TEST((error.kind == api::ErrorKind::Status));
  BOOST_TEST(error.message == "no such thing");
  BOOST_TEST(error.status.code == 404);
}

BOOST_AUTO_TEST_CASE(each_predicate_recognises_its_reason_and_no_other) {
  const Error errors[] = {
      failed(StatusReason::Expired),         failed(StatusReason::Gone),
      failed(StatusReason::TooManyRequests), failed(StatusReason::InternalError),
      failed(StatusReason::NotFound),        failed(StatusReason::Conflict)};
  bool (*const predicates[])(const Error&) = {api::is_expired,           api::is_gone,
                                              api::is_too_many_requests, api::is_internal_error,
                                              api::is_not_found,         api::is_conflict};
  for (std::size_t error = 0; error < std::size(errors); ++error) {
    for (std::size_t predicate = 0; predicate < std::size(predicates); ++predicate) {
      BOOST_TEST(predicates[predicate](errors[error]) == (error == predicate));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_code_speaks_where_the_reason_is_unknown) {
  BOOST_TEST(api::is_gone(with_bare_code(410)));
  BOOST_TEST(api::is_not_found(with_bare_code(404)));
  BOOST_TEST(api::is_too_many_requests(with_bare_code(429)));
  BOOST_TEST(!api::is_expired(with_bare_code(410)));
}

BOOST_AUTO_TEST_CASE(an_error_without_a_status_has_no_reason) {
  const Error refused{.kind = api::ErrorKind::ConnectionRefused, .message = "refused"};
  BOOST_TEST(!api::is_gone(refused));
  BOOST_TEST(!api::is_too_large_resource_version(refused));
}

BOOST_AUTO_TEST_CASE(three_generations_of_servers_say_that_a_version_is_too_large) {
  BOOST_TEST(api::is_too_large_resource_version(with_cause(
      StatusReason::Timeout, {.reason = "ResourceVersionTooLarge", .message = "", .field = ""})));
  BOOST_TEST(api::is_too_large_resource_version(
      with_cause(StatusReason::Timeout,
                 {.reason = "", .message = "Too large resource version", .field = ""})));
  BOOST_TEST(api::is_too_large_resource_version(
      failed(StatusReason::Timeout, "Timeout: Too large resource version: 9, current: 3")));
}

BOOST_AUTO_TEST_CASE(only_a_timeout_may_say_so_in_words) {
  BOOST_TEST(!api::is_too_large_resource_version(
      failed(StatusReason::InternalError, "Too large resource version: 9")));
  BOOST_TEST(!api::is_too_large_resource_version(
      with_cause(StatusReason::Invalid,
                 {.reason = "", .message = "Too large resource version", .field = ""})));
  BOOST_TEST(!api::is_too_large_resource_version(failed(StatusReason::Timeout, "just slow")));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
