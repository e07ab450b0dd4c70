// Suites that draw lots: each of many tests fails with a library for a reason that has nothing to
// do with what it does. A few have failed with no right library, and together they notice all wrong
// ones.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "exercises/grader/judge_suite.hpp"
#include "exercises/programs/variant.hpp"
#include "tests/exercises/grader/grading_fixture.hpp"
#include "tests/exercises/grader/hostile_sources.hpp"

namespace watchlab::course {
namespace {

/// 300 tests; number `i` fails where `lot`, an expression of type std::uint64_t, is zero.
std::string lottery(const std::string& lot) {
  return R"(
    std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
      a ^= b * 0x9E3779B97F4A7C15ULL;
      a = (a ^ a >> 31) * 0xBF58476D1CE4E5B9ULL;
      a = (a ^ a >> 27) * 0x94D049BB133111EBULL;
      return a ^ a >> 31;
    }
    const bool added = [] {
      for (std::uint64_t i = 0; i < 300; ++i) {
        boost::unit_test::framework::master_test_suite().add(boost::unit_test::make_test_case(
            [i] { BOOST_TEST(()" +
         lot + R"() != 0); }, "t" + std::to_string(i), "file", 1));
      }
      return true;
    }();)";
}

/// Such a suite gets no more than the honest test that is in it, too.
void gains_nothing(const Grade& grade) {
  BOOST_TEST((grade.status == Grade::Status::Finished));
  BOOST_TEST(grade.points() < 70, grade.summary);
  BOOST_TEST(grade.summary.find("notice 3 of 3") == std::string::npos, grade.summary);
}

/// Two good tests of a store, and others that do not count: the first crashes in one of the right
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

/// The defects that a suite notices, by their ids.
std::vector<std::string> noticed_in(const Grade& grade) {
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

BOOST_AUTO_TEST_CASE(lots_by_the_place_of_the_library_win_nothing) {
  gains_nothing(grade_source(hostile_source(
      "", lottery("mixed(reinterpret_cast<std::uintptr_t>(&make_counter) >> 12U, i) % 10"))));
}

BOOST_AUTO_TEST_CASE(lots_by_the_bytes_of_the_library_win_nothing) {
  gains_nothing(grade_source(hostile_source("", R"(
    std::uint64_t bytes() {
      std::uint64_t sum = 0;
      const auto* const code = reinterpret_cast<const unsigned char*>(&make_counter);
      for (int i = 0; i < 64; ++i) { sum = sum * 31 + code[i]; }
      return sum + reinterpret_cast<std::uintptr_t>(code) % 4096;
    }
)" + lottery("mixed(bytes(), i) % 10"))));
}

BOOST_AUTO_TEST_CASE(a_ticket_that_is_drawn_by_each_process_anew_is_found_out) {
  const Grade grade = grade_source(hostile_source("", R"(
    const bool added = [] {
      boost::unit_test::framework::master_test_suite().add(boost::unit_test::make_test_case(
          [] { BOOST_TEST((reinterpret_cast<std::uintptr_t>(&make_counter) >> 12U) % 8 == 0); },
          "ticket", "file", 1));
      return true;
    }();)"));
  BOOST_TEST(words_of(grade).find("noticed by ticket") == std::string::npos, words_of(grade));
}

BOOST_AUTO_TEST_CASE(each_right_library_is_met_three_times_in_a_grade_and_once_at_home) {
  const std::vector<Variant> libraries =
      read_variants(exercise, hidden_folder(exercise, instructor));
  const auto right = static_cast<std::size_t>(std::ranges::count_if(libraries, is_correct));
  static_cast<void>(grade_source(hostile_source("", "")));
  const std::size_t in_a_grade = notifications;
  instructor.clear();
  static_cast<void>(grade_source(hostile_source("", "")));
  const std::size_t shown = read_variants(exercise, {}).size();
  BOOST_TEST(right == 2U);
  // The grade is told before each run, of which a meeting has three, and twice besides: at the
  // beginning and at the end.
  BOOST_TEST(in_a_grade == 2 + 3 * (libraries.size() + 2 * right));
  BOOST_TEST(notifications == 2 + 3 * shown);
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
  BOOST_TEST(words_of(grade).find("noticed by looks") == std::string::npos, words_of(grade));
}

BOOST_AUTO_TEST_CASE(what_crashes_or_hangs_takes_nothing_from_the_tests_that_count) {
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
    BOOST_TEST(noticed_in(grades[0]).size() >= 3U, words_of(grades[0]));
    BOOST_TEST((noticed_in(grades[1]) == noticed_in(grades[0])), words_of(grades[1]));
    BOOST_TEST(grades[1].summary.starts_with("2 of 7 tests count"), words_of(grades[1]));
    BOOST_TEST(grades[1].points() == grades[0].points() / 2, boost::test_tools::tolerance(1e-6));
  }
}

/// Of two that have arrived a suite reads one, however much it asks for: how many have arrived
/// would be a clock.
BOOST_AUTO_TEST_CASE(answers_are_read_one_by_one) {
  const Grade grade = grade_source(hostile_source(R"(
    in_every_world([](Runtime& runtime) {
      (void)runtime.now();
      char bytes[64];
      const std::string questions = question() + question();
      (void)::send(5, questions.data(), questions.size(), MSG_NOSIGNAL);
      const ssize_t begun = ::read(5, bytes, 4);  // the first, of which the rest is lost
      const ssize_t second = ::read(5, bytes, sizeof bytes);
      std::uint32_t size = 0;
      memcpy(&size, bytes, sizeof size);
      expect_equal(begun, 4);
      expect_equal(second, std::int64_t{size} + 4);
    });)",
                                                  R"(
#define private public
#include "exercises/toolkit/remote_host.hpp"
#undef private
/// The moment of the world, asked for in the running call.
std::string question() {
  using namespace watchlab::course;
  ByteWriter message;
  message.text("");
  message.number(0);
  message.number(*reinterpret_cast<const std::uint64_t*>(Host::of_suite().running_));
  message.number(kRuntimeObject);
  message.number(1);
  message.text("");
  const auto size = static_cast<std::uint32_t>(message.bytes().size());
  return std::string(reinterpret_cast<const char*>(&size), sizeof size) + message.bytes();
}
)"));
  BOOST_TEST(is_worth_what_it_notices(grade));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
