#include "scenarios/command_line/page_layout.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <optional>
#include <utility>

#include "scenarios/command_line/wrapped_text.hpp"
#include "sim/kernel/path_text.hpp"

namespace watchlab::scenarios {
namespace {

constexpr std::size_t kBetweenCells = 2;
constexpr std::size_t kNarrowestPage = 20;

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r"), text.size());
  const std::size_t end = text.find_last_not_of(" \t\r");
  return end == std::string_view::npos ? "" : text.substr(begin, end + 1 - begin);
}

std::size_t longest_word_of(std::string_view text) {
  std::size_t longest = 0;
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    const std::size_t end = end_of_word(text, 0, text.size());
    longest = std::max(longest, width_of(text.substr(0, end)));
    text.remove_prefix(end);
  }
  return longest;
}

/// The lines, the first one behind `first` and the others behind as many spaces.
std::string hung(std::string_view text, std::string_view first, std::size_t columns) {
  const std::size_t indent = std::min(width_of(first), columns / 2);
  std::string out;
  for (const std::string& line : lines_of_words(text, columns - indent)) {
    out += out.empty() ? std::string(first) : std::string(indent, ' ');
    out += line + "\n";
  }
  return out.empty() ? std::string(first) + "\n" : out;
}

/// The widths of columns that fit; nothing when not even the words do.
std::optional<std::vector<std::size_t>> widths_of(const std::vector<PageRow>& rows,
                                                  std::size_t columns) {
  std::vector<std::size_t> widths;
  std::vector<std::size_t> least;
  for (const PageRow& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    least.resize(widths.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], width_of(row[i]));
      least[i] = std::max(least[i], longest_word_of(row[i]));
    }
  }
  const std::size_t between = widths.empty() ? 0 : kBetweenCells * (widths.size() - 1);
  const auto total = [&] { return std::accumulate(widths.begin(), widths.end(), between); };
  for (std::size_t sum = total(); sum > columns; --sum) {
    std::size_t widest = widths.size();
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (widths[i] > least[i] && (widest == widths.size() || widths[i] > widths[widest])) {
        widest = i;
      }
    }
    if (widest == widths.size()) {
      return std::nullopt;
    }
    --widths[widest];
  }
  return widths;
}

/// One row in columns of these widths.
std::string row_text(const PageRow& row, const std::vector<std::size_t>& widths) {
  std::vector<std::vector<std::string>> cells;
  std::size_t height = 1;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const bool fits = width_of(row[i]) <= widths[i];
    cells.push_back(fits ? std::vector<std::string>{row[i]} : lines_of_words(row[i], widths[i]));
    height = std::max(height, cells.back().size());
  }
  std::string out;
  for (std::size_t k = 0; k < height; ++k) {
    std::string line;
    std::size_t column = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string cell = k < cells[i].size() ? cells[i][k] : "";
      line += std::string(column - std::min(column, width_of(line)), ' ') + cell;
      column += widths[i] + kBetweenCells;
    }
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

/// The cells of "| a | b |"; none of the line below a heading.
PageRow cells_of(std::string_view line) {
  PageRow cells;
  line = trimmed(line);
  line.remove_prefix(line.starts_with('|') ? 1 : 0);
  line.remove_suffix(line.ends_with('|') ? 1 : 0);
  if (line.find_first_not_of("|-: ") == std::string_view::npos) {
    return cells;
  }
  std::string cell;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    if (i < line.size() && line.substr(i).starts_with("\\|")) {
      cell += line[++i];
    } else if (i == line.size() || line[i] == '|') {
      cells.emplace_back(trimmed(cell));
      cell.clear();
    } else {
      cell += line[i];
    }
  }
  return cells;
}

/// "- " or "1. " with the spaces before it; "" for a line that begins no entry of a list.
std::string_view bullet_of(std::string_view line) {
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  std::size_t end = indent;
  while (end < line.size() && std::isdigit(static_cast<unsigned char>(line[end])) != 0) {
    ++end;
  }
  const std::string_view rest = line.substr(end);
  const bool is_number = end > indent && rest.starts_with(". ");
  const bool is_dash = end == indent && (rest.starts_with("- ") || rest.starts_with("* "));
  return is_number || is_dash ? line.substr(0, end + 2) : std::string_view();
}

/// Collects the lines of a paragraph, an entry or a table until it ends.
class Page {
 public:
  explicit Page(std::size_t columns) : columns_(std::max(columns, kNarrowestPage)) {}

  void add(std::string_view line) {
    if (line.starts_with("```")) {
      in_code_ = !in_code_;
      return as_it_is(line);
    }
    const std::string_view bullet = bullet_of(line);
    if (in_code_ || (line.starts_with("    ") && text_.empty() && bullet.empty())) {
      return as_it_is(line);
    }
    if (line.starts_with('|')) {
      finish_text();
      if (PageRow cells = cells_of(line); !cells.empty()) {
        rows_.push_back(std::move(cells));
      }
      return;
    }
    if (trimmed(line).empty() || line.starts_with('#') || line == "---") {
      finish();
      out_ += hung(line, "", columns_);
    } else if (!bullet.empty()) {
      finish();
      first_ = bullet;
      text_ = trimmed(line.substr(bullet.size()));
    } else {
      finish_table();
      text_ += (text_.empty() ? "" : " ") + std::string(trimmed(line));
    }
  }

  [[nodiscard]] std::string text() {
    finish();
    return std::move(out_);
  }

 private:
  void as_it_is(std::string_view line) {
    finish();
    out_ += std::string(line) + "\n";
  }
  void finish() {
    finish_text();
    finish_table();
  }
  void finish_text() {
    if (!text_.empty()) {
      out_ += hung(text_, first_, columns_);
    }
    text_.clear();
    first_.clear();
  }
  void finish_table() {
    out_ += table_text(rows_, columns_);
    rows_.clear();
  }

  std::size_t columns_;
  std::string out_;
  std::string text_;   ///< of a paragraph or an entry
  std::string first_;  ///< what stands before it: a dash, or nothing
  std::vector<PageRow> rows_;
  bool in_code_ = false;
};

}  // namespace

std::vector<std::string> lines_of_words(std::string_view text, std::size_t columns) {
  std::vector<std::string> lines;
  text = trimmed(text);
  for (std::string between; !text.empty();) {
    const std::size_t end = end_of_word(text, 0, columns);
    const std::string word = between + std::string(text.substr(0, end));
    if (!lines.empty() && width_of(lines.back()) + width_of(word) <= columns) {
      lines.back() += word;
    } else {
      lines.push_back(word.substr(lines.empty() ? 0 : between.size()));
    }
    const std::size_t next = std::min(text.find_first_not_of(' ', end), text.size());
    between = std::string(next > end ? 1 : 0, ' ');
    text.remove_prefix(next);
  }
  return lines;
}

std::string table_text(const std::vector<PageRow>& rows, std::size_t columns) {
  std::string out;
  const auto widths = widths_of(rows, columns);
  for (const PageRow& row : rows) {
    if (widths) {
      out += row_text(row, *widths);
      continue;
    }
    std::string first;
    std::string rest;
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::string& into = i < 2 ? first : rest;
      const std::string_view cell = trimmed(row[i]);
      into += cell.empty() ? "" : (into.empty() ? "" : i < 2 ? "  " : ", ") + std::string(cell);
    }
    out += hung(first, "", columns) + (rest.empty() ? "" : hung(rest, "    ", columns));
  }
  return out;
}

std::string page_text(std::string_view markdown, std::size_t columns) {
  Page page(columns);
  for (const std::string_view line : sim::lines_in(markdown)) {
    page.add(line);
  }
  return page.text();
}

std::string code_text(std::string_view code, std::size_t columns) {
  constexpr std::size_t kDeeper = 4;
  std::string out;
  for (const std::string_view line : sim::lines_in(code)) {
    const std::size_t begin = std::min(line.find_first_not_of(" +-#"), line.size());
    const std::size_t indent = std::min(begin + kDeeper, columns / 2);
    if (width_of(line) <= columns) {
      out += std::string(line) + "\n";
      continue;
    }
    // A comment is one on each of its lines.
    const bool is_comment = line.substr(0, begin).ends_with("# ");
    std::string first(line.substr(0, begin));
    for (const std::string& part : lines_of_words(line.substr(begin), columns - indent)) {
      out += first + part + "\n";
      first = is_comment ? first : std::string(indent, ' ');
    }
  }
  return out;
}

}  // namespace watchlab::scenarios
