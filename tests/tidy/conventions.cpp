#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

#include "tests/tidy/checks.hpp"

namespace watchlab::tidy {

namespace {

/// Names that the standard library and Boost.JSON ask for.
constexpr std::array<std::string_view, 8> kAskedNames{
    "is_steady",       "is_always_lock_free", "nostopstate",  "value",
    "max_object_size", "max_array_size",      "max_key_size", "max_string_size"};

/// Families of functions that are gone, each with the one that is left.
struct TextFunction {
  std::string_view name;
  std::string_view instead;
};
constexpr std::array kTextFunctions{
    TextFunction{"name_of", "to_string"},
    TextFunction{"to_text", "to_string"},
    TextFunction{"word_for", "to_string"},
    TextFunction{"words_for", "describe"},
};

/// The name that a declaration of a constant gives, when `rest` follows its `constexpr`; "" for a
/// function. The name stands before the first `=`, `{`, `[` or `;` outside of angle brackets, and
/// before the arguments of a specialisation.
std::string_view constant_in(std::string_view rest) {
  int depth = 0;
  std::size_t arguments = 0;  // where the last ones in angle brackets begin
  for (std::size_t at = 0; at < rest.size(); ++at) {
    arguments = rest[at] == '<' && depth == 0 ? at : arguments;
    depth += rest[at] == '<' ? 1 : rest[at] == '>' ? -1 : 0;
    if (depth > 0) {
      continue;
    }
    if (rest[at] == '(') {
      return {};
    }
    if (rest[at] == '=' || rest[at] == '{' || rest[at] == '[' || rest[at] == ';') {
      const std::size_t last = rest.find_last_not_of(" \n", at - 1);
      std::size_t end = last != rest.npos && rest[last] == '>' ? arguments : at;
      while (end > 0 && !is_word_char(rest[end - 1])) {
        --end;
      }
      std::size_t begin = end;
      while (begin > 0 && is_word_char(rest[begin - 1])) {
        --begin;
      }
      return rest.substr(begin, end - begin);
    }
  }
  return {};
}

/// Whether a `constexpr` at `at` declares something of a namespace or a class: nothing or `inline`
/// stands before it on its line, or `static` beside it.
bool is_of_namespace_or_class(std::string_view code, std::size_t at) {
  const std::size_t begin = code.rfind('\n', at) + 1;  // 0 in the first line
  const std::string_view before = code.substr(begin, at - begin);
  return before.empty() || before == "inline " || before.find("static ") != before.npos ||
         code.substr(at).starts_with("constexpr static ");
}

bool is_constant_name(std::string_view name) {
  return name.size() > 1 && name[0] == 'k' && std::isupper(static_cast<unsigned char>(name[1]));
}

bool is_test_of_ours(const Source& source) {
  return source.in("tests/") && source.path().ends_with("_test.cpp") &&
         source.path().find("/hostile/") == std::string::npos;
}

/// Which namespaces are open, by lines in the first column.
class OpenNamespaces {
 public:
  void see(std::string_view line) {
    if (line == "namespace {") {
      is_anonymous_ = true;
    } else if (line == "}  // namespace") {
      is_anonymous_ = false;
    }
  }
  [[nodiscard]] bool are_anonymous() const { return is_anonymous_; }

 private:
  bool is_anonymous_ = false;
};

}  // namespace

Problems check_constants(const Tree& tree) {
  constexpr std::string_view kKeyword = "constexpr ";
  Problems problems;
  for (const Source& source : tree) {
    if (!source.is_cpp() || source.in("tests/exercises/hostile/")) {
      continue;
    }
    for (const std::size_t at : find_word(source.code(), kKeyword)) {
      const auto rest = std::string_view(source.code()).substr(at + kKeyword.size());
      const std::string_view name = constant_in(rest);
      if (is_of_namespace_or_class(source.code(), at) && !name.empty() && !is_constant_name(name) &&
          std::ranges::find(kAskedNames, name) == kAskedNames.end()) {
        problems.push_back({source.path(), source.line_of(at),
                            std::string(name) + " is a constant; name it kLikeThis"});
      }
    }
  }
  return problems;
}

Problems check_text_functions(const Tree& tree) {
  Problems problems;
  for (const Source& source : tree) {
    for (const auto& [name, instead] : kTextFunctions) {
      for (const std::size_t at :
           source.is_cpp() ? find_word(source.code(), name) : std::vector<std::size_t>()) {
        problems.push_back({source.path(), source.line_of(at),
                            std::string(name) + ": call it " + std::string(instead) +
                                "; to_string is a value's text, describe is for people"});
      }
    }
  }
  return problems;
}

Problems check_test_layout(const Tree& tree) {
  Problems problems;
  for (const Source& source : tree) {
    if (!is_test_of_ours(source)) {
      continue;
    }
    OpenNamespaces open;
    for (std::size_t i = 0; i < source.lines().size(); ++i) {
      const std::string_view line = source.lines()[i];
      open.see(line);
      const bool is_of_suite = line.starts_with("BOOST_") && line.find("_TEST_") != line.npos;
      if (open.are_anonymous() && is_of_suite) {
        problems.push_back({source.path(), i + 1,
                            "stands in the namespace of the helpers; close that before the cases"});
        break;
      }
    }
  }
  return problems;
}

}  // namespace watchlab::tidy
