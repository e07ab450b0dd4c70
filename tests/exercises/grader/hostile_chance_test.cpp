// Suites whose tests fail for reasons that have nothing to do with what a library does.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/exercises/grader/grading_fixture.hpp"
#include "tests/exercises/grader/hostile_sources.hpp"

namespace watchlab::course {
namespace {

/// 499 tests of a store that fail in about one run of eight, by what the world draws for each.
constexpr const char* kByChance = R"(
    #include <boost/test/unit_test.hpp>
    #include "exercises/01t-store-tests/subject.hpp"
    #include "exercises/toolkit/worlds.hpp"
    using namespace watchlab::exercise;
    const bool added = [] {
      for (int i = 0; i < 499; ++i) {
        const std::string name = "t" + std::to_string(i);
        boost::unit_test::framework::master_test_suite().add(boost::unit_test::make_test_case(
            [name] {
              in_every_world([&](watchlab::runtime::Runtime& runtime) {
                expect(runtime.seed_for(name) % 30 != 0, "the lot is good");
              });
            }, name, "file", 1));
      }
      return true;
    }();
)";

/// Two good tests of a store, and others that are invalid: the first crashes in one of the right
/// libraries and passes with the other.
std::string store_tests(bool with_others) {
  return std::string(R"(
    #include <boost/test/unit_test.hpp>
    #include "exercises/01t-store-tests/subject.hpp"
    #include "exercises/toolkit/objects.hpp"
    #include "exercises/toolkit/worlds.hpp"
    using namespace watchlab::exercise;
    using watchlab::runtime::Runtime;
    BOOST_AUTO_TEST_CASE(replaces_by_nothing) {
      in_every_world([](Runtime& runtime) {
        const auto store = make_store(runtime);
        store->add(object("default/a", "5"));
        store->replace({});
        expect_equal(static_cast<int>(store->list().size()), 0);
      });
    }
    BOOST_AUTO_TEST_CASE(removes_another_state) {
      in_every_world([](Runtime& runtime) {
        const auto store = make_store(runtime);
        store->add(object("default/a", "5"));
        store->remove(object("default/a", "3"));
        expect_equal(text_of(store->get("default/a")), "null");
      });
    }
)") + (with_others ? R"(
    BOOST_AUTO_TEST_CASE(crashes_in_the_library) {
      in_every_world([](Runtime& runtime) { make_store(runtime)->add(nullptr); });
    }
    BOOST_AUTO_TEST_CASE(crashes) { std::abort(); }
    BOOST_AUTO_TEST_CASE(calls_without_end) {
      in_every_world([](Runtime& runtime) {
        const auto store = make_store(runtime);
        for (;;) { static_cast<void>(store->get("default/a")); }
      });
    }
    BOOST_AUTO_TEST_CASE(hangs) { for (volatile bool on = true; on;) {} }
    BOOST_AUTO_TEST_CASE(hangs_too) { for (volatile bool on = true; on;) {} }
)"
                   : "");
}

/// The defects that a suite catches, by their ids.
std::vector<std::string> caught_in(const Grade& grade) {
  std::vector<std::string> ids;
  for (const GradeCase& entry : grade.cases) {
    if (entry.outcome == "killed") {
      ids.push_back(entry.id);
    }
  }
  return ids;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(hostile_chance_test, GradingFixture)

/// The same as `judge_suite_test` works out, played.
BOOST_AUTO_TEST_CASE(a_suite_that_fails_by_chance_earns_under_five_points) {
  exercise = read_exercise(toolchain.exercises() / "01t-store-tests");
  instructor = exercise.folder / "instructor";
  scratch.write("handin/store_test.cpp", kByChance);
  const Grade grade = grade_submission(scratch.path() / "handin");
  BOOST_TEST((grade.status == Grade::Status::Finished), grade.summary);
  BOOST_TEST_MESSAGE("499 tests that fail by chance earn " << grade.points() << ": "
                                                           << grade.summary);
  BOOST_TEST(grade.validity > 0);
  BOOST_TEST(grade.validity < 0.5);
  BOOST_TEST(grade.points() < 5, grade.summary);
}

BOOST_AUTO_TEST_CASE(what_hung_with_a_library_does_not_show_whether_that_was_right) {
  // It hangs once, and then fails when it has seen that the other test is not run any more.
  const Grade grade = grade_source(hostile_source("", R"(
    const bool added = [] {
      const auto add = [](const char* name, void (*body)()) {
        boost::unit_test::framework::master_test_suite().add(
            boost::unit_test::make_test_case(body, name, "file", 1));
      };
      add("hangs", [] { for (volatile bool on = true; on;) {} });
      add("looks", [] {
        const auto hangs = boost::unit_test::framework::master_test_suite().get("hangs");
        namespace test = boost::unit_test;
        BOOST_TEST(test::framework::get<test::test_case>(hangs).is_enabled());
      });
      return true;
    }();)"));
  BOOST_TEST(words_of(grade).find("caught by looks") == std::string::npos, words_of(grade));
}

BOOST_AUTO_TEST_CASE(what_crashes_or_hangs_costs_its_share_and_no_defect) {
  exercise = read_exercise(toolchain.exercises() / "01t-store-tests");
  exercise.wall_seconds = 2;  // the tests that hang take as long, some times each
  for (const std::filesystem::path& folder :
       {std::filesystem::path(), exercise.folder / "instructor"}) {
    instructor = folder;  // a check, and a grade
    std::vector<Grade> grades;
    for (const bool with_others : {false, true}) {
      scratch.write("handin/store_test.cpp", store_tests(with_others));
      grades.push_back(grade_submission(scratch.path() / "handin"));
    }
    BOOST_TEST(caught_in(grades[0]).size() >= 3U, words_of(grades[0]));
    BOOST_TEST((caught_in(grades[1]) == caught_in(grades[0])), words_of(grades[1]));
    BOOST_TEST((grades[1].summary.find("7 of your 7 tests fail with some library; 2 of these are "
                                       "valid: 28.6 %") != std::string::npos),
               words_of(grades[1]));
    BOOST_TEST(grades[1].points() == grades[0].points() * 2 / 7,
               boost::test_tools::tolerance(1e-4));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
