#include "core/api/field_selector.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace watchlab::api {

namespace {

constexpr std::string_view kName = "metadata.name";
constexpr std::string_view kNamespace = "metadata.namespace";

/// The terms between commas that no backslash protects.
std::vector<std::string_view> terms_of(std::string_view text) {
  std::vector<std::string_view> terms;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == ',') {
      terms.push_back(text.substr(start, i - start));
      start = i + 1;
    }
  }
  terms.push_back(text.substr(std::min(start, text.size())));
  return terms;
}

std::optional<std::string> unescaped(std::string_view value) {
  std::string plain;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i] == '=') {
      return std::nullopt;
    }
    if (value[i] == '\\') {
      ++i;
      if (i == value.size() || std::string_view("\\,=").find(value[i]) == std::string_view::npos) {
        return std::nullopt;
      }
    }
    plain += value[i];
  }
  return plain;
}

std::optional<FieldRequirement> requirement_in(std::string_view term) {
  // An exclamation mark that no equals sign follows belongs to the field.
  const std::size_t sign = std::min(term.find('='), term.find("!="));
  if (sign == std::string_view::npos) {
    return std::nullopt;
  }
  FieldRequirement requirement;
  requirement.field = term.substr(0, sign);
  term.remove_prefix(sign);
  requirement.equal = !term.starts_with('!');
  term.remove_prefix(term.starts_with("==") || !requirement.equal ? 2 : 1);
  std::optional<std::string> value = unescaped(term);
  if (!value) {
    return std::nullopt;
  }
  requirement.value = *std::move(value);
  return requirement;
}

}  // namespace

Result<std::vector<FieldRequirement>> parse_field_requirements(std::string_view text) {
  std::vector<FieldRequirement> requirements;
  if (text.empty()) {
    return requirements;  // the usual one, of all
  }
  for (const std::string_view term : terms_of(text)) {
    if (term.empty()) {
      continue;  // as the original: a comma too many is no error
    }
    std::optional<FieldRequirement> requirement = requirement_in(term);
    if (!requirement) {
      return Error{.message = "the field selector \"" + std::string(text) +
                              "\" makes no sense at \"" + std::string(term) + "\""};
    }
    requirements.push_back(*std::move(requirement));
  }
  return requirements;
}

Result<FieldSelector> FieldSelector::parse(std::string_view text) {
  const Result<std::vector<FieldRequirement>> requirements = parse_field_requirements(text);
  if (!requirements) {
    return requirements.error();
  }
  FieldSelector selector;
  for (const FieldRequirement& requirement : *requirements) {
    if (requirement.field.empty() && requirement.value.empty()) {
      continue;  // "=" asks for nothing there, and gets it
    }
    if (requirement.field != kName && requirement.field != kNamespace) {
      return Error{.message = "field label not supported: " + requirement.field};
    }
    selector.requirements_.push_back(requirement);
  }
  return selector;
}

bool FieldSelector::matches(const ObjectMeta& metadata) const {
  return std::ranges::all_of(requirements_, [&](const FieldRequirement& requirement) {
    const std::string& value = requirement.field == kName ? metadata.name : metadata.namespace_;
    return (value == requirement.value) == requirement.equal;
  });
}

}  // namespace watchlab::api
