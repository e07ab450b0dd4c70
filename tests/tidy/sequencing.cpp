#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "tests/tidy/checks.hpp"

namespace watchlab::tidy {

namespace {

/// Member functions whose call is a runtime operation, wherever they are called.
constexpr std::array<std::string_view, 21> kOperations{
    "receive",    "try_receive", "send",       "try_send",         "load",   "store",
    "exchange",   "fetch_add",   "lock",       "try_lock",         "unlock", "wait",
    "wait_until", "notify_one",  "notify_all", "compare_exchange", "choose", "join",
    "now",        "order",       "spawn"};

/// Those of them that may wait for another task.
constexpr std::array<std::string_view, 8> kWaits{"receive", "send",       "lock",  "wait",
                                                 "join",    "wait_until", "sleep", "sleep_until"};

struct Call {
  std::size_t start = 0;  ///< its name
  std::size_t end = 0;    ///< its closing parenthesis
  std::string_view name;
};

/// Where what opens at `open`, with a parenthesis or a brace, closes.
std::size_t closing(std::string_view code, std::size_t open) {
  const char closer = code[open] == '(' ? ')' : '}';
  int depth = 0;
  std::size_t at = open;
  for (; at < code.size(); ++at) {
    depth += code[at] == code[open] ? 1 : code[at] == closer ? -1 : 0;
    if (depth == 0) {
      break;
    }
  }
  return at;
}

/// Calls of the member functions `names` between two positions, in the order of their names'
/// places.
template <std::size_t count>
std::vector<Call> calls_of(std::string_view code,
                           const std::array<std::string_view, count>& names) {
  std::vector<Call> calls;
  for (std::string_view name : names) {
    for (const std::size_t at : find_word(code, name)) {
      const bool is_member = at > 0 && (code[at - 1] == '.' || code[at - 1] == '>');
      const std::string_view rest = code.substr(at + name.size());
      // Every operation is called on something; store() without a value asks for a store.
      if (is_member && rest.starts_with('(') && !(name == "store" && rest.starts_with("()"))) {
        calls.push_back({at, closing(code, at + name.size()), name});
      }
    }
  }
  std::ranges::sort(calls, {}, &Call::start);
  return calls;
}

/// Whether something between two calls fixes their order: a statement's end, a block, a short
/// circuit, the comma of a braced list, or being links of one chain: `a.send(b).receive()`.
bool is_sequenced(std::string_view between, bool in_braces) {
  const bool is_chain = between.find_first_not_of(") \n") == between.find('.') &&
                        between.find('(') == std::string_view::npos;
  return is_chain || between.find_first_of(";{}?") != std::string_view::npos ||
         between.find("&&") != std::string_view::npos ||
         between.find("||") != std::string_view::npos ||
         (in_braces && between.find(',') != std::string_view::npos);
}

/// Whether the innermost bracket around `at` is a brace.
bool stands_in_braces(std::string_view code, std::size_t at) {
  int depth = 0;
  while (at-- > 0) {
    if (code[at] == ')' || code[at] == '}') {
      ++depth;
    } else if ((code[at] == '(' || code[at] == '{') && depth-- == 0) {
      return code[at] == '{';
    }
  }
  return false;
}

/// The body that follows the name at the tilde `at`; "" for none.
std::string_view body_of_destructor(std::string_view code, std::size_t at) {
  std::size_t end = at + 1;
  while (end < code.size() && is_word_char(code[end])) {
    ++end;
  }
  constexpr std::array<std::string_view, 3> kHeads{"() {", "() noexcept {", "() override {"};
  for (const std::string_view head : kHeads) {
    if (end > at + 1 && code.substr(end).starts_with(head)) {
      const std::size_t open = end + head.size() - 1;
      return code.substr(open, closing(code, open) - open);
    }
  }
  return {};
}

}  // namespace

Problems check_sequencing(const Tree& tree) {
  Problems problems;
  for (const Source& source : tree) {
    if (!source.is_cpp() || source.in("tests/tidy/") || maps_the_seam(source)) {
      continue;
    }
    const std::string_view code = source.code();
    const std::vector<Call> calls = calls_of(code, kOperations);
    for (std::size_t i = 1; i < calls.size(); ++i) {
      const Call& first = calls[i - 1];
      const Call& second = calls[i];
      if (second.start < first.end) {
        continue;  // an argument is ready before the call
      }
      const std::string_view between = code.substr(first.end, second.start - first.end);
      if (!is_sequenced(between, stands_in_braces(code, first.start))) {
        problems.push_back({source.path(), source.line_of(second.start),
                            std::string(first.name) + " and " + std::string(second.name) +
                                " stand unsequenced in one expression: give one a name first"});
      }
    }
  }
  return problems;
}

Problems check_destructors(const Tree& tree) {
  Problems problems;
  for (const Source& source : tree) {
    if (!source.in("core/") || maps_the_seam(source) || !source.is_cpp()) {
      continue;
    }
    const std::string_view code = source.code();
    for (std::size_t at = code.find('~'); at != code.npos; at = code.find('~', at + 1)) {
      const std::string_view body = body_of_destructor(code, at);
      if (!calls_of(body, kWaits).empty() || !find_word(body, "Lock").empty()) {
        problems.push_back({source.path(), source.line_of(at),
                            std::string(code.substr(at, code.find('(', at) - at)) +
                                " waits: end the work before, in a stop()"});
      }
    }
  }
  return problems;
}

}  // namespace watchlab::tidy
