// What commands show on a terminal beside their results, and nowhere else: how far they are.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "tests/scenarios/cli/process.hpp"

using namespace watchlab::tests;

BOOST_AUTO_TEST_SUITE(terminal_test)

namespace {

/// A call that may take long, with the first that it says of how far it is. `$` is a folder.
struct Row {
  std::string call;
  std::string shows;
};

const std::vector<Row> rows{
    {"run $/two", "0 of 2: "},
    {"explore slow_handler --schedules 2000", " of 2000 schedules: "},
    {"explore $/two --schedules 3", "0 of 2 scenarios, "},
    {"explore $/two --schedules 3 --jobs 2", "1 of 2 scenarios explored"},
    {"replay missed_delete --schedule default --times 20", "1 of 20 times"},
    {"explain $/broken.yaml", "1 of 2501 runs at most"},
    {"explain $/broken.yaml --endings 3", "1 of 621 runs at most"},
    {"replay $/broken.yaml --schedule default",
     "1 of 200 runs at most, to find what makes the difference"},
    {"shrink $/broken.yaml", "at most 30 s left: run 1, "},
    {"shrink $/broken.yaml --time 50s", "at most 50 s left: run 1, "},
    {"shrink $/broken.yaml --prove", "run 1, "},
    {"draw slow_handler --view explored --schedules 7 -o $/tree.svg", "1 of 7 runs"},
    {"fuzz --seeds 1..20", " of 20 stories, "},
    {"digest $/two", "1 of 2 stories"},
    {"transcribe --stories 5..9 -o $/t.jsonl", "1 of 5 stories"},
    {"transcribe $/two -o $/t.jsonl", "0 of 2 stories"},
    {"serve $/served -- true", "1 of 2 stories"}};

std::string story_called(const std::string& name, const std::string& rest) {
  return "apiVersion: watchlab/v1\nname: " + name + "\nstory: s\n" + rest;
}

/// A folder with what the rows name.
void write_stories(const TemporaryFolder& folder) {
  const std::string informer = "clients: [{name: x, kind: informer}]\nscript: [{create: demo}]\n";
  std::filesystem::create_directory(folder.path("two"));
  std::filesystem::create_directory(folder.path("served"));
  (void)folder.write("broken.yaml",
                     story_called("broken", informer + "expect: [{store: {exactly: []}}]\n"));
  for (const std::string name : {"one", "other"}) {
    (void)folder.write("two/" + name + ".yaml", story_called(name, informer));
    (void)folder.write("served/" + name + ".yaml",
                       story_called(name, "clients: [{name: x, kind: external}]\nuntil: 1ms\n"));
  }
}

std::vector<std::string> words_of(const std::string& call, const TemporaryFolder& folder) {
  std::vector<std::string> words;
  std::istringstream in(call);
  for (std::string word; in >> word;) {
    words.push_back(word.starts_with('$') ? folder.path(word.substr(2)) : word);
  }
  return words;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_may_take_long_says_how_far_it_is_on_a_terminal_alone) {
  const TemporaryFolder folder;
  write_stories(folder);
  for (const Row& row : rows) {
    const std::vector<std::string> words = words_of(row.call, folder);
    const std::string shown = shown_on_terminal(words, 120);
    BOOST_TEST(shown.find(row.shows) != std::string::npos, row.call << " shows\n" << shown);
    const Finished piped = run_watchlab(words);
    BOOST_TEST(piped.err.find(row.shows) == std::string::npos, row.call << "\n" << piped.err);
    BOOST_TEST(piped.out.find(row.shows) == std::string::npos, row.call << "\n" << piped.out);
  }
}

BOOST_AUTO_TEST_CASE(how_far_it_is_is_gone_when_the_result_stands_there) {
  const TemporaryFolder folder;
  write_stories(folder);
  const std::string shown =
      shown_on_terminal({"explain", folder.path("broken.yaml"), "--endings", "1"}, 120);
  const std::size_t last = shown.rfind(" runs at most");
  BOOST_TEST_REQUIRE(last != std::string::npos);
  BOOST_TEST(shown.substr(last).starts_with(" runs at most\r\033[K"), shown);
}

BOOST_AUTO_TEST_SUITE_END()
