#include "scenarios/language/yaml_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

#include "scenarios/language/look_alikes.hpp"
#include "scenarios/language/yaml_mistake_finder.hpp"

namespace watchlab::scenarios {

YamlMistakeFinder::YamlMistakeFinder(std::string_view rest) {
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

void YamlMistakeFinder::read(std::string_view line) {
  const std::size_t indent = indent_of(line);
  if (block_parent_) {
    begin_block(line, indent);
    if (is_blank(line) || (indent > *block_parent_ && indent >= block_content_)) {
      return;
    }
    block_parent_.reset();
  }
  if (is_blank(line)) {
    return;
  }
  if (line.starts_with("<<<<<<< ") || line == "=======" || line.starts_with(">>>>>>> ")) {
    return report(0, "a line of a merge conflict", "one of the two versions, without such lines");
  }
  if (const std::size_t at = line.find("\u2028"); at != std::string_view::npos && quote_ == 0) {
    return report(*look_alike_at(line.substr(at), this->at(at)));
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

void YamlMistakeFinder::begin_block(std::string_view line, std::size_t indent) {
  if (block_content_ != 0) {
    return;
  }
  if (!is_blank(line)) {
    block_content_ = indent;
    if (indent > *block_parent_ && block_blank_ && block_blank_->place.column > at(indent).column) {
      report(*block_blank_);
    }
  } else if (!block_blank_ || at(indent).column > block_blank_->place.column) {
    block_blank_ = Problem{at(indent), "a blank line with more spaces than the text below it",
                           "an empty line", ""};
  }
}

void YamlMistakeFinder::read_in_brackets(std::string_view line, std::size_t indent) {
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

Problem YamlMistakeFinder::open_bracket() const {
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

void YamlMistakeFinder::read_block_line(std::string_view line, std::size_t indent) {
  if (line.substr(indent).starts_with("```")) {
    return report(indent, "'```', a line of Markdown", "the lines of YAML alone");
  }
  if (line[indent] == '\t') {
    return report(indent, "a tab cannot indent", "spaces");
  }
  if (auto alike = look_alike_at(line.substr(indent), at(indent))) {
    return report(*std::move(alike));
  }
  if (line[indent] == '#') {
    cut_line_ = last_ == Value::Plain && cut_line_ == 0 ? line_ : cut_line_;
    return;
  }
  if (line.starts_with("---") || line.starts_with("...") ||
      (line.starts_with('%') && levels_.empty())) {
    return;
  }
  if (line.substr(indent).starts_with("---")) {
    return report(indent, fmt::format("'---' with {}", spaces(indent)),
                  "'---' in the first column, or no such line");
  }
  const std::optional<Key> own = key_at(line, indent);
  const bool deeper = !levels_.empty() && indent > levels_.back().column;
  if (last_ == Value::Plain && deeper && line[indent] != '-') {
    if (!own) {
      if (cut_line_ != 0) {
        report(indent, fmt::format("text below the '#' of line {}, which has ended it", cut_line_),
               "quotes around a text with ' #', or '|' and the text in lines of its own");
      }
      return;  // the text of the line before goes on
    }
    return report_deeper(indent, *own);
  }
  if (last_ == Value::Plain && deeper && !had_key_) {  // a list below what is no key
    return report(
        {plain_end_, fmt::format("'{}' above a list, and no key", plain_), "a ':' behind it", ""});
  }
  std::size_t place = indent;
  bool leads = true;
  while (line[place] == '-' && (place + 1 == line.size() || is_yaml_space(line[place + 1]))) {
    open_level({place, true, "-", line_}, std::exchange(leads, false));
    place = std::min(line.find_first_not_of(' ', place + 1), line.size());
    if (place < line.size() && line[place] == '\t') {
      report(place, "a tab behind a '-'", "a space");
      place = std::min(line.find_first_not_of(" \t", place), line.size());
    }
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

void YamlMistakeFinder::read_content(std::string_view line, std::size_t place, bool leads) {
  if (line.substr(place).starts_with("* ")) {
    return report(place, "a '*', which begins no entry of a list", "'- '");
  }
  const std::optional<Key> key = key_at(line, place);
  if (key && last_ == Value::Plain && !had_key_ && !levels_.empty() &&
      levels_.back().column == place && !levels_.back().is_list) {
    return report(joined_plain().value_or(plain_without_colon(*key)));
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
  cut_line_ = 0;
  plain_ = std::string(line.substr(place));
  plain_place_ = at(place);
  plain_end_ = at(line.size());
  had_key_ = key.has_value();
  content_column_ = place;
  scan(line, key ? key->colon + 1 : place);
}

void YamlMistakeFinder::report_no_key(std::string_view rest, std::size_t place) {
  const auto under = std::find_if(levels_.rbegin(), levels_.rend(),
                                  [&](const Level& each) { return each.column <= place; });
  if (std::string_view("]},").find(rest.front()) != std::string_view::npos) {
    return report(place, without_opener(rest.front()), kWithoutIt);
  }
  if (under != levels_.rend() && under->is_list) {
    return report(place, "an entry of a list without a '-'",
                  fmt::format("'- ', in the column of line {}", under->line));
  }
  if (rest.front() == '?') {
    return;
  }
  if (const std::string_view enclosed = enclosed_at(rest); !enclosed.empty()) {
    const std::string said = key_within(enclosed == rest ? enclosed : rest);
    return report(place, fmt::format("'{}' where a key belongs", enclosed),
                  said.empty() ? "a name and a ':'" : fmt::format("'{}'", said));
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
  auto joined = last_ == Value::Plain ? joined_plain() : std::nullopt;
  joined = joined ? joined : key_without_space(rest, at(place));
  if (joined) {
    return report(*std::move(joined));
  }
  const std::string_view word = rest.substr(0, rest.find(' '));
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
         under == levels_.rend() || under->name.empty()
             ? fmt::format("'{}', and no key", word)
             : fmt::format("'{}' below the key '{}' of line {}, and no key", word, under->name,
                           under->line),
         fmt::format("{}, or as many spaces before it as text has",
                     word == rest && std::ranges::all_of(word, is_word) ? fmt::format("'{}:'", word)
                                                                        : "a ':' behind it"));
}

std::optional<Problem> YamlMistakeFinder::joined_plain() const {
  return had_key_ ? std::nullopt : key_without_space(plain_, plain_place_);
}

Problem YamlMistakeFinder::plain_without_colon(const Key& below) const {
  const std::string_view text = plain_;
  const std::size_t end = std::min(text.find_first_of("= "), text.size());
  const std::size_t rest = std::min(text.find_first_not_of("= ", end), text.size());
  return {plain_place_, fmt::format("'{}' above the key '{}', and no key", text, below.text),
          rest == text.size() ? "a ':' behind it"
                              : fmt::format("'{}: {}'", text.substr(0, end), text.substr(rest)),
          ""};
}

bool YamlMistakeFinder::report_number_bullet(const Level& level) {
  const std::string bullet = number_bullet(level.name);
  if (!bullet.empty()) {
    report({{level.line, static_cast<int>(level.column) + 1},
            fmt::format("a '{}', which begins no entry of a list", bullet),
            "'- '",
            ""});
  }
  return !bullet.empty();
}

void YamlMistakeFinder::report_deeper(std::size_t indent, const Key& key) {
  // "name:app" is a text, and what follows it is no more a part of it than its author thinks.
  if (auto joined = joined_plain()) {
    return report(*std::move(joined));
  }
  for (const LookAlike& each : look_alikes()) {
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
  if (report_number_bullet(above)) {
    return;
  }
  report(indent,
         fmt::format("'{}' is indented deeper than '{}' in line {}, which has a value already",
                     key.text, above.name, above.line),
         spaces(above.column));
}

void YamlMistakeFinder::open_level(Level level, bool leads) {
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
  const auto list = std::ranges::find(levels_.rbegin(), levels_.rend(), true, &Level::is_list);
  if (level.is_list && list != levels_.rend() && leads && last_ != Value::None &&
      (same || (closed && !closed->is_list))) {
    return report(
        level.column,
        same ? fmt::format("a '-' beside the key '{}' of line {}", levels_.back().name,
                           levels_.back().line)
             : fmt::format("'-' has {}, which matches no line above", spaces(level.column)),
        fmt::format("{}, as the '-' in line {} has", spaces(list->column), list->line));
  }
  if (same && (last_ != Value::None || closed)) {
    return report(level.column,
                  fmt::format("a '-' beside the key '{}' of line {}", levels_.back().name,
                              levels_.back().line),
                  last_ != Value::None && closed && closed->is_list
                      ? fmt::format("{}, as the '-' in line {} has, or a key and a ':' above it",
                                    spaces(closed->column), closed->line)
                  : last_ != Value::None
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
  if (!same && leads && last_ == Value::Whole && !levels_.empty() &&
      !report_number_bullet(levels_.back())) {
    return report(level.column,
                  fmt::format("'{}' is indented deeper than '{}' in line {}, which has a value "
                              "already",
                              level.name, levels_.back().name, levels_.back().line),
                  spaces(levels_.back().column));
  }
  levels_.push_back(std::move(level));
}

SeenMistakes mistakes_seen(std::string_view text) {
  const YamlMistakeFinder reader(text);
  return {reader.first(), reader.overlooked()};
}

}  // namespace watchlab::scenarios
