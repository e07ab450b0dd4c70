#include "exercises/programs/mutations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/algorithm/string/trim.hpp>
#include <string_view>
#include <utility>

#include "exercises/programs/texts.hpp"

namespace watchlab::course {
namespace {

/// What stands for what. The first of two that begin alike comes first.
constexpr std::array kReplacements{std::pair{" <= ", " < "},
                                   std::pair{" < ", " <= "},
                                   std::pair{" >= ", " > "},
                                   std::pair{" > ", " >= "},
                                   std::pair{" == ", " != "},
                                   std::pair{" != ", " == "},
                                   std::pair{" && ", " || "},
                                   std::pair{" || ", " && "},
                                   std::pair{" + ", " - "},
                                   std::pair{" - ", " + "},
                                   std::pair{" += ", " -= "},
                                   std::pair{" -= ", " += "},
                                   std::pair{"++", "--"},
                                   std::pair{"--", "++"},
                                   std::pair{"(!", "("},
                                   std::pair{" = true;", " = false;"},
                                   std::pair{" = false;", " = true;"},
                                   std::pair{"return true;", "return false;"},
                                   std::pair{"return false;", "return true;"},
                                   std::pair{"while (", "if ("},
                                   std::pair{"notify_all", "notify_one"}};

/// Whether something can be changed in it.
bool is_code(const std::string& line) {
  return !line.empty() && !line.starts_with("//") && !line.starts_with("#") &&
         !line.starts_with("namespace") && !line.starts_with("class") &&
         !line.starts_with("template") && !line.starts_with("using");
}

/// A call, an assignment or a lock on one line: what is left when it is gone still compiles. What
/// has two words before its first bracket or sign declares something, and only locks may go.
bool is_removable(const std::string& line) {
  constexpr std::array<std::string_view, 4> kept{"return", "break", "continue", "throw"};
  if (!line.ends_with(";") || std::ranges::any_of(kept, [&line](std::string_view word) {
        return line.starts_with(word);
      })) {
    return false;
  }
  if (line.find("Lock lock(") != std::string::npos) {
    return true;
  }
  const std::string target = line.substr(0, line.find_first_of("(=+-"));
  const bool is_name = boost::trim_copy(target).find_first_of(" {}\"") == std::string::npos;
  return is_name && line.find_first_of("(=+-") != std::string::npos;
}

class Mutator {
 public:
  explicit Mutator(std::string_view source) : source_(source) {}

  std::vector<Mutation> all() {
    for (const std::string_view line : lines_in(source_)) {
      ++number_;
      at_ = static_cast<std::size_t>(line.data() - source_.data());
      const std::string code = boost::trim_copy(std::string(line));
      if (is_code(code)) {
        change(line, code);
      }
    }
    return std::move(made_);
  }

 private:
  void change(std::string_view line, const std::string& code) {
    for (const auto& [before, after] : kReplacements) {
      const std::string_view part(before);
      for (std::size_t found = line.find(part); found != std::string_view::npos;
           found = line.find(part, found + part.size())) {
        std::string changed(line);
        put(line, code, changed.replace(found, part.size(), after));
      }
    }
    if (is_removable(code)) {
      put(line, code, "");
    }
  }
  void put(std::string_view line, const std::string& code, const std::string& changed) {
    std::string text(source_);
    text.replace(at_, line.size(), changed);
    const std::string after = boost::trim_copy(changed);
    made_.push_back({.line = number_,
                     .what = fmt::format("{} -> {}", code, after.empty() ? "nothing" : after),
                     .text = std::move(text)});
  }

  std::string_view source_;
  std::size_t number_ = 0;
  std::size_t at_ = 0;
  std::vector<Mutation> made_;
};

}  // namespace

std::vector<Mutation> mutations_of(std::string_view source) { return Mutator(source).all(); }

}  // namespace watchlab::course
