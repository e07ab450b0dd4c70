#pragma once

#include <boost/test/unit_test.hpp>
#include <string>

#include "tests/sim/apiserver/small_cluster.hpp"

namespace watchlab::sim {

/// Compares two Status bodies field by field.
inline void check_same(const api::Status& found, const api::Status& expected) {
  BOOST_TEST(found.status == expected.status);
  BOOST_TEST(to_string(found.reason) == to_string(expected.reason));
  BOOST_TEST(found.code == expected.code);
  BOOST_TEST(found.message == expected.message);
  BOOST_TEST(found.continue_token == expected.continue_token);
  BOOST_TEST(found.details.name == expected.details.name);
  BOOST_TEST(found.details.group == expected.details.group);
  BOOST_TEST(found.details.kind == expected.details.kind);
  BOOST_TEST(found.details.uid == expected.details.uid);
  BOOST_TEST(found.details.retry_after_seconds == expected.details.retry_after_seconds);
  BOOST_REQUIRE_EQUAL(found.details.causes.size(), expected.details.causes.size());
  for (std::size_t i = 0; i < expected.details.causes.size(); ++i) {
    BOOST_TEST(found.details.causes[i].reason == expected.details.causes[i].reason);
    BOOST_TEST(found.details.causes[i].message == expected.details.causes[i].message);
    BOOST_TEST(found.details.causes[i].field == expected.details.causes[i].field);
  }
}

/// The same of a whole answer, whose HTTP code must be that of its body.
inline void check_refused(const Response& response, const api::Status& expected) {
  BOOST_TEST(response.code == expected.code);
  BOOST_REQUIRE(std::holds_alternative<api::Status>(response.answer));
  check_same(status_in(response), expected);
}

}  // namespace watchlab::sim
