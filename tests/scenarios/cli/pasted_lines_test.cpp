// Lines that the program prints to be pasted: each works where it was printed.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/scenarios/cli/process.hpp"

using namespace watchlab::tests;

BOOST_AUTO_TEST_SUITE(pasted_lines_test)

namespace {

namespace fs = std::filesystem;

/// What follows that word up to the end of its line; "" where it is nowhere.
std::string after(const std::string& text, const std::string& word) {
  const std::size_t at = text.find(word);
  const std::size_t begin = at + word.size();
  return at == std::string::npos ? "" : text.substr(begin, text.find('\n', begin) - begin);
}

/// A story that starts a program, which leaves a file; alone in a folder.
class StartingStory {
 public:
  StartingStory() {
    unsetenv("WATCHLAB_ALLOW_RUN");
    setenv("WATCHLAB_CALLED_AS", WATCHLAB_EXECUTABLE, 1);
    setenv("XDG_STATE_HOME", folder_.path("state").c_str(), 1);
    fs::create_directory(theme());
    (void)folder_.write("a theme/starts.yaml",
                        "apiVersion: watchlab/v1\nname: starts\nstory: s\nuntil: 1s\n"
                        "clients: [{name: a, kind: go, run: [touch, " +
                            ran() + "]}]\n");
  }
  StartingStory(const StartingStory&) = delete;
  StartingStory& operator=(const StartingStory&) = delete;
  ~StartingStory() {
    setenv("WATCHLAB_CALLED_AS", "./watchlab", 1);
    unsetenv("XDG_STATE_HOME");
  }

  /// Its names want to be quoted.
  [[nodiscard]] std::string theme() const { return folder_.path("a theme"); }
  [[nodiscard]] std::string path() const { return theme() + "/starts.yaml"; }
  /// Whether the program was started since this was asked last.
  [[nodiscard]] bool did_run() const { return fs::remove(ran()); }

  /// The words of a call with the story, or its folder, where they say STORY or FOLDER.
  [[nodiscard]] std::vector<std::string> words_of(const std::string& call) const {
    std::istringstream in(call);
    std::vector<std::string> words;
    for (std::string word; in >> word;) {
      words.push_back(word == "STORY"    ? path()
                      : word == "FOLDER" ? theme()
                      : word == "OUT"    ? folder_.path("out.html")
                                         : word);
    }
    return words;
  }
  /// Pastes a line into a shell until the program of the story was started, or the line has ended:
  /// what serves does not end by itself.
  void paste(const std::string& line) const {
    const std::string script = line + " >/dev/null 2>&1 & p=$!; while [ ! -e '" + ran() +
                               "' ] && kill -0 $p 2>/dev/null; do sleep 0.02; done; "
                               "kill $p 2>/dev/null; wait";
    (void)run_watchlab({"-c", script}, {.program = "/bin/sh"});
  }

 private:
  [[nodiscard]] std::string ran() const { return folder_.path("ran"); }

  TemporaryFolder folder_;
};

/// Calls that look at a story which starts a program, and start none unasked.
const std::vector<std::string> asking_calls{"explain STORY",
                                            "trace STORY",
                                            "draw STORY",
                                            "report STORY -o OUT",
                                            "digest STORY",
                                            "diff STORY --with w1:x --schedule default",
                                            "branch STORY --take 1=0",
                                            "serve-report STORY",
                                            "transcribe STORY -o -",
                                            "run FOLDER",
                                            "explore FOLDER --schedules 1",
                                            "digest FOLDER"};
/// Commands that start the programs of a file that is named.
const std::set<std::string> starting_commands{"run", "replay", "explore", "shrink", "fuzz"};

}  // namespace

BOOST_DATA_TEST_CASE(what_starts_no_program_unasked_prints_the_line_that_does, asking_calls, call) {
  const StartingStory story;
  const Finished refused = run_watchlab(story.words_of(call));
  BOOST_TEST(refused.exit_code == 2, refused.err);
  BOOST_TEST(!story.did_run());
  const std::string line = after(refused.err, "; expected ");
  BOOST_TEST_REQUIRE(says(line, " --allow-run "), refused.err);
  if (says(call, "STORY")) {
    BOOST_TEST(says(refused.err, "starts.yaml:5:31: the story starts"), refused.err);
  }
  story.paste(line);
  BOOST_TEST(story.did_run(), line);
}

BOOST_AUTO_TEST_CASE(each_command_that_plays_stories_is_among_those) {
  std::set<std::string> known(starting_commands);
  known.insert("mcp");  // whose calls are looked at elsewhere
  for (const std::string& call : asking_calls) {
    known.insert(call.substr(0, call.find(' ')));
  }
  std::set<std::string> with_option;
  std::istringstream pages(help_of_all_commands());
  std::string command;
  for (std::string line; std::getline(pages, line);) {
    const std::string usage = after(line, "Usage: watchlab ");
    command = usage.empty() ? command : usage.substr(0, usage.find(' '));
    if (line.starts_with("  --allow-run ")) {
      with_option.insert(command);
    }
  }
  BOOST_TEST(with_option == known, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_is_refused_to_a_tool_names_the_call_of_the_server) {
  const StartingStory story;
  const Finished called =
      run_watchlab({"mcp"}, {.input = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":)"
                                      R"({"name":"run","arguments":{"path":[")" +
                                      story.path() + R"("]}}})" + "\n"});
  BOOST_TEST(says(called.out, "watchlab mcp --allow-run"), called.out);
}

BOOST_AUTO_TEST_CASE(what_shrink_and_explore_print_plays_a_story_that_starts_a_program) {
  const StartingStory story;
  const Finished explored = run_watchlab(story.words_of("explore STORY --schedules 2"));
  BOOST_TEST(explored.exit_code == 1, explored.err);
  const Finished shrunk = run_watchlab(story.words_of("shrink STORY"));
  BOOST_TEST(shrunk.exit_code == 1, shrunk.err);
  for (const std::string& line :
       {after(explored.err, "replay it: "), after(explored.err, "shrink it: "),
        after(shrunk.err, "explain it: ")}) {
    BOOST_TEST_REQUIRE(!line.empty());
    (void)story.did_run();
    const Finished pasted = run_watchlab({"-c", line}, {.program = "/bin/sh"});
    BOOST_TEST(pasted.exit_code == 1, line + ": " + pasted.err);
    BOOST_TEST(story.did_run(), line);
  }
}

BOOST_AUTO_TEST_CASE(several_that_were_allowed_to_start_programs_continue_so) {
  const StartingStory story;
  const std::vector<std::string> call =
      story.words_of("explore FOLDER missed_delete --allow-run --schedules 100000000");
  const Finished stopped = run_watchlab(call, {.interrupted = true});
  BOOST_TEST(stopped.exit_code == 130, stopped.err);
  BOOST_TEST(says(after(stopped.err, "to continue:\n  "), " --allow-run "), stopped.err);
}

namespace {

/// A way to play a story that fails, with what its client is.
struct FailingCall {
  std::string call;
  std::string script;
  std::string expects;
};

std::ostream& operator<<(std::ostream& out, const FailingCall& each) { return out << each.call; }

const std::string creates = "script: [{create: demo}]\n";
const std::string idle_fault = "script: [{at: 5s, fault: {fail_list: {answer: gone}}}]\n";
const std::string wrong = "expect: [{store: {exactly: []}}]\n";
const std::vector<FailingCall> failing_calls{
    {"run", creates, wrong},
    {"run --seed 7", creates, wrong},
    {"run --machine modern", creates, wrong},
    {"run --transport wire", creates, wrong},
    {"run --transport wire --machine 0.35 --seed 9", creates, wrong},
    {"run --strict", idle_fault, ""},
    {"run --strict --machine modern --transport both", idle_fault, ""},
    {"explore --schedules 3", creates, wrong},
    {"explore --schedules 3 --strategy random --continue", creates, wrong},
    {"explore --schedules 3 --machine modern --transport wire", creates, wrong}};

}  // namespace

BOOST_DATA_TEST_CASE(a_failure_prints_the_line_that_shows_it_again, failing_calls, each) {
  const TemporaryFolder folder;
  setenv("XDG_STATE_HOME", folder.path("state").c_str(), 1);
  setenv("WATCHLAB_CALLED_AS", WATCHLAB_EXECUTABLE, 1);
  std::istringstream in(each.call);
  std::vector<std::string> words{std::istream_iterator<std::string>(in), {}};
  fs::create_directory(folder.path("it's here"));
  words.push_back(folder.write("it's here/broken.yaml",
                               "apiVersion: watchlab/v1\nname: broken\nstory: s\n"
                               "clients: [{name: x, kind: informer}]\n" +
                                   each.script + each.expects));
  const Finished failed = run_watchlab(words);
  BOOST_TEST(failed.exit_code == 1, failed.err);
  std::size_t lines = 0;
  for (const std::string word : {"replay it: ", "shrink it: "}) {
    if (const std::string line = after(failed.err, word); !line.empty()) {
      const Finished again = run_watchlab({"-c", line}, {.program = "/bin/sh"});
      BOOST_TEST(again.exit_code == 1, line + ": " + again.err);
      ++lines;
    }
  }
  BOOST_TEST(lines == (words.front() == "explore" ? 2U : 1U), failed.err);
  setenv("WATCHLAB_CALLED_AS", "./watchlab", 1);
  unsetenv("XDG_STATE_HOME");
}

BOOST_AUTO_TEST_CASE(names_that_begin_as_options_do_are_names_in_every_line) {
  const TemporaryFolder folder;
  setenv("XDG_STATE_HOME", folder.path("state").c_str(), 1);
  setenv("WATCHLAB_CALLED_AS", WATCHLAB_EXECUTABLE, 1);
  fs::create_directory(folder.path("-lead"));
  for (const std::string name : {"a", "b"}) {
    (void)folder.write("-lead/" + name + ".yaml",
                       "apiVersion: watchlab/v1\nname: " + name +
                           "\nstory: s\nclients: [{name: x, kind: informer}]\n" + creates + wrong);
  }
  const auto paste = [&](const std::string& line) {
    return run_watchlab({"-c", line}, {.program = "/bin/sh", .folder = folder.path("")});
  };
  for (const std::vector<std::string>& call : std::vector<std::vector<std::string>>{
           {"run", "--", "-lead"},
           {"run", "--", "-lead/a.yaml"},
           {"explore", "--schedules", "3", "--", "-lead/a.yaml"}}) {
    const std::string line =
        after(run_watchlab(call, {.folder = folder.path("")}).err, "replay it: ");
    BOOST_TEST(says(line, " replay ./-lead/a.yaml "), line);
    BOOST_TEST(paste(line).exit_code == 1, line);
  }
  for (const std::vector<std::string>& call : std::vector<std::vector<std::string>>{
           {"run", "--junit", "r.xml", "--", "-lead"},
           {"explore", "--schedules", "3", "--", "-lead"},
           {"explore", "--schedules", "3", "--", "-lead/a.yaml"},
           {"replay", "--schedule", "default", "--", "-lead/a.yaml"}}) {
    const Finished stopped = run_watchlab(call, {.folder = folder.path(""), .pending = SIGTERM});
    const std::size_t at = stopped.err.rfind(":\n  ");
    BOOST_TEST_REQUIRE(at != std::string::npos, stopped.err);
    const std::string line = stopped.err.substr(at + 4, stopped.err.find('\n', at + 4) - at - 4);
    BOOST_TEST((says(line, " ./" + call.back()) && !says(line, " -- ")), line);
    const Finished again = paste(line);
    BOOST_TEST(again.exit_code == 1, line + ": " + again.err);
  }
  setenv("WATCHLAB_CALLED_AS", "./watchlab", 1);
  unsetenv("XDG_STATE_HOME");
}

/// The path of a piece means its story on core as it is, its name the broken variant.
BOOST_AUTO_TEST_CASE(a_piece_of_the_museum_that_was_stopped_keeps_its_name) {
  for (const std::vector<std::string>& call : std::vector<std::vector<std::string>>{
           {"run", "recreated_object_lost"}, {"museum", "run", "recreated_object_lost"}}) {
    const Finished stopped = run_watchlab(call, {.pending = SIGTERM});
    BOOST_TEST(stopped.exit_code == 130, stopped.err);
    BOOST_TEST(says(stopped.err, "watchlab run recreated_object_lost\n"), stopped.err);
  }
}

BOOST_AUTO_TEST_CASE(lines_begin_with_the_program_as_it_was_called) {
  const TemporaryFolder folder;
  const ProcessOptions there = installed_in(folder, "wl");
  const std::string bin = fs::path(there.program).parent_path();
  fs::create_symlink("wl", bin + "/watch lab-0.2");
  const std::string failing = folder.write(
      "broken.yaml",
      "apiVersion: watchlab/v1\nname: broken\nstory: s\nclients: [{name: x, kind: informer}]\n"
      "script: [{create: demo}]\nexpect: [{store: {exactly: []}}]\n");
  const std::vector<std::vector<std::string>> calls{
      {"--help"},
      {"run", failing},
      {"run", "--jos"},
      {"explore", failing},
      {"shrink", failing},
      {"show", "missed_delete"},
      {"run", "--help"},
      {"branch", "--help"},
      {"museum", "search", "deleted"},
      {"museum", "show", "ghost_after_relist"},
      {"museum", "tour"},
      {"explain", "recreated_object_lost", "--endings", "0"},
      {"report", "missed_delete", "-o", "-"},
      {"new", folder.path("fresh.yaml")}};
  for (const std::string name : {"wl", "watch lab-0.2"}) {
    for (const std::vector<std::string>& call : calls) {
      std::vector<std::string> words{"-u",
                                     "WATCHLAB_CALLED_AS",
                                     "-u",
                                     "WATCHLAB_HOME",
                                     "PATH=" + bin + ":/usr/bin:/bin",
                                     "XDG_STATE_HOME=" + folder.path("state"),
                                     name};
      words.insert(words.end(), call.begin(), call.end());
      (void)fs::remove(folder.path("fresh.yaml"));
      const Finished finished = run_watchlab(words, {.program = "/usr/bin/env"});
      const std::string said = finished.out + finished.err;
      const std::string typed = name == "wl" ? "wl " : "'watch lab-0.2' ";
      BOOST_TEST(
          (says(said, typed) || says(said, "\"program\":\"" + typed.substr(0, typed.size() - 1))),
          call.front() << ": " << said.substr(0, 2000));
      std::istringstream in(call.front() == "report" ? "" : unwrapped(said));
      for (std::string line; std::getline(in, line);) {
        const bool is_elsewhere = says(line, "in a checkout");
        BOOST_TEST((is_elsewhere || !says(line, "./watchlab")), line);
        BOOST_TEST(!line.starts_with("  watchlab "), line);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_name_that_means_nothing_is_refused_before_anything_is_played) {
  for (const std::vector<std::string>& call : std::vector<std::vector<std::string>>{
           {"run", "missed_delete", "nothing_there"},
           {"run", "scenarios/relist", "nothing_there.yaml"},
           {"explore", "missed_delete", "nothing_there", "-n", "2"},
           {"digest", "missed_delete", "nothing_there"},
           {"diff", "missed_delete", "nothing_there"},
           {"transcribe", "missed_delete", "nothing_there", "-o", "-"}}) {
    const Finished refused = run_watchlab(call);
    BOOST_TEST(refused.exit_code == 2, call.front());
    BOOST_TEST(!says(refused.out, "missed_delete"), call.front() << ": " << refused.out);
    BOOST_TEST(says(refused.err, "nothing_there"), refused.err);
    BOOST_TEST(!says(refused.out + refused.err, "held  "), call.front());
  }
}

BOOST_AUTO_TEST_CASE(sources_make_such_lines_in_one_place) {
  for (const auto& each : fs::directory_iterator("scenarios/cli")) {
    const std::string path = each.path().string();
    if (!path.ends_with(".cpp") || path.ends_with("/pasted_line.cpp")) {
      continue;
    }
    std::istringstream in(read_whole(path));
    for (std::string line; std::getline(in, line);) {
      const bool is_of_footer = says(line, "\"  ./watchlab ");
      BOOST_TEST((is_of_footer || !says(line, "./watchlab")), path + ": " + line);
      for (const std::string command : {"run\"", "replay", "explore", "explain", "shrink", "report",
                                        "draw", "trace", "branch", "serve", "fuzz "}) {
        const bool is_fuzz_without_story = path.ends_with("/fuzz_campaign.cpp");
        BOOST_TEST((is_fuzz_without_story || !says(line, "as_typed(\"" + command)),
                   path + ": " + line);
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
