#include "exercises/grader/statistics.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "exercises/grader/grade.hpp"
#include "exercises/programs/exercise.hpp"
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

/// A page's numbers below "Points", one a row.
std::vector<std::size_t> rows_of(const std::string& page) {
  const std::size_t begin = page.find("<h2>Points");
  const std::string points = page.substr(begin, page.find("<h2>Items") - begin);
  const std::string row = "<tr><td>";
  std::vector<std::size_t> rows;
  for (std::size_t at = points.find(row); at != std::string::npos; at = points.find(row, at + 1)) {
    rows.push_back(std::stoul(points.substr(points.find("<td>", at + row.size()) + 4)));
  }
  return rows;
}

}  // namespace

BOOST_AUTO_TEST_CASE(items_are_counted_and_distinguished) {
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

// By hand: what one got for the item itself is no part of the rest that it is compared with.
BOOST_AUTO_TEST_CASE(an_item_is_compared_with_the_rest) {
  struct Row {
    std::vector<bool> solved;
    std::vector<double> rest;
    double discrimination;
  };
  const std::vector<Row> rows{
      {{true, true, false, false}, {30, 30, 30, 30}, 0},
      {{true, true, false, false}, {10, 20, 10, 20}, 0},
      {{true, true, false, false}, {0, 0, 30, 30}, -1},
      {{true, false, false, false}, {30, 0, 0, 0}, 1},
      {{true, true, false, false}, {30, 10, 20, 0}, 0.4472},
  };
  for (const Row& row : rows) {
    const ScratchFolder folder;
    for (std::size_t i = 0; i < row.solved.size(); ++i) {
      Grade grade{.status = Grade::Status::Finished};
      grade.cases = {
          {.id = "1", .variant = "item", .points = row.solved[i] ? 70.0 : 0, .points_max = 70},
          {.id = "rest", .points = row.rest[i], .points_max = 30}};
      folder.write(std::to_string(i) + ".json", to_json(grade));
    }
    const CohortStatistics statistics = statistics_of(folder.path());
    BOOST_TEST_REQUIRE(statistics.items.at(0).id == "item");
    BOOST_TEST(std::abs(statistics.items[0].discrimination - row.discrimination) < 1e-4,
               statistics.items[0].discrimination << " and not " << row.discrimination);
  }
}

BOOST_AUTO_TEST_CASE(each_submission_of_a_planted_cohort_is_counted_once) {
  const ScratchFolder folder;
  for (int i = 0; i < 7; ++i) {
    folder.write("good" + std::to_string(i) + ".json", grade_with(true, i % 2 == 0));
  }
  Grade other{.status = Grade::Status::NotGradable};
  other.cases = {{.id = "compile", .kind = "compile", .outcome = "fail"}};
  folder.write("does_not_compile.json", to_json(other));
  folder.write("misses_a_file.json", to_json(other));
  other.status = Grade::Status::Running;
  other.cases = {{.id = "1", .variant = "easy", .points = 30, .points_max = 30}};
  folder.write("grader_died.json", to_json(other));
  const CohortStatistics statistics = statistics_of(folder.path());
  BOOST_TEST(summary_of(statistics) == "10 submissions: 7 graded, 2 not gradable, 1 unfinished");
  for (const ItemStatistics& item : statistics.items) {
    BOOST_TEST(item.graded == 7, item.id);
  }
  const std::string page = to_html(statistics);
  BOOST_TEST((page.find("<h1>10 submissions</h1>") != std::string::npos));
  const auto rows = rows_of(page);
  BOOST_TEST(rows.size() == 12);
  BOOST_TEST(std::accumulate(rows.begin(), rows.end(), std::size_t{0}) == 10);
}

BOOST_AUTO_TEST_CASE(items_of_one_name_are_not_counted_together) {
  const ScratchFolder folder;
  Grade grade{.status = Grade::Status::Finished};
  grade.cases = {{.id = "it_works", .outcome = "pass", .points = 50, .points_max = 50},
                 {.id = "hidden test 1", .variant = "it_works", .points_max = 50, .hidden = true}};
  folder.write("a.json", to_json(grade));
  folder.write("b.json", to_json(grade));
  const CohortStatistics statistics = statistics_of(folder.path());
  BOOST_TEST_REQUIRE(statistics.items.size() == 2);
  BOOST_TEST(statistics.items[0].id == "hidden/it_works");
  BOOST_TEST(statistics.items[0].solved == 0);
  BOOST_TEST(statistics.items[1].solved == 2);
  BOOST_TEST(statistics.items[1].graded == 2);
}

BOOST_AUTO_TEST_CASE(a_part_is_not_the_whole_and_a_killed_defect_is) {
  const ScratchFolder folder;
  Grade grade{.status = Grade::Status::Finished};
  grade.cases = {{.id = "case", .outcome = "fail", .points = 15, .points_max = 50},
                 {.id = "defect", .outcome = "killed", .points = 25, .points_max = 50}};
  folder.write("a.json", to_json(grade));
  const CohortStatistics statistics = statistics_of(folder.path());
  BOOST_TEST(statistics.items[0].solved == 0);
  BOOST_TEST(statistics.items[1].solved == 1);
}

BOOST_AUTO_TEST_CASE(the_spread_is_in_shares_of_what_there_is_to_get) {
  const ScratchFolder folder;
  Grade grade{.status = Grade::Status::Finished, .points_max = 20};
  grade.cases = {{.id = "all", .outcome = "pass", .points = 20, .points_max = 20}};
  folder.write("a.json", to_json(grade));
  BOOST_TEST(
      (to_html(statistics_of(folder.path())).find("90 to 100 %<td>1<") != std::string::npos));
}

BOOST_AUTO_TEST_CASE(what_is_no_grade_is_named) {
  const ScratchFolder folder;
  folder.write("a.json", "{}");
  BOOST_CHECK_THROW(static_cast<void>(statistics_of(folder.path())), BadInput);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
