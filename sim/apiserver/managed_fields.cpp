#include "sim/apiserver/managed_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <tuple>
#include <utility>

namespace watchlab::sim {

namespace {

namespace json = boost::json;

constexpr const char* kMember = "managedFields";

json::object other_members_of(const api::ObjectMeta& metadata) {
  boost::system::error_code error;
  const std::string& text = metadata.other_members;
  json::value value = json::parse(text.empty() ? "{}" : text, error);
  return !error && value.is_object() ? std::move(value.get_object()) : json::object();
}

/// The list of entries as it stands; empty when there is none.
json::array listed(const api::ObjectMeta& metadata) {
  if (metadata.other_members.empty()) {
    return {};
  }
  json::object members = other_members_of(metadata);
  json::value* list = members.if_contains(kMember);
  return list != nullptr && list->is_array() ? std::move(list->get_array()) : json::array();
}

std::string text_in(const json::object& entry, std::string_view member) {
  const json::value* value = entry.if_contains(member);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : "";
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
  object.emplace("fieldsV1", json::parse(entry.fields.to_json()));
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
  json::object members = other_members_of(metadata);
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
