// What tests in Go are worth, what they cannot reach, and what is said where there is no Go.
#include "exercises/grader/go_tests.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "exercises/programs/controllers.hpp"
#include "tests/exercises/grader/grading_fixture.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

struct GoFixture : GradingFixture {
  GoFixture() {
    exercise = read_exercise(toolchain.exercises() / "22-find-it-in-go");
    instructor = exercise.folder / "instructor";
  }

  /// What a file of tests is worth that has this import and this body of a test; false without Go.
  bool grades(const std::string& import, const std::string& body) {
    scratch.write("handin/race_test.go", "package exercise_test\n\nimport (\n\t\"testing\"\n\t" +
                                             import + "\n)\n\nfunc TestX(t *testing.T) {\n\t" +
                                             body + "\n}\n");
    try {
      grade = grade_submission(scratch.path() / "handin");
    } catch (const NotHere& missing) {
      BOOST_TEST_MESSAGE(missing.what());
      return false;
    }
    return true;
  }

  Grade grade;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(go_tests_test, GoFixture)

BOOST_AUTO_TEST_CASE(where_there_is_no_go_a_line_says_so_and_nothing_is_graded) {
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "/nowhere", 1);
  std::string said;
  try {
    static_cast<void>(grade_submission(exercise.folder / "starter"));
  } catch (const NotHere& missing) {
    said = missing.what();
  }
  ::setenv("PATH", path.c_str(), 1);
  BOOST_TEST(said == "E22 is skipped: its tests are built with Go, and there is none");
}

BOOST_AUTO_TEST_CASE(what_a_student_reads_does_not_say_what_is_wrong) {
  const auto files = go_module_to_read(toolchain, exercise);
  BOOST_TEST(files.size() == 6);
  for (const auto& [name, text] : files) {
    BOOST_TEST((text.find("Symptom: ") == std::string::npos), name);
  }
}

BOOST_AUTO_TEST_CASE(a_test_cannot_import_what_says_more_than_the_library) {
  for (const std::string_view package :
       {"os", "fmt", "unsafe", "runtime", "reflect", "os/exec", "embed", "exercise/registry",
        "exercise/library_1", "exercise/hidden_1", "example.org/watchlab/instrument"}) {
    if (grades("_ \"" + std::string(package) + "\"", "")) {
      BOOST_TEST(grade.points() == 0);
      BOOST_TEST(
          (grade.summary.find("could not import " + std::string(package)) != std::string::npos),
          package << ": " << words_of(grade));
    }
  }
}

// A forged verdict is one on the student's own test: without knowing the library it is worth
// nothing.
BOOST_AUTO_TEST_CASE(what_a_test_prints_earns_nothing) {
  const std::string forged = "println(\"--- FAIL: TestX (0.00s)\\n--- PASS: TestY (0.00s)\")";
  if (grades("_ \"time\"", forged)) {
    BOOST_TEST((grade.status == Grade::Status::Finished), words_of(grade));
    BOOST_TEST(grade.points() == 0, words_of(grade));
    BOOST_TEST((words_of(grade).find("TestY") == std::string::npos), words_of(grade));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
