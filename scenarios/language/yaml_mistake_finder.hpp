#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/language/document.hpp"
#include "scenarios/language/yaml_line.hpp"

namespace watchlab::scenarios {

/// Reads a text as its author sees it, line by line, and keeps the first thing that looks wrong. It
/// knows less of YAML than the parser does, so it is only asked about texts that are wrong.
class YamlMistakeFinder {
 public:
  explicit YamlMistakeFinder(std::string_view rest);

  [[nodiscard]] const std::optional<Problem>& first() const { return first_; }
  /// What the parser takes and YAML does not: a quote that is open at the end, or a '#' without a
  /// space before it.
  [[nodiscard]] const std::optional<Problem>& overlooked() const {
    return unclosed_ ? unclosed_ : joined_comment_;
  }

 private:
  enum class Value : std::uint8_t { None, Plain, Whole };

  /// Lines that begin in the same column: the keys of a mapping or the dashes of a list.
  struct Level {
    std::size_t column;
    bool is_list;
    std::string name;
    int line;
  };
  struct Bracket {
    char open;
    Place place;
    std::size_t indent;  ///< of its line
    bool cut = false;    ///< a comment took the rest of a line
  };

  [[nodiscard]] Place at(std::size_t i) const { return {line_, static_cast<int>(i) + 1}; }
  void report(Problem problem) {
    if (!first_) {
      first_ = std::move(problem);
    }
  }
  void report(std::size_t i, std::string what, std::string expected) {
    report({at(i), std::move(what), std::move(expected), ""});
  }
  [[nodiscard]] Problem open_quote() const {
    return quote_alike_
               ? *quote_alike_
               : Problem{quote_place_, fmt::format("a quote ({}) that is not closed", quote_),
                         fmt::format("another {} at the end of the text", quote_), ""};
  }
  /// A '#' that the parser takes for the beginning of a comment; YAML wants a space before it.
  void note_joined_comment(std::string_view line, std::size_t i);
  /// Inside of quotes: a typographic quote where a text ends may be meant to end this one.
  void look_for_end(std::string_view line, std::size_t i);

  void read(std::string_view line);

  /// The first lines of a text below a '|': those that are blank have no more spaces than the text.
  void begin_block(std::string_view line, std::size_t indent);

  void read_in_brackets(std::string_view line, std::size_t indent);

  /// The innermost bracket, which should have been closed where the last line ended.
  [[nodiscard]] Problem open_bracket() const;
  void report_open_bracket() { report(next_key_.value_or(open_bracket())); }

  void read_block_line(std::string_view line, std::size_t indent);

  /// What stands behind the indentation and the dashes.
  void read_content(std::string_view line, std::size_t place, bool leads);

  /// Text where a key belongs.
  void report_no_key(std::string_view rest, std::size_t place);

  /// "name:app" as the last line, which is no key; nothing for another text.
  [[nodiscard]] std::optional<Problem> joined_plain() const;

  /// "name app" above keys, which was meant for one.
  [[nodiscard]] Problem plain_without_colon(const Key& below) const;

  /// "1. name" above what stands further right; false for all else.
  bool report_number_bullet(const Level& level);

  void report_deeper(std::size_t indent, const Key& key);

  void open_level(Level level, bool leads);

  /// Values, in brackets or not, up to the end of the line.
  void scan(std::string_view line, std::size_t begin);

  /// Whether the quote ends at this character; steps over those that mean themselves.
  [[nodiscard]] bool ends_quote(std::string_view line, std::size_t& i);

  /// Something stands behind a value that is whole. False for the colon of a key in quotes.
  bool report_behind(std::string_view line, std::size_t i, char closed);

  char scan_in_brackets(std::string_view line, std::size_t i, bool& starts);

  /// What its author may have meant: a text, or a key that belongs into a line of its own.
  static std::string cure_of_second_colon(std::string_view line, std::size_t colon);

  /// Outside of brackets. False when the rest of the line needs no look.
  bool scan_outside(std::string_view line, std::size_t i, bool& starts);

  void open_value(std::string_view line, std::size_t i, bool& starts);

  int line_ = 0;
  std::vector<Level> levels_;
  std::vector<Bracket> brackets_;
  std::size_t block_content_ = 0;            ///< their indentation, once it is known
  std::optional<Problem> block_blank_;       ///< the widest blank line above them
  std::optional<std::size_t> block_parent_;  ///< inside lines of text: what they are deeper than
  char quote_ = 0;                           ///< that is open
  Place quote_place_;
  std::optional<Problem> quote_alike_;  ///< the first in it that may be meant for its end
  bool quotes_inside_ = false;          ///< a typographic one is open in it
  bool quotes_key_ = false;             ///< it stands where a key may
  bool at_key_ = false;                 ///< inside of brackets: what comes next may be a key
  std::size_t quote_indent_ = 0;
  Value last_ = Value::None;  ///< of the last line
  int cut_line_ = 0;          ///< of the comment that has ended its text; 0 for none
  std::string plain_;         ///< the last line behind its dashes
  Place plain_place_;
  Place plain_end_;
  bool had_key_ = false;
  std::size_t content_column_ = 0;   ///< of what the brackets are the value of, behind its dashes
  std::optional<Problem> next_key_;  ///< what is missing before a line that may be the next key
  Place content_end_{1, 1};
  std::optional<Problem> first_;
  std::optional<Problem> unclosed_;
  std::optional<Problem> joined_comment_;
};

/// Of a bracket that ends what was never begun, or a comma that separates nothing.
[[nodiscard]] std::string without_opener(char sign);
inline constexpr const char* kWithoutIt = "the same line without it";

}  // namespace watchlab::scenarios
