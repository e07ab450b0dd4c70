#include "tests/tidy/source.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace watchlab::tidy {

namespace {

/// Walks over C++ text and copies it with the silent parts blanked.
class Blanker {
 public:
  explicit Blanker(std::string_view text) : text_(text), out_(text) {}

  std::string result() {
    while (at_ < text_.size()) {
      step();
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool sees(std::string_view token) const {
    return text_.substr(at_).starts_with(token);
  }

  void step() {
    if (sees("//")) {
      blank_until("\n", 0);
    } else if (sees("/*")) {
      blank_until("*/", 2);
    } else if (sees("R\"") && !word_before()) {
      blank_raw_string();
    } else if (text_[at_] == '"' || (text_[at_] == '\'' && !word_before())) {
      blank_literal(text_[at_]);
    } else {
      ++at_;
    }
  }

  /// An apostrophe after a digit separates digits: 100'000.
  [[nodiscard]] bool word_before() const { return at_ > 0 && is_word_char(text_[at_ - 1]); }

  void blank_until(std::string_view end, std::size_t swallowed) {
    const std::size_t found = text_.find(end, at_);
    blank_to(found == std::string_view::npos ? text_.size() : found + swallowed);
  }

  void blank_raw_string() {
    const std::size_t open = text_.find('(', at_);
    const std::string end = ")" + std::string(text_.substr(at_ + 2, open - at_ - 2)) + "\"";
    at_ = open;
    blank_until(end, end.size());
  }

  void blank_literal(char quote) {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != quote && text_[end] != '\n') {
      end += text_[end] == '\\' ? 2 : 1;
    }
    ++at_;  // the quotes stay
    blank_to(std::min(end, text_.size()));
    ++at_;
  }

  void blank_to(std::size_t end) {
    for (; at_ < end; ++at_) {
      if (text_[at_] != '\n') {
        out_[at_] = ' ';
      }
    }
  }

  std::string_view text_;
  std::string out_;
  std::size_t at_ = 0;
};

/// An include's path is no string; checks want to read it.
void restore_includes(std::string_view text, std::string& code) {
  for (std::size_t at = code.find("#include \""); at != std::string::npos;
       at = code.find("#include \"", at + 1)) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::copy(text.begin() + static_cast<std::ptrdiff_t>(at),
              text.begin() + static_cast<std::ptrdiff_t>(end),
              code.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

Source::Source(std::string path, std::string text)
    : path_(std::move(path)),
      text_(std::make_shared<const std::string>(std::move(text))),
      code_(is_cpp() ? blanked(*text_) : *text_),
      lines_(split_lines(*text_)) {}

std::size_t Source::line_of(std::size_t position) const {
  const auto end = text_->begin() + static_cast<std::ptrdiff_t>(std::min(position, text_->size()));
  return 1 + static_cast<std::size_t>(std::count(text_->begin(), end, '\n'));
}

std::string Source::folder() const {
  const std::size_t slash = path_.rfind('/');
  return slash == std::string::npos ? "" : path_.substr(0, slash);
}

std::string blanked(std::string_view text) {
  std::string code = Blanker(text).result();
  restore_includes(text, code);
  return code;
}

bool is_word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::vector<std::size_t> find_word(std::string_view text, std::string_view word) {
  const bool open_left = word.starts_with('*');
  const bool open_right = word.ends_with('*');
  word.remove_prefix(open_left ? 1 : 0);
  word.remove_suffix(open_right ? 1 : 0);
  std::vector<std::size_t> places;
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const bool joined_left = at > 0 && is_word_char(text[at - 1]) && is_word_char(word.front());
    const std::size_t end = at + word.size();
    const bool joined_right =
        end < text.size() && is_word_char(text[end]) && is_word_char(word.back());
    if ((open_left || !joined_left) && (open_right || !joined_right)) {
      places.push_back(at);
    }
  }
  return places;
}

std::optional<Include> include_of(std::string_view line) {
  constexpr std::string_view directive = "#include ";
  if (!line.starts_with(directive) || line.size() == directive.size()) {
    return std::nullopt;
  }
  line.remove_prefix(directive.size());
  return Include{.path = line.substr(1, line.find_first_of("\">", 1) - 1),
                 .is_quoted = line.starts_with('"')};
}

const Source* find(const Tree& tree, std::string_view path) {
  const auto found = std::ranges::find(tree, path, &Source::path);
  return found == tree.end() ? nullptr : &*found;
}

}  // namespace watchlab::tidy
