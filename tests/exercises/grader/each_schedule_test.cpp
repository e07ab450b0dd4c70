// What `in_each_schedule` plays, in a program of tests: that of an exercise whose library is right.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <map>
#include <string>

#include "tests/exercises/grader/grading_fixture.hpp"

namespace watchlab::course {

namespace {

/// Plays tests as the hidden ones of E01, against its solution.
struct TestsOfCourse : GradingFixture {
  TestsOfCourse() {
    exercise = read_exercise(toolchain.exercises() / "01-store");
    solution = exercise.folder / "instructor/solution";
    instructor = scratch.path() / "instructor";
  }

  /// What came of each case of the source, whose helpers note in which order two tasks take two
  /// steps each.
  std::map<std::string, GradeCase> played(const std::string& source) {
    scratch.write("instructor/tests/order_test.cpp", R"(
      #include <boost/test/unit_test.hpp>
      #include <set>
      #include <string>
      #include "core/runtime/mutex.hpp"
      #include "core/runtime/task.hpp"
      #include "exercises/toolkit/worlds.hpp"
      using namespace watchlab::exercise;
      using watchlab::runtime::Runtime;
      std::string order_of(Runtime& runtime, int steps) {
        std::string order;
        watchlab::runtime::Mutex mutex(runtime);
        const auto task = [&](char name) {
          return watchlab::runtime::spawn(runtime, std::string(1, name), [&, name] {
            for (int i = 0; i < steps; ++i) {
              const watchlab::runtime::Lock lock(mutex);
              order += name;
            }
          });
        };
        const auto a = task('a');
        const auto b = task('b');
        a.join();
        b.join();
        return order;
      }
      std::string orders_with(int preemptions) {
        std::set<std::string> orders;
        in_each_schedule(preemptions, [&](Runtime& runtime) {
          orders.insert(order_of(runtime, 2));
        });
        std::string all;
        for (const std::string& order : orders) {
          all += order + " ";
        }
        return all;
      })" + source);
    std::map<std::string, GradeCase> cases;
    for (const GradeCase& line : grade_submission(solution).cases) {
      cases[line.hidden ? line.variant : line.id] = line;
    }
    return cases;
  }

  std::filesystem::path solution;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(each_schedule_test, TestsOfCourse)

BOOST_AUTO_TEST_CASE(every_order_with_so_many_preemptions_is_played_and_no_other) {
  const auto cases = played(R"(
    BOOST_AUTO_TEST_CASE(none) { BOOST_TEST(orders_with(0) == "aabb bbaa "); }
    BOOST_AUTO_TEST_CASE(one) { BOOST_TEST(orders_with(1) == "aabb abba baab bbaa "); }
    BOOST_AUTO_TEST_CASE(two) { BOOST_TEST(orders_with(2) == "aabb abab abba baab baba bbaa "); }
    BOOST_AUTO_TEST_CASE(rare_holds) {
      in_each_schedule(1, [](Runtime& runtime) {
        expect(order_of(runtime, 2) != "baba", "in turn");
      });
    }
    BOOST_AUTO_TEST_CASE(rare_fails) {
      in_each_schedule(2, [](Runtime& runtime) {
        expect(order_of(runtime, 2) != "baba", "in turn");
      });
    }
    BOOST_AUTO_TEST_CASE(at_most_two_thousand) {
      int plays = 0;
      in_each_schedule(9, [&](Runtime& runtime) { ++plays; order_of(runtime, 9); });
      BOOST_TEST(plays >= 2000);
      BOOST_TEST(plays < 2010);  // a few worlds are played twice
    })");
  for (const char* const name : {"none", "one", "two", "rare_holds", "at_most_two_thousand"}) {
    BOOST_TEST(cases.at(name).outcome == "pass", name << ": " << cases.at(name).message);
  }
  const GradeCase& rare = cases.at("rare_fails");
  BOOST_TEST(rare.outcome == "fail");
  BOOST_TEST((rare.message.find("in turn") != std::string::npos), rare.message);
  BOOST_TEST(!rare.schedule.empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
