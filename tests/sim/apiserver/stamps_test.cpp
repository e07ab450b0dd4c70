#include "sim/apiserver/stamps.hpp"

#include <boost/test/unit_test.hpp>

using namespace watchlab;
using namespace watchlab::sim;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(stamps_test)

BOOST_AUTO_TEST_CASE(a_uid_stays_the_same) {
  BOOST_TEST(uid_for(1, 1) == "7095beeb-d765-45e4-bea0-a76395d91588");
  BOOST_TEST(uid_for(1, 2) == "449356e7-6b1e-4655-94ce-edcce45d513f");
  BOOST_TEST(uid_for(7, 123'456) == "39f53442-07f7-435d-a420-9df0b0174994");
}

BOOST_AUTO_TEST_CASE(a_timestamp_is_in_whole_seconds_of_utc) {
  BOOST_TEST(timestamp(runtime::TimePoint(0s)) == "1970-01-01T00:00:00Z");
  BOOST_TEST(timestamp(runtime::TimePoint(951'782'400s)) == "2000-02-29T00:00:00Z");
  BOOST_TEST(timestamp(runtime::TimePoint(1'700'000'000s + 999ms)) == "2023-11-14T22:13:20Z");
}

BOOST_AUTO_TEST_SUITE_END()
