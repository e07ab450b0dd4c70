// Several jobs, interrupts and going on: nothing is played twice and nothing is left out.
#include "scenarios/campaign/campaign.hpp"

#include <atomic>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/runtime/ensure.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/task.hpp"
#include "scenarios/campaign/ticker.hpp"

using namespace watchlab;
using namespace watchlab::scenarios;

BOOST_AUTO_TEST_SUITE(campaign_test)

namespace {

using Body = std::function<void(runtime::Runtime&)>;

/// Three tasks with two critical sections each: 90 orders. Counts how often it is played.
Body three_tasks(std::atomic<std::size_t>& played) {
  return [&played](runtime::Runtime& runtime) {
    ++played;
    runtime::Mutex mutex(runtime, "mutex");
    const auto visit = [&] {
      for (int i = 0; i < 2; ++i) {
        const runtime::Lock lock(mutex);
      }
    };
    const runtime::Task a = spawn(runtime, "a", visit);
    const runtime::Task b = spawn(runtime, "b", visit);
    const runtime::Task c = spawn(runtime, "c", visit);
    a.join();
    b.join();
    c.join();
  };
}

/// Fails when the second task is the first in the section.
void order_matters(runtime::Runtime& runtime) {
  runtime::Mutex mutex(runtime, "mutex");
  bool first_was_there = false;
  const runtime::Task a = spawn(runtime, "a", [&] {
    for (int i = 0; i < 3; ++i) {
      const runtime::Lock lock(mutex);
      first_was_there = i == 2;
    }
  });
  const runtime::Task b = spawn(runtime, "b", [&] {
    const runtime::Lock lock(mutex);
    runtime::ensure(first_was_there, "a comes before b");
  });
  a.join();
  b.join();
}

CampaignOptions options_of(const std::string& strategy, std::size_t jobs) {
  CampaignOptions options;
  options.explore = {.strategy = strategy, .seed = 5};
  options.explore.schedules_max = is_tree_search(strategy) ? 1'000'000 : 600;
  options.explore.coverage = true;
  options.jobs = jobs;
  return options;
}

/// Plays a whole campaign in pieces of about so many runs.
struct Pieces {
  std::size_t count = 0;
  std::size_t executions = 0;
  sim::Coverage coverage;
};

Pieces play_in_pieces(CampaignOptions options, const Body& body, std::size_t runs) {
  Pieces pieces;
  for (bool done = false; !done;) {
    ++pieces.count;
    std::size_t asked = 0;
    options.keep_going = [&asked, runs] { return asked++ < runs; };
    const CampaignResult part = run_campaign(options, [&] { return body; });
    pieces.executions = part.whole.executions;
    pieces.coverage = part.whole.coverage;
    options.states = part.states;
    done = !part.whole.interrupted;
  }
  return pieces;
}

/// Plays a campaign whose process is killed after every so many runs: what it has not saved by then
/// is lost, and whoever goes on knows only what was saved.
CampaignResult play_though_killed(CampaignOptions options, const Body& body, std::size_t runs) {
  std::vector<JobState> saved;
  options.save = [&saved](const std::vector<JobState>& states) { saved = states; };
  std::size_t asked = 0;
  options.save_due = [&asked] { return ++asked % 17 == 0; };
  for (std::size_t life = 1;; ++life) {
    std::size_t played = 0;
    options.keep_going = [&] { return played++ < runs * life; };
    options.states = saved;
    CampaignResult result = run_campaign(options, [&] { return body; });
    if (!result.whole.interrupted) {
      return result;
    }
  }
}

/// The failures with how often each came.
std::vector<std::pair<std::string, std::size_t>> counted(const sim::ExploreResult& result) {
  std::vector<std::pair<std::string, std::size_t>> failures;
  for (const sim::DistinctFailure& failure : result.failures) {
    failures.emplace_back(failure.first.schedule, failure.count);
  }
  return failures;
}

const std::vector<std::string> samplers{"random", "pct"};

}  // namespace

BOOST_DATA_TEST_CASE(an_interrupted_campaign_continues_without_repeating_a_run,
                     samplers* boost::unit_test::data::make({1, 2}), strategy, jobs) {
  std::atomic<std::size_t> played = 0;
  CampaignOptions options = options_of(strategy, static_cast<std::size_t>(jobs));
  const CampaignResult whole = run_campaign(options, [&] { return three_tasks(played); });
  const std::size_t played_at_once = played.exchange(0);
  const Pieces pieces = play_in_pieces(options, three_tasks(played), 100);
  BOOST_TEST(pieces.count >= 4U);
  BOOST_TEST(pieces.executions == whole.whole.executions);
  BOOST_TEST((pieces.coverage == whole.whole.coverage));
  // Each job of each piece begins with the runs that a strategy learns from.
  constexpr std::size_t learns_from = 8;
  BOOST_TEST(played <= played_at_once + learns_from * pieces.count * options.jobs);
}

BOOST_DATA_TEST_CASE(jobs_together_play_every_run_once,
                     boost::unit_test::data::make({"random", "pct", "dfs", "dpor"}), strategy) {
  std::atomic<std::size_t> played = 0;
  const auto body = [&] { return three_tasks(played); };
  const CampaignResult one = run_campaign(options_of(strategy, 1), body);
  const CampaignResult three = run_campaign(options_of(strategy, 3), body);
  BOOST_TEST(three.whole.executions == one.whole.executions);
  BOOST_TEST(three.whole.exhausted == one.whole.exhausted);
  BOOST_TEST((three.whole.coverage == one.whole.coverage));
}

BOOST_DATA_TEST_CASE(the_first_failure_does_not_depend_on_the_number_of_jobs,
                     boost::unit_test::data::make({"random", "pct"}), strategy) {
  const auto body = [] { return Body(order_matters); };
  const CampaignResult one = run_campaign(options_of(strategy, 1), body);
  const CampaignResult two = run_campaign(options_of(strategy, 2), body);
  BOOST_REQUIRE(one.whole.failure.has_value());
  BOOST_REQUIRE(two.whole.failure.has_value());
  BOOST_TEST(one.failing_run == two.failing_run);
  BOOST_TEST(one.whole.failure->schedule == two.whole.failure->schedule);
}

BOOST_DATA_TEST_CASE(something_new_can_become_too_improbable_to_continue,
                     boost::unit_test::data::make({1, 2}), jobs) {
  std::atomic<std::size_t> played = 0;
  CampaignOptions options = options_of("random", static_cast<std::size_t>(jobs));
  options.explore.schedules_max = 100'000'000;
  options.explore.unseen_below = 0.01;
  const CampaignResult result = run_campaign(options, [&] { return three_tasks(played); });
  BOOST_TEST(result.whole.saturated);
  BOOST_TEST(!result.whole.interrupted);
  BOOST_TEST(result.whole.coverage.unseen_at_most() < 0.01);
}

BOOST_AUTO_TEST_CASE(what_no_job_can_do_is_said_and_not_swallowed) {
  std::atomic<std::size_t> played = 0;
  const auto body = [&] { return three_tasks(played); };
  BOOST_CHECK_THROW((void)run_campaign(options_of("luck", 2), body), std::invalid_argument);
  CampaignOptions options = options_of("random", 2);
  options.states.resize(3);
  BOOST_CHECK_THROW((void)run_campaign(options, body), std::invalid_argument);
}

BOOST_DATA_TEST_CASE(a_campaign_that_is_killed_again_and_again_comes_to_the_same,
                     samplers* boost::unit_test::data::make({1, 2}), strategy, jobs) {
  CampaignOptions options = options_of(strategy, static_cast<std::size_t>(jobs));
  options.explore.continues = true;
  const Body body = order_matters;
  const CampaignResult whole = run_campaign(options, [&] { return body; });
  const CampaignResult killed = play_though_killed(options, body, 30);
  BOOST_TEST(!whole.whole.failures.empty());
  BOOST_TEST(killed.whole.executions == whole.whole.executions);
  BOOST_TEST(killed.whole.exhausted == whole.whole.exhausted);
  BOOST_TEST((killed.whole.coverage == whole.whole.coverage));
  BOOST_TEST((counted(killed.whole) == counted(whole.whole)));
}

BOOST_DATA_TEST_CASE(what_is_found_is_saved_at_once, samplers, strategy) {
  CampaignOptions options = options_of(strategy, 1);
  options.explore.continues = true;
  std::vector<std::size_t> saved;
  options.save = [&saved](const std::vector<JobState>& states) {
    saved.push_back(states.front().so_far.failures.size());
    BOOST_TEST(states.front().next_run == states.front().so_far.failures.back().first_run + 1);
  };
  const CampaignResult result = run_campaign(options, [] { return Body(order_matters); });
  BOOST_TEST_REQUIRE(saved.size() == result.whole.failures.size());
  BOOST_TEST(saved.back() == result.whole.failures.size());
}

BOOST_AUTO_TEST_CASE(it_is_time_to_save_once_a_period) {
  Ticker::Clock::time_point now{};
  Ticker ticker(std::chrono::seconds(30), [&now] { return now; });
  BOOST_TEST(!ticker.is_due());
  now += std::chrono::seconds(29);
  BOOST_TEST(!ticker.is_due());
  now += std::chrono::seconds(1);
  BOOST_TEST(ticker.is_due());
  BOOST_TEST(!ticker.is_due());
  now += std::chrono::seconds(95);  // a machine that stood still
  BOOST_TEST(ticker.is_due());
  BOOST_TEST(!ticker.is_due());
}

BOOST_AUTO_TEST_SUITE_END()
