#include "core/cache/sync/done_checker.hpp"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <chrono>

#include "core/cache/real_fifo.hpp"
#include "sim/explore/portfolio_strategy.hpp"
#include "sim/kernel/world.hpp"
#include "tests/core/cache/queues.hpp"
#include "tests/core/cache/real_fifo/real_fifos.hpp"
#include "tests/core/cache/shared_informer_stage.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(done_checker_test)

namespace {

using cache::DoneChecker;

DoneChecker checker(runtime::Runtime& runtime, std::string name) {
  return {.name = std::move(name), .done = runtime::Channel<runtime::Unit>(runtime, 0, "done")};
}

/// A stage of today's machine, with a handler that takes ten seconds for each addition.
struct SyncedStage : SharedInformerStage {
  explicit SyncedStage(runtime::Runtime& runtime_in) : SharedInformerStage(runtime_in) {
    options.machine = *features::find_machine("modern");
    options.machine.streams_lists = false;
    source->put("a");
    source->put("b");
    slow = join(cache::make_handler({.add = [this](const auto&, bool) {
      runtime::sleep_for(runtime, 10s);
      ++handled;
    }}));
  }
  cache::RegistrationPtr slow;
  int handled = 0;
};

constexpr int kNever = -1;

/// A wait for checkers that are done after so many seconds, and when it is stopped.
struct Wait {
  std::string_view what;
  std::vector<std::pair<std::string, int>> done_after;
  int stopped_after = kNever;
};

/// What the wait logs, each line with its second, and at last its outcome.
std::vector<std::string> lines_of(const Wait& wait) {
  sim::World world({.record = true});
  sim::FifoStrategy strategy;
  runtime::TimePoint began;
  std::string outcome;
  const auto seconds = [&](runtime::TimePoint at) {
    return std::chrono::floor<std::chrono::seconds>(at - began).count();
  };
  const sim::RunResult result = world.run(strategy, [&](runtime::Runtime& runtime) {
    began = runtime.now();
    runtime::StopSource stop(runtime);
    std::vector<DoneChecker> checkers;
    std::vector<runtime::Task> tasks;
    const auto after = [&](int delay, const std::function<void()>& act) {
      if (delay == 0) {
        act();
      } else if (delay > 0) {
        tasks.push_back(runtime::spawn(runtime, "later", [&runtime, delay, act] {
          runtime::sleep_for(runtime, std::chrono::seconds(delay));
          act();
        }));
      }
    };
    for (const auto& [name, delay] : wait.done_after) {
      checkers.push_back(checker(runtime, name));
      after(delay, [done = checkers.back().done]() mutable { done.close(); });
    }
    after(wait.stopped_after, [&] { stop.stop(); });
    const bool all = cache::wait_for(runtime, stop.token(), wait.what, checkers);
    outcome = fmt::format("{}: {}", seconds(runtime.now()), all ? "all" : "not all");
    for (const runtime::Task& task : tasks) {
      task.join();
    }
  });
  BOOST_TEST(!result.failure.has_value());
  std::vector<std::string> lines;
  for (const sim::NoteRecord& note : result.notes) {
    if (note.kind == "log") {
      lines.push_back(fmt::format("{}: {}", seconds(note.at), note.text));
    }
  }
  lines.push_back(outcome);
  return lines;
}

}  // namespace

// Mirrors TestWaitFor.
BOOST_AUTO_TEST_CASE(waiting_ends_when_all_are_done_or_at_the_stop) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    DoneChecker one = checker(runtime, "one");
    DoneChecker other = checker(runtime, "other");
    runtime::StopSource stop(runtime);
    bool all = false;
    const runtime::Task waiting = runtime::spawn(runtime, "waiting", [&] {
      all = cache::wait_for(runtime, stop.token(), "caches", {one, other});
    });
    one.done.close();
    runtime::sleep_for(runtime, 1s);
    expect(!waiting.done() && cache::is_done(one) && !cache::is_done(other), "one of two");
    other.done.close();
    waiting.join();
    expect(all, "both are done");
    const DoneChecker never = checker(runtime, "never");
    stop.stop();
    expect(!cache::wait_for(runtime, stop.token(), "", {one, never}), "one will never be");
    expect(cache::wait_for(runtime, stop.token(), "", {}), "nothing is missing of nothing");
    expect(cache::wait_for(runtime, stop.token(), "", {one}), "what is done counts at the stop");
  });
}

// Mirrors TestWaitFor, what it logs: who waits, what is done, and what is missing at the stop.
BOOST_AUTO_TEST_CASE(waiting_logs_what_is_done_and_by_name_what_is_missing) {
  const std::vector<std::pair<std::string, int>> good{{"first", 10}, {"second", 5}, {"last", 0}};
  const std::vector<std::pair<std::string, int>> mixed{
      {"first", 10}, {"second", kNever}, {"last", 0}};
  const std::vector<std::pair<std::string, int>> bad{
      {"first", kNever}, {"second", kNever}, {"last", kNever}};
  const std::string begun = "0: waiting for caches";
  const std::string last = "0: done waiting for caches: last";
  const std::string second = "5: done waiting for caches: second";
  const std::string first = "10: done waiting for caches: first";
  const std::string stopped = ": stopped waiting for caches: ";
  struct Row {
    Wait wait;
    std::vector<std::string> lines;
  };
  const std::vector<Row> rows{
      {{"", {}}, {"0: all"}},
      {{"caches", {}}, {begun, "0: all"}},
      {{"", good}, {"10: all"}},
      {{"caches", good}, {begun, last, second, first, "10: all"}},
      {{"", mixed, 60}, {"60: not all"}},
      {{"caches", mixed, 60}, {begun, last, first, "60" + stopped + "second", "60: not all"}},
      {{"caches", mixed, 0}, {begun, last, "0" + stopped + "first, second", "0: not all"}},
      {{"caches", mixed, 5}, {begun, last, "5" + stopped + "first, second", "5: not all"}},
      {{"caches", bad, 60}, {begun, "60" + stopped + "first, last, second", "60: not all"}}};
  for (const Row& row : rows) {
    BOOST_TEST(lines_of(row.wait) == row.lines, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(a_queue_is_done_when_it_has_synced) {
  for_each_machine([](runtime::Runtime&, cache::RealFIFO& queue) {
    const DoneChecker early = queue.has_synced_checker();
    expect_equal(early.name, "RealFIFO");
    expect(!cache::is_done(early), "nothing was listed");
    expect_ok(replace(queue, {object("a", "1")}));
    expect(!cache::is_done(early), "nothing was popped");
    expect_ok(queue.pop([](const auto&, bool) { return cache::Processed(); }).outcome);
    expect(cache::is_done(early) && cache::is_done(queue.has_synced_checker()), "now it has");
    expect(queue.has_synced(), "as the queue says");
  });
}

BOOST_AUTO_TEST_CASE(an_informer_and_its_handlers_are_done_in_turn) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SyncedStage stage(runtime);
    const DoneChecker informer = stage.informer().has_synced_checker();
    const DoneChecker handler = stage.slow->has_synced_checker();
    expect_equal(handler.name, informer.name + " + event handler functions");
    stage.settle(1min);
    expect(!cache::is_done(informer) && !cache::is_done(handler), "it does not run");
    stage.start();
    stage.settle(5s);
    expect(cache::is_done(informer) && !cache::is_done(handler),
           "the handler is in its first call");
    const runtime::StopSource never(runtime);
    expect(cache::wait_for(runtime, never.token(), "", {informer, handler}), "both are done");
    expect_equal(stage.handled, 2);
    expect(stage.slow->has_synced(), "as the registration says");
    stage.source->put("c");
    stage.settle();
    expect(stage.slow->has_synced() && cache::is_done(handler), "and it stays so");
    stage.end();
  });
}

BOOST_AUTO_TEST_CASE(a_late_handler_is_done_when_it_saw_what_is_there) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SyncedStage stage(runtime);
    stage.start();
    stage.settle();
    int handled = 0;
    const auto late = stage.join(cache::make_handler({.add = [&](const auto&, bool) {
      runtime::sleep_for(runtime, 10s);
      ++handled;
    }}));
    const DoneChecker done = late->has_synced_checker();
    const runtime::StopSource never(runtime);
    expect(cache::wait_for(runtime, never.token(), "", {done}), "it is done");
    expect_equal(handled, 2);
    stage.end();
  });
}

// What has not synced at the stop never will, and no task waits for it any longer.
BOOST_AUTO_TEST_CASE(a_stop_before_the_sync_leaves_a_handler_undone) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    SyncedStage stage(runtime);
    const DoneChecker handler = stage.slow->has_synced_checker();
    stage.start();
    stage.settle(5s);
    stage.end();
    expect(!cache::is_done(handler), "it was in its first call");
  });
}

BOOST_AUTO_TEST_CASE(an_older_machine_has_no_checkers) {
  fails_somewhere(
      [](runtime::Runtime& runtime) {
        SharedInformerStage stage(runtime);
        (void)stage.informer().has_synced_checker();
        stage.start();
        stage.settle(1s);
        stage.end();
      },
      "exception", "only a RealFIFO");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
