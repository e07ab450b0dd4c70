#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace watchlab::scenarios {

/// FNV-1a with 64 bits. Two texts that differ in one byte have different checksums.
[[nodiscard]] std::uint64_t checksum_of(std::string_view text);

/// A JSON object on one line, with a final member `checksum` over everything before it.
[[nodiscard]] std::string sealed(std::string_view object);
/// The object in a sealed line, without its newline. Throws `std::invalid_argument`, with a
/// message, if the line has no checksum, or a byte has changed since.
[[nodiscard]] std::string unsealed(std::string_view line);

/// The options that determine a long run, by name, as text.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// The first option that differs: "strategy was dfs and is dpor"; "" if all are the same.
[[nodiscard]] std::string difference(const Settings& before, const Settings& now);

/// What a long-running command saves, so that a later call can continue.
struct Progress {
  std::string command;  ///< "explore"
  Settings settings;    ///< the options that it belongs to
  std::string body;     ///< JSON
};

/// The file: one sealed line.
[[nodiscard]] std::string progress_text(const Progress& progress);
/// The body of what `progress_text` wrote. Throws `std::invalid_argument`, with a message that
/// starts with the path, if the file is missing or damaged, or belongs to another command or other
/// options; the message then names the option and both values.
[[nodiscard]] std::string read_progress(const std::string& path, const std::string& command,
                                        const Settings& settings);

}  // namespace watchlab::scenarios
