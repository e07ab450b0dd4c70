#include "sim/linearizability/linearizability.hpp"

#include <boost/test/unit_test.hpp>
#include <memory>
#include <stdexcept>

#include "sim/linearizability/cache_models.hpp"
#include "sim/linearizability/container_models.hpp"
#include "tests/sim/linearizability/brute_force.hpp"

namespace watchlab::sim::linearizability {
BOOST_AUTO_TEST_SUITE(linearizability_test)

namespace {

/// The moments of a call, which stand for its steps, too.
struct Span {
  std::size_t invoked = 0;
  std::size_t returned = 0;
};

Call call(std::string task, Request asked, std::optional<std::string> result, Span span) {
  return {.task = std::move(task),
          .asked = std::move(asked),
          .result = std::move(result),
          .invoked = span.invoked,
          .returned = span.returned,
          .invoked_step = span.invoked,
          .returned_step = span.returned};
}

Call write(std::string value, std::size_t invoked, std::size_t returned) {
  return call("writer", {"write", "x", std::move(value)}, "ok", {invoked, returned});
}
Call read(std::string value, std::size_t invoked, std::size_t returned) {
  return call("reader", {"read", "x", ""}, std::move(value), {invoked, returned});
}

void agrees_with_brute_force(const Model& model) {
  constexpr std::uint64_t histories = 2'000;
  std::size_t explained = 0;
  for (std::uint64_t seed = 1; seed <= histories; ++seed) {
    const std::vector<Call> calls = random_history(model, seed, 6);
    const bool has_order = has_some_order(model, calls);
    BOOST_REQUIRE_MESSAGE(check_linearizability(model, calls).has_value() != has_order,
                          model.name() << ", history " << seed);
    explained += has_order ? 1 : 0;
  }
  BOOST_TEST(explained > histories / 10);  // or the comparison says little
  BOOST_TEST(explained < histories * 95 / 100);
}

}  // namespace

BOOST_AUTO_TEST_CASE(it_agrees_with_brute_force_on_random_histories_of_registers) {
  agrees_with_brute_force(RegisterModel());
}
BOOST_AUTO_TEST_CASE(it_agrees_with_brute_force_on_random_histories_of_sets) {
  agrees_with_brute_force(SetModel());
}
BOOST_AUTO_TEST_CASE(it_agrees_with_brute_force_on_random_histories_of_queues) {
  agrees_with_brute_force(QueueModel(2));
}
BOOST_AUTO_TEST_CASE(it_agrees_with_brute_force_on_random_histories_of_stores) {
  agrees_with_brute_force(StoreModel());
}
BOOST_AUTO_TEST_CASE(it_agrees_with_brute_force_on_random_histories_of_fifos) {
  agrees_with_brute_force(FifoModel());
}
BOOST_AUTO_TEST_CASE(it_agrees_with_brute_force_on_random_histories_of_delta_fifos) {
  agrees_with_brute_force(DeltaFifoModel());
}

BOOST_AUTO_TEST_CASE(calls_that_overlap_may_come_in_either_order) {
  const RegisterModel model;
  BOOST_TEST(!check_linearizability(model, {write("1", 1, 4), read("", 2, 3)}));
  BOOST_TEST(!check_linearizability(model, {write("1", 1, 4), read("1", 2, 3)}));
}

BOOST_AUTO_TEST_CASE(a_call_cannot_come_before_one_that_had_returned) {
  const RegisterModel model;
  BOOST_TEST(check_linearizability(model, {write("1", 1, 2), read("", 3, 4)}).has_value());
}

BOOST_AUTO_TEST_CASE(a_pending_call_may_have_taken_effect_or_not) {
  const RegisterModel model;
  Call pending = write("1", 1, 0);
  pending.result.reset();
  BOOST_TEST(!check_linearizability(model, {pending, read("1", 2, 3)}));
  BOOST_TEST(!check_linearizability(model, {pending, read("", 2, 3)}));
  const auto back_again = check_linearizability(model, {pending, read("1", 2, 3), read("", 4, 5)});
  BOOST_TEST(back_again.has_value());
}

BOOST_AUTO_TEST_CASE(keys_are_checked_apart_unless_a_call_is_about_all_of_them) {
  const StoreModel model;
  std::vector<Call> calls{call("a", {"add", "a", "1"}, "ok", {1, 2}),
                          call("b", {"add", "b", "1"}, "ok", {3, 4}),
                          call("a", {"get", "a", ""}, "2", {5, 6})};
  const auto apart = check_linearizability(model, calls);
  BOOST_REQUIRE(apart.has_value());
  BOOST_TEST(apart->before == "a=1");
  calls.push_back(call("b", {"list", "", ""}, "a=1; b=1", {7, 8}));
  const auto together = check_linearizability(model, calls);
  BOOST_REQUIRE(together.has_value());
  BOOST_TEST(together->before == "a=1; b=1");
}

BOOST_AUTO_TEST_CASE(the_report_shows_the_shortest_stretch_and_what_would_fit) {
  const auto found = check_linearizability(
      RegisterModel(), {write("1", 1, 2), read("1", 3, 5), write("2", 6, 11), read("2", 7, 8),
                        read("2", 4, 9), read("1", 10, 12), write("3", 13, 14)});
  BOOST_REQUIRE(found.has_value());
  BOOST_TEST(found->to_string() ==
             "no order of these calls explains what read x of reader returned\n"
             "  before: register with x=1\n"
             "  step 6-11      writer  write x 2 -> ok  |---|\n"
             "  step 7-8       reader  read x -> 2       ||\n"
             "  step 10-12     reader  read x -> 1         |-|  <- only 2 can be explained");
}

BOOST_AUTO_TEST_CASE(a_result_that_had_to_be_waited_for_is_distinguished) {
  const auto found =
      check_linearizability(QueueModel(), {call("popper", {"pop", "", ""}, "1", {1, 2})});
  BOOST_REQUIRE(found.has_value());
  BOOST_TEST(found->to_string() ==
             "no order of these calls explains what pop of popper returned\n"
             "  before: queue empty\n"
             "  step 1-2       popper  pop -> 1  ||  <- it could not have returned yet");
}

BOOST_AUTO_TEST_CASE(more_than_64_open_calls_are_refused) {
  std::vector<Call> calls;
  for (std::size_t i = 1; i <= 65; ++i) {
    calls.push_back(call("t", {"write", "x", "1"}, std::nullopt, {i, 0}));
  }
  BOOST_CHECK_THROW((void)check_linearizability(RegisterModel(), calls), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_long_history_of_four_tasks_takes_a_moment_only) {
  std::vector<Call> calls;
  for (std::size_t i = 0; i < 2'000; ++i) {
    calls.push_back(call("t", {"push", "", "1"}, "ok", {4 * i + 1, 4 * i + 4}));
    calls.push_back(call("u", {"pop", "", ""}, "1", {4 * i + 2, 4 * i + 3}));
  }
  BOOST_TEST(!check_linearizability(QueueModel(), calls).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::sim::linearizability
