// Values: quotes, brackets, and what stands behind them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

#include "scenarios/language/look_alikes.hpp"
#include "scenarios/language/yaml_mistake_finder.hpp"

namespace watchlab::scenarios {

std::string without_opener(char sign) {
  return sign == ',' ? "a ',' outside of brackets"
                     : fmt::format("'{}' without a '{}' before it", sign, sign == '}' ? '{' : '[');
}

void YamlMistakeFinder::scan(std::string_view line, std::size_t begin) {
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
      } else {
        look_for_end(line, i);
      }
      continue;
    }
    if (is_yaml_space(c)) {
      continue;
    }
    const bool begins_comment = c == '#' && (i == 0 || is_yaml_space(line[i - 1]));
    const bool is_joined =
        c == '#' && !begins_comment &&
        (behind != 0 || quoted != 0 ||
         (!brackets_.empty() && std::string_view("[]{},").find(line[i - 1]) != std::string::npos));
    if (is_joined) {
      note_joined_comment(line, i);
    }
    if (begins_comment || is_joined) {
      if (!brackets_.empty()) {
        brackets_.back().cut = true;
      }
      cut_line_ = brackets_.empty() ? line_ : 0;
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

void YamlMistakeFinder::note_joined_comment(std::string_view line, std::size_t i) {
  if (!joined_comment_) {
    joined_comment_ =
        Problem{at(i), fmt::format("a '#' directly behind '{}'", line.substr(i - 1, 1)),
                "a space before the '#' of a comment, or quotes around a text with '#'", ""};
  }
}

void YamlMistakeFinder::look_for_end(std::string_view line, std::size_t i) {
  const bool is_first_byte = static_cast<unsigned char>(line[i]) >= 0xC0U;
  auto alike = quote_alike_ || !is_first_byte ? std::nullopt : look_alike_at(line.substr(i), at(i));
  if (alike && alike->what.starts_with("the typographic quote")) {
    const auto is_inside = [](char byte) {
      return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
    };
    const auto* const end = std::find_if_not(line.begin() + i + 1, line.end(), is_inside);
    if (end != line.end() && std::string_view(" ,:]}").find(*end) == std::string_view::npos) {
      quotes_inside_ = true;  // the next one ends what this one begins
    } else if (!std::exchange(quotes_inside_, false)) {
      quote_alike_ = std::move(alike);
    }
  }
}

bool YamlMistakeFinder::ends_quote(std::string_view line, std::size_t& i) {
  if (line[i] == '\\' && quote_ == '"') {
    const char sign = ++i < line.size() ? line[i] : '\0';
    const std::size_t wanted = sign == 'x' ? 2 : sign == 'u' ? 4 : sign == 'U' ? 8 : 0;
    const auto digits = line.substr(std::min(i + 1, line.size()), wanted);
    if (digits.size() < wanted ||
        !std::ranges::all_of(digits, [](unsigned char c) { return std::isxdigit(c) != 0; })) {
      report(i - 1, fmt::format("the escape '\\{}' without {} digits behind it", sign, wanted),
             fmt::format("{} of 0 to 9 and a to f, or '\\\\' for a backslash, or single quotes",
                         wanted));
    }
    return false;
  }
  if (line[i] == quote_ && quote_ == '\'' && i + 1 < line.size() && line[i + 1] == quote_) {
    ++i;
    return false;
  }
  return line[i] == quote_;
}

bool YamlMistakeFinder::report_behind(std::string_view line, std::size_t i, char closed) {
  const bool is_quote = closed == '"' || closed == '\'';
  if (is_quote && is_colon(line, i)) {
    return false;
  }
  last_ = Value::Whole;
  if (line[i] == '}' || line[i] == ']') {
    report(i, without_opener(line[i]), kWithoutIt);
  } else if (is_quote && quote_alike_) {
    report(*quote_alike_);
  } else if (is_quote && quote_place_.line != line_) {
    report({quote_place_, fmt::format("a quote ({}) that is not closed in its line", closed),
            fmt::format("another {} at the end of the text", closed), ""});
  } else if (is_quote && quotes_key_) {
    const std::string_view quoted = line.substr(static_cast<std::size_t>(quote_place_.column) - 1);
    const std::string_view rest =
        line.substr(std::min(line.find_first_not_of("= :", i), line.size()));
    const std::string_view key = enclosed_at(quoted);
    const std::string said = fmt::format("{}: {}", key, rest.substr(0, rest.find_first_of(",]}")));
    const std::string cure = closed == '\'' ? said : fmt::format("'{}'", said);
    line[i] == ':' ? report(i, fmt::format("no space behind the ':' of the key {}", key), cure)
                   : report(i, fmt::format("no ':' behind the key {}", key),
                            cure + ", or one pair of quotes around all of it");
  } else if (is_quote) {
    report(i, fmt::format("text behind the quote ({}) that ends here", closed),
           closed == '\''
               ? "'' for a quote in the text, or the text in double quotes, or nothing behind it"
               : "\\\" for a quote in the text, or the text in single quotes, or nothing behind "
                 "it");
  } else {
    report(i, fmt::format("'{}' behind the '{}' that ends the value", line.substr(i, 1), closed),
           fmt::format("nothing behind it, or quotes around a text that begins with '{}'",
                       closed == '}' ? '{' : '['));
  }
  return true;
}

char YamlMistakeFinder::scan_in_brackets(std::string_view line, std::size_t i, bool& starts) {
  const char c = line[i];
  if (c == '[' || c == '{') {
    brackets_.push_back({c, at(i), indent_of(line)});
    starts = true;
    at_key_ = c == '{';
  } else if (c == ']' || c == '}') {
    const char opener = c == '}' ? '{' : '[';
    if (std::ranges::count(brackets_, opener, &Bracket::open) == 0) {
      const Bracket& open = brackets_.back();
      const char closer = open.open == '{' ? '}' : ']';
      line.find(closer, i) == std::string_view::npos
          ? report(i, fmt::format("'{}' for the '{}' of line {}", c, open.open, open.place.line),
                   fmt::format("'{}'", closer))
          : report(i, without_opener(c), kWithoutIt);
      return '\0';
    }
    if (brackets_.back().open != opener) {
      content_end_ = at(i);
      report_open_bracket();
    }
    brackets_.pop_back();
    if (brackets_.empty()) {
      next_key_.reset();
    }
    starts = false;
    return brackets_.empty() ? c : '\0';
  } else if (c == ',' ||
             (c == ':' && (is_colon(line, i) || std::string_view(",[]{}").find(line[i + 1]) !=
                                                    std::string_view::npos))) {
    starts = true;
    at_key_ = c == ',' && brackets_.back().open == '{';
  } else if (starts && c == '-' && i + 1 < line.size() && is_yaml_space(line[i + 1])) {
    report(i,
           fmt::format("a '- ' inside of the '{}' of line {}", brackets_.back().open,
                       brackets_.back().place.line),
           "no '- ' in brackets, where ',' separates entries; or the bracket closed before it");
    starts = false;
  } else if (starts) {
    open_value(line, i, starts);
  }
  return '\0';
}

std::string YamlMistakeFinder::cure_of_second_colon(std::string_view line, std::size_t colon) {
  std::size_t begin = colon;
  while (begin > 0 && is_word(line[begin - 1])) {
    --begin;
  }
  const std::size_t before =
      begin == 0 ? std::string_view::npos : line.find_last_not_of(" \t", begin - 1);
  const bool is_first = before != std::string_view::npos && is_colon(line, before);
  const std::string in_quotes = "the text in quotes, or '|' and the text in lines of its own";
  const bool is_key = begin < colon && (begin == 0 || is_yaml_space(line[begin - 1]));
  return !is_key ? in_quotes
                 : fmt::format("{}; if '{}' is a key, a line of its own for it{}", in_quotes,
                               line.substr(begin, colon - begin),
                               is_first ? ", with more spaces before it" : "");
}

bool YamlMistakeFinder::scan_outside(std::string_view line, std::size_t i, bool& starts) {
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
    at_key_ = c == '{';
    return true;
  }
  if (c == ']' || c == '}' || c == ',') {
    report(i, without_opener(c), kWithoutIt);
    return false;
  }
  if (c == '|' || c == '>') {
    const std::size_t end = line.find_first_not_of("0123456789+-", i + 1);
    if (end < line.size() && line[end] == '#') {
      note_joined_comment(line, end);
    }
    block_parent_ = levels_.empty() ? 0 : levels_.back().column;
    block_content_ = 0;
    block_blank_.reset();
    last_ = Value::Whole;
    return false;
  }
  if (c == '-' && i + 1 < line.size() && is_yaml_space(line[i + 1]) && had_key_) {
    report(i, "a '- ' behind a key", "a line of its own, or [ and ] around the list");
    return false;
  }
  last_ = Value::Plain;
  open_value(line, i, starts);
  last_ = quote_ != 0 ? Value::Whole : last_;
  return true;
}

void YamlMistakeFinder::open_value(std::string_view line, std::size_t i, bool& starts) {
  starts = false;
  if (line[i] == '"' || line[i] == '\'') {
    quote_ = line[i];
    quote_place_ = at(i);
    quote_alike_.reset();
    quotes_inside_ = false;
    quotes_key_ = brackets_.empty() ? !had_key_ && quote_place_ == plain_place_ : at_key_;
    quote_indent_ = indent_of(line);
  } else if (auto alike = look_alike_at(line.substr(i), at(i))) {
    report(*std::move(alike));
  }
}

}  // namespace watchlab::scenarios
