#include "exercises/grader/homework.hpp"

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <utility>

#include "tests/exercises/grader/scratch_folder.hpp"

using namespace watchlab::course;
namespace fs = std::filesystem;

BOOST_AUTO_TEST_SUITE(homework_test)

// A check takes minutes, and meanwhile one starts the next exercise or reads a hint.
BOOST_AUTO_TEST_CASE(what_another_command_wrote_meanwhile_stays) {
  const ScratchFolder folder;
  Homework check(folder.path());
  check.of("E17").attempts = 1;
  check.save();
  Homework start(folder.path());
  start.of("E01t").attempts = 0;
  start.save();
  check.of("E17").attempts = 2;
  check.save();
  const Homework found(folder.path());
  BOOST_TEST_REQUIRE(found.find("E01t") != nullptr);
  BOOST_TEST_REQUIRE(found.find("E17") != nullptr);
  BOOST_TEST(found.find("E17")->attempts == 2U);
  BOOST_TEST(found.current() == "E17");
}

BOOST_AUTO_TEST_CASE(of_one_exercise_nothing_gets_less) {
  const ScratchFolder folder;
  Homework check(folder.path());
  check.of("E17").survivals["early"] = 1;
  Homework hint(folder.path());
  hint.of("E17").hints = 2;
  hint.of("E17").best = 40;
  hint.of("E17").done = true;
  hint.of("E17").survivals["late"] = 3;
  hint.save();
  check.of("E17").best = 10;
  check.save();
  const Homework found(folder.path());
  BOOST_TEST_REQUIRE(found.find("E17") != nullptr);
  BOOST_TEST(found.find("E17")->hints == 2U);
  BOOST_TEST(found.find("E17")->best == 40.0);
  BOOST_TEST(found.find("E17")->done);
  // What survives is as the last check saw it.
  BOOST_TEST(found.find("E17")->survivals.contains("early"));
  BOOST_TEST(!found.find("E17")->survivals.contains("late"));
}

// A grade has more than a check sees: points would promise what they do not hold.
BOOST_AUTO_TEST_CASE(the_list_says_how_many_of_what_is_shown) {
  const ScratchFolder folder;
  Homework check(folder.path());
  Progress& tests = check.of("E08t");
  BOOST_TEST(words_of(&tests) == "started");
  tests = {.attempts = 1, .best = 66.7, .caught = 4, .shown = 6};
  check.of("E03") = {.attempts = 1, .best = 66.7};
  check.save();
  const Homework found(folder.path());
  BOOST_TEST(words_of(found.find("E08t")) == "4 of 6 shown");
  BOOST_TEST(words_of(found.find("E03")) == "67 points");
  BOOST_TEST(words_of(found.find("E04")) == "");
  tests.done = true;
  BOOST_TEST(words_of(&tests) == "all shown");
}

BOOST_AUTO_TEST_CASE(the_homework_is_what_the_current_folder_lies_in) {
  const ScratchFolder folder;
  const fs::path before = fs::current_path();
  const fs::path work = fs::canonical(folder.path());
  for (const char* const name : {"homework", "hz"}) {
    folder.write(std::string(name) + "/progress.json", R"({"current":"E22","exercises":{}})");
    folder.write(std::string(name) + "/compile_flags.txt", "");
  }
  fs::create_directories(work / "hz/01t-store-tests");
  fs::create_directories(work / "other");
  folder.write("other/progress.json", "of another program");
  for (const auto& [here, wanted] : {std::pair("hz/01t-store-tests", "hz"),
                                     {"hz", "hz"},
                                     {"homework", "homework"},
                                     {".", "homework"},
                                     {"other", "homework"}}) {
    fs::current_path(work / here);
    BOOST_TEST((homework_at("").folder() == work / wanted), here);
  }
  fs::current_path(before);
}

BOOST_AUTO_TEST_CASE(who_changed_nothing_writes_nothing_over_it) {
  const ScratchFolder folder;
  const Homework looks(folder.path());
  Homework start(folder.path());
  start.of("E04").hints = 1;
  start.save();
  looks.save();
  const Homework found(folder.path());
  BOOST_TEST(found.current() == "E04");
  BOOST_TEST_REQUIRE(found.find("E04") != nullptr);
  BOOST_TEST(found.find("E04")->hints == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
