#include "exercises/programs/texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "scenarios/command_line/output_file.hpp"
#include "scenarios/language/parse.hpp"
#include "scenarios/language/utf8.hpp"

namespace watchlab::course {
namespace {

/// Whether three bytes are a full-width sign: "，" and "。".
bool is_wide_sign(std::string_view bytes) {
  return bytes.starts_with("\xE3\x80") || bytes.starts_with("\xEF\xBC");
}

/// Or a Chinese character or a quotation mark.
bool is_wide(std::string_view bytes) {
  return is_wide_sign(bytes) || bytes == "“" || bytes == "”" ||
         (bytes.size() == 3 && bytes.front() >= '\xE4' && bytes.front() <= '\xE9');
}

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

}  // namespace

std::string read_whole(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    throw BadInput(fmt::format("{} cannot be read", file.string()));
  }
  return {std::istreambuf_iterator<char>(stream), {}};
}

scenarios::Scenario read_story(const std::filesystem::path& file) {
  scenarios::Parsed parsed = scenarios::load_scenario(file.string());
  if (!parsed.scenario) {
    throw BadInput(scenarios::describe(file.string(), parsed.problems.front()));
  }
  return *std::move(parsed.scenario);
}

void write_output(const std::filesystem::path& file, std::string_view text) {
  const std::string wrong = scenarios::write_file(file.string(), text);
  if (!wrong.empty()) {
    throw std::runtime_error(wrong);
  }
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char character : text) {
    const bool is_control = static_cast<unsigned char>(character) < 0x20 || character == 0x7f;
    out += character == '"' || character == '\\' ? "\\" : "";
    out += is_control ? ' ' : character;
  }
  return out + "\"";
}

std::string in_html(std::string_view text) {
  std::string out;
  for (const char character : text) {
    switch (character) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += character;
    }
  }
  return out;
}

bool has_line_break(std::string_view text) {
  constexpr std::array<std::string_view, 7> breaks{"\n",     "\r",     "\v",    "\f",
                                                   "\u0085", "\u2028", "\u2029"};
  return std::ranges::any_of(
      breaks, [text](std::string_view one) { return text.find(one) != std::string_view::npos; });
}

namespace {

/// Blocks of Unicode whose characters are not seen, or are taken for Latin letters and digits.
bool is_deceptive(std::uint32_t code) {
  constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 19> blocks{{
      {0x00A0, 0x00A0},    // a blank
      {0x00AD, 0x00AD},    // a hyphen that is not seen
      {0x0300, 0x058F},    // marks upon letters, Greek, Cyrillic, Armenian
      {0x061C, 0x061C},    // turns the direction
      {0x115F, 0x1160},    // fillers
      {0x13A0, 0x13FF},    // Cherokee
      {0x17B4, 0x17B5},    // vowels that are not seen
      {0x180B, 0x180F},    // separators
      {0x1AB0, 0x1AFF},    // marks upon letters
      {0x1D00, 0x1DFF},    // small capitals
      {0x2000, 0x206F},    // blanks, joiners, dashes
      {0x20D0, 0x218F},    // marks, letters as signs, Roman numerals
      {0x2C60, 0x2DFF},    // more of Latin, Coptic and Cyrillic
      {0x3164, 0x3164},    // a filler
      {0xA640, 0xA7FF},    // more of Cyrillic and Latin
      {0xAB30, 0xABBF},    // more of Latin and Cherokee
      {0xFE00, 0xFE0F},    // what changes the look of a letter
      {0xFEFF, 0xFFEF},    // wide letters
      {0x10000, 0x1F2FF},  // old alphabets, letters of mathematics
  }};
  return code >= 0xE0000 || std::ranges::any_of(blocks, [code](const auto& block) {
           return code >= block.first && code <= block.second;
         });
}

}  // namespace

std::string marked_name(std::string_view name) {
  std::string out;
  while (!name.empty()) {
    const scenarios::Character character = scenarios::first_character(name);
    const std::size_t size = std::max<std::size_t>(character.size, 1);
    const bool is_marked = character.size > 0 && is_deceptive(character.code);
    out +=
        is_marked ? fmt::format("<U+{:04X}>", character.code) : std::string(name.substr(0, size));
    name.remove_prefix(size);
  }
  return plain_line(out);  // which would take away what is marked now
}

std::string beginning_of(std::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) {
    return std::string(text);
  }
  std::size_t end = bytes_max;
  while (end > 0 && continues(text[end])) {
    --end;
  }
  return std::string(text.substr(0, end));
}

std::string without_folds(std::string_view text) {
  constexpr std::size_t wide = 3;
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view before = i < wide ? "" : text.substr(i - wide, wide);
    const bool is_fold = text[i] == ' ' && (is_wide_sign(before) ||
                                            (is_wide(before) && is_wide(text.substr(i + 1, wide))));
    if (!is_fold) {
      out += text[i];
    }
  }
  return out;
}

}  // namespace watchlab::course
