#include "exercises/programs/exercise.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "tests/exercises/grader/scratch_folder.hpp"

namespace watchlab::course {

BOOST_AUTO_TEST_SUITE(exercise_test)

namespace {

constexpr const char* kSmall = R"(id: E01t
title: A store
task: tests
minutes: 45
level: easy
files: [store_test.cpp]
)";

/// Whether reading ends in `BadInput` that says `words`.
template <typename Read>
bool is_refused(const Read& read, const std::string& words) {
  try {
    static_cast<void>(read());
  } catch (const BadInput& wrong) {
    BOOST_TEST_MESSAGE(wrong.what());
    return std::string(wrong.what()).find(words) != std::string::npos;
  }
  return false;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_left_out_has_its_default_value) {
  const ScratchFolder folder;
  folder.write("01t-store/exercise.yaml", kSmall);
  const Exercise exercise = read_exercise(folder.path() / "01t-store");
  BOOST_TEST(exercise.id == "E01t");
  BOOST_TEST((exercise.task == Task::Tests));
  BOOST_TEST(exercise.points == 100);
  BOOST_TEST(exercise.schedules == 100);
  BOOST_TEST(exercise.slug() == "01t-store");
}

BOOST_AUTO_TEST_CASE(a_misspelt_key_is_refused_with_its_place) {
  const ScratchFolder folder;
  folder.write("01t-store/exercise.yaml", std::string(kSmall) + "minuts: 3\n");
  const auto read = [&] { return read_exercise(folder.path() / "01t-store"); };
  BOOST_TEST(is_refused(read, "exercise.yaml:7:1"));
  BOOST_TEST(is_refused(read, "minutes"));
}

BOOST_AUTO_TEST_CASE(the_id_and_the_folder_belong_together) {
  const ScratchFolder folder;
  folder.write("02-store/exercise.yaml", kSmall);
  BOOST_TEST(is_refused([&] { return read_exercise(folder.path() / "02-store"); }, "01t-"));
}

BOOST_AUTO_TEST_CASE(a_file_of_the_student_lies_in_the_students_folder) {
  const ScratchFolder folder;
  folder.write("01t-store/exercise.yaml",
               std::string(kSmall).replace(std::string(kSmall).find("store_test"), 5, "../st"));
  BOOST_TEST(is_refused([&] { return read_exercise(folder.path() / "01t-store"); }, "plain"));
}

BOOST_AUTO_TEST_CASE(exercises_are_found_by_id_and_by_folder) {
  const ScratchFolder folder;
  folder.write("01t-store/exercise.yaml", kSmall);
  const auto exercises = read_exercises(folder.path());
  BOOST_TEST(find_exercise(exercises, "e01T").id == "E01t");
  BOOST_TEST(find_exercise(exercises, "01t-store").id == "E01t");
  BOOST_TEST(is_refused([&] { return find_exercise(exercises, "01t-stroe"); }, "01t-store?"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
