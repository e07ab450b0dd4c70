#include "scenarios/command_line/wrong_call.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>

#include "scenarios/language/document.hpp"
#include "scenarios/language/plain_text.hpp"

namespace watchlab::scenarios {
namespace {

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

bool has_option(const Command& command, std::string_view name) {
  const std::vector<std::string> names = option_names(command);
  return std::ranges::find(names, name) != names.end();
}

bool is_flag(const Command& command, std::string_view name) {
  return std::ranges::any_of(command.arguments, [name](const Argument& argument) {
    const std::vector<std::string> names = CLI::detail::split(argument.name, ',');
    return std::holds_alternative<bool*>(argument.target) &&
           std::ranges::find(names, name) != names.end();
  });
}

/// The option that a word is nearly; "" for none, and for a letter, which nothing is near. The
/// dashes, which all options have, make no two of them alike.
std::string nearest_option(const std::string& word, const std::vector<std::string>& names) {
  constexpr std::size_t kDashes = 2;
  std::vector<std::string> bare;
  for (const std::string& name : names) {
    if (name.starts_with("--") && name.size() > kDashes) {
      bare.push_back(name.substr(kDashes));
    }
  }
  const std::string nearest =
      word.starts_with("--") ? nearest_name(word.substr(kDashes), bare) : "";
  return nearest.empty() ? "" : "--" + nearest;
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
  if (const std::string near = nearest_option(word, option_names(command)); !near.empty()) {
    return fmt::format("; did you mean \"{}\"?", near);
  }
  std::vector<std::string> names;
  for (const Command& each : commands) {
    for (std::string& name : option_names(each)) {
      names.push_back(std::move(name));
    }
  }
  const std::string nearest = owners.empty() ? nearest_option(word, names) : "";
  if (!nearest.empty()) {
    const auto has = [&](const Command& each) { return has_option(each, nearest); };
    return fmt::format("; {} has one called {}", std::ranges::find_if(commands, has)->name,
                       nearest);
  }
  if (owners.empty()) {
    return "";
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
    if (given != word && !is_short && is_flag(command, word)) {
      return fmt::format("{0} {1}: {2} has no value; expected {2}, or nothing for the opposite",
                         command.name, given, word);
    }
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

/// What is wrong with an option that stands before all commands.
std::string wrong_first_option(const std::vector<Command>& commands, const std::string& given) {
  const std::string word = given.substr(0, given.find('='));
  const auto owner =
      std::ranges::find_if(commands, [&](const Command& each) { return has_option(each, word); });
  if (owner != commands.end()) {
    return fmt::format("{0} stands before the command; expected it behind, as in {1} {0}", word,
                       owner->name);
  }
  const std::string near = nearest_option(word, {"--help", "--version"});
  return fmt::format("there is no option {}{}", word,
                     word.size() == 2 ? " before a command"
                     : near.empty()   ? ""
                                      : fmt::format("; did you mean \"{}\"?", near));
}

/// What belongs behind an option.
std::string value_called(const Argument& argument) {
  if (!argument.one_of.empty()) {
    return one_of(argument.one_of);
  }
  return std::visit(
      [&](const auto* target) -> std::string {
        using T = typename ValueOf<std::remove_cvref_t<decltype(*target)>>::type;
        const std::string number = number_called<T>();
        return !number.empty()                                      ? number
               : std::is_same_v<T, runtime::Duration>               ? "a duration, like 30s or 5m"
               : argument.is_output || argument.type_name == "FILE" ? "the name of a file"
                                                                    : "a text";
      },
      argument.target);
}

/// What the parser says of the words of a command, for people.
std::string in_own_words(const CLI::ParseError& failure, const Command& command) {
  const std::string said = failure.what();
  const std::string name = said.substr(0, said.find(':'));
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&failure) != nullptr) {
    const auto argument = std::ranges::find_if(command.arguments, [&](const Argument& each) {
      return std::ranges::count(CLI::detail::split(each.name, ','), name) > 0;
    });
    if (const std::size_t times = said.find("received "); times != std::string::npos) {
      return fmt::format("{} stands there {} times; expected it once", name,
                         said.substr(times + std::string_view("received ").size()));
    }
    if (argument != command.arguments.end()) {
      return fmt::format("{}: a value is missing; expected {}", name, value_called(*argument));
    }
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&failure) != nullptr) {
    const std::string words = said.substr(std::min(said.find(": ") + 2, said.size()));
    return fmt::format("{} takes no '{}' behind its other words", command.name, words);
  }
  return said;
}

}  // namespace

std::string meant(const std::string& word, const std::vector<std::string>& words) {
  const std::string nearest = nearest_name(word, words);
  return nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest);
}

std::vector<std::string> option_names(const Command& command) {
  std::vector<std::string> names{"--help", "-h"};
  for (const Argument& argument : command.arguments) {
    for (const std::string& name : CLI::detail::split(argument.name, ',')) {
      names.push_back(name);
    }
  }
  return names;
}

const std::string& called(const ProgramWords& words) {
  return words.called.empty() ? words.name : words.called;
}

std::string wrong_words(const CLI::ParseError& failure, int argc, const char* const* argv,
                        const std::vector<Command>& commands, const ProgramWords& words) {
  const std::string first = argv[1];
  const std::string general =
      fmt::format("\nRun {0} --help, or {0} COMMAND --help.", called(words));
  if (first.starts_with('-')) {
    return visible_line(wrong_first_option(commands, first)) + general;
  }
  if (const std::string unknown = unknown_command(commands, words, first); !unknown.empty()) {
    return visible_line(unknown) + general;
  }
  const Command& command = *std::ranges::find(commands, first, &Command::name);
  const std::string unknown = unknown_option(commands, command, argc, argv);
  return fmt::format("{}\nRun {} {} --help.",
                     visible_line(unknown.empty() ? in_own_words(failure, command) : unknown),
                     called(words), first);
}

}  // namespace watchlab::scenarios
