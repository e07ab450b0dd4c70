#include "core/api/label_selector.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace watchlab::api {

namespace {

bool is_alphanumeric(char sign) {
  return (sign >= 'a' && sign <= 'z') || (sign >= 'A' && sign <= 'Z') ||
         (sign >= '0' && sign <= '9');
}

/// What a label's value, or the name in its key, may be: 63 signs, with a letter or digit at both
/// ends.
bool is_label_text(std::string_view text) {
  constexpr std::size_t kSizeMax = 63;
  const auto may_stand_inside = [](char sign) {
    return is_alphanumeric(sign) || sign == '-' || sign == '_' || sign == '.';
  };
  return !text.empty() && text.size() <= kSizeMax && is_alphanumeric(text.front()) &&
         is_alphanumeric(text.back()) && std::ranges::all_of(text, may_stand_inside);
}

bool is_label_key(std::string_view text) {
  constexpr std::size_t kPrefixMax = 253;
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) {
    return is_label_text(text);
  }
  const std::string_view prefix = text.substr(0, slash);
  const auto may_stand_in_domain = [](char sign) {
    return is_alphanumeric(sign) || sign == '-' || sign == '.';
  };
  return !prefix.empty() && prefix.size() <= kPrefixMax &&
         std::ranges::all_of(prefix, may_stand_in_domain) && is_label_text(text.substr(slash + 1));
}

/// Reads a selector from left to right.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::optional<std::vector<LabelRequirement>> read() {
    std::vector<LabelRequirement> requirements;
    skip_space();
    if (at_end()) {
      return requirements;
    }
    do {
      LabelRequirement requirement;
      if (!read_requirement(requirement)) {
        return std::nullopt;
      }
      std::ranges::sort(requirement.values);
      requirements.push_back(std::move(requirement));
    } while (take(","));
    return at_end() ? std::optional(std::move(requirements)) : std::nullopt;
  }

  [[nodiscard]] const std::string& complaint() const { return complaint_; }

 private:
  bool read_requirement(LabelRequirement& requirement) {
    if (take("!")) {
      requirement.relation = LabelOperator::DoesNotExist;
      return read_key(requirement.key);
    }
    if (!read_key(requirement.key)) {
      return false;
    }
    skip_space();
    if (at_end() || text_[place_] == ',') {
      return true;
    }
    if (take("!=")) {
      requirement.relation = LabelOperator::NotIn;
      return read_value(requirement.values);
    }
    if (take("==") || take("=")) {
      requirement.relation = LabelOperator::In;
      return read_value(requirement.values);
    }
    const std::string_view word = take_word();
    if (word == "in" || word == "notin") {
      requirement.relation = word == "in" ? LabelOperator::In : LabelOperator::NotIn;
      return read_values(requirement.values);
    }
    return complain("an operator behind the key " + requirement.key);
  }

  bool read_key(std::string& key) {
    key = take_word();
    return is_label_key(key) || complain("a label key, found \"" + key + "\"");
  }

  bool read_value(std::vector<std::string>& values) {
    // "key=" asks for the empty value.
    const std::string value(take_word());
    values.push_back(value);
    return value.empty() || is_label_text(value) ||
           complain("a label value, found \"" + value + "\"");
  }

  bool read_values(std::vector<std::string>& values) {
    if (!take("(")) {
      return complain("values in parentheses");
    }
    do {
      if (!read_value(values)) {
        return false;
      }
    } while (take(","));
    return take(")") || complain("a closing parenthesis");
  }

  bool complain(std::string expected) {
    complaint_ = "expected " + std::move(expected);
    return false;
  }

  void skip_space() {
    while (!at_end() && (text_[place_] == ' ' || text_[place_] == '\t')) {
      ++place_;
    }
  }
  bool take(std::string_view sign) {
    skip_space();
    if (!text_.substr(place_).starts_with(sign)) {
      return false;
    }
    place_ += sign.size();
    skip_space();
    return true;
  }
  std::string_view take_word() {
    skip_space();
    const std::size_t start = place_;
    while (!at_end() &&
           std::string_view(" \t,()!=<>").find(text_[place_]) == std::string_view::npos) {
      ++place_;
    }
    return text_.substr(start, place_ - start);
  }
  [[nodiscard]] bool at_end() const { return place_ == text_.size(); }

  std::string_view text_;
  std::size_t place_ = 0;
  std::string complaint_ = "expected the end";
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
  }
  return false;
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
  Reader reader(text);
  std::optional<std::vector<LabelRequirement>> requirements = reader.read();
  if (!requirements) {
    return Error{.message = "the label selector \"" + std::string(text) +
                            "\" makes no sense: " + reader.complaint()};
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
