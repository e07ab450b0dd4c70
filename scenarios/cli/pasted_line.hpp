#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/command_line/command_line.hpp"
#include "scenarios/language/scenario.hpp"

/// Lines that the program prints to be pasted into a shell. All are made here: each begins with the
/// program as it was called, is quoted for the shell, and carries the options that it needs. A name
/// that begins as an option does is said with its folder, so that no `--` comes before it.
namespace watchlab::scenarios {

/// Whether this is what was installed, and not started by the launcher of a checkout.
[[nodiscard]] bool is_installed();

/// The program as it was called, quoted for a shell.
[[nodiscard]] std::string program_as_typed();
/// The same for a page, which others read on other machines: without the folder where it is
/// installed.
[[nodiscard]] std::string program_on_pages();
/// A command that plays no story, or one of the catalogue that is named: "watchlab run x".
[[nodiscard]] std::string as_typed(std::string_view rest);
/// A page of the tree, with the program in its lines to paste as it was called.
[[nodiscard]] std::string with_calls_as_typed(std::string page);
/// A command of the launcher, which plays variants. What is installed says where it is:
/// "./watchlab run ghost_after_relist in a checkout".
[[nodiscard]] std::string in_a_checkout(std::string_view rest);

/// Whether the launcher plays that command in the variant of a piece of the museum.
[[nodiscard]] bool plays_variants(std::string_view command);
/// Whether that command starts the programs of a story whose file is named, because it is asked to
/// play just this one. Others only look, and want --allow-run.
[[nodiscard]] bool starts_programs_of_a_file(std::string_view command);
/// The variant that is played, as the launcher says it; "" for none.
[[nodiscard]] std::string variant_played();
/// Whether playing the story starts programs, which may do anything.
[[nodiscard]] bool starts_programs(const Scenario& story);

/// The line in which `command` takes the file of the story, with what it needs to play it as it was
/// played here: the variant, and --allow-run where programs are started. `options` come last.
[[nodiscard]] std::string line_to_paste(std::string_view command, const Scenario& story,
                                        std::string_view options = "");
/// The same for several stories, named as the user did: `names` are files, folders or names of the
/// catalogue.
[[nodiscard]] std::string line_to_paste(std::string_view command,
                                        const std::vector<std::string>& names,
                                        const std::vector<const Scenario*>& stories,
                                        std::string_view options = "");

/// What another call has in place of what the present one has.
struct ChangedCall {
  std::vector<std::string> names = {};        ///< of stories; none: those of the call
  std::vector<std::string> without = {};      ///< options, by their long names, and their values
  std::string with = {};                      ///< options, quoted for the shell
  std::vector<const Scenario*> stories = {};  ///< played by it, perhaps with their programs
  bool allows_run = false;
};

/// The present call of `command` once more, with all its words but for what is changed, so that no
/// option is forgotten.
[[nodiscard]] std::string same_call(std::string_view command, const ChangedCall& changed = {});

/// The line that runs a story which was just written to that file.
[[nodiscard]] std::string run_line(const std::string& file);

/// Remembers how `main` was called, with one of these commands; they live as long as the program.
void remember_call(int argc, const char* const* argv, const std::vector<Command>& commands);
/// The words of that call behind the name of the program.
[[nodiscard]] const std::vector<std::string>& words_of_call();
/// The present call once more, of `command`, so that it may start the programs of stories.
[[nodiscard]] std::string same_call_with_allow_run(std::string_view command);

}  // namespace watchlab::scenarios
