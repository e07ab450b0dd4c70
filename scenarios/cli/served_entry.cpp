#include "scenarios/cli/served_entry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <string>
#include <vector>

#include "scenarios/cli/pasted_line.hpp"
#include "scenarios/cli/scenario_command.hpp"
#include "scenarios/command_line/child_process.hpp"
#include "scenarios/language/plain_text.hpp"

namespace watchlab::scenarios {
namespace {

/// The options that decide what a client meets, and its command.
std::string options_again(const ServeArguments& arguments) {
  std::vector<std::string> words;
  const auto add = [&words](bool is_given, const char* option, const std::string& value) {
    if (is_given) {
      words.insert(words.end(), {option, value});
    }
  };
  add(arguments.listen != ServeArguments().listen, "--listen", arguments.listen);
  add(arguments.token.has_value(), "--token", arguments.token.value_or(""));
  add(!arguments.kubeconfig.empty(), "--kubeconfig", arguments.kubeconfig);
  add(!arguments.controllers.empty(), "--controllers", arguments.controllers);
  add(arguments.after != ServeArguments().after, "--after",
      fmt::format("{}ms",
                  std::chrono::duration_cast<std::chrono::milliseconds>(arguments.after).count()));
  if (arguments.tls) {
    words.emplace_back("--tls");
  }
  if (!arguments.command.empty()) {
    words.emplace_back("--");
    words.insert(words.end(), arguments.command.begin(), arguments.command.end());
  }
  return words.empty() ? "" : for_shell(words).substr(1);
}

}  // namespace

std::string line_to_serve(const ServeArguments& arguments, const Scenario& scenario) {
  return line_to_paste("serve", scenario, options_again(arguments));
}

ReportEntry entry_of(const ServeArguments& arguments, const Scenario& scenario,
                     const StoryVerdict& verdict, const CommandEnd& command,
                     const std::string& refusals) {
  ReportEntry entry{.name = display_name(scenario.path),
                    .path = scenario.path,
                    .held = verdict.held(),
                    .seconds = verdict.seconds,
                    .unfired_faults = verdict.unfired_faults};
  entry.command = line_to_serve(arguments, scenario);
  entry.held = entry.held && command.sentence.empty();
  if (entry.held) {
    return entry;
  }
  entry.kind = verdict.is_mistake ? "mistake" : command.sentence.empty() ? "violation" : "command";
  entry.sentence = command.text();
  if (!verdict.held()) {
    entry.sentence += (entry.sentence.empty() ? "" : "\n") + verdict.broken;
  }
  entry.sentence +=
      verdict.seen.empty() && !refusals.empty()
          ? "\nthe server got no request that it could serve: " + visible_text(refusals)
      : verdict.seen.empty() ? "\nthe server got no requests"
                             : fmt::format("\nthe last requests that the server has seen:\n  {}",
                                           fmt::join(verdict.seen, "\n  "));
  return entry;
}

int report_story(const ServeArguments& arguments, const StoryVerdict& verdict,
                 const ReportEntry& entry, Console& console) {
  if (!entry.held) {
    // How the command ended explains the rest, so it is what one reads first.
    const std::string between = entry.kind == "command" ? ": " : "\n" + entry.kind + ": ";
    console.remark(Console::bad("FAIL") + fmt::format("  {}{}{}\nplay it again: {}", entry.name,
                                                      between, entry.sentence, entry.command));
  } else if (arguments.command.empty()) {
    console.note(Console::good("ok") + "  " + entry.name);
  } else if (!arguments.common.quiet && !arguments.common.json) {
    // Standard output is that of the command.
    console.remark(Console::good("ok") + "  " + entry.name);
  }
  if (!arguments.common.quiet) {
    for (const std::string& fault : verdict.unfired_faults) {
      console.report_error(fault);
    }
  }
  return verdict.is_mistake ? kExitUsage : entry.held ? kExitHeld : kExitFound;
}

}  // namespace watchlab::scenarios
