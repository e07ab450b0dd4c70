#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace watchlab::scenarios {

/// How a page is laid out in so many columns, for a terminal. All of these count letters of Chinese
/// as two columns, and keep a word that is wider than the page whole.
using PageRow = std::vector<std::string>;

/// The text in lines, broken between words. A call of a program in backticks is one word: it is
/// there to be pasted.
[[nodiscard]] std::vector<std::string> lines_of_words(std::string_view text, std::size_t columns);

/// Rows with aligned cells, two spaces between them. Where they are too wide the widest cells are
/// broken into lines; where even their words are, the first two cells are followed by the others,
/// indented.
[[nodiscard]] std::string table_text(const std::vector<PageRow>& rows, std::size_t columns);

/// A page of Markdown: paragraphs and lists are filled, tables are laid out, blocks of code stay.
[[nodiscard]] std::string page_text(std::string_view markdown, std::size_t columns);

/// Code or a patch, where a line that is too wide goes on below, deeper than it began.
[[nodiscard]] std::string code_text(std::string_view code, std::size_t columns);

}  // namespace watchlab::scenarios
