#include "core/api/json.hpp"

#include "core/api/json_writer.hpp"

namespace watchlab::api {

namespace {

void append_labels(std::string& out, JsonMemberWriter& outer, std::string_view key,
                   const Labels& labels) {
  if (labels.empty()) {
    return;
  }
  outer.start(key);
  JsonMemberWriter writer(out);
  for (const auto& [name, value] : labels) {
    writer.start(name);
    append_json_string(out, value);
  }
  writer.finish();
}

void append_metadata(std::string& out, const ObjectMeta& metadata) {
  JsonMemberWriter writer(out);
  writer.text("name", metadata.name);
  writer.text("generateName", metadata.generate_name);
  writer.text("namespace", metadata.namespace_);
  writer.text("uid", metadata.uid);
  writer.text("resourceVersion", metadata.resource_version);
  if (metadata.generation != 0) {
    writer.number("generation", metadata.generation);
  }
  writer.text("creationTimestamp", metadata.creation_timestamp);
  writer.text("deletionTimestamp", metadata.deletion_timestamp);
  append_labels(out, writer, "labels", metadata.labels);
  append_labels(out, writer, "annotations", metadata.annotations);
  if (!metadata.finalizers.empty()) {
    writer.start("finalizers");
    append_json_array(out, metadata.finalizers,
                      [&out](std::string_view text) { append_json_string(out, text); });
  }
  writer.members_of(metadata.other_members);
  writer.finish();
}

void append_object(std::string& out, const Object& object) {
  JsonMemberWriter writer(out);
  writer.text("kind", object.kind);
  writer.text("apiVersion", object.api_version);
  writer.start("metadata");
  append_metadata(out, object.metadata);
  writer.members_of(object.body);
  writer.finish();
}

}  // namespace

std::string to_json(const Object& object) {
  std::string out;
  out.reserve(object.body.size() + object.metadata.other_members.size() + 256);
  append_object(out, object);
  return out;
}

std::string to_json(const ObjectList& list) {
  std::string out;
  JsonMemberWriter writer(out);
  writer.text("kind", list.kind);
  writer.text("apiVersion", list.api_version);
  writer.start("metadata");
  JsonMemberWriter metadata(out);
  metadata.text("resourceVersion", list.resource_version);
  metadata.text("continue", list.continue_token);
  if (list.remaining_item_count) {
    metadata.number("remainingItemCount", *list.remaining_item_count);
  }
  metadata.finish();
  writer.start("items");
  append_json_array(out, list.items, [&out](const ObjectPtr& item) { append_object(out, *item); });
  writer.finish();
  return out;
}

}  // namespace watchlab::api
