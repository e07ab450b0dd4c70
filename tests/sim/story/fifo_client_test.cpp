#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "sim/story/story.hpp"
#include "tests/support/campaign.hpp"

using namespace watchlab;
using namespace watchlab::sim;
using namespace watchlab::tests;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(fifo_client_test)

namespace {

/// "a at 2, b at 3": what was popped.
std::string popped(const Story& story) {
  std::string text;
  for (const PopRecord& pop : story.record().pops) {
    text += (text.empty() ? "" : ", ") + pop.object->metadata.name + " at " +
            pop.object->metadata.resource_version;
  }
  return text;
}

StoryOptions with_fifo(StoryClientOptions client) {
  client.name = "queue";
  client.kind = ClientKind::Fifo;
  return {.server = {.objects = {{.name = "a"}}}, .clients = {client}};
}

void finish_quietly(Story& story) {
  const bool quiet = story.run_until_quiet();
  story.finish();
  expect(quiet, "the story becomes quiet");
}

}  // namespace

BOOST_AUTO_TEST_CASE(of_several_changes_the_newest_is_popped) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Story story(runtime, with_fifo({.pause = 1s}));
    expect(story.wait_for({.kind = Condition::Kind::Watching}), "it watches");
    story.wait(100ms);
    story.update({.name = "a", .data = {{"turn", "1"}}});
    story.update({.name = "a", .data = {{"turn", "2"}}});
    finish_quietly(story);
    expect_equal(popped(story), "a at 3, a at 5");
  });
}

BOOST_AUTO_TEST_CASE(what_fails_after_the_first_list_is_popped_again) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Story story(runtime, with_fifo({.failures = 2}));
    expect(story.wait_for({.kind = Condition::Kind::Watching}), "it watches");
    story.wait(100ms);
    story.create({.name = "b"});
    finish_quietly(story);
    expect_equal(popped(story), "a at 3, b at 4, b at 4, b at 4");
  });
}

BOOST_AUTO_TEST_SUITE_END()
