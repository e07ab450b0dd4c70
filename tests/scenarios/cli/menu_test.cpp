#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/scenarios/cli/process.hpp"

using namespace watchlab::tests;

BOOST_AUTO_TEST_SUITE(menu_test)

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
  }
  return lines;
}

/// How wide a line is on a terminal: letters, not bytes.
std::size_t width_of(const std::string& line) {
  return static_cast<std::size_t>(
      std::ranges::count_if(line, [](char byte) { return (byte & 0xC0) != 0x80; }));
}

/// The help of the program as the launcher of a checkout starts it, or as it is installed.
std::string menu(bool by_launcher) {
  const std::string home = by_launcher ? "WATCHLAB_HOME=." : "--unset=WATCHLAB_HOME";
  return run_watchlab({home, WATCHLAB_EXECUTABLE, "--help"}, {.program = "/usr/bin/env"}).out;
}

/// The text between two fences of a page.
std::string block_of(const std::string& page) {
  const std::size_t begin = page.find("```text\n") + 8;
  return page.substr(begin, page.find("```", begin) - begin);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_menu_fits_on_a_screen_under_the_line_that_asks_for_it) {
  const std::string by_launcher = run_watchlab({"--help"}, {.program = "./watchlab"}).out;
  for (const std::string& page : {by_launcher, menu(true), menu(false)}) {
    const std::vector<std::string> lines = lines_of(page);
    BOOST_TEST((lines.size() >= 25U && lines.size() <= 38U), lines.size() << " lines:\n" << page);
    for (const std::string& line : lines) {
      BOOST_TEST(width_of(line) <= 80U, line);
    }
  }
}

BOOST_AUTO_TEST_CASE(each_group_of_the_menu_has_one_example_that_the_program_knows) {
  for (const std::string& page : {menu(true), menu(false)}) {
    std::size_t groups = 0;
    for (const std::string& line : lines_of(page)) {
      const std::size_t colon = line.find(": ");
      if (!line.starts_with("  ") && colon != std::string::npos && says(line, " ./watchlab ") &&
          !line.starts_with("usage") && !line.starts_with("Also")) {
        std::istringstream words(line.substr(line.find("./watchlab ") + 11));
        std::string command;
        words >> command;
        BOOST_TEST(says(page, "\n  " + command + " "), line);
        ++groups;
      }
    }
    BOOST_TEST(groups == 5U, page);
  }
}

namespace {

/// Colours are none, and a terminal ends its lines with a return.
std::string plain(std::string text) {
  std::erase(text, '\r');
  return text;
}

/// What of a page is wider.
std::string wider_than(const std::string& page, std::size_t columns) {
  std::string found;
  for (const std::string& line : lines_of(page)) {
    found += width_of(line) <= columns ? "" : line + "\n";
  }
  return found;
}

}  // namespace

BOOST_AUTO_TEST_CASE(help_is_as_wide_as_the_terminal_and_eighty_columns_elsewhere) {
  const auto in_pipe = [](const std::string& columns) {
    return run_watchlab({"COLUMNS=" + columns, WATCHLAB_EXECUTABLE, "serve", "--help"},
                        {.program = "/usr/bin/env"})
        .out;
  };
  for (const std::string called : {"./watchlab", "wl"}) {
    BOOST_TEST(wider_than(help_of_all_commands(called), 80) == "");
  }
  const std::string doctor = run_watchlab({"doctor", "--help"}, {.program = "./watchlab"}).out;
  BOOST_TEST(wider_than(doctor, 80) == "");
  BOOST_TEST(doctor != "");
  const std::vector<std::string> help{"serve", "--help"};
  for (const unsigned short columns : {60, 72, 80, 100}) {
    const std::string page = plain(shown_on_terminal(help, columns));
    BOOST_TEST(wider_than(page, columns) == "");
    BOOST_TEST(page == in_pipe(std::to_string(columns)));
  }
  // What is too wide to read is not used, nor what is too narrow for anything.
  BOOST_TEST(plain(shown_on_terminal(help, 300)) == in_pipe("100"));
  BOOST_TEST(in_pipe("7") == in_pipe("40"));
  BOOST_TEST(in_pipe("many") == in_pipe(""));
  BOOST_TEST(in_pipe("100") != in_pipe(""));
}

BOOST_AUTO_TEST_CASE(a_table_of_help_continues_below_its_column) {
  const std::string page = run_watchlab({"run", "--help"}).out;
  const std::size_t begin = page.find("Which release of client-go");
  BOOST_TEST_REQUIRE(begin != std::string::npos);
  const std::size_t column = begin - page.rfind('\n', begin) - 1;
  const std::size_t next = page.find('\n', begin) + 1;
  BOOST_TEST(page.find_first_not_of(' ', next) - next == column, page);
}

BOOST_AUTO_TEST_CASE(the_menu_names_each_command_once_and_begins_with_the_three_to_begin_with) {
  const std::string text = menu(true);
  std::vector<std::string> first;  // of each group
  std::string named;
  bool begins = false;
  for (const std::string& line : lines_of(text)) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (line.starts_with("  ")) {
      if (begins) {
        first.push_back(word);
      }
      named += " " + word + " ";
    }
    begins = !line.starts_with("  ");
  }
  named += text.substr(text.find("\nAlso:"));
  BOOST_TEST(first == (std::vector<std::string>{"run", "explore", "explain", "serve", "course"}),
             boost::test_tools::per_element());
  for (const std::string& line : lines_of(run_watchlab({"completion", "fish"}).out)) {
    const std::string mark = "__fish_use_subcommand -f -a ";
    if (const std::size_t at = line.find(mark); at != std::string::npos) {
      const std::size_t begin = at + mark.size();
      const std::string name = " " + line.substr(begin, line.find(' ', begin) - begin);
      const std::size_t found = named.find(name);
      BOOST_TEST(found != std::string::npos, name);
    }
  }
}

BOOST_AUTO_TEST_CASE(what_is_installed_has_no_command_of_a_checkout_in_its_menu) {
  const std::string text = menu(false);
  for (const std::string word : {"\n  course", "\n  doctor", "course start", "./dev"}) {
    BOOST_TEST(text.find(word) == std::string::npos, word);
  }
  for (const std::string name : {"course", "doctor"}) {
    const Finished refused = run_watchlab({name});
    BOOST_TEST(refused.exit_code == 2);
    BOOST_TEST(refused.err.find("'" + name + "' needs a checkout of watchlab: run ./watchlab ") !=
                   std::string::npos,
               refused.err);
  }
}

BOOST_AUTO_TEST_CASE(the_page_of_commands_shows_the_menu) {
  const std::string path = "docs/commands.md";
  std::string page = read_whole(path);
  const std::string today = menu(true);
  if (std::getenv("WATCHLAB_REFRESH") != nullptr) {
    page.replace(page.find("```text\n") + 8, block_of(page).size(), today);
    std::ofstream(path) << page;
  }
  BOOST_TEST(block_of(page) == today,
             path << " shows another menu (WATCHLAB_REFRESH=1 writes it there):\n"
                  << today);
}

BOOST_AUTO_TEST_CASE(the_program_knows_no_lane) {
  for (const auto& lane : std::filesystem::directory_iterator("tests/lanes")) {
    const std::string name = lane.path().stem().string();
    if (name != "museum") {
      const Finished finished = run_watchlab({name});
      BOOST_TEST(finished.exit_code == 2);
      BOOST_TEST(finished.err.find("there is no command '" + name + "'") != std::string::npos,
                 finished.err);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_piece_is_played_as_any_story_is) {
  const std::string slug = "recreated_object_lost";
  const Finished run = run_watchlab({"run", slug, "--json"});
  const Finished piece = run_watchlab({"museum", "run", slug, "--json"});
  BOOST_TEST(piece.exit_code == run.exit_code);
  BOOST_TEST(piece.out.substr(0, piece.out.find("seconds")) ==
             run.out.substr(0, run.out.find("seconds")));
  const Finished missing = run_watchlab({"museum", "run"});
  BOOST_TEST(missing.exit_code == 2);
  BOOST_TEST(missing.err.find("PATH is required") != std::string::npos, missing.err);
}

BOOST_AUTO_TEST_SUITE_END()
