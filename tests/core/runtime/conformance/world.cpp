// Plays the conformance suite in the simulated world: each body under the default schedule and
// under many random ones. What is open must be seen to go every way, what can deadlock must do so.
#include <boost/test/unit_test.hpp>

#include "core/runtime/task.hpp"
#include "sim/explore/explore.hpp"
#include "tests/core/runtime/conformance/conformance.hpp"

void watchlab::conformance::settle(runtime::Runtime& runtime) {
  runtime::sleep_for(runtime, std::chrono::milliseconds(50));
}

namespace {

using namespace watchlab;

using Body = std::function<void(runtime::Runtime&)>;

constexpr std::size_t kSchedulesMax = 200;

sim::ExploreResult explore(std::string strategy, const Body& body) {
  return sim::explore({.strategy = std::move(strategy), .schedules_max = kSchedulesMax}, body);
}

void expect_no_failure(const Body& body) {
  for (const char* strategy : {"fifo", "random"}) {
    const sim::ExploreResult result = explore(strategy, body);
    const sim::Failure failure = result.failure.value_or(sim::Failure{});
    BOOST_TEST(!result.failure, strategy << ": " << failure.kind << ": " << failure.sentence
                                         << "; schedule " << failure.schedule);
    BOOST_TEST(result.executions >= 1U);
  }
}

void expect_all_outcomes(const conformance::Choice& choice) {
  std::set<std::string> seen;
  expect_no_failure([&](runtime::Runtime& runtime) { seen.insert(choice.body(runtime)); });
  for (const std::string& outcome : choice.outcomes) {
    BOOST_TEST(seen.contains(outcome), "no schedule ends with: " << outcome);
  }
  for (const std::string& outcome : seen) {
    BOOST_TEST(choice.outcomes.contains(outcome), "unexpected outcome: " << outcome);
  }
}

void expect_deadlock(const Body& body) {
  const sim::ExploreResult result = explore("random", body);
  BOOST_REQUIRE(result.failure.has_value());
  BOOST_TEST(result.failure->kind == "deadlock");
}

void add_case(boost::unit_test::test_suite& suite, std::string_view name,
              std::function<void()> body) {
  suite.add(boost::unit_test::make_test_case(body, std::string(name), __FILE__, __LINE__));
}

void add_group(boost::unit_test::test_suite& suite, const conformance::Group& group) {
  for (const conformance::Claim& claim : group.claims) {
    add_case(suite, claim.name, [claim] { expect_no_failure(claim.body); });
  }
  for (const conformance::Claim& claim : group.exact) {
    add_case(suite, claim.name, [claim] { expect_no_failure(claim.body); });
  }
  for (const conformance::Choice& choice : group.choices) {
    add_case(suite, choice.name, [choice] { expect_all_outcomes(choice); });
  }
  for (const conformance::Claim& claim : group.deadlocks) {
    add_case(suite, claim.name, [claim] { expect_deadlock(claim.body); });
  }
}

bool add_all() {
  for (const conformance::Group& group : conformance::all_groups()) {
    auto* suite = BOOST_TEST_SUITE(std::string(group.name));
    add_group(*suite, group);
    boost::unit_test::framework::master_test_suite().add(suite);
  }
  return true;
}

}  // namespace

int main(int argc, char* argv[]) { return boost::unit_test::unit_test_main(&add_all, argc, argv); }
