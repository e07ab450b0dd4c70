#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "tests/tidy/source.hpp"

namespace watchlab::tidy {

namespace {

/// Walks over blanked code and keeps what is open.
class Reader {
 public:
  explicit Reader(std::string_view code) : code_(code) {}

  std::vector<Function> result() {
    for (at_ = 0; at_ < code_.size(); ++at_) {
      step(code_[at_]);
    }
    return std::move(found_);
  }

 private:
  enum class Kind : unsigned char { Scope, Function, Block, Lambda, Braces };

  void step(char c) {
    if (c == '#' && is_line_start()) {
      at_ = std::min(code_.find('\n', at_), code_.size());
      head_ = at_ + 1;
    } else if (c == '(') {
      ++parens_;
    } else if (c == ')') {
      --parens_;
    } else if (c == '{') {
      open();
    } else if (c == '}') {
      close();
    } else if (c == ';' && parens_ == 0) {
      head_ = at_ + 1;
    } else if (c == ':' && follows_access_specifier()) {
      head_ = at_ + 1;
    }
  }

  [[nodiscard]] bool is_line_start() const {
    const std::size_t before = code_.find_last_not_of(' ', at_ == 0 ? 0 : at_ - 1);
    return at_ == 0 || before == std::string_view::npos || code_[before] == '\n';
  }

  [[nodiscard]] bool follows_access_specifier() const {
    const std::string_view head = text_of_head();
    return head == "public" || head == "private" || head == "protected";
  }

  [[nodiscard]] std::string_view text_of_head() const {
    const std::size_t start = code_.find_first_not_of(" \n", head_);
    return start < at_ ? code_.substr(start, at_ - start) : std::string_view();
  }

  [[nodiscard]] bool in_function() const {
    return std::find(open_.begin(), open_.end(), Kind::Function) != open_.end();
  }

  void open() {
    const Kind kind = kind_of_brace();
    if (kind == Kind::Function) {
      begin_function();
    }
    if (kind == Kind::Block) {
      const auto blocks = std::count(open_.begin(), open_.end(), Kind::Block) + 1;
      found_.back().levels = std::max(found_.back().levels, static_cast<std::size_t>(blocks));
    }
    open_.push_back(kind);
    parens_before_.push_back(parens_);
    if (kind != Kind::Braces) {
      parens_ = 0;
      head_ = at_ + 1;
    }
  }

  void close() {
    if (open_.empty()) {
      return;
    }
    const Kind kind = open_.back();
    open_.pop_back();
    parens_ = parens_before_.back();
    parens_before_.pop_back();
    if (kind == Kind::Function) {
      found_.back().end = at_;
    }
    if (kind != Kind::Braces) {
      head_ = at_ + 1;
    }
  }

  [[nodiscard]] Kind kind_of_brace() const {
    const std::string_view head = text_of_head();
    if (in_function()) {
      return is_lambda() ? Kind::Lambda : is_statement(head) ? Kind::Block : Kind::Braces;
    }
    if (!find_word(head, "namespace").empty() || head.starts_with("extern ")) {
      return Kind::Scope;
    }
    const std::size_t paren = head.find('(');
    const std::size_t assigned = head.find(" = ");
    if (paren == std::string_view::npos) {
      return is_type(head) ? Kind::Scope : Kind::Braces;
    }
    if (is_type(head.substr(0, paren)) || parens_ > 0) {
      return parens_ > 0 ? Kind::Braces : Kind::Scope;
    }
    const bool is_operator = head.find("operator") < assigned;
    if (assigned < paren && !is_operator) {
      return head.find('[') < paren ? Kind::Function : Kind::Braces;
    }
    return is_member_initializer(head) ? Kind::Braces : Kind::Function;
  }

  /// The last character before the brace that is no space.
  [[nodiscard]] std::size_t last_before_brace() const {
    const std::size_t last = at_ == 0 ? 0 : code_.find_last_not_of(" \n", at_ - 1);
    return last == std::string_view::npos ? 0 : last;
  }

  [[nodiscard]] bool is_statement(std::string_view head) const {
    const char last = code_[last_before_brace()];
    return head.empty() || last == ')' || last == '{' || last == '}' || head.ends_with("else ") ||
           head.ends_with("do ") || head.ends_with("try ");
  }

  /// `[&](int a) {`: a body of its own, whose levels are no deeper than its author's.
  [[nodiscard]] bool is_lambda() const {
    std::size_t at = last_before_brace();
    int depth = 0;
    do {
      depth += code_[at] == ')' ? 1 : code_[at] == '(' ? -1 : 0;
    } while (depth > 0 && at-- > 0);
    return code_[at] == ']' || (code_[at] == '(' && at > 0 && code_[at - 1] == ']');
  }

  [[nodiscard]] static bool is_type(std::string_view head) {
    return std::ranges::any_of(
        std::array<std::string_view, 4>{"class", "struct", "enum", "union"},
        [head](std::string_view word) { return !find_word(head, word).empty(); });
  }

  /// `: name_{value}` between a constructor's parameters and its body.
  [[nodiscard]] bool is_member_initializer(std::string_view head) const {
    const std::size_t colon = head.find(") : ");
    const std::size_t colon_on_new_line = head.find("      : ");
    return (colon != std::string_view::npos || colon_on_new_line != std::string_view::npos) &&
           at_ > 0 && is_word_char(code_[at_ - 1]);
  }

  void begin_function() {
    Function function;
    function.body = at_;
    const std::size_t paragraph = code_.substr(0, at_).rfind("\n\n");  // past test suites' names
    if (paragraph != std::string_view::npos) {
      head_ = std::max(head_, paragraph);
    }
    function.start = std::min(code_.find_first_not_of(" \n", head_), at_);
    const std::string_view head = text_of_head();
    const std::size_t paren = parameters_start(head);
    function.name = name_before(head, paren);
    function.parameters = count_parameters(head, paren);
    found_.push_back(function);
  }

  /// Where the parameter list starts: the first parenthesis after a word, outside of <>.
  [[nodiscard]] static std::size_t parameters_start(std::string_view head) {
    std::size_t paren = head.find('(');
    if (head.substr(0, paren).ends_with("operator")) {
      paren = head.find('(', head.find(')', paren));
    }
    return std::min(paren, head.size());
  }

  [[nodiscard]] static std::string name_before(std::string_view head, std::size_t paren) {
    std::size_t start = paren;
    while (start > 0 &&
           (is_word_char(head[start - 1]) || head[start - 1] == ':' || head[start - 1] == '~')) {
      --start;
    }
    return std::string(head.substr(start, paren - start));
  }

  [[nodiscard]] static std::size_t count_parameters(std::string_view head, std::size_t paren) {
    int depth = 0;
    std::size_t commas = 0;
    std::size_t words = 0;
    for (std::size_t at = paren; at < head.size(); ++at) {
      const char c = head[at];
      const bool opens_template = c == '<' && at > 0 && is_word_char(head[at - 1]);
      const bool closes_template = c == '>' && at > 0 && head[at - 1] != '-' && depth > 1;
      depth += c == '(' || c == '{' || c == '[' || opens_template ? 1 : 0;
      depth -= c == ')' || c == '}' || c == ']' || closes_template ? 1 : 0;
      if (depth == 0) {
        break;
      }
      commas += c == ',' && depth == 1 ? 1 : 0;
      words += is_word_char(c) ? 1 : 0;
    }
    const std::size_t locations = find_word(head.substr(paren), "Location").size();
    return words == 0 ? 0 : commas + 1 - std::min(locations, commas);  // the caller's line is free
  }

  std::string_view code_;
  std::size_t at_ = 0;
  std::size_t head_ = 0;  ///< where the text before the next brace starts
  int parens_ = 0;
  std::vector<Kind> open_;
  std::vector<int> parens_before_;
  std::vector<Function> found_;
};

}  // namespace

std::vector<Function> functions_of(const Source& source) { return Reader(source.code()).result(); }

}  // namespace watchlab::tidy
