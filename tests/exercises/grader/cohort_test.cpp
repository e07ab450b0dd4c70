// Folders of a cohort that are no ordinary ones: each is counted, and no other one notices.
#include "exercises/grader/cohort.hpp"

#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "exercises/programs/texts.hpp"
#include "exercises/sandbox/processes.hpp"
#include "tests/exercises/grader/grading_fixture.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

/// Grades a cohort with the program itself: an exercise in which nothing is compiled. Root may look
/// into any folder, so that it grades as a user without a name.
struct CohortFixture : GradingFixture {
  CohortFixture() {
    fs::create_directory(results);
    fs::permissions(scratch.path(), fs::perms::others_exec, fs::perm_options::add);
  }
  ~CohortFixture() { close("closed", fs::perms::owner_all); }

  void hand_in(const std::string& name) {
    const fs::path starter = toolchain.exercises() / "13-cold-cases/starter/answers.yaml";
    scratch.write("cohort/" + name + "/answers.yaml", read_whole(starter));
  }
  void close(const std::string& name, fs::perms rights = fs::perms::none) {
    std::error_code missing;
    fs::permissions(cohort / name, rights, missing);
  }
  [[nodiscard]] ProcessEnd grade_all(const std::vector<std::string>& more = {}) {
    std::vector<std::string> words;
    if (::geteuid() == 0) {
      constexpr uid_t user = 64'400;
      BOOST_TEST(::chown(results.c_str(), user, user) == 0);
      words = {"/usr/bin/setpriv", "--reuid=64400", "--regid=64400", "--clear-groups"};
    }
    words.insert(words.end(),
                 {(toolchain.tree / "exercises/grader/watchlab-course").string(), "grade", "E13",
                  "--cohort", cohort.string(), "--out", results.string()});
    words.insert(words.end(), more.begin(), more.end());
    return run_plainly(words, "/");
  }
  [[nodiscard]] static bool says(const ProcessEnd& end, const std::string& what) {
    return end.output.find(what) != std::string::npos;
  }

  fs::path cohort = scratch.path() / "cohort";
  fs::path results = scratch.path() / "results";
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(cohort_test, CohortFixture)

BOOST_AUTO_TEST_CASE(a_closed_folder_is_not_gradable_and_stops_no_other) {
  hand_in("closed");
  hand_in("open");
  close("closed");
  const ProcessEnd end = grade_all();
  BOOST_TEST(end.status == 0);
  BOOST_TEST(says(end, "closed: its folder cannot be entered"), end.output);
  BOOST_TEST(says(end, "1 graded, 1 not gradable, 0 failed"), end.output);
  BOOST_TEST(read_whole(results / "closed.json").find("not_gradable") != std::string::npos);
  BOOST_TEST(read_whole(results / "open.json").find("finished") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_name_that_is_too_long_for_a_result_is_graded_under_a_shorter_one) {
  const std::string name(252, 'n');
  hand_in(name);
  hand_in("open");
  const ProcessEnd end = grade_all();
  BOOST_TEST(end.status == 0);
  BOOST_TEST(says(end, name + ": its name is too long for a file; the result is nnn"), end.output);
  BOOST_TEST(says(end, "2 graded, 0 not gradable, 0 failed"), end.output);
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(results)) {
    if (entry.path().extension() != ".json") {
      continue;
    }
    ++files;
    BOOST_TEST(read_whole(entry.path()).find("finished") != std::string::npos);
  }
  BOOST_TEST(files == 2);
}

BOOST_AUTO_TEST_CASE(progress_is_a_line_for_each_student_in_a_file) {
  hand_in("ada");
  hand_in("bob");
  const ProcessEnd end = grade_all();
  BOOST_TEST(end.status == 0, end.output);
  BOOST_TEST(read_whole(results / "progress.txt") ==
             "1 of 2 submissions: ada\n2 of 2 submissions: bob\n");
}

BOOST_AUTO_TEST_CASE(only_those_on_a_list_are_graded_again) {
  hand_in("ada");
  hand_in("bob");
  const std::string list = scratch.write("list", "# again\nbob\n").string();
  const ProcessEnd end = grade_all({"--only", list});
  BOOST_TEST(says(end, "1 graded, 0 not gradable, 0 failed"), end.output);
  BOOST_TEST(fs::exists(results / "bob.json"));
  BOOST_TEST(!fs::exists(results / "ada.json"));
  scratch.write("list", "bobb\n");
  const ProcessEnd wrong = grade_all({"--only", list});
  BOOST_TEST(wrong.status == 2);
  BOOST_TEST(says(wrong, "has no submission bobb; did you mean bob?"), wrong.output);
}

BOOST_AUTO_TEST_CASE(a_cohort_says_what_came_to_nothing_and_becomes_a_gradebook) {
  hand_in("ada");
  scratch.write("cohort/bob/other.yaml", "");
  const ProcessEnd end = grade_all();
  BOOST_TEST(says(end,
                  "of these 1 without points; 0 not compiling, 1 with a file missing, 0 not "
                  "run for another reason"),
             end.output);
  const std::string roster = scratch.write("roster.csv", "id,name\nada,Ada\nbob,\neve,\n").string();
  const ProcessEnd book = run_plainly(
      {(toolchain.tree / "exercises/grader/watchlab-course").string(), "gradebook",
       results.string(), "--roster", roster, "--feedback", (scratch.path() / "pages").string()},
      scratch.path());
  BOOST_TEST(book.status == 0, book.output);
  BOOST_TEST(says(book,
                  "ada,Ada,E13,0,0,100,0,zero,\nbob,,E13,0,0,100,0,file_missing,\n"
                  "eve,,E13,,,100,0,missing,\n"),
             book.output);
  BOOST_TEST(says(book, "3 students, 1 exercises: "), book.output);
  for (const char* const name : {"ada", "bob", "eve"}) {
    BOOST_TEST(fs::exists(scratch.path() / "pages" / (std::string(name) + ".html")), name);
  }
}

/// From what students get to what they have got: predictions, since those take no compiler.
BOOST_AUTO_TEST_CASE(a_term_goes_from_a_bundle_to_a_gradebook) {
  const std::string program = (toolchain.tree / "exercises/grader/watchlab-course").string();
  const auto run = [&](const std::string& line) {
    const ProcessEnd end = run_plainly({"/bin/sh", "-c", line}, scratch.path());
    BOOST_TEST(end.status == 0, line << "\n" << end.output);
    return end;
  };
  run(program + " bundle --out handout E03 E07");
  for (const char* const student : {"ada", "bob"}) {
    const bool is_chinese = std::string(student) == "bob";  // the one in English, the other not
    const std::string folder =
        std::string("--homework ") + student + (is_chinese ? " --lang zh-CN" : "");
    for (const char* const id : {"E03", "E07"}) {
      const ProcessEnd begun =
          run("handout/watchlab-course start " + std::string(id) + " " + folder);
      BOOST_TEST(says(begun, "你的文件在") == is_chinese, begun.output);
      // To a number, a choice, deltas, calls: one line of four is an answer.
      const ProcessEnd asked =
          run("yes '1\nb\nAdded default/red\nadd default/red' | head -n 80 | "
              "handout/watchlab-course predict " +
              std::string(id) + " " + folder);
      BOOST_TEST(says(asked, "个预测中") == is_chinese, asked.output);
      BOOST_TEST(says(asked, "predictions came true") == !is_chinese, asked.output);
    }
    BOOST_TEST(fs::exists(scratch.path() / student / "03-in-the-queue/README.zh.md") == is_chinese);
  }
  fs::remove_all(scratch.path() / "bob/07-resync");
  for (const auto& [id, slug] : {std::pair{"E03", "03-in-the-queue"}, {"E07", "07-resync"}}) {
    for (const char* const student : {"ada", "bob"}) {
      const fs::path own = scratch.path() / student / slug;
      if (fs::exists(own)) {
        fs::create_directories(scratch.path() / "in" / id);
        fs::copy(own, scratch.path() / "in" / id / student);
      }
    }
    run(program + " grade " + id + " --cohort in/" + id + " --out out/" + id);
  }
  scratch.write("roster.csv", "id\nada\nbob\n");
  scratch.write("policy.yaml",
                "exercises: [{id: E03, due: \"2026-12-01T12:00:00Z\", points: 10}, {id: E07}]\n"
                "late_percent: [50]\n");
  scratch.write("times.csv", "student,exercise,submitted\nada,E03,2026-12-01T13:00:00Z\n");
  const ProcessEnd book = run(program +
                              " gradebook out --roster roster.csv --policy policy.yaml "
                              "--submitted times.csv -o book.csv --feedback pages --lang zh-CN");
  BOOST_TEST((read_whole(scratch.path() / "pages/bob.html").find("个预测中") != std::string::npos));
  BOOST_TEST(says(book, "2 students, 2 exercises: 3 with points, 1 missing"), book.output);
  const std::string text = read_whole(scratch.path() / "book.csv");
  BOOST_TEST((text.find("ada,,E03,") != std::string::npos), text);
  BOOST_TEST((text.find(",10,1,,\n") != std::string::npos), text);
  BOOST_TEST((text.find("bob,,E07,,,100,0,missing,\n") != std::string::npos), text);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
