// A new exercise, and what of it is still to be written.
#include "exercises/programs/scaffold.hpp"

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>

#include "exercises/programs/texts.hpp"
#include "tests/exercises/grader/grading_fixture.hpp"

namespace watchlab::course {

BOOST_AUTO_TEST_SUITE(scaffold_test)

namespace {

namespace fs = std::filesystem;

Exercise written(const ScratchFolder& folder, Task task) {
  for (const auto& [name, text] : scaffold_of(task, "E40", "40-leases")) {
    folder.write("40-leases/" + name, text);
  }
  return read_exercise(folder.path() / "40-leases");
}

std::string refusal_of_name(const std::string& slug) {
  try {
    return id_for_new(read_exercises(toolchain_of_tests().exercises()), slug);
  } catch (const BadInput& wrong) {
    return wrong.what();
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_task_has_files_that_can_be_read_and_say_what_is_to_be_written) {
  for (const std::string& word : names_of_tasks()) {
    const ScratchFolder folder;
    const Exercise exercise = written(folder, task_called(word));
    BOOST_TEST(to_string(exercise.task) == word);
    for (const std::string& file : exercise.files) {
      BOOST_TEST(fs::exists(exercise.folder / "starter" / file), word << " " << file);
    }
    for (const char* const file : {"exercise.yaml", "README.md"}) {
      BOOST_TEST((read_whole(exercise.folder / file).find("TO WRITE") != std::string::npos),
                 word << " " << file);
    }
  }
  BOOST_CHECK_THROW(static_cast<void>(task_called("exam")), BadInput);
}

BOOST_AUTO_TEST_CASE(a_new_exercise_has_an_id_and_a_name_of_its_own) {
  BOOST_TEST(refusal_of_name("40t-my-exercise2") == "E40t");
  BOOST_TEST(refusal_of_name("01-other") == "E01 is there already: exercises/01-store");
  for (const char* const slug : {"Lease-Cache", "40-", "40", "4-leases", "40-Leases", "40T-leases",
                                 "40-le ases", "../40-a"}) {
    BOOST_TEST(refusal_of_name(slug).starts_with("'" + std::string(slug) + "' is no name"), slug);
  }
}

BOOST_AUTO_TEST_CASE(all_of_the_course_is_written) {
  for (const Exercise& exercise : read_exercises(toolchain_of_tests().exercises())) {
    for (const auto& entry : fs::recursive_directory_iterator(exercise.folder)) {
      if (entry.is_regular_file()) {
        BOOST_TEST((read_whole(entry.path()).find("TO WRITE") == std::string::npos), entry.path());
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
