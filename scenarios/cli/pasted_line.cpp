#include "scenarios/cli/pasted_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "scenarios/cli/scenario_command.hpp"
#include "scenarios/command_line/child_process.hpp"
#include "sim/story/client_kinds.hpp"

namespace watchlab::scenarios {
namespace {

namespace fs = std::filesystem;

/// The words of the call behind the name of the program.
std::vector<std::string>& own_call() {
  static std::vector<std::string> words;
  return words;
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
  const auto is_asked_for = [&](const Scenario* story) {
    return starts_programs_of_a_file(command) && fs::is_regular_file(story->path) &&
           std::ranges::find(names, story->path) != names.end();
  };
  const bool wants_leave = std::ranges::any_of(stories, [&](const Scenario* story) {
    return starts_programs(*story) && !is_asked_for(story);
  });
  return as_typed(fmt::format("{}{}{}{}{}{}", command, for_shell(names), variant_option(command),
                              wants_leave ? " --allow-run" : "", options.empty() ? "" : " ",
                              options));
}

std::string run_line(const std::string& file) { return as_typed("run" + for_shell({file})); }

std::string variant_played() {
  const char* const variant = std::getenv("WATCHLAB_VARIANT");  // set by the launcher
  return variant == nullptr ? "" : variant;
}

const std::vector<std::string>& words_of_call() { return own_call(); }

void remember_call(int argc, const char* const* argv) { own_call().assign(argv + 1, argv + argc); }

std::string line_to_continue(std::string_view command, const std::vector<std::string>& names,
                             const std::vector<std::string>& left) {
  constexpr std::size_t kNamedMax = 8;
  std::vector<std::string> rest = own_call();
  rest.erase(rest.begin(), rest.begin() + (rest.empty() ? 0 : 1));
  const bool are_few =
      !left.empty() && left.size() <= kNamedMax &&
      std::ranges::none_of(left, [](const std::string& path) { return fs::is_directory(path); });
  for (const std::string& name : are_few ? names : std::vector<std::string>()) {
    if (const auto found = std::ranges::find(rest, name); found != rest.end()) {
      rest.erase(found);
    }
  }
  if (are_few) {
    rest.insert(rest.end(), left.begin(), left.end());
  }
  return as_typed(fmt::format("{}{}{}", command, variant_option(command), for_shell(rest)));
}

std::string same_call_with_allow_run(std::string_view command) {
  if (std::getenv("WATCHLAB_ENDS_WITH_PARENT") != nullptr) {
    return as_typed("mcp --allow-run");  // its calls have no such option
  }
  std::vector<std::string> rest = own_call();
  rest.erase(rest.begin(), rest.begin() + (rest.empty() ? 0 : 1));
  return as_typed(
      fmt::format("{} --allow-run{}{}", command, variant_option(command), for_shell(rest)));
}

}  // namespace watchlab::scenarios
