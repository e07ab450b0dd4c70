#include "scenarios/command_line/shell_pages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

namespace watchlab::scenarios {
namespace {

/// "--jobs,-j" as "--jobs" and "-j".
std::vector<std::string> spellings(const Argument& argument) {
  std::vector<std::string> found;
  for (std::size_t at = 0; at < argument.name.size();) {
    const std::size_t comma = std::min(argument.name.find(',', at), argument.name.size());
    found.push_back(argument.name.substr(at, comma - at));
    at = comma + 1;
  }
  return found;
}

bool is_option(const Argument& argument) {
  return argument.name.starts_with('-') && argument.name != "--";
}

bool is_flag(const Argument& argument) { return std::holds_alternative<bool*>(argument.target); }

/// Whether a name of a scenario may stand there, or a file.
bool takes_scenario(const Argument& argument) {
  return argument.name == "FILE" || argument.name == "NAME" || argument.name == "PATH";
}

bool wants_scenarios(const Command& command) {
  return std::ranges::any_of(command.arguments, takes_scenario);
}

/// In single quotes, for each of the three shells.
std::string in_quotes(std::string_view text) {
  std::string inside;
  for (const char letter : text) {
    inside += letter == '\'' ? "'\\''" : std::string(1, letter);
  }
  return "'" + inside + "'";
}

std::string in_fish_quotes(std::string_view text) {
  std::string inside;
  for (const char letter : text) {
    inside +=
        letter == '\'' || letter == '\\' ? std::string("\\") + letter : std::string(1, letter);
  }
  return "'" + inside + "'";
}

std::vector<std::string> options_of(const Command& command) {
  std::vector<std::string> options{"--help"};
  for (const Argument& argument : command.arguments) {
    if (is_option(argument)) {
      const std::vector<std::string> all = spellings(argument);
      options.insert(options.end(), all.begin(), all.end());
    }
  }
  return options;
}

/// The first words that a place of the command may be, when those are known.
std::vector<std::string> first_words(const Command& command) {
  for (const Argument& argument : command.arguments) {
    if (!is_option(argument) && !argument.one_of.empty()) {
      return argument.one_of;
    }
  }
  return {};
}

/// The body of a `case` over "COMMAND OPTION": what may follow an option.
std::string bash_values(const std::vector<Command>& commands) {
  std::string text;
  for (const Command& command : commands) {
    for (const Argument& argument : command.arguments) {
      if (!is_option(argument) || is_flag(argument)) {
        continue;
      }
      for (const std::string& spelling : spellings(argument)) {
        text += fmt::format("    '{} {}') ", command.name, spelling);
        text += argument.one_of.empty()
                    ? std::string("COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n")
                    : fmt::format("COMPREPLY=($(compgen -W {} -- \"$word\")); return ;;\n",
                                  in_quotes(fmt::format("{}", fmt::join(argument.one_of, " "))));
      }
    }
  }
  return text;
}

/// The body of a `case` over the command: its options, and what may stand at its places.
std::string bash_commands(const std::vector<Command>& commands) {
  std::string text;
  for (const Command& command : commands) {
    const std::vector<std::string> words = first_words(command);
    text += fmt::format("    {}) options={}; words={}; scenarios={} ;;\n", command.name,
                        in_quotes(fmt::format("{}", fmt::join(options_of(command), " "))),
                        in_quotes(fmt::format("{}", fmt::join(words, " "))),
                        wants_scenarios(command) ? "yes" : "no");
  }
  return text;
}

std::string bash_script(const std::vector<Command>& commands, const ProgramWords& words) {
  std::vector<std::string> names;
  for (const Command& command : commands) {
    names.push_back(command.name);
  }
  return fmt::format(
      R"sh(# Completion of {0} in bash. To use it: source <({0} completion bash)
_{1}() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
  local command=${{COMP_WORDS[1]}}
  local options= words= scenarios=no
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W '{2} --help --version' -- "$word"))
    return
  fi
  case "$command $before" in
{3}  esac
  case "$command" in
{4}  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
    return
  fi
  if [[ -n $words && $COMP_CWORD -eq 2 ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    return
  fi
  if [[ $scenarios == yes ]]; then
    COMPREPLY=($(compgen -W "$("${{COMP_WORDS[0]}}" list 2>/dev/null | cut -d' ' -f1)" -- "$word"))
  fi
  COMPREPLY+=($(compgen -f -- "$word"))
}}
complete -o filenames -F _{1} {0}
)sh",
      words.name, words.name, fmt::join(names, " "), bash_values(commands),
      bash_commands(commands));
}

/// A text inside of `[…]` of an `_arguments` of zsh.
std::string in_brackets(std::string_view text) {
  std::string inside;
  for (const char letter : text) {
    inside += letter == '[' || letter == ']' || letter == ':' || letter == '\\'
                  ? std::string("\\") + letter
                  : std::string(1, letter);
  }
  return inside;
}

std::string zsh_argument(const Argument& argument, const ProgramWords& words) {
  const std::string action = !argument.one_of.empty()
                                 ? fmt::format("({})", fmt::join(argument.one_of, " "))
                             : takes_scenario(argument) ? fmt::format("_{}_scenarios", words.name)
                                                        : std::string("_files");
  if (!is_option(argument)) {
    return fmt::format("      {}\n", in_quotes(fmt::format("*:{}:{}", argument.name, action)));
  }
  std::string text;
  for (const std::string& spelling : spellings(argument)) {
    const std::string value = is_flag(argument) ? "" : fmt::format(":value:{}", action);
    text += fmt::format("      {}\n", in_quotes(fmt::format("*{}[{}]{}", spelling,
                                                            in_brackets(argument.help), value)));
  }
  return text;
}

std::string zsh_script(const std::vector<Command>& commands, const ProgramWords& words) {
  std::string names;
  std::string cases;
  for (const Command& command : commands) {
    names += fmt::format(
        "    {}\n", in_quotes(fmt::format("{}:{}", command.name, in_brackets(command.summary))));
    cases += fmt::format("    {}) _arguments \\\n", command.name);
    cases += "      '--help[Print this help message and exit]' \\\n";
    bool has_place = false;
    for (const Argument& argument : command.arguments) {
      const bool is_place = !is_option(argument);
      if (argument.name == "--" || (is_place && has_place)) {
        continue;
      }
      has_place = has_place || is_place;
      std::string lines = zsh_argument(argument, words);
      for (std::size_t at = lines.find('\n'); at != std::string::npos; at = lines.find('\n', at)) {
        lines.replace(at, 1, " \\\n");
        at += 3;
      }
      cases += lines;
    }
    cases += "      ;;\n";
  }
  return fmt::format(R"sh(#compdef {0}
# Completion of {0} in zsh. To use it: source <({0} completion zsh)
_{0}_scenarios() {{
  local -a names
  names=(${{(f)"$({0} list 2>/dev/null | cut -d' ' -f1)"}})
  compadd -a names
  _files
}}
_{0}() {{
  local -a commands
  commands=(
{1}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case "$command" in
{2}  esac
}}
compdef _{0} {0}
)sh",
                     words.name, names, cases);
}

std::string fish_script(const std::vector<Command>& commands, const ProgramWords& words) {
  std::string text = fmt::format(
      "# Completion of {0} in fish. To use it: {0} completion fish | source\n"
      "function __{0}_scenarios\n  {0} list 2>/dev/null | string replace -r ' .*' ''\nend\n",
      words.name);
  for (const Command& command : commands) {
    text += fmt::format("complete -c {} -n __fish_use_subcommand -f -a {} -d {}\n", words.name,
                        command.name, in_fish_quotes(command.summary));
    const std::string when = in_fish_quotes("__fish_seen_subcommand_from " + command.name);
    for (const Argument& argument : command.arguments) {
      if (argument.name == "--") {
        continue;
      }
      text += fmt::format("complete -c {} -n {}", words.name, when);
      if (is_option(argument)) {
        for (const std::string& spelling : spellings(argument)) {
          text += spelling.starts_with("--") ? " -l " + spelling.substr(2)
                                             : " -s " + spelling.substr(1);
        }
        text += is_flag(argument) ? "" : " -r";
      }
      if (!argument.one_of.empty()) {
        text += fmt::format(" -f -a {}",
                            in_fish_quotes(fmt::format("{}", fmt::join(argument.one_of, " "))));
      } else if (takes_scenario(argument)) {
        text += fmt::format(" -a '(__{}_scenarios)'", words.name);
      }
      text += fmt::format(" -d {}\n", in_fish_quotes(argument.help));
    }
  }
  return text;
}

/// A text of a line of its own or inside of one, for troff: bytes behind ASCII begin a letter of
/// UTF-8, which troff takes by its number.
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
    result += fmt::format("\\[u{:04X}]", code);
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

}  // namespace

std::vector<std::string> shells() { return {"bash", "zsh", "fish"}; }

std::string completion_script(std::string_view shell, const std::vector<Command>& commands,
                              const ProgramWords& words) {
  if (shell == "bash") {
    return bash_script(commands, words);
  }
  return shell == "zsh" ? zsh_script(commands, words) : fish_script(commands, words);
}

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
  return text +
         ".SH EXIT STATUS\n.TP\n0\nAll held.\n.TP\n1\nSomething was found or failed.\n.TP\n2\n"
         "Bad input or usage.\n.TP\n130\nInterrupted; what was learned is printed.\n"
         ".SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\nPrints no colours where it is set.\n";
}

}  // namespace watchlab::scenarios
