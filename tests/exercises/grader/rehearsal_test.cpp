// A body that asks for the same in each world, from one task, is played in the first one; in the
// others the process that has the library asks for it by itself.
#include <boost/test/unit_test.hpp>
#include <string>

#include "tests/exercises/grader/grading_fixture.hpp"
#include "tests/exercises/grader/hostile_sources.hpp"

namespace watchlab::course {

BOOST_FIXTURE_TEST_SUITE(rehearsal_test, GradingFixture)

namespace {

/// A suite with a test that is called "looked_at": `body` is played, and `fact` holds then. `plays`
/// is how often it was.
std::string suite_of(const std::string& body, const std::string& fact) {
  return hostile_source("", R"(
    BOOST_AUTO_TEST_CASE(looked_at) {
      int plays = 0;
      std::unique_ptr<Counter> kept;
      in_every_world([&](Runtime& runtime) {
        ++plays;)" + body + R"(
      });
      BOOST_TEST(()" + fact + R"());
    })");
}

constexpr const char* kCounting = R"(
        const auto counter = make_counter(runtime);
        counter->add();
        counter->add();
        expect(counter->value() > 0, "it counts");)";

/// Whether that test counts: it passes with each right library, each time.
bool counts(const Grade& grade) {
  for (const GradeCase& entry : grade.cases) {
    if (entry.id == "looked_at") {
      BOOST_TEST_MESSAGE(entry.message);
      return entry.outcome == "pass";
    }
  }
  return false;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_body_that_is_answered_alike_is_played_once) {
  BOOST_TEST(counts(grade_source(suite_of(kCounting, "plays == 1"))));
}

BOOST_AUTO_TEST_CASE(a_body_with_a_task_of_its_own_is_played_in_each_world) {
  BOOST_TEST(counts(grade_source(suite_of(std::string(kCounting) + R"(
        const auto other = watchlab::runtime::spawn(runtime, "other", [&] { counter->add(); });
        other.join();)",
                                          "plays == 21"))));
}

BOOST_AUTO_TEST_CASE(a_body_that_is_answered_otherwise_is_played_in_each_world) {
  BOOST_TEST(counts(grade_source(
      suite_of(std::string(kCounting) + "static_cast<void>(runtime.seed_for(\"a draw\"));",
               "plays == 21"))));
}

BOOST_AUTO_TEST_CASE(what_fails_in_a_few_worlds_fails) {
  BOOST_TEST(!counts(grade_source(suite_of(
      std::string(kCounting) + "expect(runtime.choose(8, \"a draw\") != 3, \"it is drawn\");",
      "true"))));
}

BOOST_AUTO_TEST_CASE(what_is_kept_from_the_first_world_does_no_harm) {
  BOOST_TEST(counts(grade_source(suite_of(R"(
        kept = make_counter(runtime);
        kept->add();
        expect_equal(kept->value(), 1);
        const auto other = watchlab::runtime::spawn(runtime, "other", [] {});
        other.join();)",
                                          "kept != nullptr"))));
  BOOST_TEST(counts(grade_source(suite_of(R"(
        kept = make_counter(runtime);
        kept->add();
        expect_equal(kept->value(), 1);)",
                                          "plays == 1"))));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
