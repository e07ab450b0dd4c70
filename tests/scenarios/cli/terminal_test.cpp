// What commands show on a terminal and nowhere else: how far they are, lines as wide as it,
// colours.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
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

/// Commands say how far they are from the beginning.
struct AtOnce {
  AtOnce() { setenv("WATCHLAB_PROGRESS_AFTER", "0", 1); }
  ~AtOnce() { unsetenv("WATCHLAB_PROGRESS_AFTER"); }
};

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
  const AtOnce at_once;
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

BOOST_AUTO_TEST_CASE(what_is_over_soon_does_not_say_how_far_it_is) {
  setenv("WATCHLAB_PROGRESS_AFTER", "3600", 1);
  const std::string shown = shown_on_terminal({"run", "missed_delete"}, 120);
  unsetenv("WATCHLAB_PROGRESS_AFTER");
  BOOST_TEST(shown.find("\r\033[K") == std::string::npos, shown);
}

BOOST_AUTO_TEST_CASE(a_terminal_that_moves_no_cursor_gets_no_escapes) {
  const AtOnce at_once;
  const TemporaryFolder folder;
  write_stories(folder);
  for (const Row& row : rows) {
    const std::string shown = shown_on_terminal(words_of(row.call, folder), 120, "dumb");
    BOOST_TEST(shown.find('\033') == std::string::npos, row.call << " shows\n" << shown);
  }
}

BOOST_AUTO_TEST_CASE(how_far_it_is_is_gone_when_the_result_stands_there) {
  const AtOnce at_once;
  const TemporaryFolder folder;
  write_stories(folder);
  const std::string shown =
      shown_on_terminal({"explain", folder.path("broken.yaml"), "--endings", "1"}, 120);
  const std::size_t last = shown.rfind(" runs at most");
  BOOST_TEST_REQUIRE(last != std::string::npos);
  BOOST_TEST(shown.substr(last).starts_with(" runs at most\r\033[K"), shown);
}

namespace {

/// What stands on the terminal at the end: without colours and what was written over.
std::vector<std::string> lines_of(std::string shown) {
  shown = std::regex_replace(shown, std::regex("\\r\\n"), "\n");
  shown = std::regex_replace(shown, std::regex("\033\\[[0-9;]*m"), "");
  shown = std::regex_replace(shown, std::regex("[^\n]*\r\033\\[K"), "");
  std::vector<std::string> lines;
  std::istringstream in(shown);
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
  }
  return lines;
}

/// In letters, none of which is wide here.
std::size_t width_of(std::string_view line) {
  return static_cast<std::size_t>(std::ranges::count_if(
      line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::size_t longest_word(const std::string& line) {
  std::istringstream in(line);
  std::size_t longest = 0;
  for (std::string word; in >> word;) {
    longest = std::max(longest, width_of(word));
  }
  return longest;
}

}  // namespace

BOOST_AUTO_TEST_CASE(lines_are_as_wide_as_the_terminal_but_for_those_to_paste) {
  const TemporaryFolder folder;
  write_stories(folder);
  for (const std::string call : {"run scenarios/relist scenarios/reflector",
                                 "run $/broken.yaml",
                                 "explore missed_delete slow_handler -n 5",
                                 "trace missed_delete",
                                 "trace missed_delete --lanes 0",
                                 "trace $/broken.yaml",
                                 "explain $/broken.yaml --endings 0",
                                 "explain $/broken.yaml --endings 0 --locks",
                                 "diff missed_delete slow_handler",
                                 "digest scenarios/relist",
                                 "validate scenarios/relist $/none",
                                 "list",
                                 "museum list",
                                 "museum search deleted object",
                                 "museum tour",
                                 "museum show time_travel",
                                 "museum show no_such_piece",
                                 "show missed_delete",
                                 "fault list --server nonsense",
                                 "explore missed_delete --strategy randm",
                                 "museum show slow_handler_blocks_the_watch",
                                 "fuzz --seeds 1..1 --coverage",
                                 "--help",
                                 "explore --help",
                                 "fuzz --help"}) {
    for (const unsigned short columns : {40, 57, 72, 80, 100, 120}) {
      for (const std::string& line : lines_of(shown_on_terminal(words_of(call, folder), columns))) {
        const bool is_said = std::regex_search(line, std::regex("^watchlab[a-z ]*:"));
        const bool is_to_paste = !is_said && line.find("watchlab ") != std::string::npos;
        const bool is_unbreakable = longest_word(line) + 20 > columns;
        if (!is_to_paste && !is_unbreakable) {
          BOOST_TEST(width_of(line) <= columns, call << " in " << columns << ": " << line);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_row_of_a_table_is_one_line_however_narrow_the_terminal) {
  for (const std::string call : {"run scenarios/reflector", "digest scenarios/reflector", "list",
                                 "museum list", "explore scenarios/relist --strategy fifo"}) {
    const TemporaryFolder none;
    const std::vector<std::string> words = words_of(call, none);
    const Finished piped = run_watchlab(words);
    const auto rows = std::ranges::count(piped.out, '\n');
    for (const unsigned short columns : {60, 80, 120}) {
      const auto lines = lines_of(shown_on_terminal(words, columns));
      BOOST_TEST(static_cast<long>(lines.size()) == rows, call << " in " << columns);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_pipe_has_no_width) {
  const std::string piped = run_watchlab({"list"}).out;
  setenv("COLUMNS", "40", 1);
  const std::string narrow = run_watchlab({"list"}).out;
  unsetenv("COLUMNS");
  BOOST_TEST(piped == narrow);
}

BOOST_AUTO_TEST_CASE(verdicts_errors_headings_and_differences_are_coloured_where_that_is_wanted) {
  const TemporaryFolder folder;
  write_stories(folder);
  const std::string broken = folder.path("broken.yaml");
  const std::string red = "\033[31m";
  const std::string green = "\033[32m";
  const std::string bold = "\033[1m";
  for (const auto& [call, colour] : std::vector<std::pair<std::string, std::string>>{
           {"run missed_delete", green},
           {"run $/broken.yaml", red},
           {"run nothing_there", red},
           {"explore missed_delete -n 2", green},
           {"replay $/broken.yaml --schedule default", red},
           {"validate missed_delete", green},
           {"validate nothing_there", red},
           {"explain $/broken.yaml --endings 0", bold},
           {"explain missed_delete --endings 0", green},
           {"diff missed_delete slow_handler", bold},
           {"diff missed_delete slow_handler", red},
           {"fuzz --seeds 1..1", green},
           {"branch missed_delete --take 1=0", green}}) {
    const std::vector<std::string> words = words_of(call, folder);
    BOOST_TEST(shown_on_terminal(words, 100).find(colour) != std::string::npos, call);
    const Finished piped = run_watchlab(words);
    BOOST_TEST((piped.out + piped.err).find('\033') == std::string::npos, call);
    setenv("CLICOLOR_FORCE", "1", 1);
    const Finished forced = run_watchlab(words);
    setenv("NO_COLOR", "1", 1);
    const Finished without = run_watchlab(words);
    unsetenv("NO_COLOR");
    unsetenv("CLICOLOR_FORCE");
    BOOST_TEST((forced.out + forced.err).find(colour) != std::string::npos, call);
    BOOST_TEST((without.out + without.err).find('\033') == std::string::npos, call);
  }
}

BOOST_AUTO_TEST_CASE(a_story_paints_nothing_itself) {
  const TemporaryFolder folder;
  const std::string story =
      folder.write("hidden.yaml",
                   "apiVersion: watchlab/v1\nname: hidden\nstory: \"a \\e[8mhidden\\e[0m\"\n"
                   "clients: [{name: x, kind: informer}]\n");
  const std::string shown = shown_on_terminal({"list", story}, 80);
  BOOST_TEST(shown.find("\033[8m") == std::string::npos, shown);
}

BOOST_AUTO_TEST_SUITE_END()
