#include <boost/test/unit_test.hpp>

#include "core/runtime/thread_runtime.hpp"
#include "tests/core/cache/scripted_server.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(reflector_log_test)

namespace {

/// How loud the error is logged when no handler takes it.
std::string loudness_of(const api::Error& error) {
  std::string loudness = "not at all";
  runtime::ThreadRuntime runtime({.log = [&](runtime::LogLevel level, std::string_view) {
    switch (level) {
      case runtime::LogLevel::Debug:
        loudness = "debug";
        break;
      case runtime::LogLevel::Info:
        loudness = "info";
        break;
      case runtime::LogLevel::Warning:
        loudness = "warning";
        break;
      case runtime::LogLevel::Error:
        loudness = "error";
        break;
    }
  }});
  cache::log_watch_error(runtime, "v1, Kind=ConfigMap", error);
  return loudness;
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_error_is_logged_as_loud_as_it_is_unusual) {
  BOOST_TEST(loudness_of(error_of_kind(api::ErrorKind::Eof)) == "not at all");
  BOOST_TEST(loudness_of(status_error(api::StatusReason::Expired)) == "debug");
  BOOST_TEST(loudness_of(status_error(api::StatusReason::Gone)) == "debug");
  BOOST_TEST(loudness_of(error_of_kind(api::ErrorKind::UnexpectedEof)) == "info");
  BOOST_TEST(loudness_of(refused()) == "error");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
