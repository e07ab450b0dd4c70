#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "exercises/grader/grade.hpp"
#include "tests/exercises/grader/grading_fixture.hpp"

namespace watchlab::course {

BOOST_AUTO_TEST_SUITE(grade_set_test)

namespace {

ExerciseSet two_parts() {
  return {.folder = {}, .id = "pair", .title = "Two", .parts = {{"E1", 30}, {"E2", 50}}};
}

Grade part(double points, double most) {
  return {
      .exercise = "E1",
      .status = Grade::Status::Finished,
      .points_max = most,
      .summary = "as it is",
      .cases = {{.id = "shown/1", .outcome = "killed", .points = points, .points_max = most / 2},
                {.id = "hidden/1", .points_max = most / 2, .hidden = true}}};
}

std::string refusal_of(const ScratchFolder& folder, const std::string& text) {
  folder.write("set/homework.yaml", text);
  try {
    static_cast<void>(read_exercise_sets(folder.path(), {}));
  } catch (const BadInput& wrong) {
    return wrong.what();
  }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_part_counts_by_its_points_in_the_set) {
  const Grade whole = grade_of_set(two_parts(), {part(50, 100), part(100, 200)});
  BOOST_TEST((whole.status == Grade::Status::Finished));
  BOOST_TEST(whole.points() == 40);
  BOOST_TEST(whole.points_max == 80);
  BOOST_TEST_REQUIRE(whole.cases.size() == 4);
  BOOST_TEST(whole.cases.front().id == "E1 shown/1");
  BOOST_TEST(whole.cases.front().points == 15);
  BOOST_TEST(whole.cases.back().hidden);
  BOOST_TEST(whole.summary == "E1: 15.00 of 30 points. as it is\nE2: 25.00 of 50 points. as it is");
}

BOOST_AUTO_TEST_CASE(a_part_that_cannot_be_graded_counts_as_nothing_and_stops_no_other) {
  const Grade refused{.status = Grade::Status::NotGradable, .summary = "the file x is missing"};
  const Grade whole = grade_of_set(two_parts(), {refused, part(100, 200)});
  BOOST_TEST((whole.status == Grade::Status::Finished));
  BOOST_TEST(whole.points() == 25);
  double most = 0;
  for (const GradeCase& entry : whole.cases) {
    most += entry.points_max;
  }
  BOOST_TEST(most == 80);
  BOOST_TEST(whole.cases.front().message == "the file x is missing");
  const Grade nothing = grade_of_set(two_parts(), {refused, refused});
  BOOST_TEST((nothing.status == Grade::Status::NotGradable));
}

BOOST_AUTO_TEST_CASE(a_set_is_not_finished_before_its_last_part) {
  BOOST_TEST((grade_of_set(two_parts(), {part(50, 100)}).status == Grade::Status::Running));
  Grade running = part(50, 100);
  running.status = Grade::Status::Running;
  const Grade whole = grade_of_set(two_parts(), {part(50, 100), running});
  BOOST_TEST((whole.status == Grade::Status::Running));
  BOOST_TEST(whole.points() <= whole.points_max);
}

BOOST_AUTO_TEST_CASE(the_homework_of_the_original_is_three_exercises_with_one_score) {
  const Toolchain toolchain = toolchain_of_tests();
  const auto sets =
      read_exercise_sets(toolchain.exercises(), read_exercises(toolchain.exercises()));
  const ExerciseSet* const trio = find_set(sets, "Trio");
  BOOST_TEST_REQUIRE(trio != nullptr);
  BOOST_TEST(trio->parts.size() == 4);
  BOOST_TEST(trio->points_max() == 100);
  BOOST_TEST(find_set(sets, "E01t") == nullptr);
}

BOOST_AUTO_TEST_CASE(files_of_a_part_lie_in_its_folder_or_beside_the_others) {
  const ScratchFolder folder;
  folder.write("01t-store-tests/store_test.cpp", "");
  const Toolchain toolchain = toolchain_of_tests();
  const auto at = [&](const char* slug) {
    return part_of_submission(folder.path(), read_exercise(toolchain.exercises() / slug));
  };
  BOOST_TEST(at("01t-store-tests") == folder.path() / "01t-store-tests");
  BOOST_TEST(at("04-fifo") == folder.path());
}

BOOST_AUTO_TEST_CASE(a_set_of_what_is_not_there_is_refused) {
  const ScratchFolder folder;
  const std::string why =
      refusal_of(folder, "id: x\ntitle: X\nexercises: [{id: E01t, points: 10}]\n");
  BOOST_TEST((why.find("homework.yaml: there is no exercise 'E01t'") != std::string::npos), why);
  BOOST_TEST((refusal_of(folder, "id: x\ntitle: X\nexercises: [{id: E01t, points: 0}]\n")
                  .find("homework.yaml:3:") != std::string::npos));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
