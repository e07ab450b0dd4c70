// What an author reads who is at work on an exercise.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "exercises/grader/dev_check.hpp"
#include "exercises/programs/texts.hpp"
#include "tests/exercises/grader/grading_fixture.hpp"
#include "tests/support/texts.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;
using tests::says;

/// An exercise that its author is at work on: a copy of the counter with all its pages.
struct WrittenExercise : GradingFixture {
  WrittenExercise() {
    const fs::path folder = scratch.path() / "91-counter";
    fs::copy(exercise.folder, folder, fs::copy_options::recursive);
    // Its headers lie where it lies.
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp") {
        std::string text = read_whole(entry.path());
        boost::replace_all(text, "tests/exercises/grader/hostile/90-counter/",
                           folder.string() + "/");
        std::ofstream(entry.path()) << text;
      }
    }
    // It is built at a place of its own, beside other tests of the counter.
    std::string about = read_whole(folder / "exercise.yaml");
    boost::replace_first(about, "id: E90", "id: E91");
    std::ofstream(folder / "exercise.yaml") << about;
    const auto write = [this](const std::string& name, const std::string& text) {
      scratch.write("91-counter/" + name, text);
    };
    write("README.md", "## Why\n## The idea\n## What is graded\n## Notes\n");
    write("hints.yaml", "hints: [a, b, c]\nafter: d\n");
    for (const char* const suite : {"starter", "instructor/suites/empty",
                                    "instructor/suites/happy_path", "instructor/suites/ported"}) {
      write(std::string(suite) + "/counter_test.cpp", "#include <boost/test/unit_test.hpp>\n");
    }
    exercise = read_exercise(folder);
  }

  /// What is said of it, a line each.
  [[nodiscard]] std::string errors() {
    const CommandContext context{toolchain, sandbox, exercise, [](std::string_view) {}};
    const DevCheck found =
        check_exercise(context, {.instructor = exercise.folder / "instructor", .seeds = 3});
    std::string text;
    for (const std::string& error : found.errors) {
      text += error + "\n";
    }
    return text;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(authors_test, WrittenExercise)

BOOST_AUTO_TEST_CASE(authors_read_which_of_their_files_does_not_compile) {
  scratch.write("91-counter/starter/counter_test.cpp", "int lost;\nint main( {\n");
  scratch.write("91-counter/instructor/suites/ported/counter_test.cpp", "none x;\n");
  scratch.write("91-counter/instructor/suites/happy_path/tests.txt", "none\n");
  const std::string text = errors();
  BOOST_TEST(says(text, "starter does not compile: counter_test.cpp:2:"), text);
  BOOST_TEST(says(text, "suites/ported does not compile: counter_test.cpp:1:1: error: "), text);
  BOOST_TEST(says(text, "suites/happy_path/tests.txt names none, which is no test of the solution"),
             text);
  BOOST_TEST(!says(text, "ported ("), text);
  BOOST_TEST(!says(text, "nearly all points"), text);
}

BOOST_AUTO_TEST_CASE(authors_read_with_which_variant_a_test_fails_and_nothing_else) {
  const fs::path solution = exercise.folder / "instructor/solution/counter_test.cpp";
  std::string tests = read_whole(solution);
  const std::string variant = read_whole(exercise.folder / "variants/correct/two.cpp");
  std::string odd = variant;
  odd.replace(odd.find("value_ += 1"), 11, "value_ += value_ == 2 ? 2 : 1");
  scratch.write("91-counter/variants/correct/two.cpp", odd);
  tests +=
      "BOOST_AUTO_TEST_CASE(three) {\n  in_every_world([](Runtime& runtime) {\n"
      "    const auto counter = make_counter(runtime);\n    counter->add();\n"
      "    counter->add();\n    counter->add();\n    expect_equal(counter->value(), 3);\n"
      "  });\n}\n";
  scratch.write("91-counter/instructor/solution/counter_test.cpp", tests);
  const std::string text = errors();
  BOOST_TEST(text.starts_with("the solution's test three does not count: it fails with a correct "
                              "library: it asks for what is not promised (variants/correct/two)\n"),
             text);
  BOOST_TEST(std::ranges::count(text, '\n') == 2, text);
}

BOOST_AUTO_TEST_CASE(authors_read_of_all_patches_that_cannot_be_used) {
  const std::string about = "Clause: C1\nSymptom: It is lost.\n\n";
  scratch.write("91-counter/variants/shown/a.patch", about);
  scratch.write(
      "91-counter/variants/shown/b.patch",
      about + "--- a/exercises/none.cpp\n+++ b/exercises/none.cpp\n@@ -1 +1 @@\n-x\n+y\n");
  std::string said;
  try {
    static_cast<void>(errors());
  } catch (const BadInput& wrong) {
    said = wrong.what();
  }
  BOOST_TEST(says(said, "shown/a.patch has no diff: was the file saved?\n"), said);
  BOOST_TEST(says(said, "shown/b.patch changes exercises/none.cpp, which does not exist"), said);
}

BOOST_AUTO_TEST_CASE(the_museums_bugs_of_a_component_are_listed_as_tests_notice_them) {
  const MuseumList list{
      .of = "one", .core = {"core/a.cpp"}, .noticed = {"seen"}, .beyond = {{"far", "no promise"}}};
  const auto text = [&](const std::set<std::string>& pieces, const std::set<std::string>& noticed) {
    return fmt::format("{}", fmt::join(errors_in(list, pieces, noticed), "\n"));
  };
  BOOST_TEST(text({"far", "seen"}, {"seen"}) == "");
  BOOST_TEST(text({"far", "seen"}, {}).starts_with("nothing notices the museum's seen: "));
  BOOST_TEST(text({"far", "new", "seen"}, {"seen"})
                 .starts_with("nothing notices the museum's new: a test is missing, or "));
  BOOST_TEST(text({"far", "seen"}, {"far", "seen"})
                 .starts_with("the museum's far is noticed: instructor/museum.yaml lists it"));
  BOOST_TEST(text({"seen"}, {"seen"}) ==
             "instructor/museum.yaml lists far, which changes none of core/a.cpp");
}

// The counter has nothing of that component, so it cannot notice its bug.
BOOST_AUTO_TEST_CASE(authors_read_which_bugs_of_the_museum_no_test_notices) {
  const std::string list = "of: one\ncore: [core/watch/stream_watcher.cpp]\n";
  scratch.write("91-counter/instructor/museum.yaml", list);
  const CommandContext context{toolchain, sandbox, exercise, [](std::string_view) {}};
  const std::vector<std::string> errors =
      errors_with_museum(context, exercise.folder / "instructor");
  BOOST_TEST_REQUIRE(errors.size() == 1U);
  BOOST_TEST(errors.front().starts_with("nothing notices the museum's stream_without_a_reader: "),
             errors.front());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
