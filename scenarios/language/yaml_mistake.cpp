#include "scenarios/language/yaml_mistake.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

namespace watchlab::scenarios {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// A character that looks like one of YAML's and is another.
struct LookAlike {
  std::string_view bytes;
  std::string_view what;
  std::string_view expected;
  bool in_texts;  ///< inside a text it is as good as any other character
};
constexpr std::string_view kByteOrderMark = "\ufeff";
constexpr std::array<LookAlike, 19> kLookAlikes{{
    {"\u00a0", "a no-break space", "a space", true},
    {"\u3000", "a full-width space", "a space", true},
    {"\u200b", "an invisible space", "none", true},
    {"\ufeff", "an invisible mark (U+FEFF)", "none", true},
    {"\u201c", "the typographic quote '\u201c'", "the quote '\"'", true},
    {"\u201d", "the typographic quote '\u201d'", "the quote '\"'", true},
    {"\u201e", "the typographic quote '\u201e'", "the quote '\"'", true},
    {"\u2018", "the typographic quote '\u2018'", "the quote \"'\"", true},
    {"\u2019", "the typographic quote '\u2019'", "the quote \"'\"", true},
    {"\u00ab", "the typographic quote '\u00ab'", "the quote '\"'", true},
    {"\u2013", "the dash '\u2013'", "'-' and a space", true},
    {"\u2014", "the dash '\u2014'", "'-' and a space", true},
    {"\uff02", "the full-width quote '\uff02'", "the quote '\"'", false},
    {"\uff1a", "the full-width colon '\uff1a'", "':' and a space", false},
    {"\uff0c", "the full-width comma '\uff0c'", "','", false},
    {"\uff5b", "the full-width brace '\uff5b'", "'{'", false},
    {"\uff5d", "the full-width brace '\uff5d'", "'}'", false},
    {"\uff3b", "the full-width bracket '\uff3b'", "'['", false},
    {"\uff3d", "the full-width bracket '\uff3d'", "']'", false},
}};

/// Of a bracket that ends what was never begun, or a comma that separates nothing.
std::string without_opener(char sign) {
  return sign == ',' ? "a ',' outside of brackets"
                     : fmt::format("'{}' without a '{}' before it", sign, sign == '}' ? '{' : '[');
}
constexpr const char* kWithoutIt = "the same line without it";

std::optional<Problem> look_alike_at(std::string_view rest, Place place) {
  for (const LookAlike& each : kLookAlikes) {
    if (rest.starts_with(each.bytes)) {
      return Problem{place, std::string(each.what), std::string(each.expected), ""};
    }
  }
  return std::nullopt;
}

/// A key of the line that begins there: its text and where its colon is.
struct Key {
  std::string text;
  std::size_t colon;
};

bool is_colon(std::string_view line, std::size_t i) {
  return line[i] == ':' && (i + 1 == line.size() || is_space(line[i + 1]));
}

std::optional<Key> key_at(std::string_view line, std::size_t begin) {
  if (begin >= line.size() || std::string_view("\"'[{#|>").find(line[begin]) != std::string::npos) {
    return std::nullopt;
  }
  for (std::size_t i = begin; i < line.size(); ++i) {
    if (is_colon(line, i)) {
      return Key{std::string(line.substr(begin, i - begin)), i};
    }
    if (line[i] == '#' && is_space(line[i - (i > 0 ? 1 : 0)])) {
      break;
    }
  }
  return std::nullopt;
}

std::size_t indent_of(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first == std::string_view::npos ? line.size() : first;
}

bool is_blank(std::string_view line) { return std::all_of(line.begin(), line.end(), is_space); }

std::string spaces(std::size_t count) {
  return count == 0   ? "no space before it"
         : count == 1 ? "one space before it"
                      : fmt::format("{} spaces before it", count);
}

/// Reads a text as its author sees it, line by line, and keeps the first thing that looks wrong. It
/// knows less of YAML than the parser does, so it is only asked about texts that are wrong.
class Reader {
 public:
  explicit Reader(std::string_view rest) {
    rest.remove_prefix(rest.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
    while (!rest.empty()) {
      const std::size_t end = rest.find('\n');
      ++line_;
      std::string_view line = rest.substr(0, end);
      line.remove_suffix(line.ends_with('\r') ? 1 : 0);
      read(line);
      rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
    }
    if (quote_ != 0) {
      unclosed_ = open_quote();
      report(*unclosed_);
    } else if (!brackets_.empty()) {
      report_open_bracket();
    }
  }

  [[nodiscard]] const std::optional<Problem>& first() const { return first_; }
  /// A quote that is open at the end.
  [[nodiscard]] const std::optional<Problem>& unclosed() const { return unclosed_; }

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
    return {quote_place_, fmt::format("a quote ({}) that is not closed", quote_),
            fmt::format("another {} at the end of the text", quote_), ""};
  }

  void read(std::string_view line) {
    const std::size_t indent = indent_of(line);
    if (block_parent_) {
      block_content_ = block_content_ == 0 && !is_blank(line) ? indent : block_content_;
      if (is_blank(line) || (indent > *block_parent_ && indent >= block_content_)) {
        return;
      }
      block_parent_.reset();
    }
    if (is_blank(line)) {
      return;
    }
    if (quote_ != 0) {
      if (indent <= quote_indent_) {
        report(open_quote());
      }
      scan(line, 0);
    } else if (!brackets_.empty()) {
      read_in_brackets(line, indent);
    } else {
      read_block_line(line, indent);
    }
    const std::size_t last = line.find_last_not_of(" \t\r");
    content_end_ = at(last == std::string_view::npos ? 0 : last + 1);
  }

  void read_in_brackets(std::string_view line, std::size_t indent) {
    const bool closes = line[indent] == ']' || line[indent] == '}' || line[indent] == '#';
    if (indent <= brackets_.front().indent && !closes) {
      report_open_bracket();
      brackets_.clear();
      last_ = Value::Whole;
      return read_block_line(line, indent);
    }
    // A key in the column of the one that the bracket is the value of: perhaps the next key. It is
    // one if the bracket is never closed.
    if (!next_key_ && indent <= content_column_ && key_at(line, indent)) {
      next_key_ = open_bracket();
    }
    scan(line, indent);
  }

  /// The innermost bracket, which should have been closed where the last line ended.
  [[nodiscard]] Problem open_bracket() const {
    const Bracket& open = brackets_.back();
    const std::string closer = open.open == '{' ? "}" : "]";
    return {content_end_,
            fmt::format("'{}' is missing for '{}' of line {}", closer, open.open, open.place.line),
            open.cut ? fmt::format("'{}' before the ' #', which begins a comment; a text with # "
                                   "stands in quotes",
                                   closer)
                     : fmt::format("'{}' here or earlier", closer),
            ""};
  }
  void report_open_bracket() { report(next_key_.value_or(open_bracket())); }

  void read_block_line(std::string_view line, std::size_t indent) {
    if (line.substr(indent).starts_with("```")) {
      return report(indent, "'```', a line of Markdown", "the lines of YAML alone");
    }
    if (line[indent] == '\t') {
      return report(indent, "a tab cannot indent", "spaces");
    }
    if (auto alike = look_alike_at(line.substr(indent), at(indent))) {
      return report(*std::move(alike));
    }
    if (line[indent] == '#' || line.starts_with("---") || line.starts_with("...")) {
      return;
    }
    const std::optional<Key> own = key_at(line, indent);
    const bool deeper = !levels_.empty() && indent > levels_.back().column;
    if (last_ == Value::Plain && deeper && line[indent] != '-') {
      if (!own) {
        return;  // the text of the line before goes on
      }
      return report_deeper(indent, *own);
    }
    if (last_ == Value::Plain && deeper && !had_key_) {  // a list below what is no key
      return report({plain_end_, fmt::format("'{}' above a list, and no key", plain_),
                     "a ':' behind it", ""});
    }
    std::size_t place = indent;
    bool leads = true;
    while (line[place] == '-' && (place + 1 == line.size() || is_space(line[place + 1]))) {
      open_level({place, true, "-", line_}, std::exchange(leads, false));
      place = std::min(line.find_first_not_of(' ', place + 1), line.size());
      if (place == line.size()) {
        last_ = Value::None;
        return;
      }
    }
    if (line.substr(place).starts_with("-- ")) {
      return report(place, "'--', which begins nothing", "'- ' for an entry of a list");
    }
    if (line[place] == '-' && place + 1 < line.size() &&
        (is_word(line[place + 1]) || line[place + 1] == '{') && !std::isdigit(line[place + 1])) {
      return report(place, "a '-' without a space behind it", "'- '");
    }
    read_content(line, place, leads);
  }

  /// What stands behind the indentation and the dashes.
  void read_content(std::string_view line, std::size_t place, bool leads) {
    const std::optional<Key> key = key_at(line, place);
    if (key && last_ == Value::Plain && !had_key_ && !levels_.empty() &&
        levels_.back().column == place && !levels_.back().is_list) {
      return report(plain_without_colon(*key));
    }
    if (!key && leads && last_ == Value::None && !levels_.empty() && !levels_.back().is_list &&
        levels_.back().column >= place && is_word(line[place])) {
      return report(place,
                    fmt::format("'{}' in the column of the key '{}' of line {}",
                                line.substr(place, line.find(' ', place) - place),
                                levels_.back().name, levels_.back().line),
                    "more spaces before it, or a ':' behind it");
    }
    if (key) {
      open_level({place, false, key->text, line_}, leads);
    } else if (levels_.empty()) {
      open_level({place, false, "", line_}, false);
    } else if (leads && last_ != Value::None) {
      return report_no_key(line.substr(place), place);
    }
    last_ = Value::None;
    plain_ = std::string(line.substr(place));
    plain_place_ = at(place);
    plain_end_ = at(line.size());
    had_key_ = key.has_value();
    content_column_ = place;
    scan(line, key ? key->colon + 1 : place);
  }

  /// Text where a key belongs.
  void report_no_key(std::string_view rest, std::size_t place) {
    const auto under = std::find_if(levels_.rbegin(), levels_.rend(),
                                    [&](const Level& each) { return each.column <= place; });
    if (std::string_view("]},").find(rest.front()) != std::string_view::npos) {
      return report(place, without_opener(rest.front()), kWithoutIt);
    }
    if (under != levels_.rend() && under->is_list) {
      return report(place, "an entry of a list without a '-'",
                    fmt::format("'- ', in the column of line {}", under->line));
    }
    if (std::string_view("\"'[{?").find(rest.front()) != std::string_view::npos) {
      return;
    }
    if (rest.starts_with("//")) {
      return report(place, "'//', which begins no comment", "'#'");
    }
    for (std::size_t i = 0; i < rest.size(); ++i) {
      auto alike = look_alike_at(rest.substr(i), at(place + i));
      if (alike && (alike->what.starts_with("the full-width") || alike->what.ends_with("space"))) {
        return report(*std::move(alike));
      }
    }
    const std::string_view word = rest.substr(0, rest.find(' '));
    if (const std::size_t colon = word.find(':'); colon != 0 && colon < word.size() - 1) {
      return report(place + colon, fmt::format("'{}' without a space behind its ':'", word),
                    fmt::format("'{}: {}'", word.substr(0, colon), word.substr(colon + 1)));
    }
    // Two words are rather a key and its value than a text that goes on.
    const std::size_t second = rest.find_first_not_of("= ", word.size());
    const std::string_view value = second < rest.size() ? rest.substr(second) : "";
    const bool is_lower = std::islower(static_cast<unsigned char>(word.front())) != 0;
    if (!value.empty() && is_lower && !value.ends_with('.') && std::ranges::all_of(word, is_word) &&
        std::ranges::all_of(value, [](char c) { return is_word(c) || c == '-' || c == '.'; })) {
      return report(place, fmt::format("'{}' without a ':'", rest),
                    fmt::format("'{}: {}', or as many spaces before it as text has", word, value));
    }
    report(place,
           fmt::format("'{}' below the key '{}' of line {}, and no key", word, levels_.back().name,
                       levels_.back().line),
           "a ':' behind it, or as many spaces before it as text has");
  }

  /// "name app" above keys, which was meant for one.
  [[nodiscard]] Problem plain_without_colon(const Key& below) const {
    const std::string_view text = plain_;
    const std::size_t end = std::min(text.find_first_of("= "), text.size());
    const std::size_t rest = std::min(text.find_first_not_of("= ", end), text.size());
    return {plain_place_, fmt::format("'{}' above the key '{}', and no key", text, below.text),
            rest == text.size() ? "a ':' behind it"
                                : fmt::format("'{}: {}'", text.substr(0, end), text.substr(rest)),
            ""};
  }

  void report_deeper(std::size_t indent, const Key& key) {
    // "name:app" is a text, and what follows it is no more a part of it than its author thinks.
    const std::size_t colon = plain_.find(':');
    if (!had_key_ && colon != std::string::npos && colon > 0) {
      const std::string word = plain_.substr(0, colon);
      return report({{plain_place_.line, plain_place_.column + static_cast<int>(colon)},
                     fmt::format("'{}' without a space behind its ':'", plain_),
                     fmt::format("'{}: {}'", word, plain_.substr(colon + 1)),
                     ""});
    }
    for (const LookAlike& each : kLookAlikes) {
      const std::size_t found = plain_.find(each.bytes);
      if (!had_key_ && !each.in_texts && found != std::string::npos) {
        return report({{plain_place_.line, plain_place_.column + static_cast<int>(found)},
                       std::string(each.what),
                       std::string(each.expected),
                       ""});
      }
    }
    if (!had_key_ && is_word(plain_.front())) {
      return report(plain_without_colon(key));
    }
    const Level& above = levels_.back();
    report(indent,
           fmt::format("'{}' is indented deeper than '{}' in line {}, which has a value already",
                       key.text, above.name, above.line),
           spaces(above.column));
  }

  void open_level(Level level, bool leads) {
    std::optional<Level> closed;
    while (!levels_.empty() && levels_.back().column > level.column) {
      // A line belongs to those of its own sort, keys to keys and dashes to dashes.
      if (!closed || closed->is_list != level.is_list || levels_.back().is_list == level.is_list) {
        closed = levels_.back();
      }
      levels_.pop_back();
    }
    const bool same = !levels_.empty() && levels_.back().column == level.column;
    if (same && levels_.back().is_list == level.is_list) {
      levels_.back() = std::move(level);
      return;
    }
    if (same && !level.is_list) {  // the end of a list that stands right below its key
      if (levels_.size() > 1 && levels_[levels_.size() - 2].column == level.column) {
        levels_.pop_back();
        levels_.back() = std::move(level);
        return;
      }
      report(level.column,
             fmt::format("'{}' beside the '-' of line {}", level.name, levels_.back().line),
             closed ? fmt::format("{}, as '{}' in line {} has, or a '- '", spaces(closed->column),
                                  closed->name, closed->line)
                    : "a '- ' before it");
      return;
    }
    if (same && (last_ != Value::None || closed)) {
      return report(level.column,
                    fmt::format("a '-' beside the key '{}' of line {}", levels_.back().name,
                                levels_.back().line),
                    last_ != Value::None
                        ? "a key, or more spaces before the '-'"
                        : fmt::format("{} or more, for a list of '{}' in line {}",
                                      spaces(closed->column), closed->name, closed->line));
    }
    if (!same && leads && closed) {
      return report(
          level.column,
          fmt::format("'{}' has {}, which matches no line above", level.name, spaces(level.column)),
          fmt::format("{}, as '{}' in line {} has", spaces(closed->column), closed->name,
                      closed->line));
    }
    if (!same && leads && last_ == Value::Whole && !levels_.empty()) {
      return report(level.column,
                    fmt::format("'{}' is indented deeper than '{}' in line {}, which has a value "
                                "already",
                                level.name, levels_.back().name, levels_.back().line),
                    spaces(levels_.back().column));
    }
    levels_.push_back(std::move(level));
  }

  /// Values, in brackets or not, up to the end of the line.
  void scan(std::string_view line, std::size_t begin) {
    bool starts = true;  // a value may begin here
    char behind = 0;     // what has just been closed, outside of all brackets
    char quoted = 0;     // the quote that has just been closed, inside of some
    for (std::size_t i = begin; i < line.size(); ++i) {
      const char c = line[i];
      if (quote_ != 0) {
        if (ends_quote(line, i)) {
          (brackets_.empty() ? behind : quoted) = quote_;
          quote_ = 0;
          starts = false;
        }
        continue;
      }
      if (is_space(c)) {
        continue;
      }
      if (c == '#' && (i == 0 || is_space(line[i - 1]))) {
        if (!brackets_.empty()) {
          brackets_.back().cut = true;
        }
        break;
      }
      const bool goes_on = std::string_view(",:]}").find(c) == std::string_view::npos;
      if (quoted != 0 && goes_on && report_behind(line, i, quoted)) {
        return;
      }
      quoted = 0;
      if (behind != 0) {
        if (report_behind(line, i, behind)) {
          return;
        }
        behind = 0;
        starts = true;
      } else if (!brackets_.empty()) {
        behind = scan_in_brackets(line, i, starts);
      } else if (!scan_outside(line, i, starts)) {
        return;
      }
    }
    if (quote_ == 0 && brackets_.empty() && behind != 0) {
      last_ = Value::Whole;
    }
  }

  /// Whether the quote ends at this character; steps over those that mean themselves.
  [[nodiscard]] bool ends_quote(std::string_view line, std::size_t& i) const {
    if (line[i] == '\\' && quote_ == '"') {
      ++i;
      return false;
    }
    if (line[i] == quote_ && quote_ == '\'' && i + 1 < line.size() && line[i + 1] == quote_) {
      ++i;
      return false;
    }
    return line[i] == quote_;
  }

  /// Something stands behind a value that is whole. False for the colon of a key in quotes.
  bool report_behind(std::string_view line, std::size_t i, char closed) {
    const bool is_quote = closed == '"' || closed == '\'';
    if (is_quote && is_colon(line, i)) {
      return false;
    }
    last_ = Value::Whole;
    if (line[i] == '}' || line[i] == ']') {
      report(i, without_opener(line[i]), kWithoutIt);
    } else if (is_quote && quote_place_.line != line_) {
      report({quote_place_, fmt::format("a quote ({}) that is not closed in its line", closed),
              fmt::format("another {} at the end of the text", closed), ""});
    } else if (is_quote) {
      report(i, fmt::format("text behind the quote ({}) that ends here", closed),
             closed == '\'' ? "'' for a quote in the text, or the text in double quotes"
                            : "\\\" for a quote in the text, or the text in single quotes");
    } else {
      report(i, fmt::format("'{}' behind the '{}' that ends the value", line.substr(i, 1), closed),
             "nothing behind it");
    }
    return true;
  }

  char scan_in_brackets(std::string_view line, std::size_t i, bool& starts) {
    const char c = line[i];
    if (c == '[' || c == '{') {
      brackets_.push_back({c, at(i), indent_of(line)});
      starts = true;
    } else if (c == ']' || c == '}') {
      const char opener = c == '}' ? '{' : '[';
      if (std::ranges::count(brackets_, opener, &Bracket::open) == 0) {
        report(i, without_opener(c), kWithoutIt);
        return '\0';
      }
      if (brackets_.back().open != opener) {
        content_end_ = at(i);
        report_open_bracket();
      }
      brackets_.pop_back();
      next_key_ = brackets_.empty() ? std::nullopt : std::move(next_key_);
      starts = false;
      return brackets_.empty() ? c : '\0';
    } else if (c == ',' ||
               (c == ':' && (is_colon(line, i) || std::string_view(",[]{}").find(line[i + 1]) !=
                                                      std::string_view::npos))) {
      starts = true;
    } else if (starts && c == '-' && i + 1 < line.size() && is_space(line[i + 1])) {
      report(i,
             fmt::format("a '- ' inside of the '{}' of line {}", brackets_.back().open,
                         brackets_.back().place.line),
             "the bracket closed before it, or ',' between entries");
      starts = false;
    } else if (starts) {
      open_value(line, i, starts);
    }
    return '\0';
  }

  /// What its author may have meant: a text, or a key that belongs into a line of its own.
  static std::string cure_of_second_colon(std::string_view line, std::size_t colon) {
    std::size_t begin = colon;
    while (begin > 0 && is_word(line[begin - 1])) {
      --begin;
    }
    const std::size_t before =
        begin == 0 ? std::string_view::npos : line.find_last_not_of(" \t", begin - 1);
    const bool is_first = before != std::string_view::npos && is_colon(line, before);
    const std::string in_quotes = "the text in quotes, or '|' and the text in lines of its own";
    const bool is_key = begin < colon && (begin == 0 || is_space(line[begin - 1]));
    return !is_key ? in_quotes
                   : fmt::format("{}; if '{}' is a key, a line of its own for it{}", in_quotes,
                                 line.substr(begin, colon - begin),
                                 is_first ? ", with more spaces before it" : "");
  }

  /// Outside of brackets. False when the rest of the line needs no look.
  bool scan_outside(std::string_view line, std::size_t i, bool& starts) {
    const char c = line[i];
    if (!starts) {
      if (is_colon(line, i)) {
        if (i + 1 == line.size()) {
          report(i, "a ':' behind a value", "no ':' at the end");
        } else {
          report(i, "a second ': ' in one line", cure_of_second_colon(line, i));
        }
        return false;
      }
      return true;
    }
    if (c == '[' || c == '{') {
      brackets_.push_back({c, at(i), indent_of(line)});
      last_ = Value::Whole;
      return true;
    }
    if (c == ']' || c == '}' || c == ',') {
      report(i, without_opener(c), kWithoutIt);
      return false;
    }
    if (c == '|' || c == '>') {
      block_parent_ = levels_.empty() ? 0 : levels_.back().column;
      block_content_ = 0;
      last_ = Value::Whole;
      return false;
    }
    if (c == '-' && i + 1 < line.size() && is_space(line[i + 1]) && had_key_) {
      report(i, "a '- ' behind a key", "a line of its own, or [ and ] around the list");
      return false;
    }
    last_ = Value::Plain;
    open_value(line, i, starts);
    last_ = quote_ != 0 ? Value::Whole : last_;
    return true;
  }

  void open_value(std::string_view line, std::size_t i, bool& starts) {
    starts = false;
    if (line[i] == '"' || line[i] == '\'') {
      quote_ = line[i];
      quote_place_ = at(i);
      quote_indent_ = indent_of(line);
    } else if (auto alike = look_alike_at(line.substr(i), at(i))) {
      report(*std::move(alike));
    }
  }

  int line_ = 0;
  std::vector<Level> levels_;
  std::vector<Bracket> brackets_;
  std::size_t block_content_ = 0;            ///< their indentation, once it is known
  std::optional<std::size_t> block_parent_;  ///< inside lines of text: what they are deeper than
  char quote_ = 0;                           ///< that is open
  Place quote_place_;
  std::size_t quote_indent_ = 0;
  Value last_ = Value::None;  ///< of the last line
  std::string plain_;         ///< the last line behind its dashes
  Place plain_place_;
  Place plain_end_;
  bool had_key_ = false;
  std::size_t content_column_ = 0;   ///< of what the brackets are the value of, behind its dashes
  std::optional<Problem> next_key_;  ///< what is missing before a line that may be the next key
  Place content_end_{1, 1};
  std::optional<Problem> first_;
  std::optional<Problem> unclosed_;
};

std::string_view line_of(const std::string& text, int number) {
  std::string_view rest = text;
  for (int i = 1; i < number; ++i) {
    const std::size_t end = rest.find('\n');
    rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
  }
  return rest.substr(0, rest.find('\n'));
}

/// Between two entries in brackets stands no comma: the second one is a key, with its colon here.
Problem missing_comma(std::string_view line, Place gave_up) {
  std::size_t end = std::min(line.size(), static_cast<std::size_t>(gave_up.column - 1));
  if (end < line.size() && line[end] == ':') {
    std::size_t begin = end;
    while (begin > 0 && is_word(line[begin - 1])) {
      --begin;
    }
    std::size_t before = line.find_last_not_of(" ", begin == 0 ? 0 : begin - 1);
    const Place place{gave_up.line, static_cast<int>(begin) + 1};
    const std::string word(line.substr(begin, end - begin));
    if (before != std::string_view::npos && line[before] == ';') {
      return {{gave_up.line, static_cast<int>(before) + 1}, "a ';' between two entries", "','", ""};
    }
    if (before != std::string_view::npos && line[before] == ':') {
      return {gave_up, fmt::format("a ':' behind '{}', which is a value", word),
              "one ':' for each key", ""};
    }
    return {place, fmt::format("no ',' before '{}'", word), "a ',' between two entries", ""};
  }
  return {gave_up, "no ',' between two entries", "a ','", ""};
}

/// What the parser's own words come to when the text as a whole looks right.
Problem in_other_words(std::string_view line, Place gave_up, const std::string& message) {
  const std::size_t column =
      std::min(line.size(), static_cast<std::size_t>(std::max(gave_up.column, 1) - 1));
  const std::string_view rest = line.substr(column);
  if (message == "unknown token" && !rest.empty()) {
    const std::string_view word = rest.substr(0, rest.find_first_of(" ,]}:"));
    return {gave_up, fmt::format("a text cannot begin with '{}'", rest.front()),
            fmt::format("quotes: \"{}\"", word), ""};
  }
  if (message.find("anchor") != std::string::npos || message.find("alias") != std::string::npos) {
    const bool is_behind = rest.empty() || (rest.front() != '*' && rest.front() != '&');
    const std::size_t mark = is_behind && column > 0 ? column - 1 : column;
    return {{gave_up.line, static_cast<int>(mark) + 1},
            fmt::format("a '{}' that begins an alias or anchor, which scenarios do without",
                        line.substr(std::min(mark, line.size()), 1)),
            "quotes around a text with * or &",
            ""};
  }
  if (message.find("block scalar") != std::string::npos) {
    return {gave_up, fmt::format("'{}' behind a '|' or '>'", rest.substr(0, 1)),
            "the text in the lines below, each indented", ""};
  }
  if (message.starts_with("unknown escape")) {
    return {gave_up, fmt::format("the unknown escape '\\{}' in double quotes", message.back()),
            "'\\\\' for a backslash, or single quotes", ""};
  }
  if (message.starts_with("end of map flow") || message.starts_with("end of sequence flow")) {
    return missing_comma(line, gave_up);
  }
  return {gave_up, "this is no YAML: " + message, "", ""};
}

}  // namespace

Problem yaml_mistake(const std::string& text, Place gave_up, const std::string& message) {
  const Reader reader(text);
  if (reader.first() && reader.first()->place.line <= gave_up.line) {
    return *reader.first();
  }
  const std::string_view line = line_of(text, gave_up.line);
  for (std::size_t i = 0; i < line.size(); ++i) {
    auto alike = look_alike_at(line.substr(i), {gave_up.line, static_cast<int>(i) + 1});
    if (alike && alike->what.starts_with("the full-width")) {
      return *std::move(alike);
    }
  }
  Problem problem = in_other_words(line, gave_up, message);
  if (!problem.what.starts_with("this is no YAML")) {
    return problem;
  }
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (auto alike = look_alike_at(line.substr(i), {gave_up.line, static_cast<int>(i) + 1})) {
      return *std::move(alike);
    }
  }
  return problem;
}

std::optional<Problem> open_quote_at_the_end(const std::string& text) {
  return Reader(text).unclosed();
}

std::optional<Problem> mistaken_beginning(const std::string& text, Place place) {
  return look_alike_at(text, place);
}

}  // namespace watchlab::scenarios
