#include "scenarios/command_line/command_line.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <system_error>
#include <type_traits>

#include "scenarios/command_line/commit.hpp"  // made by meson.build
#include "scenarios/command_line/console.hpp"
#include "scenarios/language/document.hpp"
#include "scenarios/language/values.hpp"

namespace watchlab::scenarios {
namespace {

/// What a number of that type is called; "" for what is none.
template <typename T>
std::string number_called() {
  if constexpr (std::is_same_v<T, std::size_t>) {
    return "a whole number, 0 or more";
  } else if constexpr (std::is_same_v<T, int>) {
    return "a whole number";
  } else if constexpr (std::is_same_v<T, double>) {
    return "a number";
  } else {
    return "";
  }
}

template <typename T>
struct ValueOf {
  using type = T;
};
template <typename T>
struct ValueOf<std::optional<T>> {
  using type = T;
};

/// What is wrong with the text for an argument that is a number, and what would be right; "" when
/// nothing is, or when it is to be no number.
std::string wrong_number(const Argument& argument, const std::string& text) {
  return std::visit(
      [&](const auto* target) -> std::string {
        using T = typename ValueOf<std::remove_cvref_t<decltype(*target)>>::type;
        const std::string expected = number_called<T>();
        if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
          T number{};
          // A number below 0 would be taken for one near 2^64.
          const bool is_below = std::is_unsigned_v<T> && text.starts_with('-');
          if (is_below || !CLI::detail::lexical_cast(text, number)) {
            return fmt::format("'{}' is not {}", text, expected);
          }
          if (static_cast<double>(number) < argument.least) {
            return fmt::format("{} is less than {}", text, argument.least);
          }
          if (static_cast<double>(number) > argument.most) {
            return fmt::format("{} is more than {}", text, argument.most);
          }
        }
        return "";
      },
      argument.target);
}

/// "; did you mean …?" for a word that is nearly one of those; "" for none.
std::string meant(const std::string& word, const std::vector<std::string>& words) {
  const std::string nearest = nearest_name(word, words);
  return nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest);
}

/// Refuses a word that is none of those, and names the nearest.
CLI::Validator among(const std::vector<std::string>& words) {
  const auto wrong = [words](const std::string& text) -> std::string {
    if (std::ranges::find(words, text) != words.end()) {
      return "";
    }
    return fmt::format("'{}' is not {}{}", text, one_of(words), meant(text, words));
  };
  return {[wrong](std::string& text) { return wrong(text); },
          fmt::format("{{{}}}", fmt::join(words, ","))};
}

CLI::Option* add_to(CLI::App& app, const Argument& argument) {
  return std::visit(
      [&](auto* target) -> CLI::Option* {
        if constexpr (std::is_same_v<decltype(target), bool*>) {
          return app.add_flag(argument.name, *target, argument.help);
        } else if constexpr (std::is_same_v<decltype(target), runtime::Duration*>) {
          const auto read = [target, name = argument.name](const std::string& text) {
            if (!parse_duration(text, *target)) {
              throw CLI::ValidationError(fmt::format(
                  "{} '{}' is no duration; expected a number and a unit, like 30s or 5m", name,
                  text));
            }
          };
          return app.add_option_function<std::string>(argument.name, read, argument.help);
        } else {
          return app.add_option(argument.name, *target, argument.help);
        }
      },
      argument.target);
}

void add_argument(CLI::App& app, const Argument& argument) {
  CLI::Option* const option = add_to(app, argument);
  option->required(argument.required);
  if (!std::holds_alternative<bool*>(argument.target)) {
    option->check([argument](const std::string& text) { return wrong_number(argument, text); });
  }
  if (argument.required && std::holds_alternative<std::string*>(argument.target)) {
    option->check([](const std::string& text) -> std::string {
      return text.empty() ? "an empty text stands there, perhaps of a variable that is not set"
                          : "";
    });
  }
  if (!argument.also.empty()) {
    option->transform(CLI::Validator(
        [also = argument.also](std::string& text) {
          const auto found =
              std::ranges::find(also, text, [](const auto& each) { return each.first; });
          text = found == also.end() ? text : found->second;
          return std::string();
        },
        ""));
  }
  if (!argument.one_of.empty()) {
    option->check(among(argument.one_of))->capture_default_str();
  }
  if (!argument.type_name.empty()) {
    std::string shown = argument.type_name;
    if (const std::size_t at = shown.find("…"); at != std::string::npos) {
      shown.replace(at, std::string_view("…").size(), "...");  // tables are laid out by bytes
    }
    option->type_name(shown);
  }
}

/// Why the program has no command of that name; "" when it has one, or when it is a flag.
std::string unknown_command(const std::vector<Command>& commands, const ProgramWords& words,
                            const std::string& word) {
  std::vector<std::string> names = names_of(commands);
  if (word.starts_with('-') || std::ranges::find(names, word) != names.end()) {
    return "";
  }
  for (const LauncherCommand& command : words.of_the_launcher) {
    if (command.name == word) {
      return fmt::format("'{0}' needs a checkout of watchlab: run ./{1} {0} there", word,
                         words.name);
    }
    names.push_back(command.name);
  }
  return fmt::format("there is no command '{}'{}", word, meant(word, names));
}

/// All spellings of a command's options.
std::vector<std::string> option_names(const Command& command) {
  std::vector<std::string> names{"--help", "-h"};
  for (const Argument& argument : command.arguments) {
    for (const std::string& name : CLI::detail::split(argument.name, ',')) {
      names.push_back(name);
    }
  }
  return names;
}

bool has_option(const Command& command, std::string_view name) {
  const std::vector<std::string> names = option_names(command);
  return std::ranges::find(names, name) != names.end();
}

/// "; run and explore have it" for an option of other commands, or the nearest of this one.
std::string where_option_is(const std::vector<Command>& commands, const Command& command,
                            const std::string& word) {
  std::vector<std::string> owners;
  for (const Command& each : commands) {
    if (has_option(each, word)) {
      owners.push_back(each.name);
    }
  }
  const bool is_letter = word.size() == 2;  // nothing is near one
  const std::string near = is_letter ? "" : meant(word, option_names(command));
  if (owners.empty() || !near.empty()) {
    return near;
  }
  constexpr std::size_t kNamed = 4;
  const std::string more = owners.size() > kNamed ? " and others" : "";
  owners.resize(std::min(owners.size(), kNamed));
  return fmt::format("; it is an option of {}{}", fmt::join(owners, ", "), more);
}

/// Why the command has no option that is among its words; "" when it has all. A schedule carries
/// what it was made on, so a command that only replays has no option for that.
std::string unknown_option(const std::vector<Command>& commands, const Command& command, int argc,
                           const char* const* argv) {
  const auto has = [&](std::string_view name) { return has_option(command, name); };
  for (int i = 2; i < argc && std::string_view(argv[i]) != "--"; ++i) {
    const std::string given = argv[i];
    const bool is_short = given.size() > 1 && given[0] == '-' && std::isalpha(given[1]) != 0;
    const std::string word = is_short ? given.substr(0, 2) : given.substr(0, given.find('='));
    if ((!is_short && !word.starts_with("--")) || has(word)) {
      continue;
    }
    const bool is_carried = (word == "--machine" || word == "--transport") && has("--schedule");
    return fmt::format("{} has no option {}{}", command.name, word,
                       is_carried ? ": the schedule says on which it was made"
                                  : where_option_is(commands, command, word));
  }
  return "";
}

/// Where a command wants it, what follows `--` goes to that argument, and the parser does not see
/// it. Returns how much is left to parse. Throws when nothing follows.
int take_rest(int argc, const char* const* argv, const std::vector<Command>& commands) {
  const auto command = std::ranges::find(commands, argc > 1 ? argv[1] : "", &Command::name);
  if (command == commands.end()) {
    return argc;
  }
  const auto rest = std::ranges::find(command->arguments, "--", &Argument::name);
  const auto* const dashes = std::find(argv + 1, argv + argc, std::string_view("--"));
  if (rest == command->arguments.end() || dashes == argv + argc) {
    return argc;
  }
  if (dashes + 1 == argv + argc) {
    throw CLI::ValidationError(
        "--", fmt::format("nothing follows; expected a {}, or no --", rest->type_name));
  }
  std::get<std::vector<std::string>*>(rest->target)->assign(dashes + 1, argv + argc);
  return static_cast<int>(dashes - argv);
}

/// A file that the caller has named.
struct NamedFile {
  std::string option;  ///< by which
  std::string path;
};

/// The files that the command would write; standard output is none.
std::vector<NamedFile> outputs_of(const Command& command) {
  std::vector<NamedFile> files;
  for (const Argument& argument : command.arguments) {
    if (argument.is_output) {
      const std::string& path = *std::get<std::string*>(argument.target);
      if (!path.empty() && path != "-") {
        files.push_back({std::ranges::max(CLI::detail::split(argument.name, ','), {},
                                          [](const std::string& name) { return name.size(); }),
                         path});
      }
    }
  }
  return files;
}

/// What of the other arguments may be the name of a file, also behind an @. The words of another
/// command that is started are its own.
std::vector<std::string> inputs_of(const Command& command) {
  std::vector<std::string> words;
  for (const Argument& argument : command.arguments) {
    if (argument.is_output || argument.name == "--") {
      continue;
    }
    if (const auto* const one = std::get_if<std::string*>(&argument.target)) {
      words.push_back(**one);
    } else if (const auto* const maybe =
                   std::get_if<std::optional<std::string>*>(&argument.target)) {
      words.push_back((*maybe)->value_or(""));
    } else if (const auto* const many = std::get_if<std::vector<std::string>*>(&argument.target)) {
      words.insert(words.end(), (*many)->begin(), (*many)->end());
    }
  }
  for (std::string& word : words) {
    word.erase(0, word.starts_with('@') ? 1 : 0);
  }
  return words;
}

/// Whether two names mean one file, there already or not, by whatever links. Devices and pipes take
/// what comes from many.
bool is_same_file(const std::string& one, const std::string& other) {
  namespace fs = std::filesystem;
  std::error_code failure;
  const fs::file_status found = fs::status(one, failure);
  if (fs::exists(found)) {
    return fs::is_regular_file(found) && fs::equivalent(one, other, failure);
  }
  const fs::path first = fs::weakly_canonical(fs::absolute(one, failure), failure);
  return !failure && first == fs::weakly_canonical(fs::absolute(other, failure), failure);
}

/// Why an output of the command cannot be written, found before the work that it is for; "" when
/// all can.
std::string unwritable_output(const Command& command) {
  const std::vector<NamedFile> outputs = outputs_of(command);
  const std::vector<std::string> inputs = inputs_of(command);
  for (auto output = outputs.begin(); output != outputs.end(); ++output) {
    const auto is_this = [&](const std::string& path) { return is_same_file(output->path, path); };
    const auto twin = std::find_if(outputs.begin(), output,
                                   [&](const NamedFile& other) { return is_this(other.path); });
    if (twin != output) {
      return fmt::format("{}: {} and {} would both write it; expected a file for each",
                         output->path, twin->option, output->option);
    }
    if (std::ranges::any_of(inputs, is_this)) {
      return fmt::format("{}: this is the input; expected another file for the output",
                         output->path);
    }
    std::string problem = write_problem(output->path);
    if (!problem.empty()) {
      return problem;
    }
  }
  return "";
}

/// Why an output has no name, as of "$OUT" that nobody has set; "" when none was given such a name.
std::string nameless_output(const CLI::App& app, const Command& command) {
  for (const Argument& argument : command.arguments) {
    const std::string option = argument.name.substr(0, argument.name.find(','));
    if (argument.is_output && app.count(option) > 0 &&
        std::ranges::count(app.get_option(option)->results(), std::string()) > 0) {
      return fmt::format("{}: the name is empty; expected that of a file", option);
    }
  }
  return "";
}

/// A page on standard output; what is wrong with that is looked at when all is printed.
void print_page(const std::string& page) { (void)std::fwrite(page.data(), 1, page.size(), stdout); }

/// Standard streams that are closed stay so for who reads and writes them, but no file that is
/// opened later takes their place: what is printed would be written into it. Complaints go nowhere.
void hold_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) == -1) {
      const int mode = stream == STDOUT_FILENO ? O_RDONLY : O_RDWR;
      (void)::open("/dev/null", mode);  // NOLINT: it gets the lowest number that is free
    }
  }
}

/// As one types the program.
const std::string& called(const ProgramWords& words) {
  return words.called.empty() ? words.name : words.called;
}

/// The examples below a command's help, with the program as it is typed here.
std::string typeable_footer(const std::string& footer, const ProgramWords& words) {
  const std::string before = words.name + " ";
  std::string out;
  for (std::size_t begin = 0; begin < footer.size();) {
    const std::size_t end = std::min(footer.find('\n', begin), footer.size() - 1) + 1;
    const std::string line = footer.substr(begin, end - begin);
    const bool is_example = line.starts_with("  ");
    for (std::size_t at = 0; at < line.size();) {
      const bool is_word = at > 0 && (line[at - 1] == ' ' || line[at - 1] == '(');
      const bool is_call = is_example && is_word && line.compare(at, before.size(), before) == 0;
      out += is_call ? called(words) + " " : line.substr(at, 1);
      at += is_call ? before.size() : 1;
    }
    begin = end;
  }
  return out;
}

void add_command(CLI::App& program, const Command& command, const ProgramWords& words,
                 int& exit_code) {
  CLI::App* const app = program.add_subcommand(command.name, command.summary);
  for (const Argument& argument : command.arguments) {
    if (argument.name != "--") {
      add_argument(*app, argument);
    }
  }
  app->footer(typeable_footer(command.footer, words));
  app->callback([&command, &words, &exit_code, app] {
    const std::string nameless = nameless_output(*app, command);
    const std::string problem = nameless.empty() ? unwritable_output(command) : nameless;
    if (!problem.empty()) {
      complain(fmt::format("{} {}: {}\n", words.name, command.name, problem));
    }
    exit_code = problem.empty() ? command.run() : kExitUsage;
  });
}

int parse_and_run(int argc, const char* const* argv, const std::vector<Command>& commands,
                  const ProgramWords& words) {
  CLI::App program(words.summary, called(words));
  program.require_subcommand(1);
  const auto [number, commit] = program_version();
  program.set_version_flag("--version",
                           fmt::format("{} {}{}", words.name, number,
                                       commit.empty() ? "" : fmt::format(" ({})", commit)),
                           "Prints the version, and the commit it was built from");
  // Where a reader like head is gone the program ends quietly, also when its caller ignores that.
  (void)std::signal(SIGPIPE, SIG_DFL);
  program.footer(
      "Exit status: 0 all held, 1 something was found or failed, 2 bad input or usage.\n"
      "Each command explains itself: " +
      called(words) + " COMMAND --help");
  int exit_code = kExitHeld;
  for (const Command& command : commands) {
    add_command(program, command, words, exit_code);
  }
  if (!words.groups.empty()) {
    program.formatter_fn([&](const CLI::App* /*app*/, const std::string& /*name*/,
                             CLI::AppFormatMode /*mode*/) { return menu_page(commands, words); });
  }
  try {
    program.parse(take_rest(argc, argv, commands), argv);
  } catch (const CLI::CallForHelp&) {
    print_page(wrapped_help(program.help(), page_columns()));
    return kExitHeld;
  } catch (const CLI::Success& success) {
    return program.exit(success);
  } catch (const CLI::ParseError& failure) {
    if (argc <= 1) {
      print_page(wrapped_help(program.help(), page_columns()));
      complain(fmt::format("{}: a command is missing\n", words.name));
      return kExitUsage;
    }
    std::string unknown = unknown_command(commands, words, argv[1]);
    const bool is_of_command = unknown.empty() && argv[1][0] != '-';
    if (is_of_command) {
      unknown = unknown_option(commands, *std::ranges::find(commands, argv[1], &Command::name),
                               argc, argv);
    }
    const std::string help = is_of_command
                                 ? fmt::format("{} {} --help", called(words), argv[1])
                                 : fmt::format("{0} --help, or {0} COMMAND --help", called(words));
    complain(fmt::format("{}: {}\nRun {}.\n", words.name,
                         unknown.empty() ? failure.what() : unknown, help));
    return kExitUsage;
  } catch (const std::exception& failure) {
    complain(fmt::format("{}: {}\n", words.name, failure.what()));
    return kExitFound;
  }
  return exit_code;
}

}  // namespace

ProgramVersion program_version() { return {.number = WATCHLAB_VERSION, .commit = kCommit}; }

int run_command_line(int argc, const char* const* argv, const std::vector<Command>& commands,
                     const ProgramWords& words) {
  hold_closed_streams();
  const int exit_code = parse_and_run(argc, argv, commands, words);
  const std::string wrong = flush_standard_output();
  if (!wrong.empty()) {
    complain(fmt::format("{}: {}\n", words.name, wrong));
  }
  return wrong.empty() || exit_code != kExitHeld ? exit_code : kExitFound;
}

}  // namespace watchlab::scenarios
