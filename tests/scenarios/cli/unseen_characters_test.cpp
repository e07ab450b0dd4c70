// What nobody sees, and what changes how the letters around it stand, reaches no output.
#include <algorithm>
#include <boost/json.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "scenarios/language/plain_text.hpp"
#include "tests/scenarios/cli/process.hpp"

using namespace watchlab::tests;
using watchlab::scenarios::plain_text;

BOOST_AUTO_TEST_SUITE(unseen_characters_test)

namespace {

using Words = std::vector<std::string>;

/// One of each kind, as a story may have them, between two marks; the first is a colour of ours.
const std::string unseen =
    R"(LEFT\e[31m&#27;\e]0;title\a\x9b2J\u202e\u200b\u2066\u2028\ufeff\u061c\u00ad\U000E0041\x7f\x07)"
    R"(LEFT\u202eRIGHT)";
/// What of them a name may have.
const std::string unseen_in_names = R"(LEFT\u202eRIGHT\u200b\u2066\ufeff\u061c\u00ad\U000E0041)";

/// A line of its own, which a reader would take for one of the program's.
const std::string forged = "FORGED 9 held, 0 failed";

/// A story in which all that its author may choose freely has such characters.
std::string story_with(const std::string& name, const std::string& text, const std::string& data) {
  return "apiVersion: watchlab/v1\nname: escapes\nstory: \"s " + text +
         "\"\nserver: {objects: [{name: web, data: {k: \"v " + data + "\"}, annotations: {a: \"v " +
         data + "\"}}]}\nclients: [{name: \"c " + name +
         "\", kind: informer, handlers: [{name: \"h " + name +
         "\"}]}]\nscript: [{at: 1s, update: {name: web, data: {k: \"w " + data +
         "\"}}}]\nexpect: [{store: {exactly: []}}]\n";
}

/// A call of each command that prints or writes something of a story, `@`, into a file, `%`.
const std::vector<Words> calls{
    {"run", "@"},
    {"run", "@", "--json"},
    {"run", "@", "--junit", "%/junit.xml"},
    {"run", "@", "--transcript", "%/run.jsonl"},
    {"explore", "@", "-n", "3"},
    {"explore", "@", "-n", "3", "--json"},
    {"explore", "@", "-n", "3", "--junit", "%/junit.xml"},
    {"explore", "@", "-n", "3", "--continue"},
    {"replay", "@", "--schedule", "default"},
    {"replay", "@", "--schedule", "default", "--json"},
    {"replay", "@", "--schedule", "nonsense"},
    {"explain", "@", "--endings", "0"},
    {"explain", "@", "--endings", "0", "--locks"},
    {"explain", "@", "--endings", "0", "--json"},
    {"trace", "@"},
    {"trace", "@", "--lanes", "0"},
    {"trace", "@", "--json"},
    {"trace", "@", "-o", "%/run.jsonl"},
    {"trace", "@", "--format", "chrome"},
    {"trace", "@", "--format", "chrome", "-o", "%/chrome.json"},
    {"trace", "@", "--format", "perfetto", "-o", "%/run.pftrace"},
    {"diff", "@", "missed_delete"},
    {"diff", "@", "missed_delete", "--json"},
    {"digest", "@"},
    {"digest", "@", "--json"},
    {"validate", "@"},
    {"validate", "@", "--json"},
    {"migrate", "@"},
    {"list", "@"},
    {"list", "@", "--json"},
    {"show", "@"},
    {"show", "@", "--json"},
    {"report", "@", "-o", "%/page.html"},
    {"report", "@", "-o", "-"},
    {"report", "@", "-o", "%/page.json"},
    {"report", "@", "--with", "default", "-o", "%/two.html"},
    {"draw", "@", "--view", "spacetime", "-o", "%/run.svg"},
    {"draw", "@", "--view", "pipeline"},
    {"draw", "@", "--view", "tasks"},
    {"draw", "@", "--view", "waits"},
    {"draw", "@", "--view", "explored", "--schedules", "3"},
    {"draw", "@", "--view", "spacetime", "-o", "%/run.dot"},
    {"branch", "@", "--take", "1=0"},
    {"branch", "@", "--take", "1=0", "-o", "%/page.html"},
    {"shrink", "@", "--schedule", "default"},
    {"shrink", "@", "--schedule", "default", "--json"},
    {"shrink", "@", "--schedule", "default", "--junit", "%/junit.xml"},
    {"shrink", "@", "--schedule", "default", "--story", "%/escapes.yaml"},
    {"transcribe", "@", "-o", "-"},
    {"transcribe", "@", "-o", "%/t.jsonl"},
    {"merge", "@"},
    {"story-from", "@"}};

/// That all of it is seen, and what nobody sees was not just left out.
void check_plain(const std::string& text, const std::string& where) {
  BOOST_TEST(plain_text(text) == text, where << " has what nobody sees");
  BOOST_TEST(text.find("LEFTRIGHT") == std::string::npos, where << " leaves out what nobody sees");
  BOOST_TEST(!text.starts_with(forged), where);
  BOOST_TEST(text.find("\n" + forged) == std::string::npos, where << " has a line of another");
}

void check_calls(const std::string& story, const TemporaryFolder& folder) {
  for (const Words& call : calls) {
    std::filesystem::create_directory(folder.path("out"));
    Words words;
    std::string named;
    for (const std::string& word : call) {
      words.push_back(word == "@"             ? story
                      : word.starts_with('%') ? folder.path("out" + word.substr(1))
                                              : word);
      named += word + " ";
    }
    const Finished finished = run_watchlab(words);
    check_plain(finished.out, named + "on standard output");
    check_plain(finished.err, named + "on standard error");
    for (const auto& file : std::filesystem::directory_iterator(folder.path("out"))) {
      const std::string text = read_whole(file.path().string());
      if (file.path().extension() == ".pftrace") {  // bytes, with texts among them
        BOOST_TEST(text.find("\u202e") == std::string::npos, named);
        BOOST_TEST(text.find("\n" + forged) == std::string::npos, named);
      } else {
        check_plain(text, named + "in its file");
      }
    }
    std::filesystem::remove_all(folder.path("out"));
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(names_and_data_of_a_story_reach_no_output_as_they_are) {
  const TemporaryFolder folder;
  check_calls(
      folder.write("escapes.yaml", story_with(unseen_in_names, unseen, unseen + "\\n" + forged)),
      folder);
}

/// What it paints with itself is no way around that, where colours are wanted.
BOOST_AUTO_TEST_CASE(the_colours_of_a_story_reach_no_output) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path("LEFT\033[31m"));
  const std::string story =
      folder.write("LEFT\033[31m/escapes.yaml", story_with(unseen_in_names, unseen, unseen));
  setenv("CLICOLOR_FORCE", "1", 1);
  bool any = false;
  for (const Words& call : calls) {
    Words words;
    for (const std::string& word : call) {
      words.push_back(word == "@"             ? story
                      : word.starts_with('%') ? folder.path(word.substr(2))
                                              : word);
    }
    const Finished finished = run_watchlab(words);
    any = any || (finished.out + finished.err).find('\033') != std::string::npos;
    BOOST_TEST((finished.out + finished.err).find("LEFT\033") == std::string::npos, words[0]);
  }
  unsetenv("CLICOLOR_FORCE");
  BOOST_TEST(any);
}

/// `show` prints the file and nothing else; a text of two lines is two lines there.
BOOST_AUTO_TEST_CASE(names_of_files_reach_no_output_as_they_are) {
  const TemporaryFolder folder;
  const std::string name = "f\033[2JLEFT\u202eRIGHT\u009b\u200b\n" + forged;
  std::filesystem::create_directory(folder.path(name));
  check_calls(folder.write(name + "/escapes.yaml", story_with("", "", "")), folder);
}

BOOST_AUTO_TEST_CASE(words_that_are_refused_are_printed_without_what_nobody_sees) {
  const std::string word = "x\033[2J\u202e\u009by";
  for (const Words& words :
       {Words{word}, Words{"run", "missed_delete", "--" + word}, Words{"run", word},
        Words{"explore", "missed_delete", "--strategy", word}, Words{"museum", "show", word},
        Words{"museum", "search", word}, Words{"fault", "add", word, "--server", word}}) {
    const Finished finished = run_watchlab(words);
    BOOST_TEST(finished.exit_code != 0);
    check_plain(finished.out + finished.err, words.back());
  }
}

namespace {

/// Places in a story where a text may stand that no server or reader takes.
const std::vector<std::string> refused{
    "server: {objects: [\"X\"]}\n",
    "server: {objects: [{name: web, labels: {\"X\": a}}]}\n",
    "server: {objects: [{name: web, labels: {a: \"X\"}}]}\n",
    "server: {objects: [{name: web, annotations: {\"X\": a}}]}\n",
    "server: {objects: [{name: web, data: {\"X\": a}}]}\n",
    "server: {objects: [{name: web, namespace: \"X\"}]}\n",
    "server: {objects: [{name: web, kind: \"X\"}]}\n",
    "server: {objects: [{name: web, finalizers: [\"X\"]}]}\n",
    "server: {namespaces: [\"X\"]}\n",
    "\"X\": 1\n",
    "script: [{at: \"X\", create: a}]\n",
    "script: [{at: 1s, \"X\": a}]\n",
    "script: [{at: 1s, fault: \"X\"}]\n",
    "script: [{at: 1s, start: \"X\"}]\n",
    "script: [{at: 1s, delete: \"X\"}]\n",
    "until: \"X\"\n",
    "transport: \"X\"\n",
    "explore: {strategy: \"X\"}\n",
    "schedule: \"X\"\n",
    "expect: [{store: {\"X\": []}}]\n",
    "expect: [{store: {exactly: [\"X\"]}}]\n"};

}  // namespace

BOOST_DATA_TEST_CASE(a_message_about_a_text_with_a_line_break_is_one_line, refused, rest) {
  std::string text = rest;
  text.replace(text.find('X'), 1, "a\\n" + forged + "\\u202e\\x9b\\t");
  const TemporaryFolder folder;
  const std::string story = folder.write("demo.yaml",
                                         "apiVersion: watchlab/v1\nname: demo\nstory: s\n"
                                         "clients: [{name: app, kind: informer}]\n" +
                                             text);
  const Finished finished = run_watchlab({"validate", story});
  BOOST_TEST(finished.exit_code == 2);
  check_plain(finished.err, rest);
  const auto lines = std::ranges::count(finished.err, '\n');
  BOOST_TEST(lines == 1, finished.err);
}

BOOST_AUTO_TEST_CASE(json_says_what_was_there) {
  const TemporaryFolder folder;
  const std::string story = folder.write("escapes.yaml", story_with("", "\\u202e\\x9b", ""));
  const std::string out = run_watchlab({"list", story, "--json"}).out;
  BOOST_TEST(boost::json::parse(out).at("story").as_string() == "s \u202e\u009b");
  BOOST_TEST(out.find("\\u202e\\u009b") != std::string::npos, out);
}

BOOST_AUTO_TEST_SUITE_END()
