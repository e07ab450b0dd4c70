#include <boost/json.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/language/catalogue.hpp"
#include "tests/scenarios/cli/process.hpp"

using namespace watchlab::tests;

BOOST_AUTO_TEST_SUITE(commands_test)

namespace {

/// A story whose expectation is wrong.
const std::string broken_story =
    "apiVersion: watchlab/v1\nname: broken\nstory: s\nclients: [{name: x, kind: informer}]\n"
    "script: [{create: demo}]\nexpect: [{store: {exactly: []}}]\n";

std::vector<boost::json::value> json_lines(const std::string& text) {
  std::vector<boost::json::value> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    lines.push_back(boost::json::parse(line));
  }
  return lines;
}

/// The schedule in the line that a failure prints.
std::string schedule_in(const std::string& text) {
  const std::size_t begin = text.find("--schedule '") + 12;
  return text.substr(begin, text.find('\'', begin) - begin);
}

const std::vector<std::string> commands{"run",    "explain",      "explore", "replay",   "digest",
                                        "draw",   "trace",        "diff",    "validate", "list",
                                        "show",   "new",          "schema",  "merge",    "report",
                                        "branch", "serve-report", "migrate"};

}  // namespace

BOOST_DATA_TEST_CASE(each_command_explains_itself_with_examples, commands, command) {
  const Finished finished = run_watchlab({command, "--help"});
  BOOST_TEST(finished.exit_code == 0);
  BOOST_TEST(says(finished.out, "Examples:\n  ./watchlab " + command), finished.out);
}

BOOST_AUTO_TEST_CASE(the_program_says_its_version) {
  const Finished finished = run_watchlab({"--version"});
  BOOST_TEST(finished.exit_code == 0);
  BOOST_TEST(finished.out.starts_with("watchlab 0."), finished.out);
}

// The action of GitHub asks for a command where that is "serve" or "go test".
BOOST_AUTO_TEST_CASE(list_says_what_plays_a_story) {
  const TemporaryFolder folder;
  const std::vector<std::pair<std::string, std::string>> clients{
      {"kind: informer", "run"},
      {"kind: external", "serve"},
      {"kind: go", "go test"},
      {"kind: go, run: [go, test, .]", "run"}};
  for (const auto& [client, by] : clients) {
    const std::string story = folder.write(
        "mine.yaml",
        "apiVersion: watchlab/v1\nname: mine\nstory: s\nclients: [{name: a, " + client + "}]\n");
    const Finished listed = run_watchlab({"list", "--json", story});
    BOOST_TEST(says(listed.out, "\"plays\":\"" + by + "\""), listed.out + listed.err);
  }
}

BOOST_AUTO_TEST_CASE(a_file_without_its_ending_is_named_with_it) {
  const TemporaryFolder folder;
  const std::string story = folder.write("mine.yaml", broken_story);
  const Finished finished = run_watchlab({"run", folder.path("mine")});
  BOOST_TEST(finished.exit_code == 2);
  BOOST_TEST(says(finished.err, "did you mean \"" + story + "\"?"), finished.err);
}

BOOST_AUTO_TEST_CASE(no_output_takes_the_place_of_another_or_of_an_input) {
  const TemporaryFolder folder;
  const std::string story = folder.write("broken.yaml", broken_story);
  const std::string out = folder.path("out");
  const std::string same = folder.path("none/../out");
  const auto refuses = [&](const std::vector<std::string>& words, const std::string& why) {
    const Finished finished = run_watchlab(words);
    BOOST_TEST(finished.exit_code == 2, finished.err);
    BOOST_TEST(says(finished.err, why), finished.err);
    BOOST_TEST(!std::filesystem::exists(out));
  };
  refuses({"run", story, "--junit", same, "--transcript", out},
          same + ": --transcript and --junit would both write it; expected a file for each");
  refuses({"serve", "--kubeconfig", out, "--record", out, "--", "true"}, "would both write it");
  refuses({"run", story, "--junit", story}, story + ": this is the input");
  refuses({"run", story, "--junit", ""}, "--junit: the name is empty; expected that of a file");
  refuses({"report", story, "-o", ""}, "-o: the name is empty; expected that of a file");
  for (const std::string call :
       {"run @ --junit", "run @ --transcript", "serve @ --record", "serve @ --kubeconfig",
        "branch @ --take 1=0 -o", "shrink @ --schedule default --story", "fuzz --out"}) {
    std::vector<std::string> words;
    std::istringstream in(call);
    for (std::string word; in >> word;) {
      words.push_back(word == "@" ? story : word);
    }
    words.emplace_back("-");
    refuses(words, ": - is standard output, where something else is printed; expected the name");
  }
  BOOST_TEST(read_whole(story) == broken_story);
  // Nothing is lost of what goes where nothing is kept.
  BOOST_TEST(
      run_watchlab({"run", story, "--junit", "/dev/null", "--transcript", "/dev/null"}).exit_code ==
      1);
}

BOOST_AUTO_TEST_CASE(run_finds_scenarios_and_pieces_of_the_museum_by_name) {
  BOOST_TEST(says(run_watchlab({"run", "missed_delete"}).out, "relist/missed_delete"));
  BOOST_TEST(says(run_watchlab({"run", "ghost_after_relist"}).out, "ghost_after_relist"));
  BOOST_TEST(run_watchlab({"run", "no_such_scenario"}).exit_code == 2);
  for (const std::string command : {"run", "explore", "validate", "digest", "explain"}) {
    BOOST_TEST(says(run_watchlab({command, "mised_delete"}).err, "did you mean \"missed_delete\"?"),
               command);
  }
  BOOST_TEST(run_watchlab({"validate", "missed_delete"}).exit_code == 0);
}

BOOST_AUTO_TEST_CASE(explain_prints_json_whether_the_run_holds_or_not) {
  const TemporaryFolder folder;
  const std::string path = folder.write("broken.yaml", broken_story);
  const Finished broken = run_watchlab({"explain", path, "--json", "--endings", "0"});
  BOOST_TEST(broken.exit_code == 1);
  const auto lines = json_lines(broken.out);
  BOOST_REQUIRE(lines.size() == 1U);
  BOOST_TEST(lines[0].at("held").as_bool() == false);
  BOOST_TEST(lines[0].at("explanation").is_string());
  const auto held = json_lines(run_watchlab({"explain", "missed_delete", "--json"}).out);
  BOOST_REQUIRE(held.size() == 1U);
  BOOST_TEST(held[0].at("held").as_bool());
}

BOOST_AUTO_TEST_CASE(bad_usage_exits_with_two) {
  BOOST_TEST(run_watchlab({}).exit_code == 2);
  BOOST_TEST(run_watchlab({"fly"}).exit_code == 2);
  BOOST_TEST(run_watchlab({"run"}).exit_code == 2);
  BOOST_TEST(run_watchlab({"run", "scenarios", "--colour"}).exit_code == 2);
  BOOST_TEST(run_watchlab({"explore", "missed_delete", "--strategy", "luck"}).exit_code == 2);
  BOOST_TEST(run_watchlab({"explore", "missed_delete", "--schedules", "-1"}).exit_code == 2);
  BOOST_TEST(run_watchlab({"explore", "missed_delete", "--time", "soon"}).exit_code == 2);
}

BOOST_AUTO_TEST_CASE(run_shows_a_line_each_and_a_summary) {
  const Finished finished = run_watchlab({"run", "scenarios/basics"});
  BOOST_TEST(finished.exit_code == 0);
  BOOST_TEST(says(finished.out, "held  basics/configmap_life"), finished.out);
  BOOST_TEST(says(finished.out, " held, 0 failed, in "), finished.out);
}

BOOST_AUTO_TEST_CASE(run_prints_what_the_tutorial_prints) {
  const Finished finished = run_watchlab({"run", "scenarios/basics/configmap_life.yaml"});
  BOOST_TEST(says(finished.out,
                  "prints: Added: demo\n      tutorial prints: Added: demo2\n"
                  "      tutorial prints: Deleted: demo2\n"
                  "      tutorial prints: Deleted: demo\n"),
             finished.out);
}

BOOST_AUTO_TEST_CASE(a_failure_prints_its_message_ten_steps_and_a_line_that_replays_it) {
  const TemporaryFolder folder;
  const std::string path = folder.write("broken.yaml", broken_story);
  const Finished found = run_watchlab({"run", path});
  BOOST_TEST(found.exit_code == 1);
  BOOST_TEST(says(found.err, "violation: " + path + ":6: store: "), found.err);
  BOOST_TEST(says(found.err, "10 of "), found.err);
  BOOST_TEST(says(found.err, "replay it: ./watchlab replay " + path + " --schedule 'w1:"),
             found.err);
  const Finished again = run_watchlab({"replay", path, "--schedule", schedule_in(found.err)});
  BOOST_TEST(again.exit_code == 1);
  BOOST_TEST(says(again.err, "violation: " + path + ":6: store: "), again.err);
}

BOOST_AUTO_TEST_CASE(explore_finds_a_failure_that_replays) {
  const TemporaryFolder folder;
  const std::string path = folder.write("broken.yaml", broken_story);
  const Finished found =
      run_watchlab({"explore", path, "--strategy", "random", "--schedules", "10"});
  BOOST_TEST(found.exit_code == 1);
  const Finished again = run_watchlab({"replay", path, "--schedule", schedule_in(found.err)});
  BOOST_TEST(again.exit_code == 1);
  BOOST_TEST(says(again.err, "store: "), again.err);
}

BOOST_AUTO_TEST_CASE(replay_reads_a_schedule_from_a_file) {
  const TemporaryFolder folder;
  const std::string path = folder.write("broken.yaml", broken_story);
  const std::string schedule = schedule_in(run_watchlab({"run", path}).err);
  const std::string file = folder.write("schedule.txt", schedule + "\n");
  BOOST_TEST(run_watchlab({"replay", path, "--schedule", "@" + file}).exit_code == 1);
}

BOOST_AUTO_TEST_CASE(replay_refuses_what_is_no_schedule_for_the_scenario) {
  const TemporaryFolder folder;
  const std::string path = folder.write("broken.yaml", broken_story);
  const std::string schedule = schedule_in(run_watchlab({"run", path}).err);
  const std::vector<std::string> refused{"", "banana", "w9" + schedule.substr(2),
                                         schedule.substr(0, schedule.size() / 2), "@nowhere"};
  for (const std::string& text : refused) {
    const Finished finished = run_watchlab({"replay", path, "--schedule", text});
    BOOST_TEST(finished.exit_code == 2, text);
    BOOST_TEST(!finished.err.empty(), text);
  }
  const Finished other = run_watchlab({"replay", "missed_delete", "--schedule", schedule});
  BOOST_TEST(other.exit_code == 2);
  BOOST_TEST(says(other.err, "made for another scenario"), other.err);
}

BOOST_AUTO_TEST_CASE(what_fails_on_the_wire_is_replayed_explained_and_made_smaller_there) {
  const TemporaryFolder folder;
  const std::string path = folder.write("broken.yaml", broken_story);
  const Finished failed = run_watchlab({"run", path, "--transport", "wire"});
  BOOST_TEST(failed.exit_code == 1);
  const std::string schedule = schedule_in(failed.err);
  const Finished again = run_watchlab({"replay", path, "--schedule", schedule});
  BOOST_TEST(again.exit_code == 1);
  BOOST_TEST(says(again.out, "made on the wire transport"), again.out);
  BOOST_TEST(run_watchlab({"explain", path, "--schedule", schedule, "--endings", "0"}).exit_code ==
             1);
  const std::string smaller = folder.path("smaller.yaml");
  BOOST_TEST(run_watchlab({"shrink", path, "--schedule", schedule, "--story", smaller}).exit_code ==
             1);
  BOOST_TEST(run_watchlab({"run", smaller}).exit_code == 1);
  const Finished refused =
      run_watchlab({"run", path, "--transport", "wire", "--transcript", folder.path("t.json")});
  BOOST_TEST(refused.exit_code == 2);
}

BOOST_AUTO_TEST_CASE(json_is_a_line_each) {
  const Finished finished = run_watchlab({"run", "scenarios/basics", "--json"});
  const auto lines = json_lines(finished.out);
  BOOST_TEST(lines.size() >= 3U);
  BOOST_TEST(lines.at(0).at("name").as_string() == "basics/configmap_life");
  BOOST_TEST(lines.at(0).at("held").as_bool());
  BOOST_TEST(lines.at(0).at("digest").as_string().size() == 16U);
}

BOOST_AUTO_TEST_CASE(json_of_a_failure_has_what_replays_it) {
  const TemporaryFolder folder;
  const Finished finished =
      run_watchlab({"run", "--json", folder.write("broken.yaml", broken_story)});
  const boost::json::value line = json_lines(finished.out).at(0);
  BOOST_TEST(!line.at("held").as_bool());
  BOOST_TEST(line.at("kind").as_string() == "violation");
  BOOST_TEST(says(line.at("replay").as_string().c_str(), "--schedule"));
}

BOOST_AUTO_TEST_CASE(json_of_a_shrunk_schedule_has_what_replays_it) {
  const TemporaryFolder folder;
  const std::string path = folder.write("broken.yaml", broken_story);
  const std::string smaller = folder.path("smaller.yaml");
  const Finished finished =
      run_watchlab({"shrink", path, "--schedule", "default", "--story", smaller, "--json"});
  BOOST_TEST(finished.exit_code == 1);
  const boost::json::value line = json_lines(finished.out).at(0);
  BOOST_TEST(line.at("kind").as_string() == "violation");
  BOOST_TEST(line.at("deviations").to_number<int>() == 0);
  for (const auto& [file, of] : {std::pair{path, line}, std::pair{smaller, line.at("story")}}) {
    const std::string schedule = of.at("schedule").as_string().c_str();
    BOOST_TEST(run_watchlab({"replay", file, "--schedule", schedule}).exit_code == 1, schedule);
  }
}

BOOST_AUTO_TEST_CASE(a_fault_that_never_fired_is_reported_and_fails_when_strict) {
  const TemporaryFolder folder;
  const std::string path = folder.write("idle.yaml",
                                        "apiVersion: watchlab/v1\nname: idle\nstory: s\n"
                                        "clients: [{name: informer, kind: informer}]\n"
                                        "script: [{at: 5s, fault: {fail_list: {answer: gone}}}]\n");
  const std::string sentence = path + ":5: the fault 'fail_list' never fired";
  const std::string junit = folder.path("results.xml");
  const Finished lenient = run_watchlab({"run", path, "--junit", junit});
  BOOST_TEST(lenient.exit_code == 0);
  BOOST_TEST(says(lenient.out, sentence), lenient.out);
  BOOST_TEST(says(lenient.out, "1 held, 0 failed, in "), lenient.out);
  BOOST_TEST(says(lenient.out, "s; 1 fault never fired\n"), lenient.out);
  BOOST_TEST(says(read_whole(junit), "never fired</system-out>"));
  BOOST_TEST(says(read_whole(junit), "failures=\"0\""));
  const Finished strict = run_watchlab({"run", path, "--strict", "--junit", junit});
  BOOST_TEST(strict.exit_code == 1);
  BOOST_TEST(says(strict.err, sentence), strict.err);
  BOOST_TEST(says(strict.out, "0 held, 1 failed, in "), strict.out);
  BOOST_TEST(says(read_whole(junit), "<failure type=\"unfired fault\" message=\""));
  for (const bool is_strict : {false, true}) {
    std::vector<std::string> arguments{"run", "--json", path};
    if (is_strict) {
      arguments.emplace_back("--strict");
    }
    const boost::json::value line = json_lines(run_watchlab(arguments).out).at(0);
    BOOST_TEST(line.at("held").as_bool() == !is_strict);
    BOOST_TEST(line.at("unfired_faults").as_array().at(0).as_string() == sentence);
  }
  BOOST_TEST(run_watchlab({"run", "scenarios/relist", "--strict"}).exit_code == 0);
  BOOST_TEST(run_watchlab({"run", path, "--strict", "--transport", "both"}).exit_code == 1);
}

BOOST_AUTO_TEST_CASE(both_transports_are_compared_of_a_story_that_holds_only) {
  const TemporaryFolder folder;
  const Finished fails =
      run_watchlab({"run", folder.write("broken.yaml", broken_story), "--transport", "both"});
  BOOST_TEST(fails.exit_code == 1);
  BOOST_TEST(says(fails.out, "0 held, 1 failed"), fails.out);
  const auto line = [](const std::string& transport) {
    return json_lines(
               run_watchlab({"run", "--json", "missed_delete", "--transport", transport}).out)
        .at(0);
  };
  BOOST_TEST(line("both").at("held").as_bool());
  BOOST_TEST(line("both").at("steps").to_number<int>() > 0);
  BOOST_TEST(line("both").at("steps") == line("direct").at("steps"));
}

BOOST_AUTO_TEST_CASE(a_junit_file_that_cannot_be_written_is_an_error) {
  BOOST_TEST(
      run_watchlab({"run", "scenarios/basics", "--junit", "/nowhere/at/all.xml"}).exit_code == 2);
}

BOOST_AUTO_TEST_CASE(quiet_says_nothing_when_all_held) {
  const Finished finished = run_watchlab({"run", "scenarios", "--quiet"});
  BOOST_TEST(finished.out == "");
  BOOST_TEST(finished.err == "");
}

BOOST_AUTO_TEST_CASE(a_pipe_gets_neither_colours_nor_progress) {
  const Finished finished = run_watchlab({"run", "scenarios"});
  BOOST_TEST(!says(finished.out, "\033"));
  BOOST_TEST(finished.err == "");
}

BOOST_AUTO_TEST_CASE(digests_are_the_same_twice_and_with_any_number_of_jobs) {
  const Finished once = run_watchlab({"digest", "scenarios"});
  const Finished twice = run_watchlab({"digest", "scenarios", "--jobs", "2"});
  BOOST_TEST(once.exit_code == 0);
  BOOST_TEST(once.out == twice.out);
  BOOST_TEST(says(once.out, "  relist/missed_delete\n"), once.out);
}

BOOST_AUTO_TEST_CASE(list_and_show_know_the_catalogue) {
  BOOST_TEST(says(run_watchlab({"list"}).out, "relist/missed_delete"));
  BOOST_TEST(says(run_watchlab({"show", "missed_delete"}).out, "name: missed_delete"));
  const Finished misspelt = run_watchlab({"show", "mised_delete"});
  BOOST_TEST(misspelt.exit_code == 2);
  BOOST_TEST(says(misspelt.err, "did you mean \"missed_delete\"?"), misspelt.err);
}

BOOST_AUTO_TEST_CASE(new_writes_a_story_that_holds) {
  const TemporaryFolder folder;
  const std::string path = folder.path("fresh.yaml");
  BOOST_TEST(run_watchlab({"new", path}).exit_code == 0);
  BOOST_TEST(run_watchlab({"run", path}).exit_code == 0);
  std::filesystem::create_symlink("nowhere", folder.path("link.yaml"));
  for (const auto& [name, why] : std::vector<std::pair<std::string, std::string>>{
           {path, path + ": the file exists; expected a new name"},
           {folder.path("link"), "link.yaml: the file exists; expected a new name"},
           {path + "/below", "below.yaml: cannot be written: Not a directory"}}) {
    const Finished refused = run_watchlab({"new", name});
    BOOST_TEST(refused.exit_code == 2);
    BOOST_TEST(refused.err.starts_with("watchlab new: "), refused.err);
    BOOST_TEST(says(refused.err, why), refused.err);
  }
  BOOST_TEST(!std::filesystem::exists(folder.path("nowhere")));
}

BOOST_AUTO_TEST_CASE(a_dash_is_standard_output_for_whatever_may_go_there) {
  const std::string story = std::filesystem::absolute("scenarios/relist/missed_delete.yaml");
  for (std::vector<std::string> words :
       std::vector<std::vector<std::string>>{{"trace", story},
                                             {"trace", story, "--format", "chrome"},
                                             {"draw", story},
                                             {"schema"},
                                             {"report", story},
                                             {"transcribe", story}}) {
    const TemporaryFolder folder;
    words.insert(words.end(), {"-o", "-"});
    const Finished shown = run_watchlab(words, {.folder = folder.path("")});
    BOOST_TEST(shown.exit_code == 0, shown.err);
    BOOST_TEST(!std::filesystem::exists(folder.path("-")), words[0]);
    words.back() = "file";
    BOOST_TEST(run_watchlab(words, {.folder = folder.path("")}).exit_code == 0);
    BOOST_TEST(shown.out == read_whole(folder.path("file")), words[0]);
  }
}

BOOST_AUTO_TEST_CASE(trace_shows_each_step_in_the_column_of_its_task) {
  const Finished finished = run_watchlab({"trace", "missed_delete", "--lanes", "40"});
  BOOST_TEST(finished.exit_code == 0, finished.err);
  BOOST_TEST(says(finished.out, "  step  main\n"), finished.out.substr(0, 200));
  BOOST_TEST(says(finished.out, " continues\n"));
  BOOST_TEST(says(finished.out, "end: held"));
  BOOST_TEST(run_watchlab({"trace", "nowhere"}).exit_code == 2);
}

BOOST_AUTO_TEST_CASE(diff_finds_a_run_the_same_as_its_own_trace_and_other_than_a_failing_one) {
  const TemporaryFolder folder;
  const std::string held = folder.path("held.jsonl");
  const std::string failing = folder.path("failing.jsonl");
  const std::string file = folder.write("broken.yaml", broken_story);
  BOOST_TEST(run_watchlab({"trace", "missed_delete", "-o", held}).exit_code == 0);
  BOOST_TEST(run_watchlab({"trace", file, "-o", failing}).exit_code == 1);
  const Finished same = run_watchlab({"diff", "missed_delete", held});
  BOOST_TEST(same.exit_code == 0, same.out + same.err);
  BOOST_TEST(says(same.out, "The runs are the same"));
  const Finished other = run_watchlab({"diff", held, failing});
  BOOST_TEST(other.exit_code == 1, other.err);
  BOOST_TEST(says(other.out, "Then:\n"), other.out);
  BOOST_TEST(says(other.out, "handler calls of "), other.out);
}

BOOST_AUTO_TEST_CASE(diff_refuses_one_run_and_files_that_are_no_traces) {
  const TemporaryFolder folder;
  BOOST_TEST(run_watchlab({"diff", "missed_delete"}).exit_code == 2);
  const std::string file = folder.write("wrong.jsonl", "wrong\n");
  const Finished finished = run_watchlab({"diff", file, "missed_delete"});
  BOOST_TEST(finished.exit_code == 2);
  BOOST_TEST(says(finished.err, "wrong.jsonl: line 1 is no line of a trace"), finished.err);
}

BOOST_AUTO_TEST_CASE(an_output_that_cannot_be_written_is_bad_usage_before_any_work) {
  const TemporaryFolder folder;
  const std::string gone = folder.path("gone/output.html");
  const std::vector<std::vector<std::string>> commands{
      {"run", "missed_delete", "--junit", gone},
      {"run", "missed_delete", "--transcript", gone},
      {"draw", "missed_delete", "-o", gone},
      {"report", "missed_delete", "-o", gone},
      {"trace", "missed_delete", "-o", gone},
      {"transcribe", "missed_delete", "-o", gone},
      {"schema", "-o", gone}};
  for (const std::vector<std::string>& words : commands) {
    const Finished finished = run_watchlab(words);
    BOOST_TEST(finished.exit_code == 2, words.front());
    BOOST_TEST(finished.out == "", finished.out);
    BOOST_TEST(finished.err.find(gone + ": cannot be written: No such file or directory; there is "
                                        "no folder ") != std::string::npos,
               finished.err);
  }
  const std::string made = folder.path("");
  BOOST_TEST(run_watchlab({"report", "missed_delete", "-o", made}).err.find("Is a directory") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_number_that_is_none_is_answered_with_what_was_expected) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> refused{
      {{"explore", "missed_delete", "--schedules", "many"},
       "--schedules: 'many' is not a whole number, 0 or more"},
      {{"explore", "missed_delete", "--schedules", "-1"},
       "--schedules: '-1' is not a whole number, 0 or more"},
      {{"explore", "missed_delete", "--preemptions", "x"},
       "--preemptions: 'x' is not a whole number"},
      {{"trace", "missed_delete", "--rows", "1.5"}, "--rows: '1.5' is not a whole number"},
      {{"run", "missed_delete", "--jobs", "0"}, "--jobs: 0 is less than 1"}};
  for (const auto& [words, message] : refused) {
    const Finished finished = run_watchlab(words);
    BOOST_TEST(finished.exit_code == 2, message);
    BOOST_TEST(finished.err.find(message) != std::string::npos, finished.err);
    BOOST_TEST(
        finished.err.find("Run ./watchlab " + words.front() + " --help.") != std::string::npos,
        finished.err);
  }
}

BOOST_AUTO_TEST_SUITE_END()
