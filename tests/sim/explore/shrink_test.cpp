#include "sim/explore/shrink.hpp"

#include <boost/test/unit_test.hpp>
#include <stdexcept>

#include "sim/explore/explore.hpp"
#include "sim/explore/random_strategy.hpp"
#include "sim/explore/replay_strategy.hpp"
#include "sim/explore/signature.hpp"
#include "sim/kernel/world.hpp"
#include "tests/sim/explore/planted.hpp"
#include "tests/support/campaign.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(shrink_test)

namespace {

using runtime::Runtime;
using tests::Planted;

Failure find(const std::function<void(Runtime&)>& body, std::string_view kind) {
  for (std::uint64_t seed = 1; seed < 50; ++seed) {
    const ExploreResult result =
        explore({.strategy = "portfolio", .seed = seed, .schedules_max = 10'000}, body);
    BOOST_REQUIRE(result.failure.has_value());
    if (result.failure->kind == kind) {
      return *result.failure;
    }
  }
  BOOST_FAIL("nothing of kind " << kind);
  return {};
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_planted_bug_shrinks_to_its_proven_minimum) {
  for (const Planted& planted : tests::planted_bugs()) {
    const auto body = [&](Runtime& runtime) { planted.body(runtime, 2); };
    const Failure failure = find(body, planted.kind);
    const ShrinkResult result = shrink(failure, {.prove = true}, body);
    BOOST_TEST(result.proven, planted.name << " is not proven minimal");
    BOOST_TEST(result.preemptions == planted.preemptions_min,
               planted.name << " took " << result.preemptions << ": " << result.failure.schedule);
    BOOST_TEST(result.failure.kind == planted.kind);
    BOOST_TEST(result.failure.sentence.find(planted.words) != std::string::npos,
               planted.name << ": " << result.failure.sentence);
    const std::optional<Failure> again = replay(result.failure.schedule, body);
    BOOST_REQUIRE(again.has_value());
    BOOST_TEST(signature_of(*again) == signature_of(failure));
  }
}

BOOST_AUTO_TEST_CASE(a_bug_of_many_tasks_shrinks_to_the_fewest_preemptions) {
  for (const Planted& wide : tests::wide_bugs()) {
    const auto body = [&](Runtime& runtime) { wide.body(runtime, 0); };
    const Failure failure = find(body, wide.kind);
    const ShrinkResult result = shrink(failure, {.search_runs_max = 100}, body);
    BOOST_TEST(result.preemptions == wide.preemptions_min,
               wide.name << " took " << result.preemptions << ": " << result.failure.schedule);
    BOOST_TEST(result.failure.sentence.find(wide.words) != std::string::npos,
               wide.name << ": " << result.failure.sentence);
    BOOST_TEST(result.runs < 50'000U, wide.name << " took " << result.runs << " runs");
    const std::optional<Failure> again = replay(result.failure.schedule, body);
    BOOST_REQUIRE(again.has_value());
    BOOST_TEST(signature_of(*again) == signature_of(failure));
  }
}

BOOST_AUTO_TEST_CASE(a_bug_among_thousands_of_decisions_shrinks_to_a_few_preemptions) {
  const auto noise = static_cast<int>(tests::pieces_of({.default_one = 800, .lengthy = 1'700}));
  std::size_t longest = 0;
  for (const Planted& planted : tests::planted_bugs()) {
    const auto body = [&](Runtime& runtime) { planted.body(runtime, noise); };
    const Failure failure = find(body, planted.kind);
    longest = std::max(longest, failure.steps);
    const ShrinkResult result = shrink(failure, {}, body);
    BOOST_TEST(result.preemptions <= planted.preemptions_min,
               planted.name << " took " << result.preemptions << ": " << result.failure.schedule);
    // Not fewer than before in any case: a preemption less may cost deviations that are none.
    BOOST_TEST(result.deviations <= 6U, planted.name << ": " << result.failure.schedule);
  }
  BOOST_TEST(longest > 2 * static_cast<std::size_t>(noise));
}

BOOST_AUTO_TEST_CASE(what_does_not_fail_is_not_shrunk) {
  const auto holds = [](Runtime&) {};
  const Failure failure{
      .kind = "deadlock", .sentence = "", .schedule = Schedule{}.to_string(), .steps = 0};
  BOOST_CHECK_THROW(shrink(failure, holds), std::invalid_argument);
}

// As a test does that was given the schedule of another one: what it finds is the divergence.
BOOST_AUTO_TEST_CASE(a_divergence_comes_back_as_it_is) {
  const auto holds = [](Runtime&) {};
  const Failure divergence{.kind = "divergence", .sentence = "it does not fit", .schedule = "w1:"};
  const Failure shortest = shrink(divergence, holds);
  BOOST_TEST(shortest.kind == "divergence");
  BOOST_TEST(shortest.sentence == "it does not fit");
}

BOOST_AUTO_TEST_CASE(a_signature_forgets_numbers_and_keeps_what_was_waited_for) {
  const Failure one{.kind = "deadlock",
                    .sentence =
                        "deadlock at step 9: no task can continue\n"
                        "  main waits for the end of task 'a' (x.cpp:1)\n"
                        "  main/a#2 waits on condition 'c' (x.cpp:2), and no task is left",
                    .schedule = "",
                    .steps = 9};
  Failure two = one;
  two.sentence =
      "deadlock at step 77: no task can continue\n"
      "  main/a waits on condition 'c' (x.cpp:2), a lost wake-up: main notified at step 3\n"
      "  main waits for the end of task 'a' (x.cpp:1)";
  Failure three = one;
  three.sentence.replace(three.sentence.find("'c'"), 3, "'d'");
  BOOST_TEST(signature_of(one) == signature_of(two));
  BOOST_TEST(signature_of(one) != signature_of(three));
}

BOOST_AUTO_TEST_CASE(who_is_caught_by_a_circle_does_not_make_it_another_one) {
  const Failure two{.kind = "deadlock",
                    .sentence =
                        "deadlock at step 9: main/a -> main/b -> main/a wait for each other in a "
                        "circle\n"
                        "  main waits for the end of task 'a' (x.cpp:1)\n"
                        "  main/a waits for mutex 'n' (x.cpp:2), which main/b holds\n"
                        "  main/b waits for mutex 'm' (x.cpp:3), which main/a holds",
                    .schedule = "",
                    .steps = 9};
  Failure bystander = two;
  bystander.sentence += "\n  main/c waits for mutex 'm' (x.cpp:3), which main/a holds";
  Failure other = two;
  other.sentence.replace(other.sentence.find("mutex 'n'"), 9, "mutex 'k'");
  BOOST_TEST(signature_of(two) == signature_of(bystander));
  BOOST_TEST(signature_of(two) != signature_of(other));
}

BOOST_AUTO_TEST_CASE(a_search_that_is_cut_short_proves_nothing) {
  for (const Planted& planted : tests::planted_bugs()) {
    if (planted.preemptions_min == 0) {
      continue;
    }
    const auto body = [&](Runtime& runtime) { planted.body(runtime, 50); };
    const ShrinkResult result = shrink(find(body, planted.kind), {.search_runs_max = 1}, body);
    if (result.preemptions > 0) {
      BOOST_TEST(!result.proven, planted.name << " claims a proof after one run");
    }
  }
}

BOOST_AUTO_TEST_CASE(a_search_that_is_interrupted_keeps_what_it_has_found) {
  const Planted planted = tests::planted_bugs().front();
  const auto body = [&](Runtime& runtime) { planted.body(runtime, 2); };
  const Failure failure = find(body, planted.kind);
  for (const std::size_t runs : {0U, 1U, 5U, 20U}) {
    std::size_t asked = 0;
    const ShrinkResult result =
        shrink(failure, {.keep_going = [&] { return ++asked <= runs; }}, body);
    BOOST_TEST(result.interrupted);
    BOOST_TEST(!result.proven);
    BOOST_TEST(result.runs == runs + 3);  // the first one, and two to verify
    BOOST_TEST(result.deviations <= result.deviations_before);
    BOOST_TEST(replay(result.failure.schedule, body).has_value());
  }
  BOOST_TEST(!shrink(failure, {.keep_going = [] { return true; }}, body).interrupted);
}

BOOST_AUTO_TEST_CASE(a_guided_replay_continues_past_what_does_not_fit) {
  const auto body = [](Runtime& runtime) {
    (void)runtime.choose(2, "a coin");
    (void)runtime.choose(3, "a die");
  };
  World world;
  Schedule schedule;
  schedule.deviations = {{.is_switch = false, .at = "main", .ordinal = 1, .index = 7},
                         {.is_switch = false, .at = "main", .ordinal = 2, .index = 2}};
  ReplayStrategy guided(schedule, ReplayStrategy::Mode::Guided);
  const RunResult played = world.run(guided, body);
  BOOST_TEST(!played.abandoned);
  BOOST_REQUIRE(world.schedule().deviations.size() == 1U);
  BOOST_TEST(world.schedule().deviations[0].ordinal == 2U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::sim
