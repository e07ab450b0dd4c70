#include <fmt/format.h>

#include <boost/test/unit_test.hpp>

#include "sim/story/story.hpp"
#include "tests/support/campaign.hpp"

using namespace watchlab;
using namespace watchlab::sim;
using namespace watchlab::tests;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(shared_client_test)

namespace {

using Kind = Condition::Kind;

StoryOptions with_handlers(std::vector<StoryHandlerOptions> handlers) {
  return {.server = {.objects = {{.name = "demo"}}},
          .clients = {{.name = "informer", .kind = ClientKind::Shared, .handlers = handlers}}};
}

/// "add demo, update demo": what a handler was told.
std::string delivered(const Story& story, const std::string& handler) {
  std::string text;
  for (const CallRecord& call : story.record().calls) {
    if (call.handler == handler) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", to_string(call.type),
                          call.object->metadata.name);
    }
  }
  return text;
}

void finish_quietly(Story& story) {
  const bool quiet = story.run_until_quiet();
  story.finish();
  expect(quiet, "the story becomes quiet");
}

/// Whether the story refuses to do it.
bool refuses(const std::function<void()>& action) {
  try {
    action();
    return false;
  } catch (const StoryError&) {
    return true;
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_handler_that_leaves_leaves_alone) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Story story(runtime, with_handlers({{.name = "web"}, {.name = "web2"}}));
    expect(story.wait_for({.kind = Kind::Synced}), "the informer syncs");
    story.remove_handler("web");
    finish_quietly(story);
    for (const HandlerRecord& handler : story.record().handlers) {
      expect(handler.left.has_value() == (handler.name == "web"), handler.name);
    }
  });
}

BOOST_AUTO_TEST_CASE(a_late_handler_is_notified_of_the_store) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Story story(runtime,
                with_handlers({{.name = "early"}, {.name = "late", .starts_later = true}}));
    expect(story.wait_for({.kind = Kind::Synced}), "the informer syncs");
    story.wait(1s);
    story.create({.name = "second"});
    story.wait(1s);
    story.add_handler("late");
    finish_quietly(story);
    expect_equal(delivered(story, "early"), "add demo, add second");
    const std::string late = delivered(story, "late");
    expect(late == "add demo, add second" || late == "add second, add demo", late);
  });
}

BOOST_AUTO_TEST_CASE(a_removed_handler_is_notified_no_more) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Story story(runtime, with_handlers({{.name = "one"}, {.name = "two"}}));
    expect(story.wait_for({.kind = Kind::Handled, .of = "two", .count = 1}), "both are told");
    story.wait(1s);
    story.remove_handler("two");
    story.wait(1s);
    story.create({.name = "second"});
    finish_quietly(story);
    expect_equal(delivered(story, "one"), "add demo, add second");
    expect_equal(delivered(story, "two"), "add demo");
    expect(story.record().handlers.at(1).left.has_value(), "its leaving is recorded");
  });
}

BOOST_AUTO_TEST_CASE(a_slow_handler_may_be_behind_the_store) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Story story(runtime, with_handlers({{.name = "slow", .takes = 3s}}));
    expect(story.wait_for({.kind = Kind::Watching}), "the informer watches");
    story.wait(1s);
    story.update({.name = "demo", .data = {{"color", "blue"}}});
    story.wait(1ms);
    story.remove({.name = "demo"});
    finish_quietly(story);
    expect_equal(delivered(story, "slow"), "add demo, update demo, delete demo");
  });
}

BOOST_AUTO_TEST_CASE(handlers_come_once_and_go_once) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Story story(runtime, with_handlers({{.name = "one"}}));
    expect(refuses([&] { story.add_handler("one"); }), "it is there already");
    expect(refuses([&] { story.add_handler("nobody"); }), "there is no such handler");
    story.remove_handler("one");
    expect(refuses([&] { story.remove_handler("one"); }), "it has gone");
    expect(refuses([&] { story.add_handler("one"); }), "it has been there before");
    story.finish();
  });
}

BOOST_AUTO_TEST_CASE(other_clients_have_no_such_handlers) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Story story(runtime, {.clients = {{.name = "informer", .handlers = {{.name = "one"}}}}});
    expect(refuses([&] { story.remove_handler("one"); }), "an informer keeps its handler");
    story.finish();
  });
}

BOOST_AUTO_TEST_SUITE_END()
