#include "sim/apiserver/object_filter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <optional>
#include <utility>

#include "sim/apiserver/status_bodies.hpp"

namespace watchlab::sim {
namespace {

/// Cuts at commas that are not escaped.
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
  std::erase(terms, std::string_view());
  return terms;
}

/// The value without its escapes; nothing when something that must be escaped is not.
std::optional<std::string> unescaped(std::string_view value) {
  std::string plain;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i] == '=' || (value[i] == '\\' && ++i == value.size())) {
      return std::nullopt;
    }
    plain.push_back(value[i]);
  }
  return plain;
}

std::optional<FieldCondition> condition(std::string_view term) {
  const std::size_t sign = term.find('=');
  if (sign == std::string_view::npos || sign == 0) {
    return std::nullopt;
  }
  const bool unequal = term[sign - 1] == '!';
  const bool doubled = !unequal && term.substr(sign).starts_with("==");
  std::optional<std::string> value = unescaped(term.substr(sign + (doubled ? 2 : 1)));
  const std::string_view field = term.substr(0, unequal ? sign - 1 : sign);
  if (!value || field.empty()) {
    return std::nullopt;
  }
  return FieldCondition{std::string(field), !unequal, std::move(*value)};
}

std::string to_string(const boost::json::value& value) {
  return value.is_string() ? std::string(value.get_string()) : boost::json::serialize(value);
}

}  // namespace

api::Result<FieldQuery> FieldQuery::parse(std::string_view text) {
  FieldQuery selector;
  for (const std::string_view term : terms_of(text)) {
    std::optional<FieldCondition> next = condition(term);
    if (!next) {
      return api::error_from(api::failure(api::StatusReason::BadRequest,
                                          "unable to parse field selector: " + std::string(text)));
    }
    selector.conditions_.push_back(std::move(*next));
  }
  return selector;
}

bool FieldQuery::matches(const api::Object& object) const {
  return std::all_of(conditions_.begin(), conditions_.end(), [&](const FieldCondition& each) {
    return (field_of(object, each.field) == each.value) == each.equal;
  });
}

std::string field_of(const api::Object& object, std::string_view path) {
  if (path == "metadata.name") {
    return object.metadata.name;
  }
  if (path == "metadata.namespace") {
    return object.metadata.namespace_;
  }
  boost::system::error_code error;
  const boost::json::value body = boost::json::parse(object.body, error);
  const boost::json::value* at = error ? nullptr : &body;
  while (at != nullptr && !path.empty()) {
    const std::string_view step = path.substr(0, path.find('.'));
    path.remove_prefix(std::min(step.size() + 1, path.size()));
    at = at->is_object() ? at->get_object().if_contains({step.data(), step.size()}) : nullptr;
  }
  return at == nullptr ? std::string() : to_string(*at);
}

namespace {

bool offers(const ResourceType& type, const std::string& field) {
  return field == "metadata.name" || (field == "metadata.namespace" && type.namespaced) ||
         std::find(type.selectable_fields.begin(), type.selectable_fields.end(), field) !=
             type.selectable_fields.end();
}

/// Collections with fields of their own say less than those without.
std::string refusal_of(const ResourceType& type, const std::string& field) {
  return type.selectable_fields.empty()
             ? fmt::format(
                   "\"{}\" is not a known field selector: only \"metadata.name\", "
                   "\"metadata.namespace\"",
                   field)
             : "field label not supported: " + field;
}

}  // namespace

api::Result<ObjectFilter> ObjectFilter::from(const ResourceType& type,
                                             const std::string& namespace_name,
                                             const api::ListOptions& options) {
  api::Result<api::LabelSelector> labels = api::LabelSelector::parse(options.label_selector);
  if (!labels) {
    return api::error_from(status_bodies::bad_request(labels.error().message));
  }
  api::Result<FieldQuery> fields = FieldQuery::parse(options.field_selector);
  if (!fields) {
    return fields.error();
  }
  for (const FieldCondition& each : fields->conditions()) {
    if (!offers(type, each.field)) {
      return api::error_from(status_bodies::bad_request(refusal_of(type, each.field)));
    }
  }
  ObjectFilter filter;
  filter.namespace_ = namespace_name;
  filter.labels_ = *std::move(labels);
  filter.fields_ = *std::move(fields);
  return filter;
}

bool ObjectFilter::matches(const api::Object& object) const {
  return (namespace_.empty() || object.metadata.namespace_ == namespace_) &&
         labels_.matches(object.metadata.labels) && (fields_.empty() || fields_.matches(object));
}

}  // namespace watchlab::sim
