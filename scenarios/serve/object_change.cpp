#include "scenarios/serve/object_change.hpp"

#include <algorithm>
#include <boost/json.hpp>

#include "core/api/json.hpp"
#include "sim/apiserver/managed_fields.hpp"

namespace watchlab::scenarios {
namespace {

namespace json = boost::json;

/// What the server sets by itself when the object is written again.
void drop_stamps(json::object& object) {
  json::value* const metadata = object.if_contains("metadata");
  for (const char* name : {"resourceVersion", "uid", "generation", "creationTimestamp",
                           "deletionTimestamp", "deletionGracePeriodSeconds", "managedFields"}) {
    if (metadata != nullptr && metadata->is_object()) {
      metadata->as_object().erase(name);
    }
  }
}

json::object content_of(const api::Object& object) {
  json::object content = sim::object_in(api::to_json(object));
  drop_stamps(content);
  return content;
}

/// The merge patch (RFC 7396) that makes the second of the first.
json::object merge_between(const json::object& before, const json::object& after) {
  json::object patch;
  for (const auto& [name, value] : before) {
    if (!after.contains(name)) {
      patch[name] = nullptr;
    }
  }
  for (const auto& [name, value] : after) {
    const json::value* const old = before.if_contains(name);
    if (old != nullptr && *old == value) {
      continue;
    }
    if (old != nullptr && old->is_object() && value.is_object()) {
      patch[name] = merge_between(old->as_object(), value.as_object());
    } else {
      patch[name] = value;
    }
  }
  return patch;
}

/// Whether it is a mapping of texts, as a sketch has them.
bool holds_texts(const json::value& value) {
  return value.is_object() && std::ranges::all_of(value.as_object(), [](const auto& each) {
           return each.value().is_string();
         });
}

}  // namespace

sim::ObjectSketch named_like(const api::Object& object) {
  sim::ObjectSketch sketch;
  sketch.name = object.metadata.name;
  sketch.kind = object.kind;
  if (!object.metadata.namespace_.empty()) {
    sketch.namespace_ = object.metadata.namespace_;
  }
  return sketch;
}

sim::ObjectSketch sketch_from(const api::Object& object) {
  sim::ObjectSketch sketch = named_like(object);
  sketch.labels = object.metadata.labels;
  sketch.annotations = object.metadata.annotations;
  sketch.finalizers.assign(object.metadata.finalizers.begin(), object.metadata.finalizers.end());
  json::object members = content_of(object);
  for (const char* name : {"apiVersion", "kind", "metadata"}) {
    members.erase(name);
  }
  const json::value* const data = members.if_contains("data");
  if (data != nullptr && holds_texts(*data)) {
    sketch.data = sim::data_of(object);
    members.erase("data");
  }
  sketch.body = members.empty() ? "" : json::serialize(members);
  return sketch;
}

ObjectChange change_between(const api::Object& before, const api::Object& after) {
  const json::object patch = merge_between(content_of(before), content_of(after));
  return {.merge = json::serialize(patch),
          .only_status = patch.size() == 1 && patch.contains("status")};
}

}  // namespace watchlab::scenarios
