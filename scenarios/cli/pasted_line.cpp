#include "scenarios/cli/pasted_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <utility>
#include <variant>

#include "scenarios/cli/scenario_command.hpp"
#include "scenarios/command_line/child_process.hpp"
#include "sim/story/client_kinds.hpp"

namespace watchlab::scenarios {
namespace {

namespace fs = std::filesystem;

/// A word of the call, and the option that it is, or is the value of, by its long name; "" for what
/// stands by its place, "--" for a command that follows that.
struct CalledWord {
  std::string text;
  std::string option;
};

struct OwnCall {
  std::vector<std::string> words;  ///< behind the name of the program
  const Command* command = nullptr;

  /// Those behind the name of the command.
  [[nodiscard]] std::vector<CalledWord> called() const;
};

OwnCall& own_call() {
  static OwnCall call;
  return call;
}

/// The argument that the option means which begins this word; nullptr for none.
const Argument* option_in(const Command& command, const std::string& word) {
  const std::string name = word.substr(0, word.starts_with("--") ? word.find('=') : 2);
  const auto found = std::ranges::find_if(command.arguments, [&](const Argument& argument) {
    return ("," + argument.name + ",").find("," + name + ",") != std::string::npos;
  });
  return found == command.arguments.end() ? nullptr : &*found;
}

/// "--schedules" of "--schedules,-n".
std::string long_name(const Argument& option) {
  const std::string name = option.name.substr(option.name.find("--"));
  return name.substr(0, name.find(','));
}

std::vector<CalledWord> OwnCall::called() const {
  std::vector<CalledWord> found;
  std::string value_of;    // the option whose value comes next
  bool is_behind = false;  // the word "--"
  const bool takes_command = command != nullptr && option_in(*command, "--") != nullptr;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!value_of.empty()) {
      found.push_back({word, std::exchange(value_of, "")});
    } else if (is_behind || word == "--") {
      if (is_behind || takes_command) {
        found.push_back({word, takes_command ? "--" : ""});
      }
      is_behind = true;
    } else if (const Argument* const option = command == nullptr || !word.starts_with('-')
                                                  ? nullptr
                                                  : option_in(*command, word)) {
      found.push_back({word, long_name(*option)});
      const bool is_whole =
          word.starts_with("--") ? word.find('=') != std::string::npos : word.size() > 2;
      value_of =
          std::holds_alternative<bool*>(option->target) || is_whole ? "" : found.back().option;
    } else {
      found.push_back({word, ""});
    }
  }
  return found;
}

std::string name_in_line(const std::string& name) {
  return name.starts_with('-') && name != "-" ? "./" + name : name;
}

std::string names_in_line(std::vector<std::string> names) {
  std::ranges::transform(names, names.begin(), name_in_line);
  return for_shell(names);
}

/// Whether the caller must say that the programs of these stories may be started.
bool want_leave(std::string_view command, const std::vector<std::string>& names,
                const std::vector<const Scenario*>& stories) {
  return std::ranges::any_of(stories, [&](const Scenario* story) {
    const bool is_asked_for = starts_programs_of_a_file(command) &&
                              fs::is_regular_file(story->path) &&
                              std::ranges::find(names, story->path) != names.end();
    return starts_programs(*story) && !is_asked_for;
  });
}

/// " --variant V" where the launcher plays one and `command` does so too; else "".
std::string variant_option(std::string_view command) {
  const std::string variant = variant_played();
  return variant.empty() || !plays_variants(command) ? "" : " --variant" + for_shell({variant});
}

}  // namespace

bool is_installed() {
  static const bool kInstalled =
      std::getenv("WATCHLAB_HOME") == nullptr && fs::is_directory(installed_scenarios());
  return kInstalled;
}

std::string program_as_typed() {
  const char* const typed = std::getenv("WATCHLAB_CALLED_AS");  // by the launcher, or by main
  return typed != nullptr && *typed != '\0' ? word_for_shell(typed)
         : is_installed()                   ? "watchlab"
                                            : "./watchlab";
}

std::string program_on_pages() {
  const char* const typed = std::getenv("WATCHLAB_CALLED_AS");
  const std::string name = fs::path(typed == nullptr ? "" : typed).filename().string();
  return !is_installed() ? "./watchlab" : name.empty() ? "watchlab" : word_for_shell(name);
}

std::string as_typed(std::string_view rest) {
  return fmt::format("{} {}", program_as_typed(), rest);
}

std::string with_calls_as_typed(std::string page) {
  constexpr std::string_view kCall = "./watchlab ";
  const std::string typed = program_as_typed() + " ";
  for (std::size_t at = page.find(kCall); at != std::string::npos;
       at = page.find(kCall, at + typed.size())) {
    page.replace(at, kCall.size(), typed);
  }
  return page;
}

std::string in_a_checkout(std::string_view rest) {
  return is_installed() ? fmt::format("./watchlab {} in a checkout", rest) : as_typed(rest);
}

bool plays_variants(std::string_view command) {
  static constexpr std::array<std::string_view, 8> kPlay{
      "run", "replay", "explain", "trace", "draw", "report", "branch", "serve-report"};
  return std::ranges::find(kPlay, command) != kPlay.end();
}

bool starts_programs_of_a_file(std::string_view command) {
  static constexpr std::array<std::string_view, 6> kStart{"run",    "replay", "explore",
                                                          "shrink", "fuzz",   "serve"};
  return std::ranges::find(kStart, command) != kStart.end();
}

bool starts_programs(const Scenario& story) {
  return std::ranges::any_of(story.clients, [](const sim::StoryClientOptions& client) {
    return traits_of(client.kind).in_lockstep && !client.run.empty();
  });
}

std::string line_to_paste(std::string_view command, const Scenario& story,
                          std::string_view options) {
  return line_to_paste(command, {story.path}, {&story}, options);
}

std::string line_to_paste(std::string_view command, const std::vector<std::string>& names,
                          const std::vector<const Scenario*>& stories, std::string_view options) {
  return as_typed(fmt::format("{}{}{}{}{}{}", command, names_in_line(names),
                              variant_option(command),
                              want_leave(command, names, stories) ? " --allow-run" : "",
                              options.empty() ? "" : " ", options));
}

std::string run_line(const std::string& file) { return as_typed("run" + names_in_line({file})); }

std::string variant_played() {
  const char* const variant = std::getenv("WATCHLAB_VARIANT");  // set by the launcher
  return variant == nullptr ? "" : variant;
}

const std::vector<std::string>& words_of_call() { return own_call().words; }

void remember_call(int argc, const char* const* argv, const std::vector<Command>& commands) {
  own_call().words.assign(argv + 1, argv + argc);
  const auto called = std::ranges::find(commands, argc > 1 ? argv[1] : "", &Command::name);
  own_call().command = called == commands.end() ? nullptr : &*called;
}

std::string same_call(std::string_view command, const ChangedCall& changed) {
  std::vector<std::string> names = changed.names;
  std::vector<std::string> rest;
  std::vector<std::string> behind;
  bool allows_run = changed.allows_run;
  for (const CalledWord& word : own_call().called()) {
    const bool is_name = word.option.empty();
    allows_run = allows_run || word.option == "--allow-run";
    if (is_name && changed.names.empty()) {
      names.push_back(word.text);
    }
    if (word.option == "--") {
      behind.push_back(word.text);
    } else if (is_name ? changed.names.empty()
                       : word.option != "--allow-run" &&
                             std::ranges::count(changed.without, word.option) == 0) {
      rest.push_back(is_name ? name_in_line(word.text) : word.text);
    }
  }
  std::ranges::transform(changed.names, std::back_inserter(rest), name_in_line);
  allows_run = allows_run || want_leave(command, names, changed.stories);
  return as_typed(fmt::format("{}{}{}{}{}{}{}", command, allows_run ? " --allow-run" : "",
                              variant_option(command), for_shell(rest),
                              changed.with.empty() ? "" : " ", changed.with, for_shell(behind)));
}

std::string same_call_with_allow_run(std::string_view command) {
  if (std::getenv("WATCHLAB_ENDS_WITH_PARENT") != nullptr) {
    return as_typed("mcp --allow-run");  // its calls have no such option
  }
  return same_call(command, {.allows_run = true});
}

}  // namespace watchlab::scenarios
