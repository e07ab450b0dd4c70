#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/runtime/time.hpp"

namespace watchlab::scenarios {

/// Where the value of an argument goes: a flag is set, a vector takes all that follows, an
/// optional stays empty when the caller left the argument out. It points into what the command's
/// `run` holds.
using Target =
    std::variant<bool*, std::string*, std::optional<std::string>*, std::vector<std::string>*,
                 std::size_t*, std::optional<std::size_t>*, double*, std::optional<double>*, int*,
                 std::optional<int>*, runtime::Duration*>;

/// What a command can be given; where no more is to say, `{name, target, help}`.
struct Argument {
  /// "FILE" stands by its place; "--jobs,-j" is an option; "--" takes all that follows `--`.
  std::string name;
  Target target;
  std::string help;  ///< one clause without its end
  bool required = false;
  double least = std::numeric_limits<double>::lowest();  ///< of a number
  double most = std::numeric_limits<double>::max();      ///< of a number
  std::vector<std::string> one_of;                       ///< the words that it may be; empty: any
  std::string type_name;                                 ///< as help shows it; "" for what it is
  /// Words that stand for one of these: "0.32" for "classic".
  std::vector<std::pair<std::string, std::string>> also = {};
  bool is_output = false;  ///< a file that the command writes; looked at before the work begins
  bool is_output_folder = false;  ///< a folder that it writes files into
  /// Whether "-" is standard output; for other outputs, as that has something else, it is refused.
  bool may_be_standard_output = false;
};

/// A command of the program, as data: the parser is one file, and the commands do not know it.
struct Command {
  std::string name;
  std::string summary;
  std::string footer;  ///< examples, below the help
  std::string group;   ///< of the menu; "" for a command that is only named at its end
  std::vector<Argument> arguments;
  std::function<int()> run;  ///< does the work and returns how the program ends
  /// Whether a request to stop is noted (see `note_signals`), and the command looks for one and
  /// says what it has learned. Others have nothing to say, and end at once.
  bool heeds_signals = false;
};

/// A heading of the menu, with a call to begin with.
struct MenuGroup {
  std::string name;
  std::string example;                 ///< without the name of the program
  std::string example_installed = {};  ///< where there is no launcher; "" for the same
};

/// A command that the launcher of a checkout has beside those of the program.
struct LauncherCommand {
  std::string name;
  std::string summary;
  std::string group;
};

/// How a program calls itself.
struct ProgramWords {
  std::string name = "watchlab";
  std::string summary = "watchlab plays the Kubernetes list-watch machinery on a virtual clock.";
  /// In the order of the menu. Without groups the help lists the commands as they come.
  std::vector<MenuGroup> groups = {};
  std::vector<LauncherCommand> of_the_launcher = {};
  std::string called = {};    ///< as one types the program; its name if left out
  bool has_launcher = false;  ///< whether it was started by that launcher
};

/// Which release of the programs this is.
struct ProgramVersion {
  std::string_view number;  ///< "0.1.0", by the rules of semver.org
  std::string_view commit;  ///< that was checked out when it was built; "" if not known
};
[[nodiscard]] ProgramVersion program_version();

/// The help of the program: its commands in their groups, a line each, on one screen.
[[nodiscard]] std::string menu_page(const std::vector<Command>& commands,
                                    const ProgramWords& words);

/// Reads the command line, runs the command that it names, and returns the exit status. Help goes
/// to standard output; what cannot be understood is one message on standard error and status 2,
/// with the help before it when there is no command at all;
/// an exception out of the command is its message and status 1.
[[nodiscard]] int run_command_line(int argc, const char* const* argv,
                                   const std::vector<Command>& commands,
                                   const ProgramWords& words = {});

}  // namespace watchlab::scenarios
