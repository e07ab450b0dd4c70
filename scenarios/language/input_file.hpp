#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace watchlab::scenarios {

/// What cannot be read, and what would do.
struct UnreadableFile {
  std::string what;      ///< "there is no such file"
  std::string expected;  ///< "a file"; "" where nothing else would do
};

/// Reads a file that a caller has named, all of it, into `text`: a regular file, or what a shell
/// hands over as /dev/stdin or /dev/fd/N. Folders, devices and other pipes are refused: they have
/// no bytes, no end, or nobody who writes.
[[nodiscard]] std::optional<UnreadableFile> read_input(const std::string& path, std::string& text,
                                                       std::uintmax_t bytes_max = 1U << 30U);

/// "runs: this is a folder; expected a file".
[[nodiscard]] std::string describe(const std::string& path, const UnreadableFile& wrong);

/// The same. Throws `std::invalid_argument` with that sentence.
[[nodiscard]] std::string read_input(const std::string& path);

}  // namespace watchlab::scenarios
