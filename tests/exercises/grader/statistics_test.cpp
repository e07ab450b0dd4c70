#include "exercises/grader/statistics.hpp"

#include <boost/test/unit_test.hpp>

#include "exercises/grader/exercise.hpp"
#include "exercises/grader/grade.hpp"
#include "tests/exercises/grader/scratch_folder.hpp"

namespace watchlab::course {
BOOST_AUTO_TEST_SUITE(statistics_test)

namespace {

/// The grade of a submission that got these two of three items.
std::string grade_with(bool easy, bool hard) {
  Grade grade{.status = Grade::Status::Finished};
  grade.cases = {{.id = "1", .variant = "easy", .points = easy ? 30.0 : 0, .points_max = 30},
                 {.id = "2", .variant = "hard", .points = hard ? 40.0 : 0, .points_max = 40},
                 {.id = "other", .points = hard ? 30.0 : 0, .points_max = 30}};
  return to_json(grade);
}

BOOST_AUTO_TEST_CASE(items_are_counted_and_told_apart) {
  const ScratchFolder folder;
  folder.write("a.json", grade_with(true, true));
  folder.write("b.json", grade_with(true, true));
  folder.write("c.json", grade_with(true, false));
  folder.write("d.json", grade_with(true, false));
  const CohortStatistics statistics = statistics_of(folder.path());
  BOOST_TEST(statistics.points.at("a") == 100);
  BOOST_TEST_REQUIRE(statistics.items.size() == 3);
  BOOST_TEST(statistics.items[0].id == "easy");
  BOOST_TEST(statistics.items[0].solved == 4);
  BOOST_TEST(statistics.items[0].discrimination == 0);
  BOOST_TEST(statistics.items[1].solved == 2);
  BOOST_TEST(statistics.items[1].discrimination > 0.99);
  BOOST_TEST((to_csv(statistics).find("\nhard,2,4,0.500,1.000\n") != std::string::npos));
  BOOST_TEST((to_html(statistics).find("<h1>4 submissions</h1>") != std::string::npos));
}

BOOST_AUTO_TEST_CASE(what_is_no_grade_is_named) {
  const ScratchFolder folder;
  folder.write("a.json", "{}");
  BOOST_CHECK_THROW(static_cast<void>(statistics_of(folder.path())), BadInput);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace watchlab::course
