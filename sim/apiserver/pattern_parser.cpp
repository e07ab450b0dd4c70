#include "sim/apiserver/pattern_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "sim/kernel/utf8.hpp"

namespace watchlab::sim {

namespace {

using Instruction = LinearPattern::Instruction;
using Operation = LinearPattern::Operation;
using Program = LinearPattern::Program;
using Range = LinearPattern::Range;
using Ranges = LinearPattern::Ranges;

constexpr std::size_t kProgramMax = 1'000'000;
constexpr std::size_t kRepeatMax = 1000;  // all counts around one part, multiplied
constexpr int kDepthMax = 200;
constexpr std::uint32_t kLastCharacter = 0x10FFFF;

[[noreturn]] void fail(std::string_view mistake, std::string_view where) {
  throw std::runtime_error(fmt::format("error parsing regexp: {}: `{}`", mistake, where));
}

/// Sorted, and with ranges that touch made one.
Ranges normal(Ranges ranges) {
  std::ranges::sort(ranges, {}, &Range::first);
  Ranges joined;
  for (const Range& each : ranges) {
    if (!joined.empty() && each.first <= joined.back().last + 1) {
      joined.back().last = std::max(joined.back().last, each.last);
    } else {
      joined.push_back(each);
    }
  }
  return joined;
}

Ranges all_but(const Ranges& ranges) {
  Ranges others;
  std::uint32_t next = 0;
  for (const Range& each : normal(ranges)) {
    if (each.first > next) {
      others.push_back({next, each.first - 1});
    }
    next = each.last + 1;
  }
  if (next <= kLastCharacter) {
    others.push_back({next, kLastCharacter});
  }
  return others;
}

/// Both cases of each letter; of k and s also the signs that Unicode folds to them.
Ranges folded(Ranges ranges) {
  const Ranges before = ranges;
  for (const Range& each : before) {
    for (std::uint32_t code = each.first; code <= std::min(each.last, 0x7FU); ++code) {
      if (std::isalpha(static_cast<int>(code)) != 0) {
        ranges.push_back({code ^ 0x20U, code ^ 0x20U});
      }
      if ((code | 0x20U) == 'k') {
        ranges.push_back({0x212A, 0x212A});
      } else if ((code | 0x20U) == 's') {
        ranges.push_back({0x17F, 0x17F});
      }
    }
  }
  return ranges;
}

const Ranges kDigits{{'0', '9'}};
const Ranges kSpaces{{'\t', '\n'}, {'\f', '\r'}, {' ', ' '}};
const Ranges kWords{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};

/// `[:alpha:]` and its kind; null for another name.
const Ranges* named_class(std::string_view name) {
  static const std::array<std::pair<std::string_view, Ranges>, 14> kRows{{
      {"alnum", {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}}},
      {"alpha", {{'A', 'Z'}, {'a', 'z'}}},
      {"ascii", {{0, 0x7F}}},
      {"blank", {{'\t', '\t'}, {' ', ' '}}},
      {"cntrl", {{0, 0x1F}, {0x7F, 0x7F}}},
      {"digit", kDigits},
      {"graph", {{'!', '~'}}},
      {"lower", {{'a', 'z'}}},
      {"print", {{' ', '~'}}},
      {"punct", {{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}},
      {"space", {{'\t', '\r'}, {' ', ' '}}},
      {"upper", {{'A', 'Z'}}},
      {"word", kWords},
      {"xdigit", {{'0', '9'}, {'A', 'F'}, {'a', 'f'}}},
  }};
  const auto* const found =
      std::ranges::find(kRows, name, [](const auto& row) { return row.first; });
  return found == kRows.end() ? nullptr : &found->second;
}

/// What letters between `(?` and `)` switch.
struct Flags {
  bool folds = false;       ///< i
  bool lines = false;       ///< m
  bool dot_is_all = false;  ///< s
};

/// A part of an expression. Its jumps are relative, so that a copy is as good.
struct Fragment {
  Program program;
  std::size_t counts = 1;  ///< the most that counts within it multiply to
};

class Parser {
 public:
  explicit Parser(std::string_view pattern) : whole_(pattern), rest_(pattern) {}

  CompiledPattern parse() {
    if (valid_utf8(whole_) != whole_) {
      fail("invalid UTF-8", valid_utf8(whole_));
    }
    Fragment all = alternatives();
    if (!rest_.empty()) {
      fail("unexpected )", whole_);
    }
    return {std::move(all.program), std::move(sets_)};
  }

 private:
  bool takes(std::string_view text) {
    const bool begins = rest_.starts_with(text);
    rest_.remove_prefix(begins ? text.size() : 0);
    return begins;
  }

  std::uint32_t next_character() {
    const Character character = first_character(rest_);
    rest_.remove_prefix(character.size);
    return character.code;
  }

  /// What has been read since then.
  [[nodiscard]] std::string_view since(std::string_view then) const {
    return then.substr(0, then.size() - rest_.size());
  }

  void append(Program& program, const Program& more) const {
    if (program.size() + more.size() > kProgramMax) {
      throw std::runtime_error("error parsing regexp: expression too large");
    }
    program.insert(program.end(), more.begin(), more.end());
  }

  Fragment set_of(Ranges ranges) {
    sets_.push_back(normal(std::move(ranges)));
    return {{{Operation::Character, static_cast<std::int32_t>(sets_.size() - 1)}}};
  }

  static Fragment asserting(Assertion assertion) {
    return {{{Operation::Assertion, static_cast<std::int32_t>(assertion)}}};
  }

  Fragment alternatives() {
    std::vector<Fragment> all{sequence()};
    while (takes("|")) {
      all.push_back(sequence());
    }
    if (all.size() == 1) {
      return std::move(all.front());
    }
    std::size_t size = 2 * all.size() - 2;
    for (const Fragment& each : all) {
      size += each.program.size();
    }
    Fragment joined;
    for (const Fragment& each : all) {
      const bool is_last = &each == &all.back();
      const auto length = static_cast<std::int32_t>(each.program.size());
      if (!is_last) {
        joined.program.push_back({Operation::Split, length + 2});
      }
      append(joined.program, each.program);
      if (!is_last) {
        joined.program.push_back(
            {Operation::Jump, static_cast<std::int32_t>(size - joined.program.size())});
      }
      joined.counts = std::max(joined.counts, each.counts);
    }
    return joined;
  }

  Fragment sequence() {
    Fragment done;
    std::optional<Fragment> last;  // which what follows may repeat
    const auto finish = [&] {
      if (last) {
        append(done.program, last->program);
        done.counts = std::max(done.counts, last->counts);
        last.reset();
      }
    };
    std::string_view repeated;  // from where the last repetition begins, right behind it
    while (!rest_.empty() && rest_.front() != '|' && rest_.front() != ')') {
      const std::string_view before = rest_;
      if (const auto counts = repetition()) {
        if (!last) {
          fail("missing argument to repetition operator", since(before));
        }
        if (!repeated.empty()) {
          fail("invalid nested repetition operator", since(repeated));
        }
        last = repeat(*std::move(last), *counts, since(before));
        repeated = before;
        continue;
      }
      repeated = {};
      if (std::optional<Fragment> next = item()) {
        finish();
        append(done.program, std::exchange(quoted_, {}));
        last = std::move(next);
      }
    }
    finish();
    return done;
  }

  struct Counts {
    std::size_t least = 0;
    std::optional<std::size_t> most;
    bool is_counted = false;  ///< by a number, and not by a sign
  };

  /// `*`, `+`, `?`, `{2,3}`; nothing when it is none.
  std::optional<Counts> repetition() {
    std::optional<Counts> counts;
    if (takes("*")) {
      counts = Counts{};
    } else if (takes("+")) {
      counts = Counts{.least = 1, .most = std::nullopt};
    } else if (takes("?")) {
      counts = Counts{.most = 1};
    } else if (rest_.front() == '{') {
      counts = counted();
    }
    if (counts) {
      takes("?");  // which of several matches is taken is not asked
    }
    return counts;
  }

  std::optional<Counts> counted() {
    const std::string_view before = rest_;
    rest_.remove_prefix(1);
    const std::optional<std::size_t> least = number();
    Counts counts{.least = least.value_or(0), .most = least, .is_counted = true};
    if (least && takes(",")) {
      counts.most = rest_.starts_with('}') ? std::nullopt : number();
      if (!counts.most && !rest_.starts_with('}')) {
        rest_ = before;
        return std::nullopt;
      }
    }
    if (!least || !takes("}")) {
      rest_ = before;
      return std::nullopt;
    }
    if (counts.least > kRepeatMax || counts.most.value_or(0) > kRepeatMax ||
        (counts.most && *counts.most < counts.least)) {
      fail("invalid repeat count", since(before));
    }
    return counts;
  }

  /// Without leading zeros; one that is too large stays so.
  std::optional<std::size_t> number() {
    const std::size_t digits = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    if (digits == 0 || (digits > 1 && rest_.front() == '0')) {
      return std::nullopt;
    }
    std::size_t value = 0;
    for (const char digit : rest_.substr(0, digits)) {
      value = std::min(value * 10 + static_cast<std::size_t>(digit - '0'), kRepeatMax + 1);
    }
    rest_.remove_prefix(digits);
    return value;
  }

  Fragment repeat(Fragment part, const Counts& counts, std::string_view where) const {
    const std::size_t most = counts.most.value_or(counts.least);
    Fragment all{{}, part.counts};
    if (counts.is_counted) {
      all.counts = most == 0 && counts.most ? 1 : std::max<std::size_t>(most, 1) * part.counts;
      if (all.counts > kRepeatMax && most >= 2) {
        fail("invalid repeat count", where);
      }
    }
    const auto length = static_cast<std::int32_t>(part.program.size());
    for (std::size_t i = 0; i < counts.least; ++i) {
      append(all.program, part.program);
    }
    if (!counts.most) {
      append(all.program, {{Operation::Split, length + 2}});
      append(all.program, part.program);
      all.program.push_back({Operation::Jump, -(length + 1)});
    }
    for (std::size_t i = counts.least; counts.most && i < *counts.most; ++i) {
      append(all.program, {{Operation::Split, length + 1}});
      append(all.program, part.program);
    }
    return all;
  }

  /// One part that can be repeated; nothing for what only changes how others are read.
  std::optional<Fragment> item() {
    switch (rest_.front()) {
      case '(':
        return group();
      case '[':
        return set_of(bracketed());
      case '.':
        rest_.remove_prefix(1);
        return set_of(flags_.dot_is_all ? all_but({}) : all_but({{'\n', '\n'}}));
      case '^':
        rest_.remove_prefix(1);
        return asserting(flags_.lines ? Assertion::LineBegins : Assertion::TextBegins);
      case '$':
        rest_.remove_prefix(1);
        return asserting(flags_.lines ? Assertion::LineEnds : Assertion::TextEnds);
      case '\\':
        return escaped();
      default:
        return literal(next_character());
    }
  }

  Fragment literal(std::uint32_t code) { return set_of(with_flags({{code, code}})); }

  [[nodiscard]] Ranges with_flags(Ranges ranges) const {
    if (!flags_.folds) {
      return ranges;
    }
    if (std::ranges::any_of(ranges, [](const Range& each) { return each.last > 0x7F; })) {
      fail("letters beyond ASCII under (?i) are not supported here", whole_);
    }
    return folded(std::move(ranges));
  }

  std::optional<Fragment> group() {
    const std::string_view before = rest_;
    const Flags outside = flags_;
    rest_.remove_prefix(1);
    if (takes("?")) {
      if (takes("P<") || takes("<")) {
        read_name(before);
      } else if (!read_flags(before)) {
        return std::nullopt;  // they hold until the group around ends
      }
    }
    if (++depth_ > kDepthMax) {
      throw std::runtime_error("error parsing regexp: expression nests too deeply");
    }
    Fragment inside = alternatives();
    --depth_;
    if (!takes(")")) {
      fail("missing closing )", whole_);
    }
    flags_ = outside;
    return inside;
  }

  void read_name(std::string_view before) {
    const std::size_t end = rest_.find('>');
    const std::string_view name = rest_.substr(0, end);
    const bool is_name = end != std::string_view::npos && !name.empty() &&
                         std::ranges::all_of(name, [](unsigned char each) {
                           return std::isalnum(each) != 0 || each == '_';
                         });
    rest_.remove_prefix(std::min(end, rest_.size() - 1) + 1);
    if (!is_name) {
      fail("invalid named capture", end == std::string_view::npos ? before : since(before));
    }
  }

  /// True when a group begins with them, behind a colon.
  bool read_flags(std::string_view before) {
    bool sets = true;
    bool is_said = false;
    Flags flags = flags_;
    while (!rest_.empty()) {
      const std::uint32_t letter = next_character();
      if (letter == ':' || letter == ')') {
        if (!sets && !is_said) {
          break;
        }
        flags_ = flags;
        return letter == ':';
      }
      is_said = letter != '-';
      if (letter == 'i') {
        flags.folds = sets;
      } else if (letter == 'm') {
        flags.lines = sets;
      } else if (letter == 's') {
        flags.dot_is_all = sets;
      } else if (letter == '-' && sets) {
        sets = false;
      } else if (letter != 'U') {
        break;
      }
    }
    fail("invalid or unsupported Perl syntax", since(before));
  }

  std::optional<Fragment> escaped() {
    const std::string_view two = rest_.substr(0, 2);
    constexpr std::array<std::pair<std::string_view, Assertion>, 4> kAssertions{
        {{R"(\A)", Assertion::TextBegins},
         {R"(\z)", Assertion::TextEnds},
         {R"(\b)", Assertion::Word},
         {R"(\B)", Assertion::NoWord}}};
    const auto* const found =
        std::ranges::find(kAssertions, two, [](const auto& row) { return row.first; });
    if (found != kAssertions.end()) {
      rest_.remove_prefix(2);
      return asserting(found->second);
    }
    if (takes(R"(\Q)")) {
      return quoted();
    }
    if (std::optional<Ranges> known = escaped_class()) {
      return set_of(*std::move(known));
    }
    return literal(escaped_character());
  }

  /// The text up to `\E`. A repetition behind it is of its last character.
  std::optional<Fragment> quoted() {
    const std::size_t end = rest_.find(R"(\E)");
    std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 2);
    std::optional<Fragment> last;
    while (!text.empty()) {
      const Character character = first_character(text);
      text.remove_prefix(character.size);
      if (last) {
        append(quoted_, last->program);
      }
      last = literal(character.code);
    }
    return last;
  }

  /// `\d` and its kind; nothing for another escape.
  std::optional<Ranges> escaped_class() {
    if (rest_.starts_with(R"(\p)") || rest_.starts_with(R"(\P)")) {
      fail("classes of Unicode are not supported here", rest_.substr(0, rest_.find('}') + 1));
    }
    const std::string_view all = R"(\d\s\w\D\S\W)";
    const std::size_t place = rest_.size() < 2 ? all.npos : all.find(rest_.substr(0, 2));
    if (place == all.npos || place % 2 != 0) {
      return std::nullopt;
    }
    rest_.remove_prefix(2);
    const Ranges& known = place % 6 == 0 ? kDigits : place % 6 == 2 ? kSpaces : kWords;
    // As in Go, the letters of a word fold too.
    const Ranges meant = flags_.folds ? folded(known) : known;
    return place < 6 ? meant : all_but(meant);
  }

  std::uint32_t escaped_character() {
    const std::string_view before = rest_;
    rest_.remove_prefix(1);
    if (rest_.empty()) {
      fail("trailing backslash at end of expression", "");
    }
    const std::uint32_t code = next_character();
    constexpr std::string_view kLetters = "afnrtv";
    constexpr std::string_view kMeant = "\a\f\n\r\t\v";
    if (const std::size_t place = kLetters.find(static_cast<char>(code));
        code < 0x80 && place != std::string_view::npos) {
      return static_cast<std::uint32_t>(kMeant[place]);
    }
    if (code == 'x') {
      return hexadecimal(before);
    }
    const bool has_octal = !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '7';
    if (code == '0' || (code >= '1' && code <= '7' && has_octal)) {
      std::uint32_t value = code - '0';
      for (int i = 0; i < 2 && !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '7';
           ++i) {
        value = value * 8 + (next_character() - '0');
      }
      return value;
    }
    if (code >= 0x80 || std::isalnum(static_cast<int>(code)) != 0) {
      fail("invalid escape sequence", since(before));
    }
    return code;
  }

  /// What stands behind `\x`: two digits, or any in braces.
  std::uint32_t hexadecimal(std::string_view before) {
    const bool is_braced = takes("{");
    std::uint32_t value = 0;
    std::size_t digits = 0;
    while (!rest_.empty() && std::isxdigit(static_cast<unsigned char>(rest_.front())) != 0 &&
           (is_braced || digits < 2) && value <= kLastCharacter) {
      const auto digit = static_cast<std::uint32_t>(std::tolower(rest_.front()));
      value = value * 16 + (digit <= '9' ? digit - '0' : digit - 'a' + 10);
      rest_.remove_prefix(1);
      ++digits;
    }
    const bool is_whole = is_braced ? digits > 0 && takes("}") : digits == 2;
    if (!is_whole || value > kLastCharacter) {
      fail("invalid escape sequence", since(before));
    }
    return value;
  }

  Ranges bracketed() {
    const std::string_view before = rest_;
    rest_.remove_prefix(1);
    const bool is_negated = takes("^");
    Ranges all;
    for (bool is_first = true; is_first || !rest_.starts_with(']'); is_first = false) {
      if (rest_.empty()) {
        fail("missing closing ]", before);
      }
      const Ranges next = class_item(before);
      all.insert(all.end(), next.begin(), next.end());
    }
    rest_.remove_prefix(1);
    return is_negated ? all_but(all) : all;
  }

  Ranges class_item(std::string_view bracket) {
    if (const std::size_t end = rest_.find(":]", 2);
        rest_.starts_with("[:") && end != std::string_view::npos) {
      const std::string_view name = rest_.substr(0, end + 2);
      rest_.remove_prefix(name.size());
      const bool is_negated = name.starts_with("[:^");
      const std::size_t begin = is_negated ? 3 : 2;
      const Ranges* const known =
          end < begin ? nullptr : named_class(name.substr(begin, end - begin));
      if (known == nullptr) {
        fail("invalid character class range", name);
      }
      const Ranges meant = flags_.folds ? folded(*known) : *known;
      return is_negated ? all_but(meant) : meant;
    }
    if (rest_.front() == '\\') {
      if (std::optional<Ranges> known = escaped_class()) {
        return *std::move(known);
      }
    }
    const std::string_view before = rest_;
    const std::uint32_t first = class_character(bracket);
    std::uint32_t last = first;
    if (rest_.size() >= 2 && rest_.front() == '-' && rest_[1] != ']') {
      rest_.remove_prefix(1);
      last = class_character(bracket);
    }
    if (last < first) {
      fail("invalid character class range", since(before));
    }
    return with_flags({{first, last}});
  }

  std::uint32_t class_character(std::string_view bracket) {
    if (rest_.empty()) {
      fail("missing closing ]", bracket);
    }
    return rest_.front() == '\\' ? escaped_character() : next_character();
  }

  std::string_view whole_;
  std::string_view rest_;
  Flags flags_;
  int depth_ = 0;
  std::vector<Ranges> sets_;
  Program quoted_;  ///< all but the last character of what stands between `\Q` and `\E`
};

}  // namespace

CompiledPattern compiled_pattern(std::string_view pattern) { return Parser(pattern).parse(); }

}  // namespace watchlab::sim
