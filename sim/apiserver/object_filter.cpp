#include "sim/apiserver/object_filter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/apiserver/status_bodies.hpp"

namespace watchlab::sim {

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
