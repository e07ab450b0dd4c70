#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/scenarios/cli/process.hpp"

using namespace watchlab::tests;

BOOST_AUTO_TEST_SUITE(report_commands_test)

namespace {

/// What is wrong with a call, which has to end with 2.
std::string refusal_of(const std::vector<std::string>& arguments) {
  const Finished finished = run_watchlab(arguments);
  BOOST_TEST(finished.exit_code == 2);
  return finished.err;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_second_run_stands_beside_the_first) {
  const TemporaryFolder folder;
  const std::string run = folder.path("run.json");
  BOOST_TEST(run_watchlab({"report", "missed_delete", "-o", run}).exit_code == 0);
  const std::string first = folder.path("first.html");
  BOOST_TEST(run_watchlab({"report", "slow_handler", "--with", run, "-o", first}).exit_code == 0);
  BOOST_TEST(says(read_whole(first), "\"name\":\"relist/missed_delete\""));
  const Finished machines =
      run_watchlab({"report", "slow_handler", "--machine", "classic,0.33", "-o", "-"});
  BOOST_TEST(says(machines.out, "\"machine\":\"classic\""));
  BOOST_TEST(says(machines.out, "\"machine\":\"0.33\""));
  const Finished same = run_watchlab({"report", "slow_handler", "--with", "default", "-o", "-"});
  BOOST_TEST(says(same.out, "\"alignment\":["), same.err);
}

BOOST_AUTO_TEST_CASE(without_an_output_the_page_is_called_as_its_story) {
  const TemporaryFolder folder;
  const std::string path = std::filesystem::absolute("scenarios/relist/missed_delete.yaml");
  const Finished finished = run_watchlab({"report", path}, {.folder = folder.path("")});
  BOOST_TEST(finished.exit_code == 0);
  BOOST_TEST(finished.out.starts_with("missed_delete.html: "), finished.out);
  BOOST_TEST(says(read_whole(folder.path("missed_delete.html")), "<html"));
  const std::string other = folder.write("other", "mine");
  std::filesystem::remove(folder.path("missed_delete.html"));
  std::filesystem::create_symlink(other, folder.path("missed_delete.html"));
  BOOST_TEST(run_watchlab({"report", path}, {.folder = folder.path("")}).exit_code == 0);
  BOOST_TEST(read_whole(other) == "mine");  // nobody has named it
  BOOST_TEST(says(read_whole(folder.path("missed_delete.html")), "<html"));
  const Finished refused =
      run_watchlab({"report", path, "-o", "-", "--json"}, {.folder = folder.path("")});
  BOOST_TEST(refused.exit_code == 2);
  BOOST_TEST(says(refused.err, "--json would have no effect: -o - prints the page"), refused.err);
}

BOOST_AUTO_TEST_CASE(stories_of_one_name_in_two_folders_have_two_pages) {
  const TemporaryFolder folder;
  const std::string story = read_whole("scenarios/relist/missed_delete.yaml");
  for (const std::string place : {"one", "two"}) {
    std::filesystem::create_directory(folder.path(place));
    (void)folder.write(place + "/missed_delete.yaml", story);
  }
  (void)folder.write("missed_delete.yaml", story);
  const ProcessOptions here{.folder = folder.path("")};
  std::string pages;
  for (const std::string path : {"one/missed_delete", "two/missed_delete", "one/missed_delete"}) {
    const Finished finished = run_watchlab({"report", path + ".yaml"}, here);
    BOOST_TEST(finished.exit_code == 0, finished.err);
    pages += finished.out.substr(0, finished.out.find(' '));
  }
  BOOST_TEST(pages == "missed_delete.html:two-missed_delete.html:missed_delete.html:");
  BOOST_TEST(says(read_whole(folder.path("missed_delete.html")), "\"path\":\"one/"));
  BOOST_TEST(says(read_whole(folder.path("two-missed_delete.html")), "\"path\":\"two/"));
  BOOST_TEST(says(run_watchlab({"report", "missed_delete.yaml"}, here).out,
                  std::filesystem::path(folder.path("")).parent_path().filename().string() +
                      "-missed_delete.html: "));
}

BOOST_AUTO_TEST_CASE(a_page_is_written_as_one_and_from_a_step_that_there_is) {
  const TemporaryFolder folder;
  BOOST_TEST(says(refusal_of({"report", "slow_handler", "-o", folder.path("page.txt")}),
                  "nothing here is written as '.txt'; expected .html, .htm or .json"));
  BOOST_TEST(
      says(refusal_of({"branch", "slow_handler", "--take", "1=1", "-o", folder.path("p.json")}),
           "expected .html or .htm"));
  BOOST_TEST(says(refusal_of({"report", "slow_handler", "--from", "999999"}),
                  "--from 999999: the run has only "));
  BOOST_TEST(run_watchlab({"report", "slow_handler", "-o", folder.path("page")}).exit_code == 0);
}

BOOST_AUTO_TEST_CASE(what_can_be_no_second_run_is_refused) {
  const TemporaryFolder folder;
  const std::string wrong = folder.write("wrong.json", R"({"format":1,"events":[]})");
  BOOST_TEST(says(refusal_of({"report", "slow_handler", "--with", wrong}), "is no run as"));
  BOOST_TEST(says(refusal_of({"report", "slow_handler", "--with", folder.path("none.json")}),
                  "none.json: there is no such file"));
  BOOST_TEST(says(refusal_of({"report", "slow_handler", "--with", "w1:0"}), "the schedule"));
  BOOST_TEST(says(refusal_of({"report", "slow_handler", "--with", "fixed"}), "--variant"));
  BOOST_TEST(says(refusal_of({"report", "slow_handler", "--machine", "clasic"}),
                  "did you mean \"classic\""));
  BOOST_TEST(says(refusal_of({"report", "slow_handler", "--machine", "classic,0.33,classic"}),
                  "at most two"));
  BOOST_TEST(
      says(refusal_of({"report", "slow_handler", "--machine", "classic,0.33", "--with", "default"}),
           "do not go together"));
}

BOOST_AUTO_TEST_SUITE_END()
