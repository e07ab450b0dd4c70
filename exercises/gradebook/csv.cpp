#include "exercises/gradebook/csv.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <boost/algorithm/string/replace.hpp>
#include <boost/algorithm/string/trim.hpp>
#include <charconv>
#include <set>

#include "exercises/programs/exercise.hpp"
#include "exercises/programs/texts.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

/// Takes a text apart, a character at a time.
class CsvReader {
 public:
  CsvReader(const fs::path& file, std::string_view text) : file_(file), text_(text) {
    if (text_.starts_with("\xEF\xBB\xBF")) {
      text_.remove_prefix(3);
    }
  }

  /// False at the end.
  bool next(CsvTable::Row& row) {
    while (!text_.empty()) {
      row = {.line = line_, .cells = {}};
      bool more = true;
      while (more) {
        row.cells.push_back(field());
        more = text_.starts_with(',');
        text_.remove_prefix(more ? 1 : 0);
      }
      end_line();
      if (row.cells.size() > 1 || !row.cells.front().empty()) {
        return true;
      }
    }
    return false;
  }

 private:
  std::string field() {
    if (!text_.starts_with('"')) {
      const std::size_t end = std::min(text_.find_first_of(",\r\n"), text_.size());
      std::string plain(text_.substr(0, end));
      text_.remove_prefix(end);
      boost::algorithm::trim(plain);
      return plain;
    }
    std::string out;
    text_.remove_prefix(1);
    while (!text_.empty()) {
      const bool is_quote = text_.front() == '"';
      if (is_quote && !text_.starts_with("\"\"")) {
        text_.remove_prefix(1);
        if (!text_.empty() && text_.find_first_of(",\r\n") != 0) {
          throw BadInput(
              fmt::format("{}:{}: a comma or the end of the line is expected after a "
                          "quote",
                          file_.string(), line_));
        }
        return out;
      }
      line_ += text_.front() == '\n' ? 1 : 0;
      out += text_.front();
      text_.remove_prefix(is_quote ? 2 : 1);
    }
    throw BadInput(fmt::format("{}:{}: a quote is not closed", file_.string(), line_));
  }

  void end_line() {
    text_.remove_prefix(text_.starts_with('\r') ? 1 : 0);
    text_.remove_prefix(text_.starts_with('\n') ? 1 : 0);
    ++line_;
  }

  const fs::path& file_;
  std::string_view text_;
  std::size_t line_ = 1;
};

}  // namespace

CsvTable::CsvTable(const fs::path& file) : file_(file) {
  const std::string text = read_whole(file);
  CsvReader reader(file, text);
  Row row;
  if (!reader.next(row)) {
    throw BadInput(fmt::format("{}: a line with the names of columns is missing", file.string()));
  }
  names_ = row.cells;
  if (std::set<std::string>(names_.begin(), names_.end()).size() != names_.size()) {
    throw BadInput(fmt::format("{}:{}: a column is named twice", file.string(), row.line));
  }
  while (reader.next(row)) {
    if (row.cells.size() != names_.size()) {
      throw BadInput(fmt::format("{}{} values, expected {}: {}", at(row), row.cells.size(),
                                 names_.size(), fmt::join(names_, ", ")));
    }
    rows_.push_back(row);
  }
}

std::string CsvTable::cell(const Row& row, std::string_view name) const {
  const auto found = std::ranges::find(names_, name);
  if (found == names_.end()) {
    return "";
  }
  const std::string& cell = row.cells.at(static_cast<std::size_t>(found - names_.begin()));
  if (has_line_break(cell)) {
    throw BadInput(fmt::format("{}the {} '{}' has a line break; expected one line", at(row), name,
                               visible_line(cell)));
  }
  return cell;
}

void CsvTable::require(const std::vector<std::string>& names) const {
  for (const std::string& name : names) {
    if (std::ranges::find(names_, name) == names_.end()) {
      throw BadInput(fmt::format("{}:1: the column {} is missing; there are {}", file_.string(),
                                 name, fmt::join(names_, ", ")));
    }
  }
}

std::string CsvTable::at(const Row& row) const {
  return fmt::format("{}:{}: ", file_.string(), row.line);
}

namespace {

/// "-3.5e2", and also the dash alone, which Moodle reads as a grade that was not given.
bool is_number(std::string_view text) {
  if (text == "-") {
    return true;
  }
  text.remove_prefix(text.starts_with('-') || text.starts_with('+') ? 1 : 0);
  double number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() &&
         text.find_first_not_of("0123456789.eE+-") == std::string_view::npos;
}

/// What a spreadsheet takes for the beginning of a formula: also the wide forms of the signs, which
/// some take for the narrow ones.
bool begins_formula(std::string_view text) {
  constexpr std::array<std::string_view, 10> signs{"=",  "+",      "-",      "@",      "\t",
                                                   "\r", "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"};
  return std::ranges::any_of(signs,
                             [text](std::string_view sign) { return text.starts_with(sign); });
}

/// The text with an apostrophe before each formula that a spreadsheet would run: at its beginning,
/// and where one that separates by something else than a comma begins a cell.
std::string without_formulas(std::string_view text) {
  if (is_number(text)) {
    return std::string(text);
  }
  std::string out;
  bool begins_cell = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (begins_cell && begins_formula(text.substr(i))) {
      out += '\'';
    }
    // Blanks and quotes before a formula do not stop every spreadsheet.
    begins_cell = std::string_view(",;\t\r\n|").find(text[i]) != std::string_view::npos ||
                  (begins_cell && std::string_view(" \"").find(text[i]) != std::string_view::npos);
    out += text[i];
  }
  return out;
}

}  // namespace

std::string in_csv(std::string_view text) {
  const std::string harmless = without_formulas(text);
  if (harmless.find_first_of(",\"\r\n") == std::string::npos) {
    return harmless;
  }
  return fmt::format("\"{}\"", boost::replace_all_copy(harmless, "\"", "\"\""));
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) {
    line += (&field == &fields.front() ? "" : ",") + in_csv(field);
  }
  return line + "\n";
}

}  // namespace watchlab::course
