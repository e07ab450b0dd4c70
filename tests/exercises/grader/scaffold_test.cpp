#include "exercises/programs/scaffold.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "tests/exercises/grader/grading_fixture.hpp"

namespace watchlab::course {

BOOST_AUTO_TEST_SUITE(scaffold_test)

namespace {

namespace fs = std::filesystem;

Exercise written(const ScratchFolder& folder, Task task) {
  for (const auto& [name, text] : scaffold_of(task, "E17", "17-leases")) {
    folder.write("17-leases/" + name, text);
  }
  return read_exercise(folder.path() / "17-leases");
}

bool names(const std::vector<std::string>& parts, const std::string& part) {
  return std::ranges::find(parts, part) != parts.end();
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
    const std::vector<std::string> parts = unwritten_parts(exercise);
    BOOST_TEST(names(parts, "exercise.yaml:2: TO WRITE what it is called"), word);
    BOOST_TEST(names(parts, "README.md:5: TO WRITE why it matters to a user."), word);
    BOOST_TEST(names(parts, "variants/correct: nothing is in it") ==
               (word == "tests" || word == "implement" || word == "model-check"));
  }
  BOOST_CHECK_THROW(static_cast<void>(task_called("exam")), BadInput);
}

BOOST_AUTO_TEST_CASE(an_empty_section_is_to_be_written) {
  const ScratchFolder folder;
  const Exercise exercise = written(folder, Task::Tour);
  folder.write("17-leases/README.md", "# E17\n\n## Why\n\n## The idea\n\nSo.\n\n## Notes\n");
  const std::vector<std::string> parts = unwritten_parts(exercise);
  BOOST_TEST(names(parts, "README.md:3: the section '## Why' is empty"));
  BOOST_TEST(names(parts, "README.md:9: the section '## Notes' is empty"));
  BOOST_TEST(!names(parts, "README.md:5: the section '## The idea' is empty"));
}

BOOST_AUTO_TEST_CASE(all_of_the_course_is_written) {
  for (const Exercise& exercise : read_exercises(toolchain_of_tests().exercises())) {
    for (const std::string& part : unwritten_parts(exercise)) {
      BOOST_ERROR(exercise.slug() + "/" + part);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
