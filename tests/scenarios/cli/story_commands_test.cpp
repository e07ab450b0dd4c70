#include <algorithm>
#include <boost/algorithm/string/join.hpp>
#include <boost/json.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "scenarios/language/plain_text.hpp"
#include "scenarios/language/utf8.hpp"
#include "tests/scenarios/cli/process.hpp"

using namespace watchlab::tests;

BOOST_AUTO_TEST_SUITE(story_commands_test)

namespace {

/// A story whose expectation is wrong.
const std::string broken_story =
    "apiVersion: watchlab/v1\nname: broken\nstory: s\nclients: [{name: x, kind: informer}]\n"
    "script: [{create: demo}]\nexpect: [{store: {exactly: []}}]\n";

/// The examples of all commands, as their help has them, each as its words behind "watchlab".
std::vector<std::vector<std::string>> examples_of_help() {
  std::istringstream lines(unwrapped(help_of_all_commands()));
  std::vector<std::vector<std::string>> examples;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  watchlab ")) {
      std::istringstream words(line.substr(std::string("  watchlab ").size()));
      examples.emplace_back(std::istream_iterator<std::string>(words),
                            std::istream_iterator<std::string>());
    }
  }
  return examples;
}

}  // namespace

BOOST_AUTO_TEST_CASE(examples_of_help_are_pasted_as_they_stand) {
  const TemporaryFolder folder;
  for (const std::string called : {"./watchlab", "a/long/path/to/where/it/is/installed/watchlab"}) {
    std::istringstream lines(help_of_all_commands(called));
    std::string examples;
    bool is_example = false;
    for (std::string line; std::getline(lines, line);) {
      is_example = line.starts_with("Examples:") || (is_example && line.starts_with("  "));
      examples += is_example && line.starts_with("  ") ? line + "\n" : "";
    }
    BOOST_TEST(says(examples, " # in a checkout"), examples);
    const Finished read =
        run_watchlab({"-n", folder.write("examples", examples)}, {.program = "/bin/bash"});
    BOOST_TEST(read.exit_code == 0, read.err);
  }
}

BOOST_AUTO_TEST_CASE(pieces_of_the_museum_resolve_whichever_their_patch_is) {
  const Finished live = run_watchlab({"explain", "leaves_at_the_stop", "--endings", "0"});
  BOOST_TEST(live.exit_code == 1);
  BOOST_TEST(says(live.out, "deadlock"), live.out);
  BOOST_TEST(run_watchlab({"show", "museum/leaves_at_the_stop"}).exit_code == 0);
  BOOST_TEST(says(run_watchlab({"explain", "leaves_at_stop"}).err, "leaves_at_the_stop"));
  const Finished fixed = run_watchlab({"trace", "recreated_object_lost"});
  BOOST_TEST(fixed.exit_code == 0);
  BOOST_TEST(says(fixed.out, "./watchlab trace recreated_object_lost plays the broken variant"));
  const Finished path =
      run_watchlab({"trace", "scenarios/museum/recreated_object_lost/scenario.yaml"});
  BOOST_TEST(!says(path.out, "broken variant"));
}

BOOST_AUTO_TEST_CASE(run_and_explore_say_of_a_piece_that_they_play_core_without_its_bug) {
  const Finished run = run_watchlab({"run", "recreated_object_lost"});
  BOOST_TEST(run.exit_code == 0, run.err);
  BOOST_TEST(says(run.out, "./watchlab run recreated_object_lost plays the broken variant"),
             run.out);
  const Finished explored = run_watchlab({"explore", "recreated_object_lost", "--schedules", "2"});
  BOOST_TEST(says(explored.out, "./watchlab explain recreated_object_lost plays the broken"));
  BOOST_TEST(!says(run_watchlab({"run", "missed_delete"}).out, "museum"));
}

BOOST_AUTO_TEST_CASE(examples_of_help_work_where_the_program_is_installed) {
  const TemporaryFolder folder;
  const ProcessOptions there = installed_in(folder);
  const std::filesystem::path shipped = folder.path("scenarios") + "/share/watchlab";
  std::size_t played = 0;
  for (const std::vector<std::string>& example : examples_of_help()) {
    const std::string line = boost::join(example, " ");
    for (const std::string& word : example) {
      const bool is_of_a_checkout = word.starts_with("docs/") || word.starts_with("exercises/");
      BOOST_TEST(!is_of_a_checkout, line);
      BOOST_TEST((!word.starts_with("scenarios/") || exists(shipped / word)), line);
    }
    const std::string& command = example.front();
    const bool plays =
        command == "run" || command == "list" || command == "show" || command == "validate";
    if (plays && !says(line, "my_") && !says(line, "--strict")) {
      const Finished finished = run_watchlab(example, there);
      BOOST_TEST(finished.exit_code < 2, line + ": " + finished.err);
      ++played;
    }
  }
  BOOST_TEST(played >= 9U);
  BOOST_TEST(run_watchlab({"explain", "scenarios/relist/missed_delete.yaml"}, there).exit_code ==
             0);
  BOOST_TEST(run_watchlab({"run", "scenarios/relist/missed_delte.yaml"}, there).exit_code == 2);
}

BOOST_AUTO_TEST_CASE(a_hint_about_a_piece_names_the_command_that_was_used) {
  const TemporaryFolder folder;
  const Finished drawn =
      run_watchlab({"draw", "recreated_object_lost", "-o", folder.path("lost.dot")});
  BOOST_TEST(says(drawn.out, "./watchlab draw recreated_object_lost plays the broken variant"));
}

BOOST_AUTO_TEST_CASE(what_is_installed_does_not_ask_for_a_launcher_that_is_not_there) {
  const TemporaryFolder folder;
  const ProcessOptions there = installed_in(folder);
  const Finished explained =
      run_watchlab({"explain", "recreated_object_lost", "--endings", "0"}, there);
  BOOST_TEST(says(explained.out, "./watchlab explain recreated_object_lost in a checkout plays"),
             explained.out + explained.err);
  BOOST_TEST(says(explained.out, "watchlab museum show recreated_object_lost prints its patch"));
  BOOST_TEST(says(run_watchlab({"museum", "show", "recreated_object_lost"}, there).out,
                  "./watchlab run recreated_object_lost in a checkout"));
  const std::string page = folder.path("page.html");
  BOOST_TEST(run_watchlab({"report", "missed_delete", "-o", page}, there).exit_code == 0);
  BOOST_TEST(says(read_whole(page), "\"program\":\"watchlab\""));
  BOOST_TEST(run_watchlab({"report", "missed_delete", "-o", page}).exit_code == 0);
  BOOST_TEST(!says(read_whole(page), "\"program\":"), "a page of a checkout");
}

BOOST_AUTO_TEST_CASE(default_is_the_undisturbed_order_wherever_a_schedule_is_taken) {
  const std::string story = "missed_delete";
  const Finished without = run_watchlab({"trace", story, "--json"});
  const Finished with = run_watchlab({"trace", story, "--json", "--schedule", "default"});
  BOOST_TEST(with.out == without.out);
  const std::vector<std::vector<std::string>> calls{
      {"replay"}, {"explain"}, {"draw"}, {"report", "-o", "-"}};
  for (std::vector<std::string> call : calls) {
    call.insert(call.end(), {story, "--schedule", "default"});
    const Finished finished = run_watchlab(call);
    BOOST_TEST(finished.exit_code == 0, call.front() + ": " + finished.err);
  }
  const Finished same = run_watchlab({"diff", story, "--with", "default"});
  BOOST_TEST(says(same.err, "there is one run only"), same.err);
  const Finished nothing = run_watchlab({"shrink", story, "--schedule", "default"});
  BOOST_TEST(says(nothing.err, "holds in its default order"), nothing.err);
  const Finished no_file = run_watchlab({"replay", story, "--schedule", "@no_file"});
  BOOST_TEST(no_file.exit_code == 2);
  BOOST_TEST(says(no_file.err, "expected the path of a file whose first line is a schedule"),
             no_file.err);
}

BOOST_AUTO_TEST_CASE(explain_shows_the_story_before_the_failure_and_its_locks_on_request) {
  const TemporaryFolder folder;
  const std::string path = folder.write("broken.yaml", broken_story);
  const std::string story = run_watchlab({"explain", path, "--endings", "0"}).out;
  BOOST_TEST(says(story, "Cache of x: default/demo"), story);
  BOOST_TEST(!says(story, "mutex"), story);
  const std::string locks = run_watchlab({"explain", path, "--endings", "0", "--locks"}).out;
  BOOST_TEST(says(locks, "main/x/reflector: "), locks);
  for (const std::string hidden : {"recorder", "'server'", "client.hpp", "%20"}) {
    BOOST_TEST(!says(locks, hidden), locks);  // how the clients come to their end, and the toolkit
  }
}

BOOST_AUTO_TEST_CASE(stories_with_clients_from_outside_are_played_by_serve_alone) {
  const std::string story = "docs/any-language/copier.yaml";
  for (const std::string command :
       {"run", "explore", "explain", "trace", "draw", "report", "digest"}) {
    const Finished refused = run_watchlab({command, story});
    BOOST_TEST(refused.exit_code == 2, command + ": " + refused.out);
    BOOST_TEST(says(refused.err,
                    "copier.yaml:11:20: the client 'copier' is external, so this is played in real "
                    "time; expected ./watchlab serve docs/any-language/copier.yaml"),
               command + ": " + refused.err);
  }
  BOOST_TEST(run_watchlab({"show", story}).exit_code == 0);
  BOOST_TEST(run_watchlab({"validate", story}).exit_code == 0);
}

BOOST_AUTO_TEST_CASE(a_story_with_a_fault_of_bytes_is_not_moved_to_where_there_are_none) {
  const std::string story = "scenarios/wire/torn_chunk.yaml";
  for (const std::string command : {"run", "explore"}) {
    const Finished moved = run_watchlab({command, story, "--transport", "direct"});
    BOOST_TEST(moved.exit_code == 2);
    BOOST_TEST((moved.err.find(story + ":14: the fault 'tear_bytes' on the direct transport, which "
                                       "has no bytes; expected that it is played over the wire") !=
                std::string::npos),
               moved.err + moved.out);
  }
  BOOST_TEST(run_watchlab({"run", story, "--transport", "wire"}).exit_code == 0);
}

BOOST_AUTO_TEST_CASE(branch_prints_the_schedule_of_another_answer_which_replays) {
  const Finished branched = run_watchlab({"branch", "missed_delete", "--take", "17=1", "--quiet"});
  BOOST_TEST(branched.exit_code == 0, branched.err);
  const std::string schedule = branched.out.substr(0, branched.out.find('\n'));
  BOOST_TEST(run_watchlab({"replay", "missed_delete", "--schedule", schedule}).exit_code == 0);
  const TemporaryFolder folder;
  BOOST_TEST(run_watchlab({"branch", "missed_delete", "--schedule", schedule, "--take", "17=0",
                           "-o", folder.path("back.html"), "--json"})
                 .exit_code == 0);
  BOOST_TEST(says(read_whole(folder.path("back.html")), "\"choices\":[["));
  for (const std::string wrong : {"17", "17=9", "100000=1", "one=2"}) {
    BOOST_TEST(run_watchlab({"branch", "missed_delete", "--take", wrong}).exit_code == 2, wrong);
  }
}

BOOST_AUTO_TEST_CASE(branch_plays_a_level_and_says_how_far_it_is_won) {
  const auto level_after = [](std::vector<std::string> more) {
    more.insert(more.begin(), {"branch", "07-two_runs_at_once", "--json"});
    const Finished played = run_watchlab(more);
    BOOST_TEST(played.exit_code < 2, played.err);
    return boost::json::parse(played.out).as_object();
  };
  const boost::json::object begun = level_after({});
  const boost::json::object& level = begun.at("level").as_object();
  BOOST_TEST(begun.at("held").as_bool());
  BOOST_TEST(level.at("name").as_string() == "07-two_runs_at_once");
  BOOST_TEST(level.at("choices").to_number<int>() == 2);
  BOOST_TEST(level.at("taken").to_number<int>() == 0);
  BOOST_TEST(!level.at("won").as_bool());
  BOOST_TEST(level.at("after").as_string() == "");
  const std::string piece = "@scenarios/museum/two_runs_at_once/schedule.txt";
  const boost::json::object won = level_after({"--schedule", piece}).at("level").as_object();
  BOOST_TEST(won.at("taken").to_number<int>() == 2);
  BOOST_TEST(won.at("won").as_bool());
  BOOST_TEST(won.at("after").as_string() != "");
  BOOST_TEST(run_watchlab({"branch", "07-two_runs_at_once", "--take", "1=99"}).exit_code == 2);
  const Finished no_level = run_watchlab({"branch", "missed_delete"});
  BOOST_TEST(no_level.exit_code == 2);
  BOOST_TEST(says(no_level.err, "--take is required, unless FILE is a level"), no_level.err);
  const Finished elsewhere = run_watchlab({"branch", "02-ghost_after_relist"});
  BOOST_TEST(elsewhere.exit_code == 2);
  BOOST_TEST(says(elsewhere.err, "./watchlab branch 02-ghost_after_relist plays it"),
             elsewhere.err);
}

BOOST_AUTO_TEST_CASE(a_folder_is_named_where_one_story_belongs) {
  const TemporaryFolder folder;
  const Finished refused = run_watchlab({"draw", folder.path("")});
  BOOST_TEST(refused.exit_code == 2);
  BOOST_TEST(says(refused.err,
                  ": a folder, where one story belongs; expected the path or the name "
                  "of a story"),
             refused.err);
  BOOST_TEST(says(run_watchlab({"run", "-"}).err, "standard input, of which no story is read"));
}

BOOST_AUTO_TEST_CASE(serve_report_refuses_what_it_cannot_branch_or_play_here) {
  BOOST_TEST(run_watchlab({"serve-report", "no_such_story"}).exit_code == 2);
  const Finished misspelt = run_watchlab({"serve-report", "02-ghost_after_relit"});
  BOOST_TEST(misspelt.exit_code == 2);
  BOOST_TEST(says(misspelt.err, "did you mean \"02-ghost_after_relist\"?"), misspelt.err);
  const Finished large = run_watchlab({"serve-report", "duplicates_from_a_stale_store"});
  BOOST_TEST(large.exit_code == 2);
  BOOST_TEST(says(large.err, "at most 2000 can be branched"), large.err);
  const Finished level = run_watchlab({"serve-report", "02-ghost_after_relist"});
  BOOST_TEST(level.exit_code == 2);
  BOOST_TEST(says(level.err, "./watchlab serve-report 02-ghost_after_relist plays it"), level.err);
}

BOOST_AUTO_TEST_CASE(migrate_replaces_old_words_and_check_only_names_them) {
  const TemporaryFolder folder;
  const std::string head =
      "apiVersion: watchlab/v1\nname: old\nstory: s\nclients: [{name: x, kind: informer}]\n";
  const std::string before = head + "server: {crowd: 7}  # crowd\n";
  const std::string path = folder.write("old.yaml", before);
  const Finished checked = run_watchlab({"migrate", "--check", path});
  BOOST_TEST(checked.exit_code == 1);
  BOOST_TEST(checked.err == path + ":5:10: 'crowd' in a server is called 'bulk_objects' now\n");
  BOOST_TEST(read_whole(path) == before);
  const Finished migrated = run_watchlab({"migrate", path});
  BOOST_TEST(migrated.exit_code == 0, migrated.err);
  BOOST_TEST(migrated.out.ends_with("1 migrated, 0 as they are\n"), migrated.out);
  BOOST_TEST(read_whole(path) == head + "server: {bulk_objects: 7}  # crowd\n");
  BOOST_TEST(run_watchlab({"migrate", "--check", path}).exit_code == 0);
}

BOOST_AUTO_TEST_CASE(migrate_leaves_what_it_cannot_read) {
  const TemporaryFolder folder;
  const std::string text = "server: {crowd: 7}\nclients: 5\n";
  const std::string path = folder.write("broken.yaml", text);
  BOOST_TEST(run_watchlab({"migrate", path}).exit_code == 2);
  BOOST_TEST(run_watchlab({"migrate", folder.path("nowhere")}).exit_code == 2);
  BOOST_TEST(read_whole(path) == text);
}

BOOST_AUTO_TEST_CASE(new_names_the_schema_for_editors) {
  const TemporaryFolder folder;
  const std::string path = folder.path("fresh.yaml");
  BOOST_TEST(run_watchlab({"new", path}).exit_code == 0);
  const std::string line = read_whole(path).substr(0, read_whole(path).find('\n'));
  const std::string before = "# yaml-language-server: $schema=";
  BOOST_TEST_REQUIRE(line.starts_with(before), line);
  const std::filesystem::path schema(line.substr(before.size()));
  BOOST_TEST(std::filesystem::exists(std::filesystem::path(path).parent_path() / schema), line);
}

BOOST_AUTO_TEST_CASE(shipped_stories_are_found_beside_a_folder_of_ones_own) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path("scenarios"));
  setenv("WATCHLAB_HOME", std::filesystem::current_path().c_str(), 1);  // as the launcher does
  const ProcessOptions there{.folder = folder.path(".")};
  BOOST_TEST(run_watchlab({"run", "missed_delete"}, there).exit_code == 0);
  BOOST_TEST(run_watchlab({"museum", "list"}, there).exit_code == 0);
  std::filesystem::remove(folder.path("scenarios"));
  BOOST_TEST(run_watchlab({"validate", "scenarios"}, there).exit_code == 0);
}

BOOST_AUTO_TEST_CASE(a_story_starts_its_program_where_its_file_is_played_by_name) {
  unsetenv("WATCHLAB_ALLOW_RUN");
  const TemporaryFolder folder;
  const std::string ran = folder.path("ran");
  std::filesystem::create_directory(folder.path("theme"));
  const auto text = [&](const std::string& name, const std::string& client) {
    return "apiVersion: watchlab/v1\nname: " + name + "\nstory: s\nuntil: 1s\nclients: [" + client +
           "]\n";
  };
  const std::string story = folder.write(
      "theme/starts.yaml", text("starts", "{name: a, kind: go, run: [touch, " + ran + "]}"));
  folder.write("theme/plain.yaml", text("plain", "{name: a, kind: informer}"));
  const auto did_run = [&] { return std::filesystem::remove(ran); };

  for (const char* command : {"explain", "trace", "draw", "report", "digest"}) {
    const Finished looked = run_watchlab({command, story, "-o", "/dev/null"});
    const Finished digested = run_watchlab({command, story});
    BOOST_TEST((looked.exit_code == 2 && digested.exit_code == 2), command);
    BOOST_TEST(says(digested.err, "starts a program (touch "), digested.err);
    BOOST_TEST(says(digested.err, "--allow-run"), digested.err);
    BOOST_TEST(!did_run(), command);
  }
  const Finished of_folder = run_watchlab({"run", folder.path("theme")});
  BOOST_TEST(of_folder.exit_code == 2);
  BOOST_TEST(says(of_folder.err, "1 story that starts a program was not played"), of_folder.err);
  BOOST_TEST(says(of_folder.out, "1 held"), of_folder.out);
  BOOST_TEST(!did_run());

  const Finished named = run_watchlab({"run", story});
  BOOST_TEST(says(named.err, story + " starts touch " + ran), named.err);
  BOOST_TEST(did_run());
  (void)run_watchlab({"run", folder.path("theme"), "--allow-run"});
  BOOST_TEST(did_run());
  (void)run_watchlab({"digest", story, "--allow-run"});
  BOOST_TEST(did_run());
  setenv("WATCHLAB_ALLOW_RUN", "1", 1);
  (void)run_watchlab({"digest", story});
  BOOST_TEST(did_run());
  unsetenv("WATCHLAB_ALLOW_RUN");
}

namespace {

/// Names that a shell, a terminal or a reader of JSON could take for something else.
const std::vector<std::string> strange_names{
    "$(touch ran) '",   "two\nlines",          "a\ttab\r",     "'\\\n'",      "\033[2J\x07",
    "no utf8 \xff\xc3", "\xe2\x80\xae turned", "\xc2\x9b csi", "\xe4\xb8\xad"};

/// What follows each of those words in the text, up to the end of its line.
std::vector<std::string> lines_after(const std::string& text, const std::string& word) {
  std::vector<std::string> lines;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at)) {
    at += word.size();
    lines.push_back(text.substr(at, text.find('\n', at) - at));
  }
  return lines;
}

}  // namespace

BOOST_DATA_TEST_CASE(lines_to_paste_mean_the_same_to_a_shell, strange_names, name) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path(name));
  const std::string story = folder.write(name + "/broken.yaml", broken_story);
  const std::string fifo = folder.path(name + "/small.yaml");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"run", story},
        {"explore", story, "--continue", "-n", "20"},
        {"shrink", story, "--schedule", "default", "--story", fifo},
        {"new", folder.path(name + "/my.yaml")}}) {
    const Finished finished = run_watchlab(words);
    const std::vector<std::string> lines = lines_after(finished.out + finished.err, "./watchlab ");
    BOOST_TEST(!lines.empty(), words[0] << " prints no line to paste");
    for (const std::string& line : lines) {
      const std::string pasted = "cd " + folder.path(".") + "; printf '%s\\0' " + line;
      const Finished read = run_watchlab({"-c", pasted}, {.program = "/bin/bash"});
      const bool is_whole = (read.out + '\0').find(folder.path(name) + "/") != std::string::npos;
      BOOST_TEST(is_whole, line);
    }
  }
  BOOST_TEST(!std::filesystem::exists(folder.path("ran")));
  const Finished smaller = run_watchlab({"validate", fifo});
  BOOST_TEST(smaller.exit_code == 0, smaller.err);  // its comment names the story
}

BOOST_DATA_TEST_CASE(what_machines_read_is_valid_whatever_a_story_is_called, strange_names, name) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path(name));
  const std::string story = folder.write(name + "/broken.yaml", broken_story);
  const std::string junit = folder.path("junit.xml");
  const std::string file = folder.path("out.json");
  using Words = std::vector<std::string>;
  for (Words words :
       {Words{"run", story, "--junit", junit}, Words{"list", folder.path(name)},
        Words{"explore", story, "-n", "3", "--continue"}, Words{"show", story},
        Words{"replay", story, "--schedule", "default"}, Words{"digest", story},
        Words{"validate", story}, Words{"migrate", story}, Words{"trace", story},
        Words{"explain", story, "--endings", "0"},
        Words{"report", story, "-o", folder.path("a.html")},
        Words{"branch", story, "--take", "1=0"}, Words{"shrink", story, "--schedule", "default"}}) {
    words.emplace_back("--json");
    const std::string out = run_watchlab(words).out;
    BOOST_TEST(!out.empty(), words[0]);
    std::istringstream lines(out);
    for (std::string line; std::getline(lines, line);) {
      boost::system::error_code wrong;
      (void)boost::json::parse(line, wrong);
      BOOST_TEST(!wrong, words[0] << ": " << line);
      BOOST_TEST(watchlab::scenarios::plain_text(line) == line, words[0]);
    }
  }
  (void)run_watchlab({"trace", story, "--format", "chrome", "-o", file});
  (void)run_watchlab({"report", story, "-o", folder.path("run.json")});
  for (const std::string& written : {junit, file, folder.path("run.json"), folder.path("a.html")}) {
    const std::string text = read_whole(written);
    BOOST_TEST(!text.empty(), written);
    BOOST_TEST(watchlab::scenarios::valid_utf8(text) == text, written);
  }
}

BOOST_AUTO_TEST_CASE(a_sealed_line_of_a_story_of_any_name_is_merged) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path("\xff"));
  const std::string story = folder.write("\xff/broken.yaml", broken_story);
  const std::string part =
      folder.write("part.jsonl", run_watchlab({"explore", story, "-n", "3", "--json"}).out);
  const Finished merged = run_watchlab({"merge", part});
  BOOST_TEST(merged.exit_code == 1, merged.err);
}

BOOST_AUTO_TEST_SUITE_END()
