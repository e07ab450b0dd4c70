#include "sim/story/story.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/support/campaign.hpp"

using namespace watchlab;
using namespace watchlab::sim;
using namespace watchlab::tests;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(story_test)

namespace {

using Kind = Condition::Kind;

Expectation calls_are(std::vector<CallPattern> entries) {
  Expectation expectation;
  expectation.layer = Expected<CallPattern>{Mode::Exactly, std::move(entries)};
  return expectation;
}

Expectation requests_are(std::vector<RequestPattern> entries) {
  Expectation expectation;
  expectation.layer = Expected<RequestPattern>{Mode::Exactly, std::move(entries)};
  return expectation;
}

Expectation store_is(std::vector<ObjectPattern> entries) {
  Expectation expectation;
  expectation.layer = ExpectedStore{Mode::Exactly, std::move(entries)};
  return expectation;
}

StoryOptions one_informer() { return {.clients = {{.name = "informer"}}}; }

/// Ends the story, also when the check after it fails.
void finish_quietly(Story& story) {
  const bool quiet = story.run_until_quiet();
  story.finish();
  expect(quiet, "the story becomes quiet");
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_missed_delete_reaches_the_handler_as_a_tombstone) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Story story(runtime, {.server = {.objects = {{.name = "demo", .rv_as = "born"}}},
                          .clients = {{.name = "informer"}}});
    expect(story.wait_for({.kind = Kind::Watching}), "the informer watches");
    story.wait(2s);
    story.at_once([](Story::Instant& now) {
      now.inject({.name = "cut_watch"});
      now.remove({.name = "demo"});
      now.inject({.name = "evict_watch_window"});
    });
    finish_quietly(story);
    story.expect(calls_are({{.type = CallType::Add, .object = {.name = "demo"}, .initial = true},
                            {.type = CallType::Delete,
                             .object = {.name = "demo", .state = {.rv = "$born"}},
                             .tombstone = true}}));
    story.expect(store_is({}));
  });
}

BOOST_AUTO_TEST_CASE(what_happens_at_once_is_seen_as_one_state) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Story story(runtime, {.clients = {{.name = "informer", .starts_later = true}}});
    story.at_once([&](Story::Instant& now) {
      now.create({.name = "demo"});
      story.start("informer");
      now.create({.name = "demo2"});
    });
    finish_quietly(story);
    story.expect(store_is({{.name = "demo"}, {.name = "demo2"}}));
    for (const CallRecord& call : story.record().calls) {
      expect(call.initial, "both were there when the informer listed");
    }
  });
}

BOOST_AUTO_TEST_CASE(quiet_comes_although_resyncs_continue) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    StoryOptions options = one_informer();
    options.server.objects = {{.name = "demo"}};
    options.clients[0].resync = 10s;
    Story story(runtime, std::move(options));
    finish_quietly(story);
    const auto calls = static_cast<std::int64_t>(story.record().calls.size());
    expect(calls > 5, "the handler was told again and again while the story became quiet");
  });
}

BOOST_AUTO_TEST_CASE(quiet_waits_for_a_slow_handler) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    StoryOptions options = one_informer();
    options.clients[0].handlers = {{.name = "sloth", .takes = 10min}};
    Story story(runtime, std::move(options));
    const runtime::TimePoint began = runtime.now();
    story.create({.name = "a"});
    story.create({.name = "b"});
    finish_quietly(story);
    expect_equal(static_cast<std::int64_t>(story.record().calls.size()), 2);
    expect(runtime.now() - began >= 20min, "both calls have ended");
  });
}

BOOST_AUTO_TEST_CASE(a_story_without_an_end_says_so) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    StoryOptions options = one_informer();
    options.within = 10min;
    Story story(runtime, std::move(options));
    story.inject({.name = "refuse_connections"});
    expect(!story.run_until_quiet(), "the client tries for ever");
    story.heal("refuse_connections");
    story.finish();
  });
}

BOOST_AUTO_TEST_CASE(a_fault_of_the_same_name_is_healed_for_itself) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Story story(runtime, one_informer());
    const runtime::TimePoint began = runtime.now();
    for (int i = 0; i < 2; ++i) {
      story.wait(1s);
      story.inject({.name = "refuse_connections"});
      story.wait(1s);
      story.heal("refuse_connections");
    }
    finish_quietly(story);
    const std::vector<FaultRecord>& faults = story.record().faults;
    expect_equal(static_cast<std::int64_t>(faults.size()), 2);
    for (int i = 0; i < 2; ++i) {
      const runtime::TimePoint at = began + 1s + i * 2s;
      expect(faults[static_cast<std::size_t>(i)].at == at, "when it came");
      expect(faults[static_cast<std::size_t>(i)].healed == at + 1s, "when it went");
    }
  });
}

BOOST_AUTO_TEST_CASE(conditions_are_waited_for) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Story story(runtime, one_informer());
    expect(story.wait_for({.kind = Kind::Synced, .of = "informer"}), "an empty list is synced");
    expect(story.wait_for({.kind = Kind::Requested, .verb = Verb::Watch}), "it watches");
    story.create({.name = "demo"});
    expect(story.wait_for({.kind = Kind::Popped}), "the delta is popped");
    expect(story.wait_for({.kind = Kind::Handled}), "the handler is called");
    story.finish();
  });
}

BOOST_AUTO_TEST_CASE(a_selector_reaches_the_server) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    StoryOptions options = one_informer();
    options.clients[0].label_selector = "app=web";
    options.server.objects = {{.name = "mine", .labels = {{"app", "web"}}}, {.name = "other"}};
    Story story(runtime, std::move(options));
    finish_quietly(story);
    story.expect(store_is({{.name = "mine"}}));
    expect_equal(story.record().requests.at(0).options.label_selector, "app=web");
  });
}

BOOST_AUTO_TEST_CASE(a_fault_can_be_meant_for_one_client) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Story story(runtime, {.clients = {{.name = "one"}, {.name = "two"}}});
    expect(story.wait_for({.kind = Kind::Watching, .of = "one"}), "one watches");
    expect(story.wait_for({.kind = Kind::Watching, .of = "two"}), "two watches");
    story.wait(5s);
    story.inject({.name = "close_watch", .of = "one"});
    finish_quietly(story);
    Expectation of_two =
        requests_are({{.verb = Verb::List}, {.verb = Verb::Watch, .end = StreamEnd::Open}});
    of_two.of = "two";
    story.expect(of_two);
    Expectation of_one = requests_are({{.verb = Verb::List},
                                       {.verb = Verb::Watch, .end = StreamEnd::Closed},
                                       {.verb = Verb::Watch, .end = StreamEnd::Open}});
    of_one.of = "one";
    story.expect(of_one);
  });
}

BOOST_AUTO_TEST_CASE(an_update_keeps_what_it_does_not_name) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    StoryOptions options = one_informer();
    options.server.objects = {{.name = "demo", .labels = {{"app", "web"}}, .data = {{"a", "1"}}}};
    Story story(runtime, std::move(options));
    story.update({.name = "demo", .data = {{"a", "2"}}});
    finish_quietly(story);
    story.expect(store_is(
        {{.name = "demo", .state = {.labels = {{{"app", "web"}}}, .data = {{{"a", "2"}}}}}}));
  });
}

BOOST_AUTO_TEST_CASE(the_impossible_is_an_error_of_the_story) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Story story(runtime, one_informer());
    const auto fails = [&](const std::function<void()>& what) {
      try {
        what();
        return false;
      } catch (const StoryError&) {
        return true;
      }
    };
    expect(fails([&] { story.remove({.name = "nobody"}); }), "nobody can be deleted");
    expect(fails([&] { story.update({.name = "nobody"}); }), "nobody can be updated");
    expect(fails([&] { story.heal("nothing"); }), "nothing can be healed");
    expect(fails([&] { story.start("informer"); }), "it has started");
    expect(fails([&] { story.inject({.name = "meteor"}); }), "there is no such fault");
    story.finish();
  });
}

BOOST_AUTO_TEST_CASE(a_broken_expectation_is_a_violation) {
  fails_somewhere(
      [](runtime::Runtime& runtime) {
        StoryOptions options = one_informer();
        options.server.objects = {{.name = "demo"}};
        Story story(runtime, std::move(options));
        finish_quietly(story);
        story.expect(store_is({}));
      },
      "violation", "was not expected");
}

BOOST_AUTO_TEST_CASE(a_failure_in_the_middle_of_a_story_takes_the_clients_down) {
  fails_somewhere(
      [](runtime::Runtime& runtime) {
        Story story(runtime, one_informer());
        story.create({.name = "demo"});
        throw std::runtime_error("the test gave up");
      },
      "exception", "the test gave up");
}

BOOST_AUTO_TEST_SUITE_END()
