// What the program does with a small exercise, from end to end.
#include <unistd.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "exercises/grader/bundle.hpp"
#include "exercises/grader/cohort.hpp"
#include "exercises/programs/secrets.hpp"
#include "exercises/programs/texts.hpp"
#include "exercises/programs/variant.hpp"
#include "exercises/sandbox/processes.hpp"
#include "tests/exercises/grader/grading_fixture.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

std::string program_of(const Toolchain& toolchain) {
  return (toolchain.tree / "exercises/grader/watchlab-course").string();
}

/// Checks a suite of few tests three times, changed each time, and counts the symptoms that the
/// second check tells of defects that survive. The first tells only those of defects that are
/// noticed, none of the hidden defects is told, and the third adds hints.
std::size_t symptoms_printed(const std::string& program, const std::string& homework) {
  const fs::path own = toolchain_of_tests().exercises() / "01t-store-tests";
  const auto says = [](const ProcessEnd& end, const std::string& what) {
    return end.output.find(what) != std::string::npos;
  };
  std::vector<ProcessEnd> ends;
  for (int i = 0; i < 3; ++i) {
    std::ofstream(fs::path(homework) / "01t-store-tests/store_test.cpp")
        << read_whole(own / "instructor/suites/happy_path/store_test.cpp") << "// " << i << "\n";
    ends.push_back(run_plainly({program, "check", "--homework", homework}, homework));
    BOOST_TEST(ends.back().status == 1, ends.back().output);
  }
  BOOST_TEST(says(ends[0], "(symptoms are shown if your next edit leaves them so)"),
             ends[0].output);
  std::size_t printed = 0;
  std::size_t hints = 0;
  std::size_t noticed = 0;
  for (const Variant& variant : read_variants(read_exercise(own), own / "variants/hidden")) {
    if (variant.symptom.empty()) {
      continue;
    }
    const bool is_noticed = says(ends[0], "(assert): " + variant.symptom + "\n");
    const bool is_printed = !is_noticed && says(ends[1], variant.symptom);
    noticed += is_noticed ? 1 : 0;
    printed += is_printed ? 1 : 0;
    BOOST_TEST(((!is_printed && !is_noticed) || variant.pool == Pool::Shown), variant.symptom);
    BOOST_TEST((is_noticed || !says(ends[0], variant.symptom)), variant.symptom);
    BOOST_TEST((variant.hint.empty() || !says(ends[1], variant.hint)), variant.hint);
    hints += is_printed && says(ends[2], variant.hint) ? 1 : 0;
    BOOST_TEST((variant.pool == Pool::Correct || !says(ends[2], variant.id)), variant.id);
  }
  BOOST_TEST(hints == printed);
  BOOST_TEST(noticed > 0);
  return printed;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(course_test, GradingFixture)

BOOST_AUTO_TEST_CASE(a_symptom_is_reported_when_a_shown_defect_has_survived_twice) {
  fs::permissions(scratch.path(), fs::perms::others_exec, fs::perm_options::add);
  const std::string homework = (scratch.path() / "homework").string();
  BOOST_TEST_REQUIRE(
      run_plainly({program_of(toolchain), "start", "E01t", "--homework", homework}, scratch.path())
          .status == 0);
  BOOST_TEST(symptoms_printed(program_of(toolchain), homework) > 2);
}

BOOST_AUTO_TEST_CASE(a_grade_is_the_same_each_time) {
  cache = scratch.path() / "cache";
  const auto graded = [this] {
    Grade grade = grade_submission(instructor / "solution");
    grade.wall_ms = 0;
    return to_json(grade);
  };
  const std::string first = graded();
  for (int i = 0; i < 20; ++i) {
    BOOST_REQUIRE(graded() == first);
  }
}

BOOST_AUTO_TEST_CASE(the_result_is_valid_from_the_first_moment_on) {
  std::vector<Grade::Status> statuses;
  const CommandContext context{toolchain, sandbox, exercise, [](std::string_view) {}};
  Grading grading(context, [&](const Grade& grade) { statuses.push_back(grade.status); });
  static_cast<void>(
      grading.grade({.submission = instructor / "solution", .instructor = instructor}));
  BOOST_TEST_REQUIRE(statuses.size() > 1);
  BOOST_TEST((statuses.front() == Grade::Status::Running));
  BOOST_TEST((statuses.back() == Grade::Status::Finished));
}

BOOST_AUTO_TEST_CASE(what_is_not_built_in_its_time_is_not_graded) {
  const CommandContext context{toolchain, sandbox, exercise, [](std::string_view) {}};
  const Grade grade =
      Grading(context, [](const Grade&) {
      }).grade({.submission = instructor / "solution", .compile_max = std::chrono::seconds(0)});
  BOOST_TEST((grade.status == Grade::Status::NotGradable));
  BOOST_TEST((grade.summary.find("It is not graded, and nothing is lost") == 0), grade.summary);
  BOOST_TEST((grade.summary.find("compile") == std::string::npos), grade.summary);
  BOOST_TEST(grade.cases.front().outcome == "not_run");
}

BOOST_AUTO_TEST_CASE(an_interrupted_regrade_leaves_the_finished_result) {
  const Grade running{.summary = "being graded"};
  Grade finished{.status = Grade::Status::Finished, .summary = "as it is"};
  finished.cases = {{.id = "one", .kind = "test", .outcome = "pass", .points = 9, .points_max = 9}};
  Grade better = finished;
  better.cases.push_back({.id = "two", .kind = "test", .outcome = "pass", .message = "more"});
  for (const GradeFormat& format : grade_formats()) {
    const fs::path file = scratch.path() / format.name;
    GradeFile(file, format).write(running);
    const std::string begun = read_whole(file);
    GradeFile(file, format).write(finished);
    const std::string whole = read_whole(file);
    BOOST_TEST(whole != begun);
    GradeFile(file, format).write(running);
    BOOST_TEST(read_whole(file) == whole, format.name);
    GradeFile(file, format).write(better);
    BOOST_TEST(read_whole(file) != whole, format.name);
  }
  // What was not finished before is no loss.
  const GradeFormat& format = find_format("json");
  scratch.write("begun.json", format.text(running));
  GradeFile(scratch.path() / "begun.json", format).write({.summary = "some more is known"});
  BOOST_TEST((read_whole(scratch.path() / "begun.json").find("some more") != std::string::npos));
}

BOOST_AUTO_TEST_CASE(each_format_says_of_a_grade_that_it_is_not_known_to_its_end) {
  Grade grade{.summary = "so far"};
  grade.cases = {{.id = "one", .kind = "test", .outcome = "pass", .points = 9, .points_max = 9}};
  for (const GradeFormat& format : grade_formats()) {
    if (format.name != "classroom50") {  // which has no place for words on the whole
      BOOST_TEST((format.text(grade).find(kNotAtItsEnd) != std::string::npos), format.name);
    }
  }
  grade.status = Grade::Status::Finished;
  BOOST_TEST((to_json(grade).find(kNotAtItsEnd) == std::string::npos));
}

BOOST_AUTO_TEST_CASE(a_result_says_that_its_grading_was_ended) {
  const std::string running = to_json({.summary = "so far"});
  Grade finished{.status = Grade::Status::Finished, .summary = "as it is"};
  const fs::path file = scratch.path() / "result.json";
  scratch.write("result.json", running);
  mark_as_ended(file);
  const std::string ended = read_whole(file);
  BOOST_TEST((ended.find(kEndedInJson) != std::string::npos), ended);
  BOOST_TEST((ended.find(kRunningInJson) == std::string::npos), ended);
  BOOST_TEST(ended.size() + 2 == running.size());  // the rest is as it was
  mark_as_ended(file);
  BOOST_TEST(read_whole(file) == ended);
  GradeFile(file, find_format("json")).write({.summary = "graded again"});
  BOOST_TEST((read_whole(file).find(kRunningInJson) != std::string::npos));
  // What is no such result stays, and so does what a link leads to.
  for (const std::string& text : {to_json(finished), "x" + running, std::string()}) {
    scratch.write("result.json", text);
    mark_as_ended(file);
    BOOST_TEST(read_whole(file) == text);
  }
  scratch.write("result.json", running);
  fs::create_symlink("result.json", scratch.path() / "link");
  mark_as_ended(scratch.path() / "link");
  mark_as_ended(scratch.path() / "nothing");
  BOOST_TEST(read_whole(file) == running);
}

BOOST_AUTO_TEST_CASE(a_grade_that_a_signal_ends_leaves_a_result_that_says_so) {
  const fs::path own = toolchain.exercises() / "01t-store-tests";
  scratch.write("cohort/ada/store_test.cpp",
                read_whole(own / "instructor/suites/happy_path/store_test.cpp"));
  const auto end_by_signal = [&](const std::string& call, const std::string& result) {
    const ProcessEnd end = run_plainly(
        {"/bin/sh", "-c",
         program_of(toolchain) + " " + call + " >/dev/null 2>&1 & p=$!; while ! grep -qs running " +
             result + " && kill -0 $p 2>/dev/null; do sleep 0.02; done; kill $p; wait $p"},
        scratch.path());
    BOOST_TEST(end.status == 128 + SIGTERM, call << ": " << end.output);
    const std::string text = read_whole(scratch.path() / result);
    BOOST_TEST((text.find(kEndedInJson) != std::string::npos), text);
  };
  end_by_signal("grade E01t --submission cohort/ada -o ada.json", "ada.json");
  end_by_signal("grade E01t --cohort cohort --out results", "results/ada.json");
}

BOOST_AUTO_TEST_CASE(kills_are_distinguished) {
  const Grade grade = grade_submission(instructor / "solution");
  const std::string words = words_of(grade);
  BOOST_TEST((words.find("(assert)") != std::string::npos), words);
  BOOST_TEST((words.find("(hang)") != std::string::npos), words);
}

BOOST_AUTO_TEST_CASE(a_failing_schedule_is_reported_and_replays) {
  const std::string wrong = R"(#include <boost/test/unit_test.hpp>
#include "core/runtime/task.hpp"
#include "exercises/toolkit/worlds.hpp"
#include "tests/exercises/grader/hostile/90-counter/subject.hpp"
using namespace watchlab::exercise;
BOOST_AUTO_TEST_CASE(too_early) {
  in_every_world([](watchlab::runtime::Runtime& runtime) {
    const auto counter = make_counter(runtime);
    act(runtime, "the other starts to count");
    const auto other = watchlab::runtime::spawn(runtime, "other", [&] { counter->add(); });
    expect_equal(counter->value(), 0);
    other.join();
  });
}
)";
  const Grade grade = grade_source(wrong);
  BOOST_TEST_REQUIRE(grade.cases.size() > 1);
  const GradeCase& printed = grade.cases.front();
  BOOST_TEST(printed.outcome == "invalid");
  BOOST_TEST(
      (printed.narration.find("Action: main: the other starts to count") != std::string::npos),
      printed.narration);
  BOOST_TEST((printed.narration.find("Expectation: 0") != std::string::npos), printed.narration);
  BOOST_TEST(printed.schedule.starts_with("w1:"));
  const CommandContext context{toolchain, sandbox, exercise, [](std::string_view) {}};
  const Grade again = Grading(context, [](const Grade&) {})
                          .grade({.submission = scratch.path() / "handin",
                                  .seeds = {1},
                                  .schedule = printed.schedule,
                                  .test_case = "too_early"});
  BOOST_TEST(again.cases.front().outcome == "invalid");
}

BOOST_AUTO_TEST_CASE(one_test_is_looked_at_alone) {
  const CommandContext context{toolchain, sandbox, exercise, [](std::string_view) {}};
  const auto graded = [&](const std::string& name) {
    return Grading(context, [](const Grade&) {})
        .grade({.submission = instructor / "solution", .test_case = name});
  };
  const Grade grade = graded("one_is_one");
  BOOST_TEST_REQUIRE(grade.cases.size() == 1);
  BOOST_TEST(grade.cases.front().id == "one_is_one");
  BOOST_TEST(grade.cases.front().outcome == "pass");
  BOOST_CHECK_EXCEPTION(graded("one_is_on"), BadInput, [](const BadInput& wrong) {
    return wrong.what() == std::string("there is no test one_is_on; did you mean one_is_one?");
  });
}

BOOST_AUTO_TEST_CASE(a_reference_distinguishes_all_defects) {
  const CommandContext context{toolchain, sandbox, exercise, [](std::string_view) {}};
  Grading grading(context, [](const Grade&) {});
  static_cast<void>(
      grading.grade({.submission = instructor / "solution", .instructor = instructor}));
  const auto errors = errors_in(grading.suite());
  // `loses` and `hangs` both need two tasks: one test notices both, and is said to.
  BOOST_TEST_REQUIRE(errors.size() == 1);
  BOOST_TEST((errors.front().find("the same tests notice") == 0), errors.front());
  BOOST_TEST(kill_matrix(grading.suite()) ==
             "test,shown/stays,hidden/hangs,hidden/loses\n"
             "one_is_one,1,0,0\ntwo_tasks_count_two,1,1,1\n");
}

BOOST_AUTO_TEST_CASE(one_broken_submission_does_not_stop_a_cohort) {
  for (const char* const name : {"a", "b", "c"}) {
    scratch.write(std::string("cohort/") + name + "/file", "");
  }
  const auto describe = [](const fs::path& folder) {
    return std::vector<std::string>{"/bin/sh", "-c",
                                    folder.filename() == "b" ? "kill -9 $$" : "exit 0"};
  };
  const CohortResult result = grade_cohort({.submissions = scratch.path() / "cohort", .jobs = 2},
                                           describe, [](const std::string&) {});
  BOOST_TEST(result.graded == 2);
  BOOST_TEST_REQUIRE(result.broken.size() == 1);
  BOOST_TEST(result.broken.front() == "b: the grader died of signal 9");
}

BOOST_AUTO_TEST_CASE(each_entry_of_a_cohort_is_counted_once) {
  for (const char* const name : {"dies", "good_1", "good_2", "good_3", "not_c++", "quits"}) {
    scratch.write(std::string("cohort/") + name + "/file", "");
  }
  scratch.write("cohort/notes.txt", "");
  fs::create_directory_symlink(scratch.path() / "cohort/good_1", scratch.path() / "cohort/link");
  const auto describe = [](const fs::path& folder) {
    const std::string name = folder.filename().string();
    const std::string script = name == "dies"      ? "kill -9 $$"
                               : name == "quits"   ? "exit 2"
                               : name == "not_c++" ? "echo 'not gradable: It does not compile.'"
                                                   : "sleep 0.1 & echo 100 points";
    return std::vector<std::string>{"/bin/sh", "-c", script};
  };
  std::size_t done = 0;
  const CohortResult result = grade_cohort(
      {.submissions = scratch.path() / "cohort", .jobs = 3}, describe,
      [&](const std::string& words) {
        BOOST_TEST(words.starts_with(std::to_string(++done) + " of 6 submissions: "), words);
      });
  BOOST_TEST(done == 6);
  BOOST_TEST(result.graded == 3);
  BOOST_TEST_REQUIRE(result.not_gradable.size() == 1);
  BOOST_TEST(result.not_gradable.front() == "not_c++: It does not compile.");
  BOOST_TEST(result.broken.size() == 2);
  BOOST_TEST(result.skipped.size() == 2);
}

BOOST_AUTO_TEST_CASE(a_child_that_is_no_grader_is_no_result) {
  scratch.write("cohort/one/file", "");
  const pid_t stranger = ::fork();
  if (stranger == 0) {
    ::_exit(0);
  }
  const CohortResult result = grade_cohort(
      {.submissions = scratch.path() / "cohort", .jobs = 1},
      [](const fs::path&) {
        return std::vector<std::string>{"/bin/sh", "-c", "sleep 0.3"};
      },
      [](const std::string&) {});
  BOOST_TEST(result.graded == 1);
  BOOST_TEST(result.broken.size() == 0);
}

BOOST_AUTO_TEST_CASE(a_submission_with_a_line_break_in_its_name_is_refused_alone) {
  scratch.write("cohort/one\ntwo/file", "");
  scratch.write("cohort/three/file", "");
  const CohortResult result = grade_cohort(
      {.submissions = scratch.path() / "cohort"},
      [](const fs::path&) { return std::vector<std::string>{"/bin/true"}; },
      [](const std::string&) {});
  BOOST_TEST(result.graded == 1);
  BOOST_TEST_REQUIRE(result.broken.size() == 1);
  BOOST_TEST(result.broken.front() == "one\\ntwo: refused, its name has a line break; rename it");
}

BOOST_AUTO_TEST_CASE(a_file_that_is_handed_in_is_no_output) {
  const fs::path own = toolchain.exercises() / "13-cold-cases/starter/answers.yaml";
  const std::string before = read_whole(own);
  scratch.write("cohort/ada/answers.yaml", before);
  fs::create_symlink("ada/answers.yaml", scratch.path() / "cohort/link");
  const auto refuses = [&](const std::string& line, const std::string& why) {
    const ProcessEnd end = run_plainly({"/bin/sh", "-c", program_of(toolchain) + " " + line},
                                       scratch.path() / "cohort");
    BOOST_TEST(end.status == 2, line << "\n" << end.output);
    BOOST_TEST((end.output.find(why) != std::string::npos), end.output);
    BOOST_TEST(read_whole(scratch.path() / "cohort/ada/answers.yaml") == before);
  };
  fs::create_directory_symlink("ada", scratch.path() / "cohort/beside");
  for (const char* const out : {"ada/answers.yaml", "./ada/../ada/answers.yaml", "link", "ada",
                                "ada/result.json", "ada/new/result.json", "beside/result.json"}) {
    refuses(std::string("grade E13 --submission ada -o ") + out, "which is an input");
    refuses(std::string("grade E13 --submission ada --cache ") + out, "which is an input");
  }
  refuses("grade E13 --submission ada/. -o ada/result.json", "which is an input");
  refuses("grade E13 --cohort . --out /tmp --cache ada/cache", "which is an input");
  BOOST_TEST(!fs::exists(scratch.path() / "cohort/ada/result.json"));
  refuses("grade E13 --cohort . --out .", "which is an input");
  refuses("grade E13 --cohort . --out ada/results", "which is an input");
  scratch.write("cohort/roster.csv", "id\nada\n");
  refuses("gradebook . --roster roster.csv -o roster.csv", "this is the input");
  scratch.write("cohort/grades/ada.json", "{}");
  refuses("gradebook grades --roster roster.csv -o grades/ada.json", "which is an input");
  refuses("statistics grades --html grades/ada.json", "which is an input");
}

BOOST_AUTO_TEST_CASE(a_link_is_no_submission) {
  scratch.write("secret/answers.yaml", "cases: {private: {clause: C1}}\n");
  scratch.write("cohort/ada/answers.yaml", "cases: {}\n");
  fs::create_directory_symlink(scratch.path() / "secret", scratch.path() / "cohort/eve");
  const ProcessEnd end =
      run_plainly({program_of(toolchain), "grade", "E13", "--cohort", "cohort", "--out", "results"},
                  scratch.path());
  BOOST_TEST(end.status == 0, end.output);
  BOOST_TEST(
      (end.output.find("eve: skipped, it is no folder of a submission\n") != std::string::npos),
      end.output);
  BOOST_TEST(fs::exists(scratch.path() / "results/ada.json"));
  BOOST_TEST(!fs::exists(scratch.path() / "results/eve.json"));
}

BOOST_AUTO_TEST_CASE(a_cohort_without_submissions_is_an_error) {
  fs::create_directory(scratch.path() / "cohort");
  const auto grade_it = [&] {
    static_cast<void>(grade_cohort(
        {.submissions = scratch.path() / "cohort", .jobs = 1},
        [](const fs::path&) { return std::vector<std::string>(); }, [](const std::string&) {}));
  };
  BOOST_CHECK_THROW(grade_it(), BadInput);
}

// What a killed grader leaves behind is what was earned by then, and not a share of it.
BOOST_AUTO_TEST_CASE(a_grade_on_its_way_never_has_more_points_than_at_its_end) {
  std::vector<double> points;
  const CommandContext context{toolchain, sandbox, exercise, [](std::string_view) {}};
  Grading grading(context, [&](const Grade& grade) { points.push_back(grade.points()); });
  const std::string solution = read_whole(instructor / "solution/counter_test.cpp");
  scratch.write("handin/counter_test.cpp", solution.substr(0, solution.rfind("BOOST_AUTO")));
  static_cast<void>(
      grading.grade({.submission = scratch.path() / "handin", .instructor = instructor}));
  BOOST_TEST_REQUIRE(points.size() > 1);
  for (const double so_far : points) {
    BOOST_TEST(so_far <= points.back() + 1e-6);
  }
}

// Of an exercise that asks questions beside a suite.
BOOST_AUTO_TEST_CASE(answers_that_are_missing_or_cannot_be_read_are_refused) {
  exercise.files.emplace_back("answers.yaml");
  const std::string suite = read_whole(instructor / "solution/counter_test.cpp");
  const auto refusal = [&](const char* answers) {
    if (answers != nullptr) {
      scratch.write("handin/answers.yaml", answers);
    }
    const Grade grade = grade_source(suite);
    BOOST_TEST((grade.status == Grade::Status::NotGradable));
    BOOST_TEST(grade.points() == 0);
    return grade.summary;
  };
  BOOST_TEST(refusal(nullptr) == "the file answers.yaml is missing");
  BOOST_TEST((refusal("answers: [c, b]\n").find("answers.yaml:1:10: ") != std::string::npos));
  const std::string misspelt = refusal("answer: {one: c}\n");
  BOOST_TEST((misspelt.find("\"answers\"") != std::string::npos), misspelt);
}

BOOST_AUTO_TEST_CASE(a_secret_is_found_in_texts_and_in_programs) {
  scratch.write("handout/README.md", "All is well.\n");
  scratch.write("handout/lib/v1.so",
                std::string("ELF\0", 4) + "counts_twice" + std::string("\0", 1));
  const auto leaks = leaks_of(scratch.path() / "handout", {"all is well", "counts_twice"});
  BOOST_TEST_REQUIRE(leaks.size() == 1);
  BOOST_TEST(leaks.front() == "lib/v1.so shows counts_twice");
}

BOOST_AUTO_TEST_CASE(a_bundle_holds_nothing_hidden_and_checks_on_its_own) {
  const fs::path out = scratch.path() / "handout";
  // Compilers run as another user when the tests run as root.
  fs::permissions(scratch.path(), fs::perms::others_exec, fs::perm_options::add);
  const ProcessEnd made =
      run_plainly({program_of(toolchain), "bundle", "--out", out.string(), "E01t"}, toolchain.root);
  BOOST_TEST_REQUIRE(made.status == 0, made.output);
  const fs::path own = toolchain.exercises() / "01t-store-tests";
  const std::vector<std::string> secrets = secrets_of(read_exercise(own), own / "instructor");
  BOOST_TEST(secrets.size() > 100);
  for (const char* const secret :
       {"update_takes_away_first", "an_object_is_there_while_it_is_updated"}) {
    BOOST_TEST((std::ranges::find(secrets, secret) != secrets.end()), secret);
  }
  for (const std::string& leak : leaks_of(out, secrets)) {
    BOOST_ERROR(leak);
  }
  const std::string program = (out / "watchlab-course").string();
  const std::string homework = (scratch.path() / "homework").string();
  const ProcessEnd started =
      run_plainly({program, "start", "E01t", "--homework", homework}, scratch.path());
  BOOST_TEST_REQUIRE(started.status == 0, started.output);
  BOOST_TEST_REQUIRE(symptoms_printed(program, homework) > 0);
  fs::copy_file(own / "instructor/solution/store_test.cpp",
                fs::path(homework) / "01t-store-tests/store_test.cpp",
                fs::copy_options::overwrite_existing);
  const ProcessEnd checked =
      run_plainly({program, "check", "--homework", homework}, scratch.path());
  BOOST_TEST(checked.status == 0, checked.output);
  for (const char* const words : {"6 of 6 shown defects caught; grading uses 14.", "(assert): "}) {
    BOOST_TEST((checked.output.find(words) != std::string::npos), checked.output);
  }
  const std::string flags = read_whole(fs::path(homework) / "compile_flags.txt");
  BOOST_TEST((flags.find("-I../handout\n") != std::string::npos), flags);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
