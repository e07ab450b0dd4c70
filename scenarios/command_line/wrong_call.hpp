#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "scenarios/command_line/command_line.hpp"

namespace CLI {
class ParseError;
}

/// What is wrong with words that make no call, for the reader of the command line.
namespace watchlab::scenarios {

/// What a number of that type is called; "" for what is none.
template <typename T>
std::string number_called() {
  if constexpr (std::is_same_v<T, std::size_t>) {
    return "a whole number, 0 or more";
  } else if constexpr (std::is_same_v<T, int>) {
    return "a whole number";
  } else if constexpr (std::is_same_v<T, double>) {
    return "a number";
  } else {
    return "";
  }
}

template <typename T>
struct ValueOf {
  using type = T;
};
template <typename T>
struct ValueOf<std::optional<T>> {
  using type = T;
};

/// "; did you mean …?" for a word that is nearly one of those; "" for none.
[[nodiscard]] std::string meant(const std::string& word, const std::vector<std::string>& words);

/// All spellings of a command's options.
[[nodiscard]] std::vector<std::string> option_names(const Command& command);

/// As one types the program.
[[nodiscard]] const std::string& called(const ProgramWords& words);

/// Why the words make no call, one line whatever they are, and a line that says what would.
[[nodiscard]] std::string wrong_words(const CLI::ParseError& failure, int argc,
                                      const char* const* argv, const std::vector<Command>& commands,
                                      const ProgramWords& words);

}  // namespace watchlab::scenarios
