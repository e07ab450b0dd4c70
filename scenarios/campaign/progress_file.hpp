#pragma once

#include <string>

#include "scenarios/campaign/sealed.hpp"

namespace watchlab::scenarios {

/// What a command that takes long writes down, for a later call of it to go on.
struct Progress {
  std::string command;  ///< "explore"
  Settings settings;    ///< the options that it belongs to
  std::string body;     ///< JSON
};

/// The file: one sealed line.
[[nodiscard]] std::string progress_text(const Progress& progress);
/// The body of what `progress_text` has written. Throws `std::invalid_argument`, with a sentence
/// that begins with the path, when the file is missing, is damaged, or belongs to another command
/// or to other options than these; then the sentence names the option, and both values.
[[nodiscard]] std::string read_progress(const std::string& path, const std::string& command,
                                        const Settings& settings);

}  // namespace watchlab::scenarios
