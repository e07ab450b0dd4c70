#include "scenarios/command_line/shell_pages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

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

/// Whether a piece of the museum stands there.
bool takes_piece(const Argument& argument) { return argument.name == "SLUG"; }

/// Whether the name of a file may stand there: not for numbers, nor where help shows another type.
bool takes_file(const Argument& argument) {
  const bool is_text = std::holds_alternative<std::string*>(argument.target) ||
                       std::holds_alternative<std::optional<std::string>*>(argument.target) ||
                       std::holds_alternative<std::vector<std::string>*>(argument.target);
  const std::string& type = argument.type_name;
  return is_text && argument.one_of.empty() && !takes_piece(argument) &&
         (type.empty() || type == "FILE" || type == "SCHEDULE" || type.ends_with(".yaml"));
}

/// What the program is asked for the names that may stand there; "" where it knows none.
std::string_view catalogue_of(const Argument& argument) {
  return takes_scenario(argument) ? "list" : takes_piece(argument) ? "museum list" : "";
}

std::string_view catalogue_of(const Command& command) {
  const auto named = std::ranges::find_if(
      command.arguments, [](const Argument& argument) { return !catalogue_of(argument).empty(); });
  return named == command.arguments.end() ? "" : catalogue_of(*named);
}

// What a folder from elsewhere is called must mean nothing to any shell: names are offered if they
// consist of `[A-Za-z0-9._/-]` and do not look like options, those of files too.

/// Makes of the lines of a catalogue their names: theme/name, and name alone.
constexpr std::string_view kNamesOfLines =
    "LC_ALL=C sed -n 's/ .*//; /^[A-Za-z0-9._/-]*$/!d; /^-/d; p; s|.*/||p'";

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

/// The commands with what each does, those of the launcher too where it prints the script.
std::vector<std::pair<std::string, std::string>> commands_in_words(
    const std::vector<Command>& commands, const ProgramWords& words) {
  std::vector<std::pair<std::string, std::string>> found;
  for (const Command& command : commands) {
    found.emplace_back(command.name, command.summary);
  }
  for (const LauncherCommand& command : words.of_the_launcher) {
    if (words.has_launcher) {
      found.emplace_back(command.name, command.summary);
    }
  }
  return found;
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
        if (takes_file(argument)) {
          text += "files=yes ;;\n";
        } else if (argument.one_of.empty()) {
          text += "return ;;\n";
        } else {
          text += fmt::format("COMPREPLY=($(compgen -W {} -- \"$word\")); return ;;\n",
                              in_quotes(fmt::format("{}", fmt::join(argument.one_of, " "))));
        }
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
    const bool has_files = std::ranges::any_of(command.arguments, [](const Argument& argument) {
      return !is_option(argument) && takes_file(argument);
    });
    text += fmt::format("    {}) options={}; words={}; catalogue={}; files={} ;;\n", command.name,
                        in_quotes(fmt::format("{}", fmt::join(options_of(command), " "))),
                        in_quotes(fmt::format("{}", fmt::join(words, " "))),
                        in_quotes(catalogue_of(command)), has_files ? "yes" : "no");
  }
  return text;
}

std::string bash_script(const std::vector<Command>& commands, const ProgramWords& words) {
  std::vector<std::string> names;
  for (const auto& [name, summary] : commands_in_words(commands, words)) {
    names.push_back(name);
  }
  return fmt::format(
      R"sh(# Completion of {0} in bash. To use it: source <({0} completion bash)
# Files whose names mean nothing to the shell.
_{1}_files() {{
  local name LC_ALL=C
  while IFS= read -r name; do
    [[ ${{name#'~/'}} =~ ^[A-Za-z0-9._/][A-Za-z0-9._/-]*$ ]] || continue
    [[ $name != '~'* && ! -e $name && ! -L $name ]] || COMPREPLY+=("$name")
  done < <(compgen -f -- "$1")
}}
_{1}() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
  local command=${{COMP_WORDS[1]}}
  local options= words= catalogue= files=no
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W '{2} --help --version' -- "$word"))
    return
  fi
  if [[ $word == = ]]; then
    word=
  elif [[ $before == = ]]; then
    before=${{COMP_WORDS[COMP_CWORD-2]}}
  fi
  case "$command $before" in
{3}  esac
  if [[ $files == yes ]]; then
    _{1}_files "$word"
    return
  fi
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
  local name
  if [[ -n $catalogue ]]; then
    while IFS= read -r name; do
      [[ $name != "$word"* ]] || COMPREPLY+=("$name")
    done < <(WATCHLAB_COMPLETES=1 "${{COMP_WORDS[0]}}" $catalogue 2>/dev/null | {5})
  fi
  [[ $files == no ]] || _{1}_files "$word"
}}
complete -o filenames -F _{1} {0}
)sh",
      words.name, words.name, fmt::join(names, " "), bash_values(commands), bash_commands(commands),
      kNamesOfLines);
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

/// What zsh offers there; a blank is nothing.
std::string zsh_action(const Argument& argument, const ProgramWords& words) {
  if (!argument.one_of.empty()) {
    return fmt::format("({})", fmt::join(argument.one_of, " "));
  }
  if (takes_scenario(argument) || takes_piece(argument)) {
    return fmt::format("_{}_{}", words.name, takes_piece(argument) ? "pieces" : "scenarios");
  }
  return takes_file(argument) ? fmt::format("_{}_files", words.name) : " ";
}

/// The lines for an option, or for what stands at that place.
std::string zsh_argument(const Argument& argument, const std::string& place,
                         const ProgramWords& words) {
  const std::string action = zsh_action(argument, words);
  if (!is_option(argument)) {
    return fmt::format("      {}\n",
                       in_quotes(fmt::format("{}:{}:{}", place, argument.name, action)));
  }
  std::string text;
  for (const std::string& spelling : spellings(argument)) {
    const std::string value = is_flag(argument) ? "" : fmt::format(":value:{}", action);
    // A value stands behind it or, of a long one, also behind a `=`.
    const std::string_view ending = is_flag(argument) ? "" : spelling.starts_with("--") ? "=" : "+";
    text += fmt::format("      {}\n", in_quotes(fmt::format("*{}{}[{}]{}", spelling, ending,
                                                            in_brackets(argument.help), value)));
  }
  return text;
}

std::string zsh_script(const std::vector<Command>& commands, const ProgramWords& words) {
  std::string names;
  std::string cases;
  for (const auto& [name, summary] : commands_in_words(commands, words)) {
    names += fmt::format("    {}\n", in_quotes(fmt::format("{}:{}", name, in_brackets(summary))));
  }
  for (const Command& command : commands) {
    cases += fmt::format("    {}) _arguments \\\n", command.name);
    cases += "      '--help[Print this help message and exit]' \\\n";
    std::size_t places = 0;
    for (const Argument& argument : command.arguments) {
      if (argument.name == "--") {
        continue;
      }
      const bool takes_all = std::holds_alternative<std::vector<std::string>*>(argument.target);
      places += is_option(argument) ? 0 : 1;
      std::string lines = zsh_argument(argument, takes_all ? "*" : std::to_string(places), words);
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
# Files whose names mean nothing to the shell.
_{0}_files() {{
  local -a _{0}_unwanted=('*[^A-Za-z0-9._/-]*' '-*')
  _files -F _{0}_unwanted
}}
_{0}_scenarios() {{
  local -a names
  names=(${{(f)"$(WATCHLAB_COMPLETES=1 "$program" list 2>/dev/null | {3})"}})
  compadd -a names
  _{0}_files
}}
_{0}_pieces() {{
  local -a names
  names=(${{(f)"$(WATCHLAB_COMPLETES=1 "$program" museum list 2>/dev/null | {3})"}})
  compadd -a names
}}
_{0}() {{
  local -a commands
  commands=(
{1}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local program=${{(Q)words[1]}} command=$words[2]  # as it was typed: it need not be on the PATH
  shift words
  (( CURRENT-- ))
  case "$command" in
{2}  esac
}}
compdef _{0} {0}
)sh",
                     words.name, names, cases, kNamesOfLines);
}

std::string fish_script(const std::vector<Command>& commands, const ProgramWords& words) {
  std::string text = fmt::format(
      R"sh(# Completion of {0} in fish. To use it: {0} completion fish | source
# The program as it was typed, which need not be on the PATH.
function __{0}_names
  set -l program (commandline -opc)[1]
  WATCHLAB_COMPLETES=1 $program $argv 2>/dev/null | {1}
end
# Files whose names mean nothing to the shell, and no others.
complete -c {0} -f
function __{0}_files
  set -l word (commandline -ct)
  set -l home ''
  if string match -q '~/*' -- $word
    set home $HOME/
    set word (string sub -s 3 -- $word)
  end
  for path in "$home$word"*
    string match -q '*'\n'*' -- $path
    and continue
    set -l name (string sub -s (math 1 + (string length -- "$home")) -- $path)
    string match -qr '^[A-Za-z0-9._/][A-Za-z0-9._/-]*\z' -- $name
    or continue
    test -z "$home"; or set name "~/$name"
    test -d $path; and set name $name/
    echo $name
  end
end
function __{0}_scenarios
  __{0}_names list
  __{0}_files
end
function __{0}_pieces
  __{0}_names museum list
end
# Whether that is the command, and not a word behind it.
function __{0}_is
  set -l words (commandline -opc)
  test (count $words) -ge 2; and test $words[2] = $argv[1]
end
)sh",
      words.name, kNamesOfLines);
  for (const auto& [name, summary] : commands_in_words(commands, words)) {
    text += fmt::format("complete -c {} -n __fish_use_subcommand -f -a {} -d {}\n", words.name,
                        name, in_fish_quotes(summary));
  }
  for (const Command& command : commands) {
    const std::string when = in_fish_quotes(fmt::format("__{}_is {}", words.name, command.name));
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
        text += is_flag(argument) ? "" : " -x";
      }
      if (!argument.one_of.empty()) {
        text += fmt::format(" -f -a {}",
                            in_fish_quotes(fmt::format("{}", fmt::join(argument.one_of, " "))));
      } else if (takes_scenario(argument) || takes_piece(argument) || takes_file(argument)) {
        text += fmt::format(" -f -a '(__{}_{})'", words.name,
                            takes_scenario(argument) ? "scenarios"
                            : takes_piece(argument)  ? "pieces"
                                                     : "files");
      }
      text += fmt::format(" -d {}\n", in_fish_quotes(argument.help));
    }
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

}  // namespace watchlab::scenarios
