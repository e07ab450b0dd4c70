#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <sstream>

#include "scenarios/command_line/shell_pages.hpp"

namespace watchlab::scenarios {
namespace {

/// A text of a line of its own or inside of one, for troff: bytes behind ASCII begin a letter of
/// UTF-8, which troff takes by its number. An ellipsis is three dots, which all locales have.
std::string escaped(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x80) {
      result += text[at] == '\\' ? "\\e" : text[at] == '-' ? "\\-" : std::string(1, text[at]);
      continue;
    }
    const std::size_t rest = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : 1;
    unsigned code = byte & (0x3FU >> rest);
    for (std::size_t end = std::min(at + rest, text.size() - 1); at < end;) {
      code = code << 6U | (static_cast<unsigned char>(text[++at]) & 0x3FU);
    }
    constexpr unsigned kEllipsis = 0x2026;
    result += code == kEllipsis ? "..." : fmt::format("\\[u{:04X}]", code);
  }
  // A line that begins with one of these would be a request.
  return result.starts_with('.') || result.starts_with('\'') ? "\\&" + result : result;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char letter) {
    return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A')
                                          : static_cast<char>(letter);
  });
  return text;
}

std::string argument_part(const Argument& argument) {
  const bool is_option = argument.name.starts_with('-') && argument.name != "--";
  const bool has_value = is_option && !std::holds_alternative<bool*>(argument.target);
  std::string head = fmt::format(".TP\n\\fB{}\\fR", escaped(argument.name));
  if (has_value || argument.name == "--") {
    head += fmt::format(" \\fI{}\\fR",
                        argument.type_name.empty() ? "VALUE" : escaped(argument.type_name));
  }
  std::string words;
  for (const std::string& word : argument.one_of) {
    words += (words.empty() ? "One of " : ", ") + escaped(word);
  }
  return head + "\n" + escaped(argument.help) + ".\n" + (words.empty() ? "" : words + ".\n");
}

std::string command_part(const Command& command, const ProgramWords& words) {
  std::string places;
  for (const Argument& argument : command.arguments) {
    if (argument.name == "--") {
      places += fmt::format(" [\\-\\- {}]", escaped(argument.type_name));
    } else if (!argument.name.starts_with('-')) {
      places += argument.required ? fmt::format(" {}", escaped(argument.name))
                                  : fmt::format(" [{}]", escaped(argument.name));
    }
  }
  std::string text = fmt::format(".SS \"{} {} [OPTIONS]{}\"\n{}\n", escaped(words.name),
                                 escaped(command.name), places, escaped(command.summary));
  for (const Argument& argument : command.arguments) {
    text += argument_part(argument);
  }
  if (!command.footer.empty()) {
    text += ".PP\n.nf\n";
    std::istringstream lines(command.footer);
    for (std::string line; std::getline(lines, line);) {
      text += line.empty() ? ".sp\n" : escaped(line) + "\n";
    }
    text += ".fi\n";
  }
  return text;
}

struct Item {
  std::string_view name;
  std::string_view help;
};

constexpr std::array kExitStatus{
    Item{"0", "All held."}, Item{"1", "Something was found or failed."},
    Item{"2", "Bad input or usage."}, Item{"130", "Interrupted; what was learned is printed."}};

constexpr std::array kEnvironment{
    Item{"NO_COLOR", "Prints no colours where it is set."},
    Item{"KUBECONFIG",
         "The server of fault, where neither \\-\\-server nor \\-\\-kubeconfig names one."},
    Item{"XDG_STATE_HOME",
         "Where explore and fuzz keep how far they are, and the last failure of each story; "
         "~/.local/state if it is not set."},
    Item{"WATCHLAB_STANDSTILL",
         "Ends the process when no task has done an operation for so many seconds of real time, "
         "with the name of the task; 60 if it is not set, 0 for never."},
    Item{"WATCHLAB_SCHEDULE",
         "Of a test in C++ that explores: plays that schedule alone, or the one in the file of "
         "@FILE."},
    Item{"WATCHLAB_BREAK_AT",
         "Of such a test, beside WATCHLAB_SCHEDULE: raises SIGTRAP just before that step."},
    Item{"WATCHLAB_HOME", "The checkout whose scenarios are meant; its launcher sets it."}};

/// Where packages put them; another prefix stands for /usr.
constexpr std::array kFiles{
    Item{"/usr/share/watchlab/scenarios",
         "The shipped scenarios, and the museum in a folder of it."},
    Item{"/usr/share/doc/watchlab",
         "The pages, README.md first; the schema of scenarios is docs/scenario.schema.json."}};

std::string items_of(std::string_view heading, std::span<const Item> items) {
  std::string text = fmt::format(".SH {}\n", heading);
  for (const auto& [name, help] : items) {
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", name, help);
  }
  return text;
}

}  // namespace

std::string manual_page(const std::vector<Command>& commands, const ProgramWords& words) {
  // After its own name, the program's is not said again.
  std::string_view purpose = words.summary;
  if (purpose.starts_with(words.name + " ")) {
    purpose.remove_prefix(words.name.size() + 1);
  }
  if (purpose.ends_with('.')) {
    purpose.remove_suffix(1);
  }
  std::string text = fmt::format(
      ".TH {0} 1 \"\" \"{1} {2}\" \"User Commands\"\n.SH NAME\n{1} \\- {4}\n.SH SYNOPSIS\n"
      ".B {1}\n\\fICOMMAND\\fR [OPTIONS] [ARGUMENTS]\n.SH DESCRIPTION\n{3}\n.SH COMMANDS\n",
      upper(words.name), escaped(words.name), escaped(WATCHLAB_VERSION), escaped(words.summary),
      escaped(purpose));
  for (const Command& command : commands) {
    text += command_part(command, words);
  }
  return text + items_of("EXIT STATUS", kExitStatus) + items_of("ENVIRONMENT", kEnvironment) +
         items_of("FILES", kFiles) +
         ".SH SEE ALSO\n.BR dot (1),\n.BR kubectl (1)\n.PP\nwatchlab COMMAND \\-\\-help, and "
         "/usr/share/doc/watchlab/docs/commands.md.\n";
}

}  // namespace watchlab::scenarios
