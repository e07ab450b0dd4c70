// What people type wrong on the command line, and the one message that they get.
#include <algorithm>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "tests/scenarios/cli/process.hpp"

using namespace watchlab::tests;

BOOST_AUTO_TEST_SUITE(wrong_options_test)

namespace {

struct Mistake {
  std::vector<std::string> words;
  std::string message;
};
std::ostream& operator<<(std::ostream& out, const Mistake& each) {
  for (const std::string& word : each.words) {
    out << "'" << word << "' ";
  }
  return out;
}

const std::vector<Mistake> mistakes{
    {{"--hlp"}, "there is no option --hlp; did you mean \"--help\"?"},
    {{"--versoin"}, "there is no option --versoin; did you mean \"--version\"?"},
    {{"-v"}, "there is no option -v"},
    {{"--json", "run", "missed_delete"},
     "--json stands before the command; expected it behind, as in run --json"},
    {{"--seed=3", "explore"}, "--seed stands before the command; expected it behind, as in "},
    {{"explore", "missed_delete", "--schedules"},
     "--schedules: a value is missing; expected a whole number, 0 or more"},
    {{"explore", "missed_delete", "-n"}, "--schedules: a value is missing; expected a whole "},
    {{"explore", "missed_delete", "--strategy"},
     "--strategy: a value is missing; expected fifo, random, "},
    {{"explore", "missed_delete", "--time"},
     "--time: a value is missing; expected a duration, like 30s or 5m"},
    {{"run", "missed_delete", "--junit"}, "--junit: a value is missing; expected the name of a "},
    {{"run", "missed_delete", "--junit", "--json"}, "--junit: a value is missing before --json"},
    {{"explore", "missed_delete", "--strategy", "--seed", "1"},
     "--strategy: a value is missing before --seed"},
    {{"serve", "--listen", "--token", "x"}, "--listen: a value is missing before --token"},
    {{"explore", "missed_delete", "--seed", "1", "--seed", "2"},
     "--seed stands there 2 times; expected it once"},
    {{"run", "missed_delete", "--junit", "a.xml", "--junit", "b.xml", "--junit", "c.xml"},
     "--junit stands there 3 times; expected it once"},
    {{"explore", "missed_delete", "--schedules", "99999999999999999999999"},
     "--schedules: 99999999999999999999999 is too large"},
    {{"explore", "missed_delete", "--time", "30"},
     "--time: '30' is no duration; expected a number and a unit, like 30s or 5m; did you mean "
     "\"30s\"?"},
    {{"shrink", "missed_delete", "--time", "1,5min"},
     "--time: '1,5min' is no duration; expected a number and a unit, like 30s or 5m; did you mean "
     "\"1.5m\"?"},
    {{"explore", "missed_delete", "--time", "99999999999h"},
     "--time: '99999999999h' is too long; expected a duration of at most 87840h"},
    {{"run", ""}, "PATH: an empty text stands there, perhaps of a variable that is not set"},
    {{"list", ""}, "PATH: an empty text stands there"},
    {{"serve", "--listen", ""}, "--listen: an empty text stands there"},
    {{"fuzz", "--seeds", ""}, "--seeds: an empty text stands there"},
    {{"run", "missed_delete", "--shedule", "x"},
     "run has no option --shedule; replay has one called --schedule"},
    {{"run", "missed_delete", "--sarif"}, "run has no option --sarif\n"},
    {{"run", "missed_delete", "--srtict"},
     "run has no option --srtict; did you mean \"--strict\"?"},
    {{"fuzz", "--seed\n9 held", "1"}, "fuzz has no option --seed\\n9 held"},
    {{"run\n9 held"}, "there is no command 'run\\n9 held'"},
    {{"show", "missed_delete", "slow_handler"},
     "show takes no 'slow_handler' behind its other words"},
};

}  // namespace

BOOST_DATA_TEST_CASE(a_wrong_word_has_one_message_and_status_two, mistakes, each) {
  const Finished done = run_watchlab(each.words);
  BOOST_TEST(done.exit_code == 2);
  BOOST_TEST(done.out == "");
  BOOST_TEST(done.err.starts_with("watchlab: " + each.message), done.err);
  BOOST_TEST(std::ranges::count(done.err, '\n') == 2, done.err);  // the second says what helps
  BOOST_TEST(!std::filesystem::exists("--json"));
}

BOOST_AUTO_TEST_CASE(an_output_in_the_place_of_another_thing_is_refused_before_anything_is_played) {
  const TemporaryFolder folder;
  const std::string own = folder.write(
      "own.yaml",
      "apiVersion: watchlab/v1\nname: own\nstory: s\nclients: [{name: x, kind: fifo}]\n");
  const std::string before = read_whole(own);
  for (const std::string command : {"run", "explore", "validate"}) {
    const Finished done = run_watchlab({command, folder.path(""), "--junit", own});
    BOOST_TEST(done.exit_code == 2, command);
    BOOST_TEST(done.out == "");
    BOOST_TEST(done.err == "watchlab " + command + ": " + own +
                               ": this is the input; expected another file for the output\n");
    BOOST_TEST(read_whole(own) == before);
  }
  const std::string results = folder.write("results.xml", "of an earlier run");
  BOOST_TEST(run_watchlab({"run", folder.path(""), "--junit", results}).exit_code == 0);
  const std::string found = folder.path("found");
  const Finished twice =
      run_watchlab({"fuzz", "--seeds", "1..1", "--junit", found, "--out", found});
  BOOST_TEST(twice.exit_code == 2);
  BOOST_TEST(twice.err ==
             "watchlab fuzz: " + found +
                 ": --out and --junit would both write it; expected a file for each\n");
}

BOOST_AUTO_TEST_CASE(a_path_that_is_not_there_has_the_nearest_beside_it) {
  for (const auto& [path, nearest] :
       {std::pair{"scenarios/relst", "scenarios/relist"},
        std::pair{"scenarios/relist/misse_delete", "scenarios/relist/missed_delete.yaml"},
        std::pair{"scenarios/relist/misse_delete.yaml", "scenarios/relist/missed_delete.yaml"}}) {
    const Finished done = run_watchlab({"run", path});
    BOOST_TEST(done.exit_code == 2);
    BOOST_TEST(done.err.find(std::string("did you mean \"") + nearest + "\"?") != std::string::npos,
               done.err);
  }
}

BOOST_AUTO_TEST_CASE(the_largest_seed_is_no_mistake) {
  const Finished done =
      run_watchlab({"explore", "missed_delete", "-n", "1", "--seed", "18446744073709551615"});
  BOOST_TEST(done.exit_code == 0, done.err);
}

BOOST_AUTO_TEST_SUITE_END()
