#include "core/runtime/stop_token.hpp"

#include "core/runtime/atomic.hpp"
#include "core/runtime/ensure.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/wait_group.hpp"
#include "tests/core/runtime/conformance/conformance.hpp"

namespace watchlab::conformance {
namespace {

using namespace runtime;

void stop_closes_the_channel(Runtime& runtime) {
  StopSource source(runtime);
  const StopToken token = source.token();
  ensure(!token.stopped(), "stopped before it was asked to");
  Channel<Unit> done = token.done(runtime);
  std::optional<Unit> value;
  ensure(!done.try_receive(value), "the channel is closed before the stop");
  source.stop();
  ensure(token.stopped(), "a stop was not seen");
  ensure(!done.receive().has_value(), "the channel carries values");
}

void stop_wakes_every_task_and_again_is_nothing(Runtime& runtime) {
  StopSource source(runtime);
  WaitGroup group(runtime);
  for (int task = 0; task < 2; ++task) {
    group.start("worker", [&, token = source.token()] {
      token.done(runtime).receive();
      ensure(token.stopped(), "the channel was closed before the flag was set");
    });
    group.start("stopper", [&] { source.stop(); });
  }
  group.wait();
  source.stop();
}

void a_default_token_never_stops(Runtime& runtime) {
  const StopToken token;
  ensure(!token.stopped(), "a token without source is stopped");
  ensure(token.done(runtime).is_nil(), "a token without source has a channel");
}

void stop_reaches_children_before_it_returns(Runtime& runtime) {
  StopSource parent(runtime);
  const StopSource child(runtime, parent.token());
  const StopSource grandchild(runtime, child.token());
  const StopSource sibling(runtime, parent.token());
  parent.stop();
  for (const StopSource* source : {&child, &grandchild, &sibling}) {
    const StopToken token = source->token();
    ensure(token.stopped(), "a child runs on");
    ensure(!token.done(runtime).receive().has_value(), "a child's channel is open");
  }
}

void a_second_stop_returns_after_the_children_stopped(Runtime& runtime) {
  StopSource parent(runtime);
  const StopSource child(runtime, parent.token());
  WaitGroup group(runtime);
  for (int task = 0; task < 2; ++task) {
    group.start("stopper", [&] {
      parent.stop();
      ensure(child.token().stopped(), "a stop returned before the child had stopped");
    });
  }
  group.wait();
}

void a_child_stops_alone(Runtime& runtime) {
  StopSource parent(runtime);
  StopSource child(runtime, parent.token());
  child.stop();
  ensure(!parent.token().stopped(), "a child stopped its parent");
  parent.stop();
}

void a_child_of_a_stopped_parent_is_born_stopped(Runtime& runtime) {
  StopSource parent(runtime);
  parent.stop();
  const StopSource child(runtime, parent.token());
  ensure(child.token().stopped(), "a late child runs on");
  const StopSource orphan(runtime, StopToken());
  ensure(!orphan.token().stopped(), "a child of a token that never stops is stopped");
}

void a_child_made_during_the_stop_stops_too(Runtime& runtime) {
  StopSource parent(runtime);
  const StopToken token = parent.token();
  const Task stopper = spawn(runtime, "stopper", [&] { parent.stop(); });
  const StopSource child(runtime, token);
  child.token().done(runtime).receive();
  stopper.join();
}

void destroying_a_source_stops_nothing(Runtime& runtime) {
  StopSource parent(runtime);
  StopToken orphan;
  {
    const StopSource child(runtime, parent.token());
    orphan = child.token();
  }
  ensure(!orphan.stopped(), "the end of a source stopped its tokens");
  parent.stop();
  ensure(orphan.stopped(), "a token lost its grandparent with its source");
}

void short_lived_children_do_not_disturb(Runtime& runtime) {
  StopSource parent(runtime);
  const StopSource first(runtime, parent.token());
  for (int i = 0; i < 20; ++i) {
    const StopSource passing(runtime, parent.token());
  }
  const StopSource last(runtime, parent.token());
  parent.stop();
  ensure(first.token().stopped(), "cleaning away dead children took a living one");
  ensure(last.token().stopped(), "a child after many dead ones was not registered");
}

using namespace std::chrono_literals;

void a_deadline_stops_by_itself_and_says_so(Runtime& runtime) {
  const TimePoint deadline = runtime.now() + 3ms;
  const StopSource source = StopSource::with_deadline(runtime, StopToken(), deadline);
  const StopSource child(runtime, source.token());
  const StopToken token = child.token();
  ensure(token.deadline() == deadline, "a child does not know its deadline");
  token.done(runtime).receive();
  ensure(runtime.now() >= deadline, "a token stopped before its deadline");
  ensure(token.reason() == StopReason::DeadlineExceeded, "a deadline did not say that it passed");
  ensure(source.token().reason() == StopReason::DeadlineExceeded, "a child stopped alone");
}

void a_stop_before_the_deadline_says_that_it_was_one(Runtime& runtime) {
  StopSource source = StopSource::with_timeout(runtime, StopToken(), 1h);
  ensure(source.token().reason() == StopReason::None, "stopped before it was asked to");
  source.stop();
  ensure(source.token().reason() == StopReason::Stopped, "a stop was taken for a deadline");
}

void a_parent_stops_one_with_a_deadline(Runtime& runtime) {
  StopSource parent(runtime);
  const StopSource child = StopSource::with_timeout(runtime, parent.token(), 1h);
  const Task stopper = spawn(runtime, "stopper", [&] { parent.stop(); });
  child.token().done(runtime).receive();
  ensure(child.token().reason() == StopReason::Stopped, "the reason of the parent is not its own");
  ensure(!parent.token().deadline(), "a parent took a deadline from its child");
  stopper.join();
}

void a_deadline_that_has_passed_stops_at_once(Runtime& runtime) {
  const StopSource late = StopSource::with_timeout(runtime, StopToken(), -1s);
  ensure(late.token().reason() == StopReason::DeadlineExceeded, "a late source runs on");
}

void the_earlier_deadline_counts(Runtime& runtime) {
  const StopSource parent = StopSource::with_timeout(runtime, StopToken(), 2ms);
  const StopSource later = StopSource::with_timeout(runtime, parent.token(), 1h);
  ensure(later.token().deadline() == parent.token().deadline(), "a child outlives its parent");
  later.token().done(runtime).receive();
  ensure(later.token().reason() == StopReason::DeadlineExceeded, "the reason was lost on the way");
}

std::string a_stop_at_the_deadline_is_open(Runtime& runtime) {
  const TimePoint deadline = runtime.now() + 3ms;
  StopSource source = StopSource::with_deadline(runtime, StopToken(), deadline);
  runtime.sleep_until(deadline, Location::current());
  source.stop();
  return source.token().reason() == StopReason::Stopped ? "stopped" : "deadline";
}

std::string a_look_before_or_after_the_stop_is_open(Runtime& runtime) {
  StopSource source(runtime);
  const Task stopper = spawn(runtime, "stopper", [&] { source.stop(); });
  const bool stopped = source.token().stopped();
  stopper.join();
  return stopped ? "after" : "before";
}

}  // namespace

Group stop_tokens() {
  return {
      .name = "stop_token",
      .claims = {{"stop_closes_the_channel", stop_closes_the_channel},
                 {"stop_wakes_every_task_and_again_is_nothing",
                  stop_wakes_every_task_and_again_is_nothing},
                 {"a_default_token_never_stops", a_default_token_never_stops},
                 {"stop_reaches_children_before_it_returns",
                  stop_reaches_children_before_it_returns},
                 {"a_second_stop_returns_after_the_children_stopped",
                  a_second_stop_returns_after_the_children_stopped},
                 {"a_child_stops_alone", a_child_stops_alone},
                 {"a_child_of_a_stopped_parent_is_born_stopped",
                  a_child_of_a_stopped_parent_is_born_stopped},
                 {"a_child_made_during_the_stop_stops_too", a_child_made_during_the_stop_stops_too},
                 {"destroying_a_source_stops_nothing", destroying_a_source_stops_nothing},
                 {"short_lived_children_do_not_disturb", short_lived_children_do_not_disturb},
                 {"a_deadline_stops_by_itself_and_says_so", a_deadline_stops_by_itself_and_says_so},
                 {"a_stop_before_the_deadline_says_that_it_was_one",
                  a_stop_before_the_deadline_says_that_it_was_one},
                 {"a_parent_stops_one_with_a_deadline", a_parent_stops_one_with_a_deadline},
                 {"a_deadline_that_has_passed_stops_at_once",
                  a_deadline_that_has_passed_stops_at_once},
                 {"the_earlier_deadline_counts", the_earlier_deadline_counts}},
      .choices = {{"a_stop_at_the_deadline_is_open",
                   a_stop_at_the_deadline_is_open,
                   {"deadline", "stopped"}},
                  {"a_look_before_or_after_the_stop_is_open",
                   a_look_before_or_after_the_stop_is_open,
                   {"after", "before"}}},
  };
}

}  // namespace watchlab::conformance
