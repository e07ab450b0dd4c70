// Explorations in parts, as people and schedulers start them: shards, jobs, Ctrl-C, going on.
#include <signal.h>

#include <algorithm>
#include <boost/json.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "tests/scenarios/cli/process.hpp"

using namespace watchlab::tests;

BOOST_AUTO_TEST_SUITE(campaign_commands_test)

namespace {

boost::json::object only_line(const Finished& finished) {
  return boost::json::parse(finished.out).as_object();
}

/// A client that reads what is there, and no more: some ten thousand runs a second.
const std::string small_story =
    "apiVersion: watchlab/v1\nname: small\nstory: s\nserver: {objects: [{name: demo}]}\n"
    "clients: [{name: x, kind: informer}]\nuntil: {synced: x}\n";

/// Ends with the first of two objects, by when the store of most runs has heard of both.
const std::string hasty_story =
    "apiVersion: watchlab/v1\nname: hasty\nstory: s\nclients: [{name: x, kind: informer}]\n"
    "script: [{create: one}, {create: two}]\nuntil: {handled: {count: 1}}\n"
    "expect: [{store: {exactly: [one, two]}}]\n";

/// The words of a line to paste, without the program.
std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) {
    words.push_back(word);
  }
  words.erase(words.begin());
  return words;
}

/// Where programs that are started meanwhile keep what a later one needs.
class StateHome {
 public:
  explicit StateHome(const std::string& folder) { setenv("XDG_STATE_HOME", folder.c_str(), 1); }
  StateHome(const StateHome&) = delete;
  StateHome& operator=(const StateHome&) = delete;
  ~StateHome() { unsetenv("XDG_STATE_HOME"); }
};

/// How many of a campaign's numbers a line has behind it: "0/1:0-250i" is 250.
std::size_t played_up_to(const boost::json::object& line) {
  const std::string parts = line.at("parts").as_string().c_str();
  return std::stoull(parts.substr(parts.find('-') + 1));
}

std::vector<std::string> explore(const std::string& path, const std::string& strategy,
                                 const std::string& schedules) {
  return {"explore", path, "--strategy", strategy, "--schedules", schedules, "--json"};
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_exploration_that_continues_lists_each_different_failure) {
  const TemporaryFolder folder;
  const std::string path = folder.write("hasty.yaml", hasty_story);
  const Finished words =
      run_watchlab({"explore", path, "--continue", "--schedules", "300", "--strategy", "random"});
  BOOST_TEST(words.exit_code == 1);
  BOOST_TEST(says(words.err, "1 different failure in 300 schedules"), words.err);
  BOOST_TEST(says(words.err, " times, first in schedule "), words.err);
  std::vector<std::string> arguments = explore(path, "random", "300");
  arguments.push_back("--continue");
  const Finished lines = run_watchlab(arguments);
  BOOST_TEST(lines.exit_code == 1);
  std::istringstream in(lines.out);
  std::string line;
  std::getline(in, line);
  BOOST_TEST(boost::json::parse(line).at("executions").to_number<int>() == 300);
  std::size_t failures = 0;
  for (; std::getline(in, line); ++failures) {
    const boost::json::value each = boost::json::parse(line);
    BOOST_TEST(each.at("count").to_number<int>() >= 1);
    const std::string schedule = each.at("schedule").as_string().c_str();
    BOOST_TEST(run_watchlab({"replay", path, "--schedule", schedule}).exit_code == 1);
  }
  BOOST_TEST(failures > 0U);
}

BOOST_AUTO_TEST_CASE(a_scenario_that_was_not_played_has_not_held) {
  const Finished explored = run_watchlab({"explore", "missed_delete", "--time", "1ns"});
  BOOST_TEST(explored.exit_code == 2);
  BOOST_TEST(says(explored.err, "not played  relist/missed_delete"), explored.err);
  BOOST_TEST(says(explored.err, "1 of 1 scenarios were not played"), explored.err);
  BOOST_TEST(!says(explored.out, "held"), explored.out);
  const Finished fuzzed = run_watchlab({"fuzz", "--seeds", "1..50", "--time", "1ns"});
  BOOST_TEST(fuzzed.exit_code == 2);
  BOOST_TEST(says(fuzzed.err, "50 of 50 stories were not played"), fuzzed.err);
}

BOOST_AUTO_TEST_CASE(what_a_range_of_seeds_takes_does_not_depend_on_how_many_they_are) {
  const std::vector<std::pair<std::string, std::string>> ranges{
      {"18446744073709551614..18446744073709551615", "2 of 2"},
      {"1..40000000", "40000000 of 40000000"},
      {"0..18446744073709551615", "18446744073709551615 of 18446744073709551615"}};
  for (const std::string jobs : {"1", "2"}) {
    long of_two_seeds = 0;
    for (const auto& [range, stories] : ranges) {
      const Finished fuzzed =
          run_watchlab({"fuzz", "--seeds", range, "--time", "1ns", "--jobs", jobs});
      BOOST_TEST(fuzzed.exit_code == 2);
      BOOST_TEST(says(fuzzed.err, stories + " stories were not played"), fuzzed.err);
      if (of_two_seeds == 0) {
        of_two_seeds = fuzzed.memory_kilobytes;
      }
      BOOST_TEST(fuzzed.memory_kilobytes < of_two_seeds + 50'000);
    }
  }
}

BOOST_AUTO_TEST_CASE(shards_of_a_range_of_seeds_are_the_whole) {
  std::size_t stories = 0;
  for (const std::string shard : {"0/3", "1/3", "2/3"}) {
    const Finished part = run_watchlab({"fuzz", "--seeds", "7..14", "--shard", shard, "--schedules",
                                        "0", "--jobs", "2", "--keep-large", "--json"});
    const std::size_t last = part.out.rfind('{');
    stories += boost::json::parse(part.out.substr(last)).at("stories").to_number<std::size_t>();
  }
  BOOST_TEST(stories == 8U);
  const Finished none = run_watchlab({"fuzz", "--seeds", "7..8", "--shard", "0/3"});
  BOOST_TEST(says(none.out, "0 stories, 0 runs"), none.out);
}

BOOST_AUTO_TEST_CASE(an_exploration_with_a_time_has_no_other_bound) {
  std::vector<std::string> line{"explore", "slow_handler", "--strategy", "random", "--json"};
  line.insert(line.end(), {"--time", "1s"});
  const boost::json::object timed = only_line(run_watchlab(line));
  BOOST_TEST(timed.at("schedules").to_number<std::size_t>() > 1000U);
  line.insert(line.end(), {"--schedules", "10"});
  BOOST_TEST(only_line(run_watchlab(line)).at("schedules").to_number<std::size_t>() == 10U);
}

BOOST_AUTO_TEST_CASE(shards_put_together_are_the_whole) {
  const TemporaryFolder folder;
  std::vector<std::string> merge{"merge", "--json"};
  for (const std::string shard : {"0/3", "1/3", "2/3"}) {
    std::vector<std::string> part = explore("slow_handler", "random", "200");
    part.insert(part.end(), {"--shard", shard});
    merge.push_back(folder.write(shard.substr(0, 1), run_watchlab(part).out));
  }
  const boost::json::object merged = only_line(run_watchlab(merge));
  const boost::json::object whole =
      only_line(run_watchlab(explore("slow_handler", "random", "200")));
  for (const char* const key : {"executions", "digest", "orders", "unseen", "coverage"}) {
    BOOST_TEST(merged.at(key) == whole.at(key), key);
  }
  BOOST_TEST(only_line(run_watchlab(explore("slow_handler", "random", "199"))).at("digest") !=
             whole.at("digest"));
}

BOOST_AUTO_TEST_CASE(a_shard_that_is_missing_is_named) {
  const TemporaryFolder folder;
  std::vector<std::string> part = explore("slow_handler", "random", "30");
  part.insert(part.end(), {"--shard", "1/3"});
  const std::string path = folder.write("part", run_watchlab(part).out);
  const Finished merged = run_watchlab({"merge", path});
  BOOST_TEST(merged.exit_code == 1);
  BOOST_TEST(says(merged.err, "nothing was received from shard 0/3, 2/3"), merged.err);
}

BOOST_AUTO_TEST_CASE(a_part_that_comes_twice_counts_once) {
  const TemporaryFolder folder;
  const std::string line = run_watchlab(explore("slow_handler", "random", "30")).out;
  const std::string fewer = run_watchlab(explore("slow_handler", "random", "20")).out;
  const Finished merged =
      run_watchlab({"merge", "--json", folder.write("a", fewer + line), folder.write("b", line)});
  BOOST_TEST(only_line(merged).at("executions").to_number<int>() == 30);
}

BOOST_AUTO_TEST_CASE(parts_that_overlap_are_refused) {
  const TemporaryFolder folder;
  std::vector<std::string> half = explore("slow_handler", "random", "30");
  half.insert(half.end(), {"--shard", "1/2"});
  const std::string line = run_watchlab(half).out;
  const std::string whole = run_watchlab(explore("slow_handler", "random", "20")).out;
  const Finished merged =
      run_watchlab({"merge", folder.write("a", line), folder.write("b", whole)});
  BOOST_TEST(merged.exit_code == 2);
  BOOST_TEST(says(merged.err, "have runs in common"), merged.err);
}

BOOST_AUTO_TEST_CASE(merge_refuses_what_explore_has_not_written) {
  const TemporaryFolder folder;
  BOOST_TEST(run_watchlab({"merge", "nowhere.jsonl"}).exit_code == 2);
  const Finished damaged = run_watchlab({"merge", folder.write("a", "{\"coverage\": 7}\n")});
  BOOST_TEST(damaged.exit_code == 2);
  BOOST_TEST(says(damaged.err, "a:1: this is not what explore --json writes"), damaged.err);
  BOOST_TEST(run_watchlab({"merge", folder.write("b", "{}\n")}).exit_code == 2);
}

BOOST_AUTO_TEST_CASE(parts_of_other_options_are_refused_with_both_values) {
  const TemporaryFolder folder;
  std::vector<std::string> part = explore("slow_handler", "random", "30");
  part.insert(part.end(), {"--shard", "1/2"});
  const std::string line = run_watchlab(part).out;
  part.back() = "0/2";
  part.insert(part.end(), {"--early-advances", "2"});
  const std::string other = run_watchlab(part).out;
  const Finished merged =
      run_watchlab({"merge", folder.write("a", line), folder.write("b", other)});
  BOOST_TEST(merged.exit_code == 2);
  BOOST_TEST(says(merged.err, "parts of different explorations: early-advances was 0 and is 2"),
             merged.err);
}

BOOST_AUTO_TEST_CASE(a_changed_bit_of_a_part_is_noticed_wherever_it_is) {
  const TemporaryFolder folder;
  const std::string line = run_watchlab(explore("slow_handler", "random", "3")).out;
  for (std::size_t i = 0; i < 20; ++i) {
    std::string damaged = line;
    char& changed = damaged[i * (line.size() - 1) / 20];
    changed = static_cast<char>(changed ^ 1);
    const Finished merged = run_watchlab({"merge", folder.write("a", damaged)});
    BOOST_TEST(merged.exit_code == 2);
    BOOST_TEST(says(merged.err, "watchlab merge: " + folder.path("a") + ":1: "), merged.err);
  }
}

BOOST_AUTO_TEST_CASE(an_exploration_of_other_options_does_not_continue) {
  const TemporaryFolder folder;
  const StateHome home(folder.path("state"));
  const std::string path = folder.write("small.yaml", small_story);
  std::vector<std::string> line = explore(path, "random", "1000000000");
  line.insert(line.end(), {"--time", "50ms"});
  const boost::json::object stopped = only_line(run_watchlab(line));
  std::vector<std::string> resume = words_of(stopped.at("resume").as_string().c_str());
  resume.insert(resume.end(), {"--early-advances", "1"});
  const Finished refused = run_watchlab(resume);
  BOOST_TEST(refused.exit_code == 2);
  BOOST_TEST(says(refused.err, "it belongs to other options: early-advances was 0 and is 1"),
             refused.err);
}

BOOST_AUTO_TEST_CASE(fuzz_shows_what_it_knows_when_it_is_interrupted_and_continues) {
  const TemporaryFolder folder;
  const StateHome home(folder.path("state"));
  const Finished stopped =
      run_watchlab({"fuzz", "--seeds", "1..100000", "--json"}, {.interrupted = true});
  BOOST_TEST(stopped.exit_code == 130);
  const boost::json::object first = only_line(stopped);
  const auto played = first.at("stories").to_number<std::size_t>();
  BOOST_TEST(played > 0U);
  std::vector<std::string> resume = words_of(first.at("resume").as_string().c_str());
  resume.insert(resume.end(), {"--time", "1ns", "--json"});
  const Finished rest = run_watchlab(resume);
  BOOST_TEST(only_line(rest).at("stories").to_number<std::size_t>() == played);
  resume.insert(resume.end(), {"--strict"});
  const Finished refused = run_watchlab(resume);
  BOOST_TEST(refused.exit_code == 2);
  BOOST_TEST(says(refused.err, "strict was no and is yes"), refused.err);
}

BOOST_AUTO_TEST_CASE(a_place_that_cannot_be_kept_is_reported) {
  const TemporaryFolder folder;
  const StateHome home(folder.write("state", "no folder"));
  const Finished stopped =
      run_watchlab({"explore", "slow_handler", "--time", "50ms", "--schedules", "100000000"});
  BOOST_TEST(stopped.exit_code == 1);
  BOOST_TEST(says(stopped.err, "it cannot continue from there"), stopped.err);
  BOOST_TEST(says(stopped.err, "Not a directory"), stopped.err);
  const std::string from_beginning = "stopped; to continue, from the beginning:\n  ./watchlab ";
  BOOST_TEST(says(stopped.err, from_beginning + "explore slow_handler --time 50ms "), stopped.err);
  const Finished fuzz = run_watchlab({"fuzz", "--seeds", "1..1000000", "--time", "50ms"});
  BOOST_TEST(says(fuzz.err, from_beginning + "fuzz --seeds 1..1000000 "), fuzz.err);
}

BOOST_AUTO_TEST_CASE(of_several_whose_place_cannot_be_kept_one_message_says_so) {
  const TemporaryFolder folder;
  const StateHome home(folder.write("state", "no folder"));
  const Finished stopped = run_watchlab({"explore", "slow_handler", "missed_delete", "--strategy",
                                         "random", "--schedules", "100000000", "--jobs", "2"},
                                        {.interrupted = true});
  BOOST_TEST(stopped.exit_code == 1);
  BOOST_TEST(count_of(stopped.err, "Not a directory") == 1U, stopped.err);
  BOOST_TEST(says(stopped.err, "0 held, 0 failed, "), stopped.err);
  BOOST_TEST(says(stopped.err,
                  "it cannot continue from there\nstopped; to continue, from the beginning:\n  "
                  "./watchlab explore slow_handler missed_delete "),
             stopped.err);
}

BOOST_AUTO_TEST_CASE(merge_keeps_the_first_failure_by_number) {
  const TemporaryFolder folder;
  const std::string path = folder.write(
      "broken.yaml",
      "apiVersion: watchlab/v1\nname: broken\nstory: s\nclients: [{name: x, kind: informer}]\n"
      "script: [{create: demo}]\nexpect: [{store: {exactly: []}}]\n");
  std::vector<std::string> merge{"merge", "--json"};
  for (const std::string shard : {"1/2", "0/2"}) {
    std::vector<std::string> part = explore(path, "random", "10");
    part.insert(part.end(), {"--shard", shard});
    merge.push_back(folder.write(shard.substr(0, 1), run_watchlab(part).out));
  }
  const Finished merged = run_watchlab(merge);
  BOOST_TEST(merged.exit_code == 1);
  BOOST_TEST(only_line(merged).at("failing_run").to_number<int>() == 0);
  BOOST_TEST(says(only_line(merged).at("replay").as_string().c_str(), "replay"));
  merge.erase(merge.begin() + 1);
  BOOST_TEST(says(run_watchlab(merge).err, "; the first failure is in schedule 1\n"));
  BOOST_TEST(says(run_watchlab({"explore", path, "--continue", "--schedules", "5"}).err,
                  " 5 times, first in schedule 1: "));
}

BOOST_AUTO_TEST_CASE(an_interrupt_shows_what_was_learned_and_how_to_continue) {
  const TemporaryFolder folder;
  const StateHome home(folder.path("state"));
  const Finished stopped =
      run_watchlab({"explore", "slow_handler", "--strategy", "random", "--schedules", "100000000"},
                   {.interrupted = true});
  BOOST_TEST(stopped.exit_code == 130);
  BOOST_TEST(says(stopped.out, "the next run shows something new with p"), stopped.out);
  BOOST_TEST(says(stopped.err, "stopped; to continue:\n  ./watchlab explore "), stopped.err);
  BOOST_TEST(says(stopped.err, " --resume "), stopped.err);
}

BOOST_DATA_TEST_CASE(merge_of_what_a_signal_stopped_is_no_success_until_the_rest_is_there,
                     boost::unit_test::data::make({0, SIGTERM}), pending) {
  const TemporaryFolder folder;
  const StateHome home(folder.path("state"));
  const std::string junit = folder.path("junit.xml");
  const Finished stopped =
      run_watchlab(explore(folder.write("small.yaml", small_story), "random", "100000000"),
                   {.interrupted = pending == 0, .pending = pending});
  BOOST_TEST(stopped.exit_code == 130);
  const std::string path = folder.write("a", stopped.out);
  const Finished part = run_watchlab({"merge", path, "--junit", junit});
  BOOST_TEST(part.exit_code == 1, part.out);
  BOOST_TEST(says(part.out, "stopped  "), part.out);
  BOOST_TEST(says(read_whole(junit), "<skipped message=\"a signal came after "));
  const boost::json::object first = only_line(stopped);
  std::vector<std::string> resume = words_of(first.at("resume").as_string().c_str());
  std::replace(resume.begin(), resume.end(), std::string("100000000"),
               std::to_string(played_up_to(first) + 300));
  const std::string rest = folder.write("b", run_watchlab(resume).out);
  const Finished whole = run_watchlab({"merge", path, rest, "--junit", junit});
  BOOST_TEST(whole.exit_code == 0, whole.err);
  BOOST_TEST(!says(read_whole(junit), "<skipped"));
}

/// The files of a folder that end so.
std::size_t files_with(const std::string& folder, const std::string& ending) {
  std::size_t count = 0;
  for (const auto& each : std::filesystem::directory_iterator(folder)) {
    count += each.path().string().ends_with(ending) ? 1 : 0;
  }
  return count;
}

BOOST_DATA_TEST_CASE(a_search_that_was_stopped_begins_again,
                     boost::unit_test::data::make({"dfs", "dpor"}), strategy) {
  const TemporaryFolder folder;
  const StateHome home(folder.path("state"));
  const std::string path = folder.write("small.yaml", small_story);
  const std::vector<std::string> line{"explore", path, "--strategy",  strategy,
                                      "--seed",  "3",  "--schedules", "1000000000"};
  const Finished stopped = run_watchlab(line, {.interrupted = true});
  BOOST_TEST(stopped.exit_code == 130);
  BOOST_TEST(says(stopped.out, " to go"), stopped.out);
  const std::string begin =
      "stopped; " + std::string(strategy) + " cannot continue, and begins again with:\n  ";
  const std::size_t at = stopped.err.find(begin);
  BOOST_TEST_REQUIRE(at != std::string::npos, stopped.err);
  BOOST_TEST(!says(stopped.err, "--resume"), stopped.err);
  BOOST_TEST(!std::filesystem::exists(folder.path("state/watchlab")));
  std::string again = stopped.err.substr(at + begin.size());
  again = again.substr(0, again.find('\n'));
  again.replace(again.find("1000000000"), 10, "20");
  const Finished whole = run_watchlab(words_of(again + " --json"));
  BOOST_TEST(only_line(whole).at("parts") == "0/1:0-20.");
  std::vector<std::string> json = line;
  json.insert(json.end(), {"--time", "50ms", "--json"});
  const boost::json::object in_time = only_line(run_watchlab(json));
  BOOST_TEST(in_time.at("interrupted").as_bool());
  BOOST_TEST(!in_time.contains("resume"));
}

BOOST_DATA_TEST_CASE(several_that_a_signal_stops_continue_by_one_line,
                     boost::unit_test::data::make({"random", "dfs"}), strategy) {
  const bool is_search = strategy == std::string("dfs");
  const TemporaryFolder folder;
  const StateHome home(folder.path("state"));
  std::filesystem::create_directory(folder.path("stories"));
  for (const std::string name : {"a", "b", "c"}) {
    std::string story = small_story;
    story.replace(story.find("name: small"), 11, "name: " + name);
    folder.write("stories/" + name + ".yaml", story);
  }
  const std::string many = "100000000";
  const std::string junit = folder.path("junit.xml");
  const Finished stopped = run_watchlab({"explore", folder.path("stories"), "--strategy", strategy,
                                         "--schedules", many, "--seed", "3", "--junit", junit},
                                        {.interrupted = true});
  BOOST_TEST(stopped.exit_code == 130);
  const std::string begin =
      is_search ? "to continue (searches by dfs and dpor begin again):\n  " : "to continue:\n  ";
  const std::size_t at = stopped.err.find(begin);
  BOOST_TEST_REQUIRE(at != std::string::npos, stopped.err);
  BOOST_TEST(stopped.err.find("\n  ./watchlab", at + begin.size()) == std::string::npos,
             stopped.err);
  BOOST_TEST(says(stopped.err, "0 held, 0 failed, 1 stopped, 2 not begun"), stopped.err);
  const std::string results = read_whole(junit);
  BOOST_TEST(says(results, "tests=\"3\" failures=\"0\""), results);
  BOOST_TEST(count_of(results, "<skipped message=\"a signal came after ") == 1U, results);
  BOOST_TEST(count_of(results, "<skipped message=\"the call ended before it was played\"") == 2U,
             results);
  BOOST_TEST(files_with(folder.path("state/watchlab"), ".resume") == (is_search ? 0U : 1U));
  std::string line = stopped.err.substr(at + begin.size());
  line = line.substr(0, line.find('\n'));
  BOOST_TEST(says(line, " --seed 3 "), line);
  line.replace(line.find(many), many.size(), "20");
  const Finished rest = run_watchlab(words_of(line));
  BOOST_TEST(rest.exit_code == 0, rest.err);
  for (const std::string name : {"/a ", "/b ", "/c "}) {
    BOOST_TEST(says(rest.out, name), rest.out);
  }
  BOOST_TEST(says(read_whole(junit), "tests=\"3\" failures=\"0\""));
  BOOST_TEST(!says(read_whole(junit), "<skipped"));
  BOOST_TEST(std::filesystem::is_empty(folder.path("state/watchlab")));
}

BOOST_AUTO_TEST_CASE(several_have_one_line_to_continue_whatever_an_earlier_call_has_left) {
  const TemporaryFolder folder;
  const StateHome home(folder.path("state"));
  std::filesystem::create_directory(folder.path("stories"));
  for (const std::string name : {"a", "b"}) {
    std::string story = small_story;
    story.replace(story.find("name: small"), 11, "name: " + name);
    folder.write("stories/" + name + ".yaml", story);
  }
  const std::vector<std::string> call{"explore", folder.path("stories"), "--strategy",
                                      "random",  "--schedules",          "100000000"};
  const Finished before = run_watchlab(call, {.interrupted = true});
  BOOST_TEST(says(before.err, "1 stopped"), before.err);
  const Finished stopped = run_watchlab(call, {.interrupted = true});
  BOOST_TEST(stopped.exit_code == 130);
  const std::size_t at = stopped.err.find("to continue");
  BOOST_TEST_REQUIRE(at != std::string::npos, stopped.err);
  BOOST_TEST(stopped.err.find("to continue", at + 1) == std::string::npos, stopped.err);
}

BOOST_DATA_TEST_CASE(lines_of_json_end_with_a_summary_and_the_line_to_continue_after_a_signal,
                     boost::unit_test::data::make({SIGINT, SIGTERM, SIGHUP}), signal) {
  const TemporaryFolder folder;
  const StateHome home(folder.path("state"));
  std::filesystem::create_directory(folder.path("stories"));
  for (const std::string name : {"a", "b"}) {
    std::string story = small_story;
    story.replace(story.find("name: small"), 11, "name: " + name);
    folder.write("stories/" + name + ".yaml", story);
  }
  for (const std::string path : {"stories", "stories/a.yaml"}) {
    const Finished stopped = run_watchlab(
        {"explore", folder.path(path), "--strategy", "random", "--schedules", "20", "--json"},
        {.pending = signal});
    BOOST_TEST(stopped.exit_code == 130, stopped.err);
    const bool is_one = path.ends_with(".yaml");
    const std::size_t last = stopped.out.rfind('\n', stopped.out.size() - 2) + 1;  // of npos 0
    const boost::json::object summary = boost::json::parse(stopped.out.substr(last)).as_object();
    if (is_one) {
      BOOST_TEST(summary.at("interrupted").as_bool());
    } else {
      BOOST_TEST(summary.at("stories") == 2);
      BOOST_TEST(summary.at("stories_held") == 0);
      BOOST_TEST(summary.at("stories_stopped") == 0);
      BOOST_TEST(summary.at("stories_not_begun") == 2);
    }
    const std::string line = summary.at("resume").as_string().c_str();
    BOOST_TEST(says(stopped.err, "to continue:\n  " + line + "\n"), stopped.err);
    const Finished rest = run_watchlab(words_of(line));
    BOOST_TEST(rest.exit_code == 0, rest.err);
    BOOST_TEST(count_of(rest.out, "\"executions\":20,") == (is_one ? 1U : 2U), rest.out);
  }
}

BOOST_AUTO_TEST_CASE(one_line_in_two_folders_keeps_two_places_to_continue_from) {
  const TemporaryFolder folder;
  const StateHome home(folder.path("state"));
  for (const std::string project : {"one", "two"}) {
    std::filesystem::create_directories(folder.path(project + "/stories"));
    for (const std::string name : {"a", "b"}) {
      std::string story = small_story;
      story.replace(story.find("name: small"), 11, "name: " + name);
      folder.write(project + "/stories/" + name + ".yaml", story);
    }
    const Finished stopped =
        run_watchlab({"explore", "stories", "--strategy", "random", "--schedules", "100000000"},
                     {.folder = folder.path(project), .interrupted = true});
    BOOST_TEST(stopped.exit_code == 130);
  }
  BOOST_TEST(files_with(folder.path("state/watchlab"), ".stories") == 2U);
}

BOOST_AUTO_TEST_CASE(several_continue_only_from_what_several_have_left) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.yaml", small_story);
  const Finished refused =
      run_watchlab({"explore", path, "missed_delete", "--resume", folder.write("other", "{}\n")});
  BOOST_TEST(refused.exit_code == 2);
  BOOST_TEST(says(refused.err, folder.path("other")), refused.err);
}

BOOST_AUTO_TEST_CASE(commands_take_the_last_failure_without_its_schedule) {
  const TemporaryFolder folder;
  const StateHome home(folder.path("state"));
  const std::string path = folder.write("hasty.yaml", hasty_story);
  const Finished unknown = run_watchlab({"shrink", path});
  BOOST_TEST(unknown.exit_code == 2);
  BOOST_TEST(says(unknown.err, "no failure of it is on record here"), unknown.err);
  const Finished found = run_watchlab({"explore", path, "--strategy", "random"});
  BOOST_TEST(found.exit_code == 1);
  const std::string offer = "shrink it: ./watchlab shrink " + path + " --schedule @" +
                            folder.path("state/watchlab/failures/hasty.");
  BOOST_TEST(says(found.err, offer), found.err);
  for (const std::string command : {"shrink", "explain"}) {
    const Finished taken = run_watchlab({command, path});
    BOOST_TEST(taken.exit_code == 1, taken.err);
    BOOST_TEST(says(taken.err, "playing the last failure that was found, kept in " +
                                   folder.path("state/watchlab/failures/hasty.")),
               taken.err);
  }
  const Finished shrunk = run_watchlab({"shrink", path});
  BOOST_TEST(says(shrunk.err, "explain it: ./watchlab explain " + path), shrunk.err);
  BOOST_TEST(says(shrunk.err, " deviations from fifo became "), shrunk.err);
  const std::string shortest = shrunk.out.substr(0, shrunk.out.find('\n'));
  BOOST_TEST(says(run_watchlab({"explain", path}).out, "Schedule: " + shortest + "\n"));
  const std::string page = folder.path("page.json");
  BOOST_TEST(run_watchlab({"report", path, "-o", page}).exit_code == 0);
  BOOST_TEST(says(read_whole(page), "\"held\":false"));
  BOOST_TEST(run_watchlab({"report", path, "--schedule", "default", "-o", page}).exit_code == 0);
  BOOST_TEST(says(read_whole(page), "\"held\":true"));
  BOOST_TEST(says(run_watchlab({"draw", path, "-o", folder.path("p.svg")}).err, "last failure"));
  // Another story of that name, and this one when it has changed, have none.
  std::filesystem::create_directory(folder.path("other"));
  BOOST_TEST(run_watchlab({"shrink", folder.write("other/hasty.yaml", hasty_story)}).exit_code ==
             2);
  std::string changed = hasty_story;
  changed.replace(changed.find("create: two"), 11, "create: tow");
  folder.write("hasty.yaml", changed);
  BOOST_TEST(run_watchlab({"shrink", path}).exit_code == 2);
}

BOOST_DATA_TEST_CASE(a_campaign_that_continues_repeats_nothing_and_leaves_nothing_out,
                     boost::unit_test::data::make({"random", "pct", "random"}) ^
                         boost::unit_test::data::make({"1", "1", "2"}),
                     strategy, jobs) {
  const TemporaryFolder folder;
  const std::string path = folder.write("small.yaml", small_story);
  std::vector<std::string> line = explore(path, strategy, "1000000000");
  line.insert(line.end(), {"--jobs", jobs});
  const StateHome home(folder.path("state"));
  const Finished stopped = run_watchlab(line, {.folder = folder.path(""), .interrupted = true});
  BOOST_TEST(stopped.exit_code == 130);
  const boost::json::object first = only_line(stopped);
  BOOST_TEST(first.at("executions").to_number<std::size_t>() > 0U);
  const std::string total = std::to_string(played_up_to(first) + 300);
  std::vector<std::string> resume = words_of(first.at("resume").as_string().c_str());
  std::replace(resume.begin(), resume.end(), std::string("1000000000"), total);
  resume.emplace_back("--json");
  const Finished rest = run_watchlab(resume, {.folder = folder.path("")});
  BOOST_TEST(std::filesystem::is_empty(folder.path("state/watchlab")));  // all of it is told
  const boost::json::object merged = only_line(run_watchlab(
      {"merge", "--json", folder.write("a", stopped.out), folder.write("b", rest.out)}));
  const boost::json::object whole = only_line(run_watchlab(explore(path, strategy, total)));
  BOOST_TEST(merged.at("executions") == whole.at("executions"));
  BOOST_TEST(merged.at("coverage") == whole.at("coverage"));
  BOOST_TEST(merged.at("digest") == whole.at("digest"));
}

BOOST_AUTO_TEST_CASE(an_exploration_that_stops_leaves_nothing_in_the_current_folder) {
  const TemporaryFolder folder;
  const std::string path = folder.write("small.yaml", small_story);
  const StateHome home(folder.path("state"));
  std::filesystem::create_directory(folder.path("here"));
  std::vector<std::string> line = explore(path, "random", "1000000000");
  line.insert(line.end(), {"--time", "50ms"});
  const boost::json::object stopped =
      only_line(run_watchlab(line, {.folder = folder.path("here")}));
  BOOST_TEST(std::filesystem::is_empty(folder.path("here")));
  const std::string written = words_of(stopped.at("resume").as_string().c_str()).back();
  BOOST_TEST(written.starts_with(folder.path("state/watchlab/small.random.0of1.")));
  BOOST_TEST(std::filesystem::exists(written));
}

BOOST_AUTO_TEST_CASE(a_failure_comes_with_what_makes_the_difference) {
  const TemporaryFolder folder;
  const std::string path = folder.write("hasty.yaml", hasty_story);
  BOOST_TEST(run_watchlab({"run", path}).exit_code == 0);
  const Finished found = run_watchlab({"explore", path});
  BOOST_TEST(found.exit_code == 1);
  BOOST_TEST(says(found.err, "\nWhat makes the difference:\n  step "), found.err);
  BOOST_TEST(says(found.err, "main/x write-locks shared mutex 'store' (thread_safe_store.cpp:"),
             found.err);
  BOOST_TEST(
      says(found.err, "The other way round, and all else alike, the run passes.\nreplay it: "),
      found.err);
}

BOOST_AUTO_TEST_CASE(options_that_make_no_sense_are_refused) {
  for (const std::vector<std::string>& wrong :
       std::vector<std::vector<std::string>>{{"--shard", "4/4"},
                                             {"--until-unseen", "often"},
                                             {"--strategy", "dpor", "--shard", "0/2"},
                                             {"--strategy", "dfs", "--resume", "nowhere"},
                                             {"--strategy", "random", "--resume", "nowhere"},
                                             {"--memory", "ra"},
                                             {"--from", "5", "--resume", "nowhere"}}) {
    std::vector<std::string> line{"explore", "slow_handler"};
    line.insert(line.end(), wrong.begin(), wrong.end());
    const Finished finished = run_watchlab(line);
    BOOST_TEST(finished.exit_code == 2, wrong.back());
    BOOST_TEST(says(finished.err, "watchlab explore: "), finished.err);
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_duration_is_refused_by_its_option) {
  for (const std::string option : {"--save-every", "--time"}) {
    for (const std::string command : {"explore", "fuzz"}) {
      const Finished finished = run_watchlab({command, option, "often"});
      BOOST_TEST(finished.exit_code == 2);
      BOOST_TEST(says(finished.err, option + ": 'often' is no duration; expected"), finished.err);
    }
  }
}

/// The worker reads the cache before the first child is in it. The reflector's wait is not a step
/// of its own, so no step is named for it: the next one at that line is the end of the client.
BOOST_AUTO_TEST_CASE(what_makes_the_difference_is_no_step_from_long_after_the_failure) {
  const TemporaryFolder folder;
  const std::string path = folder.write(
      "twice_made.yaml",
      "apiVersion: watchlab/v1\nname: twice_made\nstory: s\nclients:\n"
      "  - {name: web_controller, kind: controller, reconcile: replicas_from_cache, workers: 1}\n"
      "script:\n  - when: {watching: web_controller}\n    after: 1s\n"
      "    create: {name: web, data: {replicas: \"1\"}}\n  - after: 2ms\n"
      "    update: {name: web, data: {replicas: \"1\", color: red}}\n"
      "expect: [{objects: {exactly: [web, web-1]}}]\n");
  const std::string schedule =
      "w1:3bdb45372a197b34:b95ad0ecb23e3698:main/web_controller-worker0,main/"
      "web_controller-worker0/"
      "@5timer#2,main/web_controller/reflector/watch%20web_controller,main/web_controller/"
      "reflector:"
      "0.24-1,2.21-3:014494ae";
  const std::string text =
      run_watchlab({"explain", path, "--schedule", schedule, "--endings", "0"}).out;
  BOOST_TEST(says(text, "'watch_events' (reflector_stream.cpp:119); it waits there."), text);
  BOOST_TEST(says(text, "ADDED default/web-1"), text);
  BOOST_TEST(!says(text, "66.009s"), text);
}

BOOST_AUTO_TEST_CASE(a_file_in_place_of_a_schedule_and_a_quoted_one_are_understood) {
  const TemporaryFolder folder;
  const std::string bare = folder.write("s.txt", "'w1:c65b72f969100994:1:::b6af7c80'\n");
  const Finished file = run_watchlab({"replay", "missed_delete", "--schedule", bare});
  BOOST_TEST(file.exit_code == 2);
  BOOST_TEST(says(file.err, "is a file, not a schedule; expected @" + bare), file.err);
  BOOST_TEST(run_watchlab({"replay", "missed_delete", "--schedule", "@" + bare}).exit_code == 0);
}

BOOST_AUTO_TEST_SUITE_END()
