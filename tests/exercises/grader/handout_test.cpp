// What students and instructors get of a course: a bundle that checks what the repository checks,
// and an instructor's part that lies elsewhere.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "exercises/grader/homework.hpp"
#include "exercises/grader/predictions.hpp"
#include "exercises/grader/questions.hpp"
#include "exercises/programs/builder.hpp"
#include "exercises/programs/texts.hpp"
#include "exercises/programs/variant.hpp"
#include "exercises/sandbox/processes.hpp"
#include "tests/exercises/grader/grading_fixture.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

struct HandoutFixture : GradingFixture {
  HandoutFixture() {
    // Compilers run as another user when the tests run as root.
    fs::permissions(scratch.path(), fs::perms::others_exec, fs::perm_options::add);
  }

  /// Runs a program of the course, with the homework in the scratch folder.
  ProcessEnd call(const fs::path& program, std::vector<std::string> words) const {
    words.insert(words.begin(), program.string());
    words.insert(words.end(), {"--homework", (scratch.path() / "homework").string()});
    return run_plainly(words, scratch.path());
  }
  [[nodiscard]] fs::path program() const {
    return toolchain.tree / "exercises/grader/watchlab-course";
  }
  /// An instructor's part of the small exercise with one hidden defect, in a folder of its own.
  [[nodiscard]] fs::path overlay() const {
    const fs::path own = scratch.path() / "private" / exercise.slug();
    fs::create_directories(own / "hidden");
    fs::copy(instructor / "solution", own / "solution");
    fs::copy_file(exercise.folder / "variants/hidden/loses.cpp", own / "hidden/secret.cpp");
    return own.parent_path();
  }
};

std::size_t hidden_lines(const Grade& grade) {
  return static_cast<std::size_t>(
      std::ranges::count_if(grade.cases, [](const GradeCase& entry) { return entry.hidden; }));
}

/// The last line of `output`, from `mark` on.
std::string typed_after(const std::string& output, const std::string& mark) {
  const std::size_t at = output.rfind(mark);
  BOOST_TEST_REQUIRE(at != std::string::npos, output);
  return output.substr(at + mark.size(), output.find('\n', at) - at - mark.size());
}

/// What `list` says of the tour.
std::string tour_in(const std::string& listed) {
  const std::string row = typed_after(listed, "E00 ");
  return row.substr(row.rfind("min") + 3);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(handout_test, HandoutFixture)

BOOST_AUTO_TEST_CASE(the_tour_is_done_when_its_stories_hold) {
  BOOST_TEST(tour_in(call(program(), {"list"}).output) == "");
  const ProcessEnd checked = call(program(), {"check", "E00"});
  BOOST_TEST(checked.status == 0, checked.output);
  BOOST_TEST((checked.output.find("first_steps") != std::string::npos), checked.output);
  BOOST_TEST(tour_in(call(program(), {"list"}).output) == "  done");
}

BOOST_AUTO_TEST_CASE(a_bundle_plays_the_tour_and_checks_cold_cases) {
  const fs::path out = scratch.path() / "handout";
  const ProcessEnd made = run_plainly(
      {program().string(), "bundle", "--out", out.string(), "E00", "E13"}, toolchain.root);
  BOOST_TEST_REQUIRE(made.status == 0, made.output);
  const fs::path own = out / "watchlab-course";
  const ProcessEnd toured = call(own, {"check", "E00"});
  BOOST_TEST(toured.status == 0, toured.output);
  BOOST_TEST_REQUIRE(call(own, {"start", "E13"}).status == 0);
  const ProcessEnd wrong = call(own, {"check", "E13"});
  BOOST_TEST(wrong.status == 1, wrong.output);
  fs::copy_file(toolchain.exercises() / "13-cold-cases/instructor/answers.yaml",
                scratch.path() / "homework/13-cold-cases/answers.yaml",
                fs::copy_options::overwrite_existing);
  const ProcessEnd right = call(own, {"check", "E13"});
  BOOST_TEST((right.output.find("4 of 4 cases are reproduced") != std::string::npos), right.output);
  // Why it works is told as long as it does.
  const Hints hints = read_hints(read_exercise(toolchain.exercises() / "13-cold-cases"));
  BOOST_TEST((right.output.find(hints.after) != std::string::npos), right.output);
  BOOST_TEST(call(own, {"hint", "E13"}).output == hints.after + "\n");
  scratch.write("homework/13-cold-cases/answers.yaml", "broken: [");
  BOOST_TEST(call(own, {"hint", "E13"}).output == hints.hints[0] + "\nHint 1 of 3.\n");
  const ProcessEnd broken = call(own, {"check", "E13"});
  BOOST_TEST((broken.output.find(hints.after) == std::string::npos), broken.output);
  BOOST_TEST((broken.output.find("Stuck?") != std::string::npos), broken.output);
  BOOST_TEST(call(own, {"hint", "E13"}).output == hints.hints[1] + "\nHint 2 of 3.\n");
  BOOST_TEST((read_whole(out / "README.md").find("hints cost no points") != std::string::npos));
  // What runs where comes first, and the container has what the page asks for.
  const std::string page = read_whole(out / "README.md");
  const std::string packages = typed_after(page.substr(0, page.find("`, then")), "apt install ");
  BOOST_TEST((packages.find("libboost-test") != std::string::npos), page);
  BOOST_TEST((read_whole(out / "Dockerfile").find(" " + packages + " ") != std::string::npos));
  fs::remove(out / "lib/libwatchlab-language.so.0.2");
  const ProcessEnd lacking = call(own, {"list"});
  BOOST_TEST(lacking.status == 2);
  BOOST_TEST((lacking.output.find("this computer lacks: libwatchlab-language.so.0.2\n") !=
              std::string::npos),
             lacking.output);
  BOOST_TEST((lacking.output.find("apt install " + packages) != std::string::npos), lacking.output);
}

BOOST_AUTO_TEST_CASE(a_command_is_about_the_exercise_of_the_folder_where_it_is_called) {
  const fs::path homework = scratch.path() / "homework";
  const auto first_hint = [&](const char* slug) {
    return read_hints(read_exercise(toolchain.exercises() / slug)).hints[0] + "\nHint 1 of 3.\n";
  };
  const ProcessEnd started = call(program(), {"start", "trio"});
  BOOST_TEST(started.status == 0, started.output);
  for (const char* const slug :
       {"01t-store-tests", "04-fifo", "08t-reflector-tests", "20-all-together"}) {
    BOOST_TEST(fs::exists(homework / slug / "README.md"), slug);
  }
  BOOST_TEST(call(program(), {"hint"}).output == first_hint("01t-store-tests"));
  const ProcessEnd inside = run_plainly({program().string(), "hint"}, homework / "04-fifo");
  BOOST_TEST(inside.output == first_hint("04-fifo"));
}

BOOST_AUTO_TEST_CASE(a_computer_without_a_compiler_is_not_the_students_fault) {
  Toolchain bare = toolchain;
  bare.compiler = {"/nowhere/g++"};
  BOOST_TEST(missing_to_compile(bare, "") == "there is no compiler /nowhere/g++");
  BOOST_TEST(missing_to_compile(toolchain,
                                "ld: cannot find -lboost_unit_test_framework: No such file\n") ==
             "cannot find -lboost_unit_test_framework: No such file");
  BOOST_TEST(missing_to_compile(toolchain, "a.cpp:1: error: 'x' was not declared\n") == "");
  bare = toolchain;
  bare.flags.push_back("-nostdinc++");
  BOOST_TEST(
      (missing_to_compile(bare, "").find(": No such file or directory") != std::string::npos));
}

BOOST_AUTO_TEST_CASE(a_start_repairs_what_another_had_begun_and_nothing_of_the_student) {
  const fs::path own = scratch.path() / "homework/13-cold-cases";
  const fs::path starter = toolchain.exercises() / "13-cold-cases/starter/answers.yaml";
  const auto write = [](const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  };
  const auto start = [&] { BOOST_TEST(call(program(), {"start", "E13"}).status == 0); };
  write(own / "answers.yaml", "");  // a disk was full
  write(own / "cases.yaml",
        read_whole(toolchain.exercises() / "13-cold-cases/cases.yaml").substr(0, 9));
  start();
  BOOST_TEST(read_whole(own / "answers.yaml") == read_whole(starter));
  BOOST_TEST(read_whole(own / "cases.yaml") ==
             read_whole(toolchain.exercises() / "13-cold-cases/cases.yaml"));
  for (const std::string& text :
       {std::string(), read_whole(starter).substr(0, 9), std::string("x: 1\n")}) {
    write(own / "answers.yaml", text);
    write(own / "README.md", "");
    start();
    BOOST_TEST(read_whole(own / "answers.yaml") == text);
    BOOST_TEST(read_whole(own / "README.md").size() > 100);
  }
  write(own / "README.md", "My notes.\n");
  start();
  BOOST_TEST(read_whole(own / "README.md") == "My notes.\n");
}

BOOST_AUTO_TEST_CASE(a_bundle_is_whole_or_not_there) {
  const fs::path out = scratch.path() / "handout";
  const auto left = [&] {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(scratch.path())) {
      names.push_back(entry.path().filename().string());
    }
    return names.size();
  };
  const std::size_t before = left();
  const std::string line =
      "cd " + scratch.path().string() + "; " + program().string() +
      " bundle --out handout E13 & while [ ! -e .handout.part/bin/watchlab ]; do "
      "sleep 0.01; done; kill -TERM $!; wait $!";
  const ProcessEnd ended = run_plainly({"/bin/sh", "-c", line}, scratch.path());
  BOOST_TEST(ended.status == 128 + 15, ended.output);
  BOOST_TEST(left() == before);
  fs::create_directory(out);
  fs::create_directory_symlink(out, scratch.path() / "link");
  const ProcessEnd made =
      run_plainly({program().string(), "bundle", "--out", "link", "E13"}, scratch.path());
  BOOST_TEST(made.status == 0, made.output);
  BOOST_TEST(fs::exists(out / "README.md"));
  BOOST_TEST(fs::exists(scratch.path() / "link/bin/watchlab"));
  fs::create_directory(scratch.path() / "here");
  const ProcessEnd here =
      run_plainly({program().string(), "bundle", "--out", ".", "E13"}, scratch.path() / "here");
  BOOST_TEST(here.status == 2, here.output);
  const ProcessEnd again =
      run_plainly({program().string(), "bundle", "--out", out.string(), "E13"}, scratch.path());
  BOOST_TEST(again.status == 2);
  BOOST_TEST((again.output.find("is not empty") != std::string::npos), again.output);
}

BOOST_AUTO_TEST_CASE(what_start_prints_can_be_typed_where_it_was_called) {
  const fs::path out = scratch.path() / "handout";
  const ProcessEnd made =
      run_plainly({program().string(), "bundle", "--out", out.string(), "E13"}, toolchain.root);
  BOOST_TEST_REQUIRE(made.status == 0, made.output);
  const auto type = [&](const std::string& line) {
    return run_plainly({"/bin/sh", "-c", line}, out);
  };
  const ProcessEnd started = type("./watchlab-course start E13");
  BOOST_TEST_REQUIRE(started.status == 0, started.output);
  const std::string next = typed_after(started.output, "then: ");
  BOOST_TEST(next == "./watchlab-course check");
  const ProcessEnd checked = type(next);
  BOOST_TEST(checked.status == 1, checked.output);
  BOOST_TEST(type(typed_after(checked.output, "Stuck? ")).status == 0);
  BOOST_TEST((type("./watchlab-course check --help").output.find("Example: ./watchlab-course") !=
              std::string::npos));
  BOOST_TEST(type("./watchlab-course check E133").output ==
             "there is no exercise 'E133'; did you mean E13?; ./watchlab-course list names them\n");
}

BOOST_AUTO_TEST_CASE(the_launchers_call_is_printed_and_paths_stay) {
  ::setenv("WATCHLAB_CALLED_AS", "./watchlab course", 1);
  BOOST_TEST(
      typeable("`watchlab-course check E1`, /x/watchlab-course check, watchlab-course: no") ==
      "`./watchlab course check E1`, /x/watchlab-course check, watchlab-course: no");
  ::unsetenv("WATCHLAB_CALLED_AS");
  BOOST_TEST(typeable("Stuck? watchlab-course hint") == "Stuck? watchlab-course hint");
}

BOOST_AUTO_TEST_CASE(calls_about_a_students_files_carry_the_folder_that_was_given) {
  (void)homework_at((scratch.path() / "my work").string());
  const std::string given = " --homework '" + (scratch.path() / "my work").string() + "'";
  for (const std::string command : {"list", "start", "check", "watch", "hint", "predict"}) {
    BOOST_TEST(typeable("again: watchlab-course " + command + " E1 --case x") ==
               "again: watchlab-course " + command + given + " E1 --case x");
    BOOST_TEST(typeable("`watchlab-course " + command + "`") ==
               "`watchlab-course " + command + given + "`");
  }
  BOOST_TEST(typeable("watchlab-course grade E1; watchlab-course checks; watchlab-course") ==
             "watchlab-course grade E1; watchlab-course checks; watchlab-course");
  BOOST_TEST(typeable_as("./wc", "watchlab-course check E1") == "./wc check E1");
  (void)homework_at("");
  BOOST_TEST(typeable("watchlab-course check E1") == "watchlab-course check E1");
}

BOOST_AUTO_TEST_CASE(what_is_printed_for_a_folder_that_was_given_works_when_it_is_typed) {
  const auto typed = [&](const std::string& line) {
    return run_plainly({"/bin/sh", "-c", line}, scratch.path());
  };
  ::setenv("WATCHLAB_CALLED_AS", program().c_str(), 1);
  const ProcessEnd started = typed(program().string() + " start E01t --homework 'my work'");
  BOOST_TEST(started.status == 0, started.output);
  const std::string next = typed_after(started.output, "then: ");
  BOOST_TEST((next.find(" check --homework 'my work'") != std::string::npos), next);
  std::ofstream(scratch.path() / "my work/01t-store-tests/store_test.cpp")
      << "#include <boost/test/unit_test.hpp>\n"
         "BOOST_AUTO_TEST_CASE(wrong) { BOOST_TEST(1 == 2); }\n";
  const ProcessEnd checked = typed(next);
  BOOST_TEST(checked.status == 1, checked.output);
  const std::string stuck = typed_after(checked.output, "Stuck? ");
  BOOST_TEST((stuck.find(" --homework 'my work' ") != std::string::npos), checked.output);
  BOOST_TEST(typed(stuck).status == 0, stuck);
  ::unsetenv("WATCHLAB_CALLED_AS");
}

BOOST_AUTO_TEST_CASE(links_of_a_page_lead_somewhere_from_the_students_folder) {
  static const std::regex link(R"(\]\(([^)#:]+))");
  std::size_t links = 0;
  for (const Exercise& each : read_exercises(toolchain.exercises())) {
    BOOST_TEST_REQUIRE(call(program(), {"start", each.id}).status == 0);
    const fs::path own = scratch.path() / "homework" / each.slug();
    const std::string page = read_whole(own / "README.md");
    for (std::sregex_iterator at(page.begin(), page.end(), link), end; at != end; ++at, ++links) {
      BOOST_TEST(fs::exists(own / (*at)[1].str()), each.id << ": " << (*at)[1].str());
    }
  }
  BOOST_TEST(links > 15);
}

BOOST_AUTO_TEST_CASE(links_of_a_bundles_pages_lead_somewhere) {
  static const std::regex link(R"(\]\(([^)#:]+)(#[^)]*)?\))");
  const fs::path out = scratch.path() / "handout";
  const ProcessEnd made =
      run_plainly({program().string(), "bundle", "--out", out.string(), "E00"}, toolchain.root);
  BOOST_TEST_REQUIRE(made.status == 0, made.output);
  std::size_t links = 0;
  for (const auto& entry : fs::recursive_directory_iterator(out)) {
    if (entry.path().extension() != ".md") {
      continue;
    }
    const std::string page = read_whole(entry.path());
    for (std::sregex_iterator at(page.begin(), page.end(), link), end; at != end; ++at, ++links) {
      BOOST_TEST(fs::exists(entry.path().parent_path() / (*at)[1].str()),
                 entry.path().filename() << ": " << (*at)[1].str());
    }
  }
  BOOST_TEST(links > 4);
}

BOOST_AUTO_TEST_CASE(a_bundles_pages_are_for_students_and_call_its_program) {
  const fs::path out = scratch.path() / "handout";
  const ProcessEnd made = run_plainly(
      {program().string(), "bundle", "--out", out.string(), "E00", "E03"}, toolchain.root);
  BOOST_TEST_REQUIRE(made.status == 0, made.output);
  const std::string faults = read_whole(out / "docs/faults.md");
  BOOST_TEST((faults.find("| `cut_watch` |") != std::string::npos));
  for (const char* const word : {"For authors", "swarm_faults", ".cpp", "serve.md"}) {
    BOOST_TEST((faults.find(word) == std::string::npos), word);
  }
  for (const char* const page : {"00-tour/README.md", "03-in-the-queue/README.zh.md"}) {
    const std::string text = read_whole(out / "exercises" / page);
    BOOST_TEST((text.find("`./watchlab-course ") != std::string::npos), page);
    BOOST_TEST((text.find("`watchlab-course ") == std::string::npos), page);
  }
}

BOOST_AUTO_TEST_CASE(the_last_step_of_the_tour_works_as_it_is_written) {
  const std::string page = read_whole(toolchain.exercises() / "00-tour/README.md");
  const std::string player = toolchain.player().string();
  const auto play_copy = [&](const std::string& change) {
    return run_plainly({"/bin/sh", "-c",
                        "sed '" + change + "' '" + toolchain.exercises().string() +
                            "/00-tour/scenarios/a_broken_watch.yaml' > mine.yaml && '" + player +
                            "' run mine.yaml"},
                       scratch.path());
  };
  const ProcessEnd kept = play_copy("");
  BOOST_TEST(kept.status == 2, kept.output);
  BOOST_TEST((kept.output.find("mine.yaml:2:7: the scenario 'a_broken_watch' in a file of another "
                               "name; expected the file a_broken_watch.yaml, or 'name: mine'") !=
              std::string::npos),
             kept.output);
  const ProcessEnd named = play_copy("2s/.*/name: mine/");
  BOOST_TEST(named.status == 0, named.output);
  std::size_t faults = 0;
  const std::size_t list = page.find("need no parameters:");
  BOOST_TEST_REQUIRE(list != std::string::npos);
  const std::string names = page.substr(list, page.find('.', list) - list);
  static const std::regex name("`([a-z_]+)`");
  for (std::sregex_iterator at(names.begin(), names.end(), name), end; at != end; ++at, ++faults) {
    const ProcessEnd other =
        play_copy("2s/.*/name: mine/;s/fault: cut_watch/fault: " + (*at)[1].str() + "/");
    BOOST_TEST(other.status < 2, (*at)[1].str() << ": " << other.output);
  }
  BOOST_TEST(faults >= 5);
}

BOOST_AUTO_TEST_CASE(a_call_from_inside_of_a_homework_is_about_that_homework) {
  const auto type = [&](const std::string& folder, const std::string& words) {
    return run_plainly(
        {"/bin/sh", "-c", "cd " + folder + " && " + program().string() + " " + words},
        scratch.path());
  };
  BOOST_TEST_REQUIRE(type(".", "start E03").status == 0);
  const ProcessEnd inside = type("homework/03-in-the-queue", "start E00");
  BOOST_TEST(inside.status == 0, inside.output);
  BOOST_TEST(fs::exists(scratch.path() / "homework/00-tour/README.md"));
  BOOST_TEST(!fs::exists(scratch.path() / "homework/03-in-the-queue/homework"));
  BOOST_TEST(type("homework", "check E03").status == 1);
  BOOST_TEST_REQUIRE(type("homework", "start E04").status == 0);
  BOOST_TEST(fs::exists(scratch.path() / "homework/04-fifo/subject.hpp"));
  BOOST_TEST(!fs::exists(scratch.path() / "homework/04-fifo/remote.hpp"));
  BOOST_TEST(!fs::exists(scratch.path() / "homework/homework"));
}

// Digests of answers would be found by trying the letters, so a bundle has not even those.
BOOST_AUTO_TEST_CASE(a_bundle_does_not_know_the_answers_that_no_story_gives) {
  exercise = read_exercise(toolchain.exercises() / "07-resync");
  instructor = exercise.folder / "instructor";
  const fs::path out = scratch.path() / "handout";
  const ProcessEnd made =
      run_plainly({program().string(), "bundle", "--out", out.string(), "E07"}, toolchain.root);
  BOOST_TEST_REQUIRE(made.status == 0, made.output);
  std::vector<std::string> delivered;
  for (const char* const letter : {"a", "b"}) {
    const fs::path homework = scratch.path() / "homework/07-resync/answers.yaml";
    fs::remove_all(scratch.path() / "homework");
    BOOST_TEST_REQUIRE(call(out / "watchlab-course", {"start", "E07"}).status == 0);
    Predictions record(exercise, homework);
    for (const Question& question : read_questions(exercise)) {
      record.lock(question.id, question.measured ? "98" : letter, "2026-11-22T13:01:02Z");
    }
    const ProcessEnd end = call(out / "watchlab-course", {"predict", "E07"});
    BOOST_TEST_REQUIRE(end.status == 0, end.output);
    BOOST_TEST((end.output.find("0 of 10 predictions came true. 3 more") != std::string::npos),
               end.output);
    delivered.push_back(end.output);
    const Grade grade = grade_submission(homework.parent_path());
    BOOST_TEST((grade.summary.find(*letter == 'a' ? "1 of 13" : "2 of 13") == 0), grade.summary);
  }
  BOOST_TEST(delivered.front() == delivered.back());
}

BOOST_AUTO_TEST_CASE(a_private_folder_takes_the_place_of_the_instructors_part) {
  instructor = instructor_folder(exercise, overlay());
  BOOST_TEST(instructor == scratch.path() / "private" / exercise.slug());
  BOOST_TEST(instructor_folder(exercise, fs::relative(scratch.path() / "private")).is_absolute());
  const Grade grade = grade_submission(instructor / "solution");
  BOOST_TEST(grade.points() == 100, words_of(grade));
  BOOST_TEST(hidden_lines(grade) == 1);
}

BOOST_AUTO_TEST_CASE(a_private_folder_without_the_exercise_changes_nothing) {
  BOOST_TEST(instructor_folder(exercise, scratch.path()) == exercise.folder / "instructor");
  BOOST_TEST(hidden_folder(exercise, instructor) == exercise.folder / "variants/hidden");
  BOOST_TEST(hidden_lines(grade_submission(instructor / "solution")) == 2);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
