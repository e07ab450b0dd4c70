#include "sim/apiserver/managed_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <tuple>
#include <utility>

namespace watchlab::sim {

boost::json::object object_in(std::string_view text) {
  boost::system::error_code error;
  boost::json::value value = boost::json::parse(text, error, {}, {.max_depth = kJsonDepthMax});
  return !error && value.is_object() ? std::move(value.get_object()) : boost::json::object();
}

std::string text_in(const boost::json::object& object, std::string_view member) {
  const boost::json::value* value = object.if_contains(member);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : "";
}

std::optional<std::string_view> merge_key_of(std::string_view list) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 12> keys{{
      {"containers", "name"},
      {"initContainers", "name"},
      {"ephemeralContainers", "name"},
      {"env", "name"},
      {"volumes", "name"},
      {"imagePullSecrets", "name"},
      {"secrets", "name"},
      {"volumeMounts", "mountPath"},
      {"ports", "containerPort"},
      {"conditions", "type"},
      {"addresses", "type"},
      {"ownerReferences", "uid"},
  }};
  const auto* found = std::find_if(keys.begin(), keys.end(),
                                   [list](const auto& each) { return each.first == list; });
  return found == keys.end() ? std::nullopt : std::optional(found->second);
}

bool is_set_of_strings(std::string_view list) { return list == "finalizers"; }

bool is_atomic_object(std::string_view member) {
  return member == "selector" || member == "nodeSelector";
}

namespace {

namespace json = boost::json;

/// "name=\"web\"": what is between the brackets for an element with a key.
std::string key_text(std::string_view key) {
  std::string text;
  for (const auto& [name, value] : object_in(key)) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", std::string_view(name),
                        json::serialize(value));
  }
  return text;
}

bool begins_with(const FieldPath& path, const FieldPath& start) {
  return path.size() >= start.size() && std::equal(start.begin(), start.end(), path.begin());
}

void read_below(const json::object& node, const FieldPath& path, FieldSet& set) {
  if (!path.empty() && (node.empty() || node.contains("."))) {
    set.insert(path);
  }
  for (const auto& [step, below] : node) {
    if (step != "." && below.is_object()) {
      FieldPath longer = path;
      longer.emplace_back(step);
      read_below(below.get_object(), longer, set);
    }
  }
}

}  // namespace

std::string path_text(const FieldPath& path) {
  std::string text;
  for (const std::string& step : path) {
    const std::string_view rest =
        std::string_view(step).substr(std::min<std::size_t>(2, step.size()));
    if (step.starts_with("f:")) {
      text.append(".").append(rest);
    } else if (step.starts_with("k:")) {
      text += fmt::format("[{}]", key_text(rest));
    } else {
      text += fmt::format("[={}]", rest);
    }
  }
  return text;
}

FieldSet FieldSet::from_json(std::string_view text) {
  FieldSet set;
  read_below(object_in(text), {}, set);
  return set;
}

std::string FieldSet::to_json() const {
  json::object root;
  for (const FieldPath& path : paths_) {
    json::object* node = &root;
    for (const std::string& step : path) {
      // An owned field gets its "." only now that something below it is known.
      const FieldPath here(path.begin(), path.begin() + (&step - path.data()));
      if (!here.empty() && paths_.contains(here)) {
        node->emplace(".", json::object());
      }
      node = &node->emplace(step, json::object()).first->value().get_object();
    }
  }
  return json::serialize(root);
}

bool FieldSet::reaches(const FieldPath& path) const {
  const auto found = paths_.lower_bound(path);
  return found != paths_.end() && begins_with(*found, path);
}

void FieldSet::add(const FieldSet& other) {
  paths_.insert(other.paths_.begin(), other.paths_.end());
}

void FieldSet::subtract(const FieldSet& other) {
  std::erase_if(paths_, [&other](const FieldPath& path) { return other.contains(path); });
}

FieldSet FieldSet::shared_with(const FieldSet& other) const {
  FieldSet shared;
  for (const FieldPath& path : paths_) {
    if (other.contains(path)) {
      shared.insert(path);
    }
  }
  return shared;
}

namespace {

namespace json = boost::json;

constexpr const char* kMember = "managedFields";

/// The list of entries as it stands; empty when there is none.
json::array listed(const api::ObjectMeta& metadata) {
  if (metadata.other_members.empty()) {
    return {};
  }
  json::object members = object_in(metadata.other_members);
  json::value* list = members.if_contains(kMember);
  return list != nullptr && list->is_array() ? std::move(list->get_array()) : json::array();
}

ManagedEntry entry_from(const json::object& entry) {
  const json::value* fields = entry.if_contains("fieldsV1");
  return {.manager = text_in(entry, "manager"),
          .applies = text_in(entry, "operation") == "Apply",
          .api_version = text_in(entry, "apiVersion"),
          .subresource = text_in(entry, "subresource"),
          .time = text_in(entry, "time"),
          .fields = fields == nullptr ? FieldSet() : FieldSet::from_json(json::serialize(*fields))};
}

json::object json_from(const ManagedEntry& entry) {
  json::object object{{"manager", entry.manager},
                      {"operation", entry.applies ? "Apply" : "Update"},
                      {"apiVersion", entry.api_version}};
  if (!entry.time.empty()) {
    object.emplace("time", entry.time);
  }
  object.emplace("fieldsType", "FieldsV1");
  object.emplace("fieldsV1", object_in(entry.fields.to_json()));
  if (!entry.subresource.empty()) {
    object.emplace("subresource", entry.subresource);
  }
  return object;
}

bool stands_before(const ManagedEntry& a, const ManagedEntry& b) {
  // Times are texts of one form, so the texts are in the order of the times.
  return std::forward_as_tuple(!a.applies, a.time, a.manager, a.api_version, a.subresource) <
         std::forward_as_tuple(!b.applies, b.time, b.manager, b.api_version, b.subresource);
}

}  // namespace

bool ManagedEntry::same_writer(const ManagedEntry& other) const {
  return manager == other.manager && applies == other.applies && subresource == other.subresource &&
         (applies || api_version == other.api_version);
}

std::string writer_text(const ManagedEntry& entry) {
  std::string text = json::serialize(json::string(entry.manager));
  if (!entry.subresource.empty()) {
    text += fmt::format(" with subresource \"{}\"", entry.subresource);
  }
  return entry.applies ? text : text + " using " + entry.api_version;
}

ManagedEntries managed_entries_of(const api::ObjectMeta& metadata) {
  ManagedEntries entries;
  for (const json::value& each : listed(metadata)) {
    if (each.is_object() && !each.get_object().empty()) {
      entries.push_back(entry_from(each.get_object()));
    }
  }
  return entries;
}

bool forgets_managers(const api::ObjectMeta& metadata) {
  const json::array list = listed(metadata);
  return list.size() == 1 && list[0].is_object() && list[0].get_object().empty();
}

void set_managed_entries(api::ObjectMeta& metadata, ManagedEntries entries) {
  std::erase_if(entries, [](const ManagedEntry& each) { return each.fields.empty(); });
  std::sort(entries.begin(), entries.end(), stands_before);
  json::object members = object_in(metadata.other_members);
  members.erase(kMember);
  if (!entries.empty()) {
    json::array list;
    for (const ManagedEntry& each : entries) {
      list.push_back(json_from(each));
    }
    members.emplace(kMember, std::move(list));
  }
  metadata.other_members = members.empty() ? "" : json::serialize(members);
}

}  // namespace watchlab::sim
