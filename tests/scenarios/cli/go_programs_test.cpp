#include "scenarios/command_line/go_programs.hpp"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/scenarios/cli/process.hpp"
#include "tests/support/shell_programs.hpp"

using namespace watchlab::tests;
using watchlab::scenarios::go_test_in;
using watchlab::scenarios::GoTest;
using watchlab::scenarios::run_from_folder;

BOOST_AUTO_TEST_SUITE(go_programs_test)

namespace {

/// A program that says whether it is there, and lives until it is asked to stop; its second life
/// ends by itself.
const std::string program = beginning + R"sh(
echo 'watchlab-lockstep 1 {}' >&3
order
note="\"now\":$until,\"events\":[{\"kind\":\"note\",\"text\":\"life $life\"}]"
[ $life = 1 ] || { say "{$note,\"done\":true}"; exit 0; }
say "{$note}"
)sh" + until_stopped;

std::string story(const std::string& script, const std::string& expectations) {
  return "apiVersion: watchlab/v1\nname: story\nstory: s\n"
         "clients: [{name: program, kind: go, run: [sh, program.sh]}]\nscript:\n" +
         script + "until: 1m\n" + expectations;
}

/// A program that asks for a revision that the server never had, and lives until it is stopped.
const std::string guesser = beginning + R"sh(
echo 'watchlab-lockstep 1 {}' >&3
order
data=$(printf 'GET /api/v1/nodes?resourceVersion=99 HTTP/1.1\r\nHost: a\r\n\r\n' | base64 -w0)
dial='{"conn":1,"kind":"dial"}'
say "{\"now\":$until,\"events\":[$dial,{\"conn\":1,\"kind\":\"data\",\"data\":\"$data\"}]}"
)sh" + until_stopped;

/// A program that makes the Pod `claim` after ten seconds, in its first life, and tries once.
const std::string claimer = beginning + R"sh(
epoch=${hello##*\"epoch\":}
due=$((${epoch%%[,\}]*} + 10000000000))
body='{"metadata":{"name":"claim"}}'
head='POST /api/v1/namespaces/default/pods HTTP/1.1\r\nHost: a\r\nContent-Type: application/json'
data=$(printf "$head\r\nContent-Length: ${#body}\r\n\r\n%s" "$body" | base64 -w0)
events="{\"conn\":1,\"kind\":\"dial\"},{\"conn\":1,\"kind\":\"data\",\"data\":\"$data\"}"
echo 'watchlab-lockstep 1 {}' >&3
while order; do
  case $said in
    *stop*) say "{\"now\":$until,\"done\":true}"; exit 0 ;;
  esac
  if [ $life = 1 ] && [ $until -ge $due ]; then
    life=over
    say "{\"now\":$due,\"events\":[$events]}"
  else
    say "{\"now\":$until}"
  fi
done
)sh";

/// `fuzz --client go` around a blank story with that program, and what it has written.
struct Fuzzed {
  Finished finished;
  std::string file;  ///< what is left of the first finding; "" for none
};

Fuzzed fuzz_around(const std::string& shell, const std::string& expectations,
                   const std::vector<std::string>& options, const std::string& and_then = "") {
  const TemporaryFolder folder;
  (void)folder.write("program.sh", shell);
  const std::string blank =
      folder.write("story.yaml",
                   "apiVersion: watchlab/v1\nname: story\nstory: s\nserver: {objects: [web]}\n"
                   "clients: [{name: program, kind: go, run: [sh, program.sh], makes: [claim]}]\n"
                   "script: [{at: 1s, update: {name: web, data: {a: b}}}" +
                       and_then + "]\nuntil: 1m\n" + expectations);
  std::vector<std::string> words{"fuzz", "--client", "go", blank};
  words.insert(words.end(), options.begin(), options.end());
  Fuzzed fuzzed{.finished = run_watchlab(words), .file = ""};
  for (const auto& each :
       std::filesystem::directory_iterator(std::filesystem::path(blank).parent_path())) {
    if (each.path().filename().string().starts_with("found_")) {
      fuzzed.file = read_whole(each.path().string());
    }
  }
  return fuzzed;
}

/// `run` of a story with that program beside it.
Finished run_with(const std::string& shell, const std::string& text) {
  const TemporaryFolder folder;
  (void)folder.write("program.sh", shell);
  return run_watchlab({"run", folder.write("story.yaml", text)});
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_program_lives_on_the_clock_of_its_story) {
  const Finished finished =
      run_with(program, story("  - {when: {noted: life 1}, create: demo}\n"
                              "  - {at: 5s, crash: program}\n"
                              "  - {at: 6s, start: program}\n"
                              "  - {when: {ended: program}, delete: demo}\n",
                              "expect:\n  - notes: {exactly: [life 1, life 2]}\n"
                              "  - ended: done\n  - objects: {exactly: []}\n"));
  BOOST_TEST(finished.exit_code == 0, finished.out + finished.err);
}

BOOST_AUTO_TEST_CASE(expectations_of_notes_are_looked_at) {
  const Finished finished = run_with(
      program, story("  - {when: {noted: \"life *\"}, create: demo}\n",
                     "expect:\n  - notes: {exactly: [life 2]}\n  - notes: {never: [\"*fe*\"]}\n"));
  BOOST_TEST(finished.exit_code == 1);
  BOOST_TEST(
      says(finished.out + finished.err, "notes: number 1 should be 'life 2', but is 'life 1'"),
      finished.out + finished.err);
  BOOST_TEST(
      says(finished.out + finished.err, "'*fe*' should never come, but number 1 is 'life 1'"),
      finished.out + finished.err);
}

BOOST_AUTO_TEST_CASE(a_program_that_goes_wrong_fails_the_story_with_a_message) {
  const std::string text = story("  - {at: 5s, create: demo}\n", "");
  const Finished crashed = run_with("echo 'panic: here' >&2; exit 2", text);
  BOOST_TEST(crashed.exit_code == 1);
  BOOST_TEST(says(crashed.out + crashed.err,
                  "the program of 'program' ended with status 2 in the middle of the "
                  "story; it printed:\n  panic: here"),
             crashed.out + crashed.err);
  const Finished wrong = run_with(
      beginning + "echo 'watchlab-lockstep 1 {}' >&3; order; echo garbage >&3; order", text);
  BOOST_TEST(wrong.exit_code == 1);
  BOOST_TEST(says(wrong.out + wrong.err, "the program of 'program' sent what is no frame: garb"),
             wrong.out + wrong.err);
  const Finished failed =
      run_with(beginning +
                   "echo 'watchlab-lockstep 1 {}' >&3; order; "
                   "say \"{\\\"now\\\":$until,\\\"done\\\":true}\"; echo '--- FAIL: TestX'; exit 1",
               text);
  BOOST_TEST(failed.exit_code == 1);
  BOOST_TEST(says(failed.out + failed.err, "ended with status 1; it printed:\n  --- FAIL: TestX"),
             failed.out + failed.err);
}

BOOST_AUTO_TEST_CASE(a_program_that_guesses_a_revision_breaks_the_contract) {
  const Finished finished = run_with(guesser, story("  - {at: 5s, create: demo}\n", ""));
  BOOST_TEST(finished.exit_code == 1);
  BOOST_TEST(says(finished.out + finished.err,
                  "C13 revisions_are_the_servers: program sends a LIST with the revision '99', "
                  "which the server never had"),
             finished.out + finished.err);
}

BOOST_AUTO_TEST_CASE(a_program_that_does_something_else_each_time_is_found) {
  std::string other_each_time = program;
  other_each_time.replace(other_each_time.find("life $life"), 10, "number $$");
  const Finished run = run_with(other_each_time, story("  - {at: 5s, create: demo}\n", ""));
  BOOST_TEST(run.exit_code == 1);
  BOOST_TEST(says(run.out + run.err, "the same schedule gave two different runs"),
             run.out + run.err);
  const Fuzzed fuzzed = fuzz_around(other_each_time, "expect: [{objects: {exactly: [web]}}]\n",
                                    {"--seeds", "1..2", "--keep-large"});
  BOOST_TEST(fuzzed.finished.exit_code == 1);
  BOOST_TEST(says(fuzzed.finished.err, "the same schedule gave two different runs"),
             fuzzed.finished.err);
}

BOOST_AUTO_TEST_CASE(a_note_that_should_not_come_is_among_the_rows) {
  std::string script;
  for (const char name : std::string("abcdefghijklm")) {
    script += fmt::format("  - {{after: 1s, create: object-{}}}\n", name);
  }
  for (const std::string claim : {"never: [life 1]", "exactly: [life 2]", "in_any_order: []"}) {
    const Finished run = run_with(program, story(script, "expect: [{notes: {" + claim + "}}]\n"));
    BOOST_TEST(run.exit_code == 1);
    const std::size_t at = run.err.find(" until the violation shows, at step ");
    BOOST_TEST_REQUIRE(at != std::string::npos, run.err);
    BOOST_TEST(run.err.find("program prints: life 1", at) != std::string::npos, run.err);
  }
}

/// A line that a program forges, in a note and in the path of what it asks for.
BOOST_AUTO_TEST_CASE(a_line_break_of_a_program_begins_no_line) {
  const std::string forger = beginning + R"sh(
echo 'watchlab-lockstep 1 {}' >&3
order
path=/api/v1/namespaces/default/configmaps/a%0AFORGED%0D%1B%5B31m
data=$(printf '%s\r\nHost: a\r\n\r\n' "GET $path?resourceVersion=1%0AFORGED HTTP/1.1" | base64 -w0)
note='{"kind":"note","text":"said\nFORGED\u001b[31m\r\nFORGED"}'
say "{\"now\":$until,\"events\":[$note,{\"conn\":1,\"kind\":\"dial\"},{\"conn\":1,\"kind\":\"data\",\"data\":\"$data\"}]}"
)sh" + until_stopped;
  const TemporaryFolder folder;
  folder.write("program.sh", forger);
  const std::string path = folder.write(
      "story.yaml", story("  - {at: 5s, create: demo}\n",
                          "expect: [{notes: {never: ['said*']}}, {requests: {exactly: []}}]\n"));
  const std::string holds = folder.write("holds.yaml", story("  - {at: 5s, create: demo}\n", ""));
  const std::string junit = folder.path("junit.xml");
  std::string seen;
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"run", path, "--junit", junit},
           {"run", holds},
           {"explore", path, "-n", "2"},
           {"replay", path, "--schedule", "default"},
           {"shrink", path, "--schedule", "default"},
           {"explain", path, "--endings", "0", "--allow-run"},
           {"explain", path, "--endings", "0", "--locks", "--allow-run"},
           {"trace", path, "--allow-run"},
           {"trace", path, "--lanes", "0", "--allow-run"},
           {"diff", path, holds, "--allow-run"},
           {"report", path, "-o", "-", "--allow-run"},
           {"draw", path, "--view", "spacetime", "--allow-run"}}) {
    const Finished finished = run_watchlab(words);
    const std::string text = finished.out + finished.err + read_whole(junit);
    seen += text;
    BOOST_TEST(text.find('\033') == std::string::npos, words[0]);
    BOOST_TEST(text.find("\nFORGED") == std::string::npos, words[0] << ": " << text);
  }
  BOOST_TEST(says(seen, "said\\nFORGED"), seen);
  BOOST_TEST(says(seen, "a\\nFORGED"), seen);
}

BOOST_AUTO_TEST_CASE(a_blank_story_that_fails_by_itself_is_not_played_in_other_weather) {
  const Fuzzed fuzzed = fuzz_around(guesser, "expect: [{objects: {exactly: [web]}}]\n",
                                    {"--seeds", "1..2", "--keep-large"});
  BOOST_TEST(fuzzed.finished.exit_code == 1);
  BOOST_TEST(
      says(fuzzed.finished.err,
           "story.yaml fails even without faults, so every story built on it would fail too:\n"),
      fuzzed.finished.err);
  BOOST_TEST(says(fuzzed.finished.err, "C13 revisions_are_the_servers"), fuzzed.finished.err);
  BOOST_TEST(!says(fuzzed.finished.out + fuzzed.finished.err, " stories, "), fuzzed.finished.err);
}

BOOST_AUTO_TEST_CASE(a_story_that_is_not_blank_is_refused_before_its_program_is_named) {
  const Fuzzed fuzzed = fuzz_around(guesser, "", {"--seeds", "1..2"});
  BOOST_TEST(fuzzed.finished.exit_code == 2);
  BOOST_TEST(says(fuzzed.finished.err, "it expects nothing"), fuzzed.finished.err);
  BOOST_TEST(!says(fuzzed.finished.err, " starts "), fuzzed.finished.err);
}

BOOST_AUTO_TEST_CASE(a_write_of_the_script_that_weather_refuses_is_no_finding) {
  const std::string and_then = ", {at: 20s, delete: {name: claim, kind: Pod}}";
  const std::string expects = "expect: [{objects: {exactly: [web]}}]\n";
  const Fuzzed fuzzed = fuzz_around(claimer, expects, {"--seeds", "1..8"}, and_then);
  BOOST_TEST(fuzzed.finished.exit_code == 0, fuzzed.finished.out + fuzzed.finished.err);
  BOOST_TEST(says(fuzzed.finished.out, "nothing was found"), fuzzed.finished.out);
  BOOST_TEST(says(fuzzed.finished.out, " of 8 stories ended early and found nothing"),
             fuzzed.finished.out);
  const Fuzzed alone = fuzz_around(program, expects, {"--seeds", "1..20"}, and_then);
  BOOST_TEST(alone.finished.exit_code == 1);
  BOOST_TEST(says(alone.finished.err, "story.yaml fails even without faults"), alone.finished.err);
  BOOST_TEST(says(alone.finished.err, "the server refused to DELETE claim"), alone.finished.err);
}

BOOST_AUTO_TEST_CASE(weather_that_breaks_a_program_is_drawn_and_made_small) {
  const Fuzzed fuzzed = fuzz_around(program, "expect: [{notes: {never: [life 2]}}]\n",
                                    {"--seeds", "1..50", "--first"});
  BOOST_TEST(fuzzed.finished.exit_code == 1, fuzzed.finished.out + fuzzed.finished.err);
  BOOST_TEST(says(fuzzed.file, "crash: program"), fuzzed.file);
  BOOST_TEST(says(fuzzed.file, "start: program"), fuzzed.file);
  BOOST_TEST(!says(fuzzed.file, "fault: "), fuzzed.file);
  BOOST_TEST(!says(fuzzed.file, "turn"), fuzzed.file);
}

BOOST_AUTO_TEST_CASE(what_is_found_runs_its_program_from_any_folder) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path("stories"));
  folder.write("stories/program.sh", program);
  const std::string blank =
      folder.write("stories/story.yaml",
                   "apiVersion: watchlab/v1\nname: story\nstory: s\nserver: {objects: [web]}\n"
                   "clients: [{name: program, kind: go, run: [sh, program.sh], makes: [claim]}]\n"
                   "script: [{at: 1s, update: {name: web, data: {a: b}}}]\nuntil: 1m\n"
                   "expect: [{notes: {never: [life 2]}}]\n");
  setenv("WATCHLAB_CALLED_AS", WATCHLAB_EXECUTABLE, 1);
  const auto try_line = [&](const std::string& out, const std::vector<std::string>& more) {
    std::vector<std::string> words{"fuzz", "--client", "go",      blank,  "--first",
                                   "-o",   out,        "--seeds", "1..50"};
    words.insert(words.end(), more.begin(), more.end());
    const Finished found = run_watchlab(words);
    BOOST_TEST(found.exit_code == 1, found.err);
    const std::size_t at = found.err.find("try: ");
    BOOST_TEST_REQUIRE(at != std::string::npos, found.err);
    return found.err.substr(at + 5, found.err.find('\n', at) - at - 5);
  };
  for (const std::string& out : {folder.path("elsewhere/deep"), folder.path("stories")}) {
    const Finished tried =
        run_watchlab({"-c", try_line(out, {})}, {.program = "/bin/sh", .folder = "/"});
    BOOST_TEST(tried.exit_code == 1, tried.err);
    BOOST_TEST(says(tried.err, "'life 2' should never come"), tried.err);
  }
  // Where no file can be written the line draws the story again.
  folder.write("file", "");
  const Finished drawn =
      run_watchlab({"-c", try_line(folder.path("file"), {})}, {.program = "/bin/sh"});
  BOOST_TEST(drawn.exit_code == 1, drawn.err);
  BOOST_TEST(says(drawn.err, "1 stories, first "), drawn.err);
  setenv("WATCHLAB_CALLED_AS", "./watchlab", 1);
}

BOOST_AUTO_TEST_CASE(a_smaller_story_stays_where_its_program_is_found) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path("stories"));
  folder.write("stories/program.sh", program);
  const std::string path =
      folder.write("stories/story.yaml",
                   story("  - {at: 5s, create: demo}\n", "expect: [{notes: {never: [life 1]}}]\n"));
  const Finished other =
      run_watchlab({"shrink", path, "--schedule", "default", "--story", folder.path("small.yaml")});
  BOOST_TEST(other.exit_code == 2);
  BOOST_TEST(says(other.err, "the story names its program from its own folder; expected a file in"),
             other.err);
  const std::string small = folder.path("stories/small.yaml");
  BOOST_TEST(run_watchlab({"shrink", path, "--schedule", "default", "--story", small}).exit_code ==
             1);
  BOOST_TEST(run_watchlab({"run", small}).exit_code == 1);
}

BOOST_AUTO_TEST_CASE(who_plays_a_story_by_a_go_test_plays_it_again_so) {
  const TemporaryFolder folder;
  const std::string script = folder.write("program.sh", guesser);
  const std::string path =
      folder.write("story.yaml",
                   "apiVersion: watchlab/v1\nname: story\nstory: s\nuntil: 1m\n"
                   "clients: [{name: program, kind: go}]\nscript: [{at: 5s, create: demo}]\n");
  // As the module for Go writes it, but for what stands in place of its binary.
  const std::string named = R"(["sh", "-c", "cd \"$0\" && exec sh \"$@\"", ")" + folder.path("") +
                            R"(", "program.sh", "-test.run=^TestX$/^a b$", "-test.count=1"])";
  setenv("WATCHLAB_GO_PROGRAM", named.c_str(), 1);
  const Finished run = run_watchlab({"run", path});
  unsetenv("WATCHLAB_GO_PROGRAM");
  BOOST_TEST(run.exit_code == 1, run.err);
  BOOST_TEST(says(run.err, "\nreplay it: cd " + folder.path("") +
                               " && go test -count=1 -run '^TestX$/^a b$' .\n"),
             run.err);
}

BOOST_AUTO_TEST_CASE(what_is_run_is_named_from_another_folder) {
  using Words = std::vector<std::string>;
  const Words plain{"./a.test", "-x"};
  BOOST_TEST((run_from_folder(plain, "a", "a") == plain));
  BOOST_TEST((run_from_folder(plain, "", ".") == plain));
  BOOST_TEST((run_from_folder(plain, "a/b", "c") ==
              Words{"sh", "-c", "cd \"$0\" && exec \"$@\"", "../a/b", "./a.test", "-x"}));
  const Words moved = run_from_folder({"go", "test", "-run", "TestX", "./op"}, "a/b", "");
  BOOST_TEST((moved == Words{"go", "-C", "a/b", "test", "-run", "TestX", "./op"}));
  BOOST_TEST((run_from_folder(moved, "", "a/c") ==
              Words{"go", "-C", "../../a/b", "test", "-run", "TestX", "./op"}));
  const std::optional<GoTest> test = go_test_in(moved);
  BOOST_TEST_REQUIRE(test.has_value());
  BOOST_TEST(test->folder == "a/b");
  BOOST_TEST(test->package == "./op");
}

BOOST_AUTO_TEST_CASE(what_a_story_cannot_say_of_a_program_is_refused_with_its_place) {
  const auto problem_of = [](const std::string& clients, const std::string& script) {
    const TemporaryFolder folder;
    const Finished finished =
        run_watchlab({"run", folder.write("story.yaml",
                                          "apiVersion: watchlab/v1\nname: story\nstory: s\n"
                                          "clients: [" +
                                              clients + "]\nscript: [" + script + "]\n")});
    BOOST_TEST(finished.exit_code == 2);
    return finished.err;
  };
  const std::string go = "{name: a, kind: go, run: [sh]}";
  const std::string informer = "{name: b, kind: informer}";
  const auto refuses = [&](const std::string& clients, const std::string& script,
                           const std::string& words) {
    const std::string problem = problem_of(clients, script);
    BOOST_TEST(says(problem, words), problem);
  };
  refuses(go + ", {name: c, kind: go, run: [sh]}", "{create: x}",
          "4:10: several clients of the kind go");
  refuses(go + ", " + informer, "{crash: b}", "5:18: a crash of 'b', which is no program");
  refuses(informer, "{when: {noted: x}, create: y}", "waiting for notes, which no client can say");
  refuses(go, "{when: {synced: a}, create: y}",
          "waiting for the first list of a, a program of which only requests, notes and the end");
  refuses("{name: b, kind: informer, run: [sh]}", "{create: x}", "something to run of the client");
  refuses("{name: b, kind: informer, goroutines: chosen}", "{create: x}",
          "goroutines of the client 'b'");
  refuses("{name: a, kind: go, run: [sh], resync: 1s}", "{create: x}",
          "a setting of 'a' that only a client of ours has");
  refuses("{name: a, kind: go}", "{create: x}", "the client 'a', which has nothing to run");
  refuses("{name: a, kind: go, run: [./none]}", "{create: x}", "none of 'a', which is not there");
}

BOOST_AUTO_TEST_CASE(a_search_of_goroutines_that_are_chosen_is_refused) {
  const TemporaryFolder folder;
  const std::string path =
      folder.write("story.yaml",
                   "apiVersion: watchlab/v1\nname: story\nstory: s\nscript: [{create: x}]\n"
                   "clients: [{name: a, kind: go, goroutines: chosen, run: [sh]}]\n");
  for (const std::string strategy : {"dfs", "dpor"}) {
    const Finished finished = run_watchlab({"explore", path, "--strategy", strategy});
    BOOST_TEST(finished.exit_code == 2);
    BOOST_TEST(says(finished.err, "the strategy " + strategy +
                                      " does not go with 'a', whose goroutines are chosen"),
               finished.err);
  }
}

BOOST_AUTO_TEST_CASE(serve_refuses_a_program_that_needs_the_clock) {
  const TemporaryFolder folder;
  const Finished finished = run_watchlab(
      {"serve", folder.write("story.yaml", story("  - {at: 5s, create: demo}\n", ""))});
  BOOST_TEST(finished.exit_code == 2);
  BOOST_TEST(says(finished.err, "lives on the story's clock, and here time is real"), finished.err);
}

BOOST_AUTO_TEST_CASE(a_call_of_go_test_is_taken_apart) {
  BOOST_TEST(!go_test_in({"./controller.test", "-test.run=TestX"}).has_value());
  const std::optional<GoTest> test = go_test_in(
      {"go", "test", "-race", "-run", "TestX", "-tags", "e2e", "-v", "-count=1", "./operator"});
  BOOST_TEST_REQUIRE(test.has_value());
  BOOST_TEST(test->package == "./operator");
  BOOST_TEST((test->build == std::vector<std::string>{"-race", "-tags=e2e"}));
  BOOST_TEST(
      (test->arguments == std::vector<std::string>{"-test.run=TestX", "-test.v", "-test.count=1"}));
}

BOOST_AUTO_TEST_SUITE_END()
