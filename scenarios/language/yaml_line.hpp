#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "scenarios/language/document.hpp"

/// What stands in a line of YAML, as its author sees it.
namespace watchlab::scenarios {

[[nodiscard]] bool is_yaml_space(char c);
[[nodiscard]] bool is_word(char c);
[[nodiscard]] bool is_blank(std::string_view line);
[[nodiscard]] std::size_t indent_of(std::string_view line);
/// "one space before it".
[[nodiscard]] std::string spaces(std::size_t count);

/// A key of the line that begins there: its text and where its colon is.
struct Key {
  std::string text;
  std::size_t colon;
};
[[nodiscard]] bool is_colon(std::string_view line, std::size_t i);
[[nodiscard]] std::optional<Key> key_at(std::string_view line, std::size_t begin);

/// What is wrong with a key whose colon has no space behind it, as of "name:app", with such a
/// space; nothing for another text.
[[nodiscard]] std::optional<Problem> key_without_space(std::string_view text, Place place);

/// The text in brackets or quotes that the line begins with, with both; "" if it does not end
/// there.
[[nodiscard]] std::string_view enclosed_at(std::string_view line);

/// "1." for "1. name" and "2)" for "2) name", which begin no entry of a list; "" for all else.
[[nodiscard]] std::string number_bullet(std::string_view text);

/// "create: x" for "[create, x]", "{create: x}" and "\"create\": x", which are no key: the key and
/// its value; "" if there is no word in it that could be one.
[[nodiscard]] std::string key_within(std::string_view enclosed);

}  // namespace watchlab::scenarios
