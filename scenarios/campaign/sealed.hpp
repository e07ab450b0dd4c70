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
/// sentence, for a line without a checksum, or when a byte of the line has changed since.
[[nodiscard]] std::string unsealed(std::string_view line);

/// The options that decide what a run of many hours plays, by name, as text.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// The first option that is another one: "strategy was dfs and is dpor"; "" when all are the same.
[[nodiscard]] std::string difference(const Settings& before, const Settings& now);

}  // namespace watchlab::scenarios
