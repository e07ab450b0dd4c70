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
};

/// A command of the program, as data: the parser is one file, and the commands do not know it.
struct Command {
  std::string name;
  std::string summary;
  std::string footer;  ///< examples, below the help
  std::vector<Argument> arguments;
  std::function<int()> run;  ///< does the work and returns how the program ends
};

/// How a program calls itself.
struct ProgramWords {
  std::string name = "watchlab";
  std::string summary = "watchlab plays the Kubernetes list-watch machinery on a virtual clock.";
  /// Commands, and pairs such as "museum run", that the launcher of a checkout has beside these.
  std::vector<std::string> of_the_launcher = {};
};

/// Which release of the programs this is.
struct ProgramVersion {
  std::string_view number;  ///< "0.1.0", by the rules of semver.org
  std::string_view commit;  ///< that was checked out when it was built; "" if not known
};
[[nodiscard]] ProgramVersion program_version();

/// Reads the command line, runs the command that it names, and returns the exit status. Help goes
/// to standard output; what cannot be understood is one message on standard error and status 2,
/// with the help before it when there is no command at all;
/// an exception out of the command is its message and status 1.
[[nodiscard]] int run_command_line(int argc, const char* const* argv,
                                   const std::vector<Command>& commands,
                                   const ProgramWords& words = {});

}  // namespace watchlab::scenarios
