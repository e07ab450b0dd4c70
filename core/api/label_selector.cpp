#include "core/api/label_selector.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "core/api/names.hpp"

namespace watchlab::api {

namespace {

constexpr std::size_t kLabelTextMax = 63;
constexpr std::size_t kPrefixMax = 253;
constexpr std::string_view kLabelTextRule =
    "must consist of letters, digits, '-', '_' or '.', and must start and end with a letter or "
    "digit";

/// What is wrong with a label key; "" when nothing is. Mirrors apimachinery pkg/util/validation,
/// IsQualifiedName.
std::string problem_of_key(std::string_view key) {
  const std::size_t slash = key.find('/');
  const bool has_prefix = slash != std::string_view::npos;
  const std::string_view prefix = has_prefix ? key.substr(0, slash) : "";
  const std::string_view name = has_prefix ? key.substr(slash + 1) : key;
  if (name.find('/') != std::string_view::npos) {
    return "it must be a name, with at most one prefix and '/' before it";
  }
  if (has_prefix && prefix.empty()) {
    return "its prefix must not be empty";
  }
  if (prefix.size() > kPrefixMax) {
    return "its prefix must be no more than 253 characters";
  }
  if (has_prefix && !is_dns_subdomain(prefix)) {
    return "its prefix must be a lowercase RFC 1123 subdomain: lower case letters, digits, '-' or "
           "'.', with a letter or digit at the start and the end of each part";
  }
  if (name.empty()) {
    return "its name must not be empty";
  }
  if (name.size() > kLabelTextMax) {
    return "its name must be no more than 63 characters";
  }
  return is_label_text(name) ? "" : "its name " + std::string(kLabelTextRule);
}

/// The same of a label's value. Mirrors IsValidLabelValue.
std::string problem_of_value(std::string_view value) {
  if (value.size() > kLabelTextMax) {
    return "it must be no more than 63 characters";
  }
  return value.empty() || is_label_text(value) ? "" : "it " + std::string(kLabelTextRule);
}

/// A whole number as Go's ParseInt reads one in base 10; nothing for all else.
std::optional<std::int64_t> integer_in(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) {
    text.remove_prefix(1);
  }
  std::int64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = failure == std::errc() && end == text.data() + text.size();
  return whole ? std::optional(number) : std::nullopt;
}

enum class Sign : std::uint8_t {
  Word,  ///< a key, a value, or `in` and `notin`, which may be either of them too
  Comma,
  Open,
  Close,
  Not,
  NotEquals,
  Equals,  ///< "=" or "=="
  Greater,
  Less,
  End,
};

struct Token {
  Sign sign = Sign::End;
  std::string_view text;
};

/// Cuts a selector into tokens, the last of which is an End. Mirrors the Lexer of pkg/labels, for
/// which a NUL ends the selector where a token would begin, and is passed over behind one.
std::vector<Token> tokens_of(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  constexpr std::string_view kSpecial = "=!(),><";
  constexpr std::array kSigns{Sign::Equals, Sign::Not,     Sign::Open, Sign::Close,
                              Sign::Comma,  Sign::Greater, Sign::Less};
  std::vector<Token> tokens;
  std::size_t place = 0;
  while (true) {
    place = std::min(text.find_first_not_of(kBlanks, place), text.size());
    if (place == text.size() || text[place] == '\0') {
      tokens.push_back({});
      return tokens;
    }
    std::size_t end = place + 1;
    Sign sign = Sign::Word;
    if (const std::size_t special = kSpecial.find(text[place]); special != std::string_view::npos) {
      sign = kSigns[special];
      if ((sign == Sign::Equals || sign == Sign::Not) && text.substr(end).starts_with('=')) {
        sign = sign == Sign::Not ? Sign::NotEquals : sign;
        ++end;
      }
    } else {
      while (end < text.size() && text[end] != '\0' &&
             kBlanks.find(text[end]) == std::string_view::npos &&
             kSpecial.find(text[end]) == std::string_view::npos) {
        ++end;
      }
    }
    tokens.push_back({sign, text.substr(place, end - place)});
    place = end < text.size() && text[end] == '\0' ? end + 1 : end;
  }
}

/// Reads the tokens of a selector from left to right. Mirrors the Parser of pkg/labels since 0.35,
/// for which "in (a,,b)" has an empty value in its middle and "in (a,,)" at its end.
class Reader {
 public:
  explicit Reader(std::string_view text) : tokens_(tokens_of(text)) {}

  std::optional<std::vector<LabelRequirement>> read() {
    std::vector<LabelRequirement> requirements;
    if (peek().sign == Sign::End) {
      return requirements;
    }
    do {
      LabelRequirement requirement;
      if (!read_requirement(requirement)) {
        return std::nullopt;
      }
      std::ranges::sort(requirement.values);
      const auto repeated = std::ranges::unique(requirement.values);
      requirement.values.erase(repeated.begin(), repeated.end());
      requirements.push_back(std::move(requirement));
    } while (take(Sign::Comma));
    if (peek().sign != Sign::End) {
      report("a comma or the end");
      return std::nullopt;
    }
    return requirements;
  }

  [[nodiscard]] const std::string& error() const { return error_; }

 private:
  bool read_requirement(LabelRequirement& requirement) {
    const bool is_negated = take(Sign::Not);
    if (peek().sign != Sign::Word) {
      return report("a label key");
    }
    requirement.key = next().text;
    if (const std::string problem = problem_of_key(requirement.key); !problem.empty()) {
      error_ = "the label key \"" + requirement.key + "\" is invalid: " + problem;
      return false;
    }
    if (is_negated) {
      requirement.relation = LabelOperator::DoesNotExist;
      return true;
    }
    return peek().sign == Sign::End || peek().sign == Sign::Comma || read_condition(requirement);
  }

  bool read_condition(LabelRequirement& requirement) {
    const Token relation = next();
    switch (relation.sign) {
      case Sign::Equals:
        requirement.relation = LabelOperator::In;
        return read_value(requirement);
      case Sign::NotEquals:
        requirement.relation = LabelOperator::NotIn;
        return read_value(requirement);
      case Sign::Greater:
      case Sign::Less:
        requirement.relation =
            relation.sign == Sign::Greater ? LabelOperator::GreaterThan : LabelOperator::LessThan;
        return read_value(requirement) && is_number(requirement.values.front());
      default:
        break;
    }
    if (relation.text != "in" && relation.text != "notin") {
      --place_;
      return report("an operator behind the key " + requirement.key);
    }
    requirement.relation = relation.text == "in" ? LabelOperator::In : LabelOperator::NotIn;
    return read_values(requirement);
  }

  /// "key=" asks for the empty value.
  bool read_value(LabelRequirement& requirement) {
    if (peek().sign == Sign::End || peek().sign == Sign::Comma) {
      return put_value(requirement, "");
    }
    return peek().sign == Sign::Word ? put_value(requirement, next().text)
                                     : report("a label value");
  }

  bool read_values(LabelRequirement& requirement) {
    if (!take(Sign::Open)) {
      return report("values in parentheses");
    }
    if (take(Sign::Close)) {
      return put_value(requirement, "");
    }
    while (true) {
      if (peek().sign == Sign::Word) {
        if (!put_value(requirement, next().text)) {
          return false;
        }
        if (take(Sign::Close)) {
          return true;
        }
        if (peek().sign != Sign::Comma) {
          return report("a comma or a closing parenthesis");
        }
      } else if (take(Sign::Comma)) {
        // An empty value is one before the first comma, between two, and behind the last.
        const bool is_last = peek().sign == Sign::Close;
        const bool is_doubled = peek().sign == Sign::Comma;
        if (requirement.values.empty() || is_last || is_doubled) {
          requirement.values.emplace_back();
        }
        if (is_last) {
          return take(Sign::Close);
        }
      } else {
        return report("a comma or a label value");
      }
    }
  }

  bool put_value(LabelRequirement& requirement, std::string_view value) {
    requirement.values.emplace_back(value);
    const std::string problem = problem_of_value(value);
    if (!problem.empty()) {
      error_ = "the label value \"" + std::string(value) + "\" is invalid: " + problem;
    }
    return problem.empty();
  }

  bool is_number(const std::string& value) {
    if (!integer_in(value)) {
      error_ = "the value \"" + value + "\" is compared as a number, so it must be an integer";
      return false;
    }
    return true;
  }

  bool report(std::string_view expected) {
    error_ = "expected " + std::string(expected) + ", found " +
             (peek().sign == Sign::End ? "the end" : "\"" + std::string(peek().text) + "\"");
    return false;
  }

  [[nodiscard]] const Token& peek() const { return tokens_[place_]; }
  const Token& next() { return tokens_[place_++]; }
  bool take(Sign sign) {
    const bool is_there = peek().sign == sign && sign != Sign::End;
    place_ += is_there ? 1 : 0;
    return is_there;
  }

  std::vector<Token> tokens_;
  std::size_t place_ = 0;
  std::string error_;
};

}  // namespace

bool LabelRequirement::matches(const Labels& labels) const {
  const auto found = labels.find(key);
  const bool exists = found != labels.end();
  const auto is_listed = [&] { return std::ranges::binary_search(values, found->second); };
  switch (relation) {
    case LabelOperator::In:
      return exists && is_listed();
    case LabelOperator::NotIn:
      return !exists || !is_listed();
    case LabelOperator::Exists:
      return exists;
    case LabelOperator::DoesNotExist:
      return !exists;
    case LabelOperator::GreaterThan:
    case LabelOperator::LessThan:
      break;
  }
  const std::optional<std::int64_t> actual = exists ? integer_in(found->second) : std::nullopt;
  const std::optional<std::int64_t> bound = integer_in(values.front());
  return actual && bound &&
         (relation == LabelOperator::GreaterThan ? *actual > *bound : *actual < *bound);
}

LabelSelector LabelSelector::nothing() {
  LabelSelector selector;
  selector.nothing_ = true;
  return selector;
}

LabelSelector LabelSelector::from(const Labels& labels) {
  LabelSelector selector;
  for (const auto& [key, value] : labels) {
    selector.requirements_.push_back(
        {.key = key, .relation = LabelOperator::In, .values = {value}});
  }
  return selector;
}

Result<LabelSelector> LabelSelector::parse(std::string_view text) {
  if (text.empty()) {
    return LabelSelector();  // the usual one, of all
  }
  Reader reader(text);
  std::optional<std::vector<LabelRequirement>> requirements = reader.read();
  if (!requirements) {
    return Error{.message = "the label selector \"" + std::string(text) +
                            "\" makes no sense: " + reader.error()};
  }
  LabelSelector selector;
  selector.requirements_ = *std::move(requirements);
  return selector;
}

bool LabelSelector::matches(const Labels& labels) const {
  return !nothing_ && std::ranges::all_of(requirements_, [&](const LabelRequirement& requirement) {
    return requirement.matches(labels);
  });
}

}  // namespace watchlab::api
