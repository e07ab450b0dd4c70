#include <boost/test/unit_test.hpp>

#include "sim/story/story.hpp"
#include "tests/support/campaign.hpp"

using namespace watchlab;
using namespace watchlab::sim;
using namespace watchlab::tests;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(store_client_test)

BOOST_AUTO_TEST_CASE(a_store_is_filled_without_a_queue_and_read_by_its_index) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Story story(runtime,
                {.server = {.objects = {{.name = "a", .labels = {{"colour", "red"}}}}},
                 .clients = {{.name = "store", .kind = ClientKind::Store, .pause = 300ms}}});
    expect(story.wait_for({.kind = Condition::Kind::Watching}), "it watches");
    story.wait(1s);
    story.update({.name = "a", .labels = {{"colour", "blue"}}});
    const bool quiet = story.run_until_quiet();
    story.finish();
    expect(quiet, "the story becomes quiet");
    const Record& record = story.record();
    expect_equal(record.reads.front().value, "colour=red");
    expect_equal(record.reads.back().like ? 1 : 0, 1);
    expect_equal(static_cast<int>(record.indices.at("store").count("colour=blue")), 1);
    expect(record.indices == record.late_indices, "both indices say the same");
  });
}

BOOST_AUTO_TEST_SUITE_END()
