#include "scenarios/command_line/argument_files.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <system_error>

#include "scenarios/command_line/output_file.hpp"
#include "scenarios/language/catalogue.hpp"

namespace watchlab::scenarios {
namespace {

/// A file that the caller has named.
struct NamedFile {
  std::string option;  ///< by which
  std::string path;
  bool is_folder;
};

/// The files that the command would write, and its folders of such; standard output is none, where
/// it may be one.
std::vector<NamedFile> outputs_of(const Command& command) {
  std::vector<NamedFile> files;
  for (const Argument& argument : command.arguments) {
    if (argument.is_output || argument.is_output_folder) {
      const std::string& path = *std::get<std::string*>(argument.target);
      if (names_a_file(path) || (!path.empty() && !argument.may_be_standard_output)) {
        files.push_back({std::ranges::max(CLI::detail::split(argument.name, ','), {},
                                          [](const std::string& name) { return name.size(); }),
                         path, argument.is_output_folder});
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
    if (argument.is_output || argument.is_output_folder || argument.name == "--") {
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
  const auto place_of = [&](const std::string& path) {
    return fs::weakly_canonical(fs::absolute(behind_links(path), failure), failure);
  };
  const fs::path first = place_of(one);
  return !failure && first == place_of(other);
}

/// Whether an input is that file, or a folder whose story it is.
bool is_read(const std::string& input, const std::string& path) {
  std::error_code failure;
  if (!std::filesystem::is_directory(input, failure)) {
    return is_same_file(path, input);
  }
  return std::filesystem::is_regular_file(path, failure) &&
         std::ranges::any_of(scenario_files({input}),
                             [&](const std::string& story) { return is_same_file(path, story); });
}

}  // namespace

std::string unwritable_output(const Command& command) {
  const std::vector<NamedFile> outputs = outputs_of(command);
  const std::vector<std::string> inputs = inputs_of(command);
  for (auto output = outputs.begin(); output != outputs.end(); ++output) {
    if (!names_a_file(output->path)) {
      return fmt::format(
          "{}: - is standard output, where something else is printed; expected the "
          "name of a {}",
          output->option, output->is_folder ? "folder" : "file");
    }
    const auto is_this = [&](const std::string& path) { return is_same_file(output->path, path); };
    const auto twin = std::find_if(outputs.begin(), output,
                                   [&](const NamedFile& other) { return is_this(other.path); });
    if (twin != output) {
      return fmt::format("{}: {} and {} would both write it; expected a file for each",
                         output->path, twin->option, output->option);
    }
    if (std::ranges::any_of(
            inputs, [&](const std::string& input) { return is_read(input, output->path); })) {
      return fmt::format("{}: this is the input; expected another file for the output",
                         output->path);
    }
    std::string problem = output->is_folder ? "" : write_problem(output->path);
    if (!problem.empty()) {
      return problem;
    }
  }
  return "";
}

}  // namespace watchlab::scenarios
