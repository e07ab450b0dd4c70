#pragma once

#include <string_view>

/// Scalars without quotes, of which readers of YAML make numbers, truth values, dates or nothing.
namespace watchlab::scenarios {

/// Whether some reader takes the text for something else than a text: YAML 1.1, whose numbers are
/// also 0x1f, 0o17, 1_000, 1:30 and .inf, or YAML 1.2. `y` and `n` are texts: the readers that take
/// them for truth values are of the past.
[[nodiscard]] bool is_read_as_other_than_text(std::string_view text);

/// Whether the text may be written without quotes, so that every reader takes it for a text.
[[nodiscard]] bool is_text_without_quotes(std::string_view text);

}  // namespace watchlab::scenarios
