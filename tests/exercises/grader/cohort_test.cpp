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
    const fs::path starter = toolchain.exercises() / "09-cold-cases/starter/answers.yaml";
    scratch.write("cohort/" + name + "/answers.yaml", read_whole(starter));
  }
  void close(const std::string& name, fs::perms rights = fs::perms::none) {
    std::error_code missing;
    fs::permissions(cohort / name, rights, missing);
  }
  [[nodiscard]] ProcessEnd grade_all() {
    std::vector<std::string> words;
    if (::geteuid() == 0) {
      constexpr uid_t user = 64'400;
      BOOST_TEST(::chown(results.c_str(), user, user) == 0);
      words = {"/usr/bin/setpriv", "--reuid=64400", "--regid=64400", "--clear-groups"};
    }
    words.insert(words.end(),
                 {(toolchain.tree / "exercises/grader/watchlab-course").string(), "grade", "E09",
                  "--cohort", cohort.string(), "--out", results.string()});
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
    ++files;
    BOOST_TEST(read_whole(entry.path()).find("finished") != std::string::npos);
  }
  BOOST_TEST(files == 2);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
