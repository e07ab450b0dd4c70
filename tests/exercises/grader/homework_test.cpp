#include "exercises/grader/homework.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/exercises/grader/scratch_folder.hpp"

using namespace watchlab::course;

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
