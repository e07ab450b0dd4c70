// A new exercise, what of it is still to be written, and its defects.
#include "exercises/programs/scaffold.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "exercises/programs/authoring.hpp"
#include "exercises/programs/texts.hpp"
#include "exercises/programs/variant.hpp"
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

bool names(const std::vector<std::string>& parts, const std::string& part) {
  return std::ranges::find(parts, part) != parts.end();
}

/// A new exercise with a variant of that text, in which a defect is made.
struct WithVariant {
  ScratchFolder folder;
  Exercise exercise = written(folder, Task::Tests);

  void write(const std::string& name, const std::string& text) const {
    folder.write("40-leases/" + name, text);
  }
  [[nodiscard]] std::string refusal(const NewDefect& defect) const {
    try {
      static_cast<void>(make_defect(exercise, defect));
    } catch (const BadInput& wrong) {
      return wrong.what();
    }
    return "";
  }
};

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
  folder.write("40-leases/README.md", "# E40\n\n## Why\n\n## The idea\n\nSo.\n\n## Notes\n");
  const std::vector<std::string> parts = unwritten_parts(exercise);
  BOOST_TEST(names(parts, "README.md:3: the section '## Why' is empty"));
  BOOST_TEST(names(parts, "README.md:9: the section '## Notes' is empty"));
  BOOST_TEST(!names(parts, "README.md:5: the section '## The idea' is empty"));
}

BOOST_AUTO_TEST_CASE(a_new_exercise_has_an_id_and_a_name_of_its_own) {
  BOOST_TEST(refusal_of_name("40t-my-exercise2") == "E40t");
  BOOST_TEST(refusal_of_name("01-other") == "E01 is there already: exercises/01-store");
  for (const char* const slug : {"Lease-Cache", "40-", "40", "4-leases", "40-Leases", "40T-leases",
                                 "40-le ases", "../40-a"}) {
    BOOST_TEST(refusal_of_name(slug).starts_with("'" + std::string(slug) + "' is no name"), slug);
  }
}

BOOST_FIXTURE_TEST_CASE(slips_of_authors_are_named, WithVariant) {
  write("variants/correct/a.cpp",
        "#include <mutex>\n// std::mutex is not used\nstd::mutex lost;\n");
  write("instructor/solution/subject_test.cpp", "//\n//\n");
  write("variants/shown/b.cpp", "// Clause: C18\n// Symptom: x\n");
  write("variants/shown/c.cpp", "// Clause: W1\n// Symptom: x\n");
  write("variants/hidden/d.cpp", "// Clause: W2\n// Symptom: x\n");
  write("subject.hpp", "/// - **W2** It holds.\n");
  const std::vector<std::string> parts = unwritten_parts(exercise);
  for (const char* const part :
       {"variants/correct/a.cpp:3: std::mutex is not of the runtime, so it is not interleaved",
        "exercise.yaml: solution_lines: 100, but instructor/solution has 2 lines",
        "variants/shown/b.cpp: the clause C18 is neither in docs/invariants.md nor in a header of "
        "the exercise",
        "variants/shown/c.cpp: the clause W1 is neither in docs/invariants.md nor in a header of "
        "the exercise",
        "variants/correct/.gitkeep: the folder has files now, remove this one"}) {
    BOOST_TEST(names(parts, part), part);
  }
  BOOST_TEST(std::ranges::count_if(parts, [](const std::string& part) {
               return part.find(" the clause ") != part.npos || part.find("a.cpp") != part.npos;
             }) == 3);
  BOOST_TEST(!names(parts,
                    "instructor/suites/ported/.gitkeep: the folder has files now, remove this "
                    "one"));
}

BOOST_FIXTURE_TEST_CASE(a_defect_is_a_patch_of_the_variant_that_its_copy_is_like, WithVariant) {
  write("variants/correct/first.cpp", "a\nb\nc\nd\n");
  write("variants/correct/second.cpp", "1\n2\n3\n4\n");
  write("variants/shown/odd.cpp", "1\n2\n3\n5\n");
  const NewDefect defect{
      .name = "shown/odd", .clause = "C1", .symptom = "It's 10 % off.", .hint = ""};
  const fs::path patch = make_defect(exercise, defect);
  BOOST_TEST(read_whole(patch) ==
             "Clause: C1\nSymptom: It's 10 % off.\nOf: second\n\n"
             "--- a/exercises/40-leases/variants/correct/second.cpp\n"
             "+++ b/exercises/40-leases/variants/correct/second.cpp\n"
             "@@ -1,4 +1,4 @@\n 1\n 2\n 3\n-4\n+5\n");
  BOOST_TEST(!fs::exists(exercise.folder / "variants/shown/odd.cpp"));
  BOOST_TEST(read_whole(exercise.folder / "variants/correct/second.cpp") == "1\n2\n3\n4\n");
  BOOST_TEST(read_variants(exercise, exercise.folder / "variants/hidden").back().of == "second");
}

BOOST_FIXTURE_TEST_CASE(what_is_no_defect_yet_is_refused, WithVariant) {
  write("variants/correct/first.cpp", "a\n");
  const NewDefect defect{.name = "hidden/odd", .clause = "C1", .symptom = "x", .hint = ""};
  BOOST_TEST((refusal(defect).find("hidden/odd.cpp is missing: copy ") != std::string::npos));
  write("variants/hidden/odd.cpp", "a\n");
  BOOST_TEST(
      (refusal(defect).find("is the same as variants/correct/first.cpp") != std::string::npos));
  write("variants/hidden/odd.cpp", "b\n");
  BOOST_TEST((refusal({.name = "odd", .clause = "C1", .symptom = "x", .hint = ""}) ==
              "'odd' is no name of a defect: shown/ or hidden/, and small letters: "
              "shown/loses_a_key"));
  BOOST_TEST(refusal({.name = "hidden/odd", .clause = "C1", .symptom = "", .hint = ""}) ==
             "a defect wants --clause and --symptom, one line each");
  BOOST_TEST(refusal(defect).empty());
  write("variants/hidden/odd.cpp", "c\n");
  BOOST_TEST((refusal(defect).find("odd.patch is there already") != std::string::npos));
  BOOST_TEST(fs::exists(exercise.folder / "variants/hidden/odd.cpp"));
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
