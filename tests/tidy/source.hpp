#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace watchlab::tidy {

/// What is wrong with one place of the tree, and what to do instead.
struct Problem {
  std::string path;
  std::size_t line = 0;
  std::string message;
};
using Problems = std::vector<Problem>;

/// One text file of the tree. Paths are relative to the root, as in "core/cache/store.hpp".
class Source {
 public:
  Source(std::string path, std::string text);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& text() const { return *text_; }
  /// The text with comments and the insides of literals blanked, position for position. For files
  /// that are no C++ it is the text.
  [[nodiscard]] const std::string& code() const { return code_; }
  /// The lines of the text, without their ends.
  [[nodiscard]] const std::vector<std::string_view>& lines() const { return lines_; }

  /// Counted from 1.
  [[nodiscard]] std::size_t line_of(std::size_t position) const;
  [[nodiscard]] bool in(std::string_view folder) const { return path_.starts_with(folder); }
  [[nodiscard]] bool is_header() const { return path_.ends_with(".hpp"); }
  [[nodiscard]] bool is_cpp() const { return is_header() || path_.ends_with(".cpp"); }
  /// The path up to the last slash, without it; empty at the root.
  [[nodiscard]] std::string folder() const;

 private:
  std::string path_;
  std::shared_ptr<const std::string> text_;  // where it is moved to, `lines_` follow
  std::string code_;
  std::vector<std::string_view> lines_;
};

/// What an include line names, and whether in quotes, as our own files are.
struct Include {
  std::string_view path;
  bool is_quoted = false;
};

/// What `line` includes, or nothing.
[[nodiscard]] std::optional<Include> include_of(std::string_view line);

/// All files that a check looks at.
using Tree = std::vector<Source>;

/// The source at `path`, or nothing.
[[nodiscard]] const Source* find(const Tree& tree, std::string_view path);

/// Blanks comments and the insides of string and character literals of C++ with spaces. Line ends
/// stay, so that positions and lines are those of the original.
[[nodiscard]] std::string blanked(std::string_view text);

[[nodiscard]] bool is_word_char(char c);

/// Positions of `word` in `text` where it is no part of a longer identifier. A word that starts or
/// ends with * may be longer there.
[[nodiscard]] std::vector<std::size_t> find_word(std::string_view text, std::string_view word);

}  // namespace watchlab::tidy
