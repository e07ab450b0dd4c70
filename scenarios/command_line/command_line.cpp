#include "scenarios/command_line/command_line.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <type_traits>

#include "scenarios/command_line/argument_files.hpp"
#include "scenarios/command_line/commit.hpp"  // made by meson.build
#include "scenarios/command_line/console.hpp"
#include "scenarios/command_line/terminal.hpp"
#include "scenarios/command_line/wrapped_text.hpp"
#include "scenarios/command_line/wrong_call.hpp"
#include "scenarios/language/document.hpp"
#include "scenarios/language/plain_text.hpp"
#include "scenarios/language/unsupported.hpp"
#include "scenarios/language/values.hpp"
#include "sim/kernel/article.hpp"

namespace watchlab::scenarios {
namespace {

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
          if constexpr (std::is_integral_v<T>) {  // it would be taken for the largest
            if (std::from_chars(text.data(), text.data() + text.size(), number).ec ==
                std::errc::result_out_of_range) {
              return fmt::format("{} is too large", text);
            }
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

/// Why a text is no duration; "" when it is one.
std::string wrong_duration(const std::string& text) {
  runtime::Duration ignored{};
  if (parse_duration(text, ignored)) {
    return "";
  }
  if (nanoseconds_in(text)) {
    return fmt::format("'{}' is too long; expected a duration of at most {}h", text.substr(0, 60),
                       longest_duration.count());
  }
  const std::string nearest = nearest_duration(text);
  return fmt::format("'{}' is no duration; expected a number and a unit, like 30s or 5m{}", text,
                     nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest));
}

/// Whether an argument is a text that means nothing when it is empty.
bool is_text(const Argument& argument) {
  return std::holds_alternative<std::string*>(argument.target) ||
         std::holds_alternative<std::optional<std::string>*>(argument.target) ||
         std::holds_alternative<std::vector<std::string>*>(argument.target);
}

CLI::Option* add_to(CLI::App& app, const Argument& argument) {
  return std::visit(
      [&](auto* target) -> CLI::Option* {
        if constexpr (std::is_same_v<decltype(target), bool*>) {
          return app.add_flag(argument.name, *target, argument.help)->disable_flag_override();
        } else if constexpr (std::is_same_v<decltype(target), runtime::Duration*>) {
          const auto read = [target](const std::string& text) {
            (void)parse_duration(text, *target);
          };
          return app.add_option_function<std::string>(argument.name, read, argument.help)
              ->check(wrong_duration);
        } else {
          return app.add_option(argument.name, *target, argument.help);
        }
      },
      argument.target);
}

/// `next` are all options of the command: one of them is no value of another.
void add_argument(CLI::App& app, const Argument& argument, const std::vector<std::string>& next) {
  CLI::Option* const option = add_to(app, argument);
  option->required(argument.required);
  if (!std::holds_alternative<bool*>(argument.target) && argument.name.starts_with('-')) {
    option->check([next](const std::string& text) -> std::string {
      return text.starts_with("--") && std::ranges::count(next, text) > 0
                 ? fmt::format("a value is missing before {}", text)
                 : "";
    });
  }
  if (!std::holds_alternative<bool*>(argument.target)) {
    option->check([argument](const std::string& text) { return wrong_number(argument, text); });
  }
  if (is_text(argument) && argument.one_of.empty() && !argument.is_output) {
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
    throw CLI::ValidationError("--", fmt::format("nothing follows; expected {}, or no --",
                                                 sim::with_article(rest->type_name)));
  }
  std::get<std::vector<std::string>*>(rest->target)->assign(dashes + 1, argv + argc);
  return static_cast<int>(dashes - argv);
}

/// The help of a command, whose usage says what may follow `--`.
std::string with_rest(std::string help, const std::vector<Command>& commands, int argc,
                      const char* const* argv) {
  const auto command = std::ranges::find(commands, argc > 1 ? argv[1] : "", &Command::name);
  if (command == commands.end()) {
    return help;
  }
  const auto rest = std::ranges::find(command->arguments, "--", &Argument::name);
  const std::size_t usage = help.find("Usage: ");
  if (rest != command->arguments.end() && usage != std::string::npos) {
    help.insert(std::min(help.find('\n', usage), help.size()),
                fmt::format(" [-- {}]", rest->type_name));
  }
  return help;
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

/// The examples below a command's help, with the program as it is typed here.
std::string typeable_footer(const std::string& footer, const ProgramWords& words) {
  const std::string before = words.name + " ";
  const std::string in_checkout = "./" + before;
  std::string out;
  for (std::size_t begin = 0; begin < footer.size();) {
    const std::size_t end = std::min(footer.find('\n', begin), footer.size() - 1) + 1;
    const std::string line = footer.substr(begin, end - begin);
    const bool is_example = line.starts_with("  ");
    for (std::size_t at = 0; at < line.size();) {
      const bool is_word = at > 0 && (line[at - 1] == ' ' || line[at - 1] == '(');
      const std::string& call =
          words.has_launcher && line.compare(at, in_checkout.size(), in_checkout) == 0 ? in_checkout
                                                                                       : before;
      const bool is_call = is_example && is_word && line.compare(at, call.size(), call) == 0;
      out += is_call ? called(words) + " " : line.substr(at, 1);
      at += is_call ? call.size() : 1;
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
      add_argument(*app, argument, option_names(command));
    }
  }
  app->footer(typeable_footer(command.footer, words));
  app->callback([&command, &words, &exit_code, app] {
    const std::string nameless = nameless_output(*app, command);
    const std::string problem = nameless.empty() ? unwritable_output(command) : nameless;
    if (!problem.empty()) {
      complain(fmt::format("{} {}: {}\n", words.name, command.name, visible_line(problem)));
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
  // A file that may not grow (`ulimit -f`) is an output that cannot be written, and no sudden end.
  (void)std::signal(SIGXFSZ, SIG_IGN);
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
    print_page(wrapped_help(with_rest(program.help(), commands, argc, argv), page_columns()));
    return kExitHeld;
  } catch (const CLI::Success& success) {
    return program.exit(success);
  } catch (const CLI::ParseError& failure) {
    if (argc <= 1) {
      print_page(wrapped_help(program.help(), page_columns()));
      complain(fmt::format("{}: a command is missing\n", words.name));
      return kExitUsage;
    }
    complain(
        fmt::format("{}: {}\n", words.name, wrong_words(failure, argc, argv, commands, words)));
    return kExitUsage;
  } catch (const std::bad_alloc&) {
    complain(fmt::format("{}: the system refuses the memory that this takes\n", words.name));
    return kExitFound;
  } catch (const Unsupported& missing) {
    complain(fmt::format("{}: {}\n", words.name, missing.what()));
    return kExitUsage;
  } catch (const std::exception& failure) {
    complain(fmt::format("{}: {}\n", words.name, visible_line(failure.what())));
    return kExitFound;
  }
  return exit_code;
}

}  // namespace

ProgramVersion program_version() { return {.number = WATCHLAB_VERSION, .commit = kCommit}; }

int run_command_line(int argc, const char* const* argv, const std::vector<Command>& commands,
                     const ProgramWords& words) {
  hold_closed_streams();
  note_typed(argc, argv);
  const int exit_code = parse_and_run(argc, argv, commands, words);
  const std::string wrong = flush_standard_output();
  if (!wrong.empty()) {
    complain(fmt::format("{}: {}\n", words.name, wrong));
  }
  return wrong.empty() || exit_code != kExitHeld ? exit_code : kExitFound;
}

}  // namespace watchlab::scenarios
