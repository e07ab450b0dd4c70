#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace watchlab::sim::linearizability {

/// Values by key, as the states of models hold them.
using Entries = std::map<std::string, std::string>;

/// "a=1; b=2". Keys hold no '=', and neither keys nor values "; ".
[[nodiscard]] std::string text_of(const Entries& entries);
/// What `text_of` wrote; a word without '=' is a key with the value "".
[[nodiscard]] Entries entries_of(std::string_view text);

/// "a; b", and back. "" is no word.
[[nodiscard]] std::string joined_words(const std::vector<std::string>& words);
[[nodiscard]] std::vector<std::string> words_of(std::string_view text);

}  // namespace watchlab::sim::linearizability
