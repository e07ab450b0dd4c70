#pragma once

#include <string>
#include <vector>

namespace watchlab::tests {

/// A row of a table in Markdown: its cells between bars.
[[nodiscard]] std::string table_row(const std::vector<std::string>& cells);

/// Names as code, with commas between them: "`drop_event`, `empty_list`".
template <typename Names>
[[nodiscard]] std::string as_code(const Names& names) {
  std::string text;
  for (const auto& name : names) {
    text += (text.empty() ? "`" : ", `") + std::string(name) + "`";
  }
  return text;
}

/// Checks that the table of `page` whose first line is `header` has exactly these rows, as they
/// follow from a catalogue. With WATCHLAB_REFRESH=1 in the environment it writes them there.
void check_table(const std::string& page, const std::string& header,
                 const std::vector<std::string>& rows);

}  // namespace watchlab::tests
