#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace watchlab::course {

/// A file of values with commas between them (RFC 4180): a line of names, then rows. Quotes are
/// optional, a byte order mark and ends of lines of either kind are read over, empty lines, too.
class CsvTable {
 public:
  struct Row {
    std::size_t line = 0;  ///< of the file, from 1
    std::vector<std::string> cells;
  };

  /// Throws `BadInput` with file and line when it cannot be read, has no line of names, names a
  /// column twice, or has a row of another length.
  explicit CsvTable(const std::filesystem::path& file);

  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// The row's cell below a name; "" where there is no such column. Throws `BadInput` where it has
  /// more than one line.
  [[nodiscard]] std::string cell(const Row& row, std::string_view name) const;
  /// Throws `BadInput`, which says what there is, when a column is missing.
  void require(const std::vector<std::string>& names) const;
  /// "roster.csv:3: ", to begin a message with.
  [[nodiscard]] std::string at(const Row& row) const;

 private:
  std::filesystem::path file_;
  std::vector<std::string> names_;
  std::vector<Row> rows_;
};

/// One field of such a file, quoted where it must be. What a spreadsheet would run as a formula,
/// since it begins with = + - @, a tab or a carriage return, has an apostrophe before it; numbers
/// stay numbers.
[[nodiscard]] std::string in_csv(std::string_view text);
/// A line of fields, with its end.
[[nodiscard]] std::string csv_line(const std::vector<std::string>& fields);

}  // namespace watchlab::course
