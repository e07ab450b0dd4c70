// Every command that a handout names is there, and does what it is said to do.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "exercises/programs/texts.hpp"
#include "exercises/sandbox/processes.hpp"
#include "tests/exercises/grader/grading_fixture.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

/// What stands between backticks and calls one of the programs.
std::set<std::string> commands_of(const std::string& text) {
  static const std::regex quoted_command(
      "`((?:[A-Z_]+=\\S+ )?(?:\\./)?watchlab(?:-course)? [^`]+)`");
  std::set<std::string> commands;
  for (std::sregex_iterator at(text.begin(), text.end(), quoted_command), end; at != end; ++at) {
    commands.insert(std::regex_replace((*at)[1].str(), std::regex("\\s+"), " "));
  }
  return commands;
}

/// All texts of an exercise that a student gets.
std::string handout_of(const Exercise& exercise) {
  std::string text;
  for (const char* const name : {"README.md", "hints.yaml"}) {
    text += read_whole(exercise.folder / name) + "\n";
  }
  for (const char* const folder : {"starter", "scenarios"}) {
    if (fs::is_directory(exercise.folder / folder)) {
      for (const auto& entry : fs::directory_iterator(exercise.folder / folder)) {
        text += read_whole(entry.path()) + "\n";
      }
    }
  }
  return text;
}

/// "check" of "./watchlab-course check E00".
std::string verb_of(const std::string& command) {
  std::smatch found;
  BOOST_TEST_REQUIRE(std::regex_search(command, found, std::regex("watchlab(?:-course)? (\\S+)")));
  return found[1];
}

bool is_of_course(const std::string& command) {
  return command.find("watchlab-course ") != std::string::npos;
}

struct HandoutCommands {
  Toolchain toolchain = toolchain_of_tests();
  ScratchFolder scratch;

  HandoutCommands() {
    fs::permissions(scratch.path(), fs::perms::others_exec, fs::perm_options::add);
    for (const char* const name : {"exercises", "docs"}) {
      fs::create_directory_symlink(toolchain.root / name, scratch.path() / name);
    }
    fs::create_symlink(toolchain.player(), scratch.path() / "watchlab");
    fs::create_symlink(toolchain.tree / "exercises/grader/watchlab-course",
                       scratch.path() / "watchlab-course");
    // To a number, a choice, deltas, calls, an order of five or six: one line of them is an answer.
    std::string answers;
    for (int i = 0; i < 100; ++i) {
      answers += "1\na\nAdded default/red\nadd default/red\na,b,c,d,e\na,b,c,d,e,f\n";
    }
    scratch.write("input", answers);
  }

  [[nodiscard]] ProcessEnd play(const std::string& command) const {
    return run_plainly({"/bin/sh", "-c", "PATH=$PWD:$PATH; { " + command + "; } <input"},
                       scratch.path());
  }

  /// A command with words in capitals is a pattern: its verb and its options exist.
  void check_pattern(const std::string& command) const {
    const std::string program = is_of_course(command) ? "./watchlab-course" : "./watchlab";
    const ProcessEnd help = play(program + " " + verb_of(command) + " --help");
    BOOST_TEST(help.status == 0, command << "\n" << help.output);
    static const std::regex option("(^| )(--[a-z-]+)");
    for (std::sregex_iterator at(command.begin(), command.end(), option), end; at != end; ++at) {
      BOOST_TEST((help.output.find((*at)[2].str()) != std::string::npos), command);
    }
  }

  /// Exit 0; `check` may also say, by 1, that something is still wrong: the starter is.
  void check_call(const std::string& command) const {
    const ProcessEnd end = play(command);
    const bool may_find = is_of_course(command) && verb_of(command) == "check";
    BOOST_TEST((end.status == 0 || (may_find && end.status == 1)), command << "\nexit "
                                                                           << end.status << "\n"
                                                                           << end.output);
  }
};

bool is_pattern(const std::string& command) {
  return std::regex_search(command, std::regex("(^|[ =])[A-Z]{2,}( |$)")) ||
         std::count(command.begin(), command.end(), ' ') < 2;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(handout_commands_test, HandoutCommands)

BOOST_AUTO_TEST_CASE(what_handouts_show_students_to_call_works) {
  std::size_t played = 0;
  for (const Exercise& exercise : read_exercises(toolchain.exercises())) {
    BOOST_TEST_REQUIRE(play("./watchlab-course start " + exercise.id).status == 0);
    for (const std::string& command : commands_of(handout_of(exercise))) {
      BOOST_TEST_CONTEXT(exercise.id) {
        is_pattern(command) ? check_pattern(command) : check_call(command);
      }
      played += is_pattern(command) ? 0 : 1;
    }
  }
  BOOST_TEST(played > 7);
}

BOOST_AUTO_TEST_CASE(a_command_that_is_not_there_would_be_noticed) {
  BOOST_TEST(commands_of("x `./watchlab report a.yaml\n   -o b.html` y `not this`").size() == 1);
  BOOST_TEST(play("./watchlab step-through exercises/00-tour/scenarios/first_steps.yaml").status !=
             0);
}

BOOST_AUTO_TEST_CASE(the_tour_leaves_the_pictures_that_it_promises) {
  const Exercise tour = find_exercise(read_exercises(toolchain.exercises()), "E00");
  for (const std::string& command : commands_of(read_whole(tour.folder / "README.md"))) {
    check_call(command);
  }
  BOOST_TEST((read_whole(scratch.path() / "first.svg").find("LIST rv=0") != std::string::npos));
  BOOST_TEST((read_whole(scratch.path() / "broken.svg").find("WATCH rv=") != std::string::npos));
}

BOOST_AUTO_TEST_CASE(the_program_lists_its_commands_when_it_is_called_alone) {
  const ProcessEnd alone = play("./watchlab-course");
  const ProcessEnd help = play("./watchlab-course --help");
  BOOST_TEST(help.status == 0);
  BOOST_TEST(alone.status == 2);
  for (const char* const command : {"list", "start", "check", "watch", "hint", "predict", "grade",
                                    "bundle", "dev", "statistics"}) {
    for (const ProcessEnd& end : {alone, help}) {
      BOOST_TEST((end.output.find(std::string("\n  ") + command + " ") != std::string::npos),
                 command << "\n"
                         << end.output);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_launcher_lists_the_commands_of_the_course) {
  if (!fs::exists(toolchain.root / "build/release/exercises/grader/watchlab-course")) {
    return;  // another build tree's tests; the launcher asks the release build
  }
  const ProcessEnd help =
      run_plainly({(toolchain.root / "watchlab").string(), "course", "--help"}, scratch.path());
  BOOST_TEST(help.status == 0);
  for (const char* const command : {"start", "predict", "grade", "bundle"}) {
    BOOST_TEST((help.output.find(std::string("\n  ") + command + " ") != std::string::npos),
               help.output);
  }
}

BOOST_AUTO_TEST_CASE(a_wrong_name_is_reported_with_the_nearest) {
  for (const auto& [words, message] : std::vector<std::pair<std::string, std::string>>{
           {"start E5", "did you mean E05?"},
           {"check 05-delta-fofi", "did you mean 05-delta-fifo?"},
           {"hint e9", "did you mean E09?"},
           {"predict E7", "did you mean E07?"},
           {"grade E1t --submission .", "did you mean E01t?"},
           {"bundle --out handout E77", "did you mean E07?"},
           {"dev check E2", "did you mean E02?"},
           {"dev chek E02", "did you mean \"check\"?"},
           {"chekc", "did you mean \"check\"?"},
           {"grade E01t --submission . --format gradscope", "did you mean \"gradescope\"?"}}) {
    const ProcessEnd end = play("./watchlab-course " + words);
    BOOST_TEST(end.status == 2, words);
    BOOST_TEST((end.output.find(message) != std::string::npos), words << ": " << end.output);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
