#include "core/api/options.hpp"

#include <boost/test/unit_test.hpp>

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(options_test)

namespace {

using api::ListOptions;
using enum api::ResourceVersionMatch;

void check_streams(const ListOptions& list) {
  BOOST_TEST_CONTEXT("revision \"" << list.resource_version << "\", limit " << list.limit) {
    const ListOptions expected{.resource_version = list.resource_version,
                               .resource_version_match = NotOlderThan,
                               .allow_watch_bookmarks = true,
                               .send_initial_events = true};
    const std::optional<ListOptions> stream = api::streamed_list_options(list);
    BOOST_REQUIRE(stream.has_value());
    BOOST_TEST((*stream == expected));
  }
}

}  // namespace

// Mirrors TestPrepareWatchListOptionsFromListOptions, the rows of what can be streamed.
BOOST_AUTO_TEST_CASE(a_list_of_any_state_or_a_newer_one_can_be_streamed) {
  for (const std::string revision : {"", "0", "100"}) {
    check_streams({.resource_version = revision});
  }
  check_streams({.resource_version = "0", .limit = 4});
  for (const std::string revision : {"0", "100"}) {
    check_streams({.resource_version = revision, .resource_version_match = NotOlderThan});
  }
  check_streams({.resource_version = "0", .resource_version_match = NotOlderThan, .limit = 4});
}

// And the others, but for that of the gate, which is the caller's.
BOOST_AUTO_TEST_CASE(an_exact_state_or_a_page_cannot_be_streamed) {
  for (const api::ResourceVersionMatch match : {Unset, NotOlderThan, Exact}) {
    const ListOptions page{
        .resource_version = "0", .resource_version_match = match, .continue_token = "token"};
    BOOST_TEST(!api::streamed_list_options(page).has_value());
  }
  for (const std::string revision : {"", "0", "100"}) {
    const ListOptions exact{.resource_version = revision, .resource_version_match = Exact};
    BOOST_TEST(!api::streamed_list_options(exact).has_value());
  }
  BOOST_TEST(!api::streamed_list_options(
      {.resource_version = "0", .resource_version_match = Exact, .limit = 4}));
  BOOST_TEST(!api::streamed_list_options({.resource_version_match = NotOlderThan}));
  BOOST_TEST(!api::streamed_list_options({.resource_version = "100", .limit = 4}));
  BOOST_TEST(!api::streamed_list_options({.limit = 4}));
  BOOST_TEST(!api::streamed_list_options({.send_initial_events = true}));
}

// What a client asks of its objects stays.
BOOST_AUTO_TEST_CASE(a_streamed_list_selects_what_the_list_does) {
  const auto stream = api::streamed_list_options(
      {.timeout_seconds = 7, .label_selector = "tier=web", .field_selector = "metadata.name=a"});
  BOOST_REQUIRE(stream.has_value());
  BOOST_TEST(stream->label_selector == "tier=web");
  BOOST_TEST(stream->field_selector == "metadata.name=a");
  BOOST_TEST(stream->timeout_seconds == 7);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
