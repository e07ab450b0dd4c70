#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace watchlab::scenarios {

/// FNV-1a with 64 bits. Two texts that differ in one byte have different checksums.
[[nodiscard]] std::uint64_t checksum_of(std::string_view text);

/// An object of JSON on one line, with a last member `checksum` over all that stands before it.
[[nodiscard]] std::string sealed(std::string_view object);
/// The object that was sealed, of a line without its end. Throws `std::invalid_argument`, with a
/// message, for a line without a checksum, or when a byte of the line has changed since.
[[nodiscard]] std::string unsealed(std::string_view line);

/// The options that decide what a run of many hours plays, by name, as text.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// The first option that is another one: "strategy was dfs and is dpor"; "" when all are the same.
[[nodiscard]] std::string difference(const Settings& before, const Settings& now);

/// What a command that takes long writes down, for a later call of it to continue.
struct Progress {
  std::string command;  ///< "explore"
  Settings settings;    ///< the options that it belongs to
  std::string body;     ///< JSON
};

/// The file: one sealed line.
[[nodiscard]] std::string progress_text(const Progress& progress);
/// The body of what `progress_text` has written. Throws `std::invalid_argument`, with a message
/// that begins with the path, when the file is missing, is damaged, or belongs to another command
/// or to other options than these; then the message names the option, and both values.
[[nodiscard]] std::string read_progress(const std::string& path, const std::string& command,
                                        const Settings& settings);

}  // namespace watchlab::scenarios
