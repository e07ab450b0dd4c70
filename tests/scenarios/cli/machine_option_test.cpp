#include <boost/test/unit_test.hpp>
#include <string>

#include "tests/scenarios/cli/process.hpp"

using namespace watchlab::tests;

BOOST_AUTO_TEST_SUITE(machine_option_test)

namespace {

/// The schedule in the line that a failure prints.
std::string schedule_in(const std::string& text) {
  const std::size_t begin = text.find("--schedule '") + 12;
  return text.substr(begin, text.find('\'', begin) - begin);
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_clients_of_a_file_can_be_put_on_one_machine) {
  const std::string two = "scenarios/relist/relist_on_two_machines.yaml";
  BOOST_TEST(run_watchlab({"run", two}).exit_code == 0);
  const Finished in_order = run_watchlab({"run", two, "--machine", "0.33"});
  BOOST_TEST(in_order.exit_code == 1);
  BOOST_TEST(says(in_order.err, "handler calls of classic: number 3"), in_order.err);
  const Finished again = run_watchlab({"replay", two, "--schedule", schedule_in(in_order.err)});
  BOOST_TEST(again.exit_code == 1);
  BOOST_TEST(says(again.out, "with all clients on the machine 0.33"), again.out);
  BOOST_TEST(run_watchlab({"run", "missed_delete", "--machine", "0.33"}).exit_code == 0);
  BOOST_TEST(run_watchlab({"run", "missed_delete", "--machine", "0.34"}).exit_code == 2);
  BOOST_TEST(run_watchlab({"run", "missed_delete", "--machine", "0.32"}).exit_code == 0);
  const Finished newest = run_watchlab({"run", "missed_delete", "--machine", "0.37"});
  BOOST_TEST(newest.exit_code == 1);  // its last lines are of the machine of 0.32
  BOOST_TEST(newest.err == run_watchlab({"run", "missed_delete", "--machine", "modern"}).err);
  const TemporaryFolder folder;
  BOOST_TEST(run_watchlab({"run", "missed_delete", "--machine", "0.33", "--transcript",
                           folder.path("t.json")})
                 .exit_code == 2);
  const std::string failing =
      folder.write("failing.yaml",
                   "apiVersion: watchlab/v1\nname: failing\nstory: s\nserver: {objects: [a]}\n"
                   "clients: [{name: x, kind: informer, failures: 1}]\n");
  BOOST_TEST(run_watchlab({"run", failing}).exit_code == 0);
  const Finished refused = run_watchlab({"run", failing, "--machine", "0.33"});
  BOOST_TEST(refused.exit_code == 2);
  BOOST_TEST(says(refused.err, "take nothing back"), refused.err);
}

// What `run` shows of the order of one relist, `explore` finds, `trace` and `draw` show and `fuzz`
// plays. A schedule that `explore` prints leads `replay` to the machine that it was made on.
BOOST_AUTO_TEST_CASE(every_command_that_plays_stories_can_put_them_on_one_machine) {
  const std::string two = "scenarios/relist/relist_on_two_machines.yaml";
  const Finished explored =
      run_watchlab({"explore", two, "--machine", "0.33", "--schedules", "5", "--strategy", "fifo"});
  BOOST_TEST(explored.exit_code == 1);
  BOOST_TEST(says(explored.err, "handler calls of classic: number 3"), explored.err);
  const Finished ran = run_watchlab({"run", two, "--machine", "0.33"});
  BOOST_TEST(says(ran.out + ran.err, "written for the release that it names"), ran.out + ran.err);
  const Finished again = run_watchlab({"replay", two, "--schedule", schedule_in(explored.err)});
  BOOST_TEST(says(again.out, "with all clients on the machine 0.33"), again.out);
  const TemporaryFolder folder;
  for (const std::string machine : {"classic", "0.33"}) {
    const Finished traced = run_watchlab(
        {"trace", "missed_delete", "--machine", machine, "-o", folder.path(machine + ".jsonl")});
    BOOST_TEST(traced.exit_code == 0, traced.err);
    const Finished drawn = run_watchlab({"draw", two, "--machine", machine, "--view", "pipeline",
                                         "-o", folder.path(machine + ".dot")});
    BOOST_TEST(drawn.exit_code == 0, drawn.err);
  }
  BOOST_TEST(
      run_watchlab({"diff", folder.path("classic.jsonl"), folder.path("0.33.jsonl")}).exit_code ==
      1);
  BOOST_TEST(read_whole(folder.path("classic.dot")) != read_whole(folder.path("0.33.dot")));
  for (const char* command : {"explore", "trace", "draw"}) {
    const Finished refused = run_watchlab({command, "missed_delete", "--machine", "0.3"});
    BOOST_TEST(refused.exit_code == 2);
    BOOST_TEST(says(refused.err, "0.33"), refused.err);
  }
}

BOOST_AUTO_TEST_CASE(a_schedule_of_one_machine_is_not_played_on_another) {
  const TemporaryFolder folder;
  const std::string file = folder.path("classic.jsonl");
  BOOST_TEST(run_watchlab({"trace", "missed_delete", "-o", file}).exit_code == 0);
  const std::string traced = read_whole(file);
  const std::size_t at = traced.find("w1:");
  const std::string schedule = traced.substr(at, traced.find('"', at) - at);
  for (const char* command : {"trace", "draw", "report"}) {
    const Finished refused =
        run_watchlab({command, "missed_delete", "--schedule", schedule, "--machine", "0.33"});
    BOOST_TEST(refused.exit_code == 2);
    BOOST_TEST(says(refused.err, "--machine 0.33: the schedule was made on classic"), refused.err);
  }
  for (const char* command : {"replay", "explain", "shrink"}) {
    const Finished refused =
        run_watchlab({command, "missed_delete", "--schedule", schedule, "--machine", "0.33"});
    BOOST_TEST(refused.exit_code == 2);
    BOOST_TEST(says(refused.err, "has no option --machine: the schedule says on which"),
               refused.err);
  }
  const Finished misspelt = run_watchlab({"report", "missed_delete", "--machin", "0.33"});
  BOOST_TEST(says(misspelt.err, "report has no option --machin; did you mean \"--machine\"?"),
             misspelt.err);
}

BOOST_AUTO_TEST_CASE(one_story_of_fuzz_can_be_played_on_all_machines_in_one_run) {
  const std::vector<std::string> fuzz{"fuzz", "--seeds", "1..8", "--schedules", "1", "--machine"};
  const auto fuzz_on = [&](const std::string& machines) {
    std::vector<std::string> words = fuzz;
    words.push_back(machines);
    return run_watchlab(words);
  };
  const Finished both = fuzz_on("classic,0.33");
  BOOST_TEST(both.exit_code == 0, both.err);
  BOOST_TEST(says(both.out, "8 stories, 32 runs"), both.out);
  BOOST_TEST(fuzz_on("all").exit_code == 0);
  const Finished refused = fuzz_on("classic,0.3");
  BOOST_TEST(refused.exit_code == 2);
  BOOST_TEST(says(refused.err, "there is no machine '0.3'"), refused.err);
}

BOOST_AUTO_TEST_SUITE_END()
