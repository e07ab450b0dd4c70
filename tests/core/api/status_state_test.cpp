#include <boost/test/unit_test.hpp>
#include <map>

#include "core/api/json.hpp"
#include "core/api/status.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(status_state_test)

namespace {

using api::StatusReason;
using api::StatusState;

}  // namespace

BOOST_AUTO_TEST_CASE(a_code_leads_to_a_reason_that_has_it) {
  std::map<std::int32_t, int> reasons;
  for (int i = 1; i <= static_cast<int>(StatusReason::ServiceUnavailable); ++i) {
    ++reasons[api::code_for(static_cast<StatusReason>(i))];
  }
  for (int i = 1; i <= static_cast<int>(StatusReason::ServiceUnavailable); ++i) {
    const auto reason = static_cast<StatusReason>(i);
    const std::int32_t code = api::code_for(reason);
    BOOST_TEST(api::code_for(api::reason_for(code)) == code, api::to_string(reason));
    BOOST_TEST((reasons[code] > 1 || api::reason_for(code) == reason), api::to_string(reason));
  }
}

BOOST_AUTO_TEST_CASE(of_reasons_that_share_a_code_the_one_that_claims_least_is_taken) {
  BOOST_TEST((api::reason_for(409) == StatusReason::Conflict));
  BOOST_TEST((api::reason_for(410) == StatusReason::Gone));
  BOOST_TEST((api::reason_for(500) == StatusReason::InternalError));
}

BOOST_AUTO_TEST_CASE(codes_without_a_reason_are_the_servers_fault_or_unknown) {
  BOOST_TEST((api::reason_for(502) == StatusReason::InternalError));
  BOOST_TEST((api::reason_for(418) == StatusReason::Unknown));
  BOOST_TEST((api::reason_for(200) == StatusReason::Unknown));
  BOOST_TEST((api::reason_for(0) == StatusReason::Unknown));
}

BOOST_AUTO_TEST_CASE(every_state_has_a_name_that_leads_back_to_it) {
  for (const StatusState state :
       {StatusState::Success, StatusState::Failure, StatusState::Working}) {
    api::Status status;
    status.status = api::to_string(state);
    BOOST_TEST((api::state_of(status) == state), api::to_string(state));
  }
  BOOST_TEST((api::state_of(api::failure(StatusReason::Gone, "")) == StatusState::Failure));
}

BOOST_AUTO_TEST_CASE(a_word_that_is_no_state_is_kept_and_is_none_of_the_three) {
  const auto status = api::status_from_json(R"({"kind":"Status","status":"Pondering"})");
  BOOST_REQUIRE(status.ok());
  BOOST_TEST(status->status == "Pondering");
  BOOST_TEST(!api::state_of(*status).has_value());
}

BOOST_AUTO_TEST_CASE(a_working_status_names_its_operation_and_is_accepted) {
  const api::Status status = api::working("17");
  BOOST_TEST((api::state_of(status) == StatusState::Working));
  BOOST_TEST(status.code == 202);
  const auto back = api::status_from_json(api::to_json(status));
  BOOST_REQUIRE(back.ok());
  BOOST_TEST((*back == status));
}

BOOST_AUTO_TEST_CASE(what_a_server_of_2014_calls_the_operation_is_understood) {
  const auto status = api::status_from_json(
      R"({"kind":"Status","status":"Working","code":202,"details":{"id":"17"}})");
  BOOST_REQUIRE(status.ok());
  BOOST_TEST((*status == api::working("17")));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
