#include "sim/apiserver/object_filter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <utility>

#include "sim/apiserver/managed_fields.hpp"
#include "sim/apiserver/status_bodies.hpp"

namespace watchlab::sim {
namespace {

std::string to_string(const boost::json::value& value) {
  return value.is_string() ? std::string(value.get_string()) : boost::json::serialize(value);
}

}  // namespace

api::Result<FieldQuery> FieldQuery::parse(std::string_view text) {
  api::Result<std::vector<api::FieldRequirement>> read = api::parse_field_requirements(text);
  const auto names_no_field = [](const api::FieldRequirement& each) { return each.field.empty(); };
  if (!read || std::ranges::any_of(*read, names_no_field)) {
    return api::error_from(api::failure(api::StatusReason::BadRequest,
                                        "unable to parse field selector: " + std::string(text)));
  }
  FieldQuery query;
  query.conditions_ = *std::move(read);
  return query;
}

bool FieldQuery::matches(const api::Object& object) const {
  return std::all_of(conditions_.begin(), conditions_.end(),
                     [&](const api::FieldRequirement& each) {
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
  // The only flags with field selectors, of Nodes and Pods: an unset one is left out of the body.
  const bool is_flag = path == "spec.unschedulable" || path == "spec.hostNetwork";
  boost::system::error_code error;
  const boost::json::value body =
      boost::json::parse(object.body, error, {}, {.max_depth = kJsonDepthMax});
  const boost::json::value* at = error ? nullptr : &body;
  while (at != nullptr && !path.empty()) {
    const std::string_view step = path.substr(0, path.find('.'));
    path.remove_prefix(std::min(step.size() + 1, path.size()));
    at = at->is_object() ? at->get_object().if_contains({step.data(), step.size()}) : nullptr;
  }
  return at != nullptr ? to_string(*at) : is_flag ? "false" : "";
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

bool names_one_object(const ResourceType& type, const std::string& namespace_name,
                      const api::ListOptions& options) {
  if (options.field_selector.empty() || !options.continue_token.empty() ||
      (type.namespaced && namespace_name.empty())) {
    return false;
  }
  const auto conditions = api::parse_field_requirements(options.field_selector);
  return conditions && std::ranges::any_of(*conditions, [](const api::FieldRequirement& each) {
           return each.equal && each.field == "metadata.name" && !each.value.empty();
         });
}

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
  for (const api::FieldRequirement& each : fields->conditions()) {
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
