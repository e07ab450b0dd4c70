#include "sim/apiserver/applied_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "sim/apiserver/managed_fields.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;

/// What a value is made of, as far as its parts can belong to different writers.
enum class Shape : std::uint8_t { Whole, Members, KeyedElements, SetElements };

bool all_have(const json::array& list, std::string_view key) {
  return std::all_of(list.begin(), list.end(), [key](const json::value& each) {
    return each.is_object() && each.get_object().contains(key);
  });
}

bool all_strings(const json::array& list) {
  return std::all_of(list.begin(), list.end(),
                     [](const json::value& each) { return each.is_string(); });
}

Shape shape_of(std::string_view name, const json::value& value) {
  if (value.is_object()) {
    const bool whole = value.get_object().empty() || is_atomic_object(name);
    return whole ? Shape::Whole : Shape::Members;
  }
  if (!value.is_array() || value.get_array().empty()) {
    return Shape::Whole;
  }
  const std::optional<std::string_view> key = merge_key_of(name);
  if (key && all_have(value.get_array(), *key)) {
    return Shape::KeyedElements;
  }
  const bool set = is_set_of_strings(name) && all_strings(value.get_array());
  return set ? Shape::SetElements : Shape::Whole;
}

/// A part of a value: the step that leads to it, its name if it is a member, and itself.
struct Part {
  std::string step;
  std::string_view name;
  const json::value* value = nullptr;
};

std::string step_to(const json::value& element, std::string_view key) {
  return "k:" + json::serialize(json::object{{key, element.get_object().at(key)}});
}

std::vector<Part> parts_of(std::string_view name, const json::value& value) {
  std::vector<Part> parts;
  switch (shape_of(name, value)) {
    case Shape::Whole:
      break;
    case Shape::Members:
      for (const auto& [member, below] : value.get_object()) {
        parts.push_back({"f:" + std::string(member), member, &below});
      }
      break;
    case Shape::KeyedElements:
      for (const json::value& element : value.get_array()) {
        parts.push_back({step_to(element, *merge_key_of(name)), "", &element});
      }
      break;
    case Shape::SetElements:
      for (const json::value& element : value.get_array()) {
        parts.push_back({"v:" + json::serialize(element), "", &element});
      }
      break;
  }
  return parts;
}

FieldPath longer(FieldPath path, const std::string& step) {
  path.push_back(step);
  return path;
}

/// A list whose elements have owners, without any: nothing that could be owned.
bool is_list_of_none(const Part& part) {
  const bool by_elements = merge_key_of(part.name).has_value() || is_set_of_strings(part.name);
  return by_elements && part.value->is_array() && part.value->get_array().empty();
}

bool is_element(const FieldPath& path) { return !path.empty() && path.back().starts_with("k:"); }

void collect(const Part& part, const FieldPath& path, FieldSet& fields) {
  const std::vector<Part> parts = parts_of(part.name, *part.value);
  // The path to the whole object is no field, also when the object is empty.
  const bool is_field = (parts.empty() && !is_list_of_none(part)) || is_element(path);
  if (!path.empty() && is_field) {
    fields.insert(path);
  }
  for (const Part& each : parts) {
    collect(each, longer(path, each.step), fields);
  }
}

/// The objects and lists with parts in `part`, itself included.
void collect_begun(const Part& part, const FieldPath& path, FieldSet& begun) {
  const std::vector<Part> parts = parts_of(part.name, *part.value);
  if (!parts.empty()) {
    begun.insert(path);
  }
  for (const Part& each : parts) {
    collect_begun(each, longer(path, each.step), begun);
  }
}

bool is_empty(const json::value& value) {
  return (value.is_object() && value.get_object().empty()) ||
         (value.is_array() && value.get_array().empty());
}

/// Whether two values are one object or list, into or out of which only parts have come: one of
/// them is empty, or null, which is what stays of an emptied one.
bool differ_in_parts_alone(const json::value& before, const json::value& after) {
  return before.is_null() || after.is_null() ||
         (before.kind() == after.kind() && (is_empty(before) || is_empty(after)));
}

void compare(const Part& before, const Part& after, const FieldPath& path, FieldChanges& changes) {
  const Shape shape = shape_of(after.name, *after.value);
  const bool same_shape = shape == shape_of(before.name, *before.value);
  if (!same_shape && !differ_in_parts_alone(*before.value, *after.value)) {
    collect(before, path, changes.removed);
    collect(after, path, changes.changed);
    return;
  }
  if (same_shape && shape == Shape::Whole) {
    if (*before.value != *after.value) {
      changes.changed.insert(path);
    }
    return;
  }
  std::vector<Part> old_parts = parts_of(before.name, *before.value);
  for (const Part& part : parts_of(after.name, *after.value)) {
    const auto old = std::find_if(old_parts.begin(), old_parts.end(),
                                  [&part](const Part& each) { return each.step == part.step; });
    if (old == old_parts.end()) {
      collect(part, longer(path, part.step), changes.changed);
      collect_begun(part, longer(path, part.step), changes.begun);
    } else {
      compare(*old, part, longer(path, part.step), changes);
      old_parts.erase(old);
    }
  }
  for (const Part& part : old_parts) {
    collect(part, longer(path, part.step), changes.removed);
  }
}

/// An empty object or list asks for something to be there, not for what is there to go.
bool asks_for_no_more(std::string_view name, const json::value& target, const json::value& wanted) {
  return is_empty(wanted) && wanted.kind() == target.kind() &&
         shape_of(name, target) != Shape::Whole;
}

void merge_configuration(std::string_view name, json::value& target, const json::value& wanted);

/// Elements that both have stand as the wanted list has them. What only one has comes as soon as it
/// is its turn, that of the target first.
void merge_elements(std::string_view name, json::array& target, const json::array& wanted) {
  const std::optional<std::string_view> key = merge_key_of(name);
  const auto same = [&key](const json::value& a, const json::value& b) {
    return key ? a.get_object().at(*key) == b.get_object().at(*key) : a == b;
  };
  const auto find_in = [&same](const json::array& list, const json::value& element) {
    return std::ranges::find_if(list, [&](const json::value& each) { return same(each, element); });
  };
  json::array merged;
  const auto* live = target.begin();
  const auto* next = wanted.begin();
  while (live != target.end() || next != wanted.end()) {
    if (live != target.end() && find_in(wanted, *live) == wanted.end()) {
      merged.push_back(*live++);
    } else if (next == wanted.end()) {
      ++live;
    } else if (const auto* present = find_in(target, *next); present == target.end()) {
      merged.push_back(*next++);
    } else if (live != target.end() && !same(*live, *next)) {
      ++live;
    } else {
      merged.push_back(*present);
      merge_configuration("", merged.back(), *next++);
      live += live == target.end() ? 0 : 1;
    }
  }
  target = std::move(merged);
}

void merge_configuration(std::string_view name, json::value& target, const json::value& wanted) {
  const Shape shape = shape_of(name, wanted);
  if (shape == Shape::Whole || shape != shape_of(name, target)) {
    if (!asks_for_no_more(name, target, wanted)) {
      target = wanted;
    }
    return;
  }
  if (shape != Shape::Members) {
    merge_elements(name, target.get_array(), wanted.get_array());
    return;
  }
  json::object& members = target.get_object();
  for (const auto& [member, value] : wanted.get_object()) {
    if (json::value* present = members.if_contains(member)) {
      merge_configuration(member, *present, value);
    } else {
      members.emplace(member, value);
    }
  }
}

/// Takes fields out of a document.
class Pruning {
 public:
  Pruning(const FieldSet& gone, const FieldSet& kept, bool leaves_nulls)
      : gone_(gone), kept_(kept), leaves_nulls_(leaves_nulls) {}

  /// Prunes a value. True when it shall go as a whole.
  bool goes(std::string_view name, json::value& value, const FieldPath& path) const {
    if (gone_.contains(path) && !kept_.reaches(path)) {
      return true;
    }
    if (!gone_.reaches(path)) {
      return false;
    }
    switch (shape_of(name, value)) {
      case Shape::Whole:
        return false;
      case Shape::Members:
        prune_members(value.get_object(), path);
        return value.get_object().empty() && goes_empty(value, path);
      case Shape::KeyedElements:
      case Shape::SetElements:
        prune_elements(name, value, path);
        return value.get_array().empty() && goes_empty(value, path);
    }
    return false;
  }

 private:
  void prune_members(json::object& members, const FieldPath& path) const {
    std::vector<std::string> doomed;
    for (auto& [member, value] : members) {
      const FieldPath below = longer(path, "f:" + std::string(member));
      if (!is_key_of(path, member) && goes(member, value, below)) {
        doomed.emplace_back(member);
      }
    }
    for (const std::string& member : doomed) {
      members.erase(member);
    }
  }

  void prune_elements(std::string_view name, json::value& list, const FieldPath& path) const {
    json::array rest;
    const std::vector<Part> parts = parts_of(name, list);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      json::value element = *parts[i].value;
      if (!goes("", element, longer(path, parts[i].step))) {
        rest.push_back(std::move(element));
      }
    }
    list = std::move(rest);
  }

  /// Whether a value that has become empty goes; null may stay for one that does not.
  bool goes_empty(json::value& value, const FieldPath& path) const {
    const bool stays = kept_.reaches(path);
    if (stays && leaves_nulls_ && path.front() != "f:metadata") {
      value = nullptr;
    }
    return !stays;
  }

  /// An element that stays keeps the member by which it is known.
  static bool is_key_of(const FieldPath& path, std::string_view member) {
    return is_element(path) &&
           path.back().starts_with(fmt::format("k:{{{}:", json::serialize(json::string(member))));
  }

  const FieldSet& gone_;
  const FieldSet& kept_;
  bool leaves_nulls_;
};

/// The first key that two elements of one list have: ".spec.containers: ... [name=\"web\"]".
std::optional<std::string> repeated_key(const Part& part, const FieldPath& path) {
  std::set<std::string> seen;
  for (const Part& each : parts_of(part.name, *part.value)) {
    if (!seen.insert(each.step).second) {
      return fmt::format("{}: duplicate entries for key {}", path_text(path),
                         path_text({each.step}));
    }
    if (std::optional<std::string> below = repeated_key(each, longer(path, each.step))) {
      return below;
    }
  }
  return std::nullopt;
}

void drop_nulls(json::value& value) {
  if (value.is_array()) {
    for (json::value& each : value.get_array()) {
      drop_nulls(each);
    }
  } else if (value.is_object()) {
    std::vector<std::string> nulls;
    for (auto& [member, below] : value.get_object()) {
      if (below.is_null()) {
        nulls.emplace_back(member);
      } else {
        drop_nulls(below);
      }
    }
    for (const std::string& member : nulls) {
      value.get_object().erase(member);
    }
  }
}

/// The part of an object whose fields can be owned.
json::value owned_part(const std::string& text) {
  constexpr std::array<std::string_view, 10> kOfTheServer{
      "name", "namespace",  "creationTimestamp", "deletionTimestamp", "selfLink",
      "uid",  "generation", "managedFields",     "resourceVersion",   "clusterName"};
  json::value value = object_in(text);
  json::object& members = value.get_object();
  members.erase("apiVersion");
  members.erase("kind");
  json::value* metadata = members.if_contains("metadata");
  if (metadata != nullptr && metadata->is_object()) {
    for (const std::string_view name : kOfTheServer) {
      metadata->get_object().erase(name);
    }
    if (metadata->get_object().empty()) {
      members.erase("metadata");
    }
  }
  return value;
}

}  // namespace

FieldSet fields_in(const std::string& object) {
  json::value value = owned_part(object);
  drop_nulls(value);
  FieldSet fields;
  collect({"", "", &value}, {}, fields);
  return fields;
}

FieldChanges field_changes(const std::string& before, const std::string& after) {
  const json::value old_value = owned_part(before);
  const json::value new_value = owned_part(after);
  FieldChanges changes;
  compare({"", "", &old_value}, {"", "", &new_value}, {}, changes);
  return changes;
}

std::string with_configuration(const std::string& object, const std::string& configuration) {
  json::value merged = object_in(object);
  json::value wanted = object_in(configuration);
  drop_nulls(wanted);
  merge_configuration("", merged, wanted);
  return json::serialize(merged);
}

std::string without_fields(const std::string& object, const FieldSet& gone, const FieldSet& kept,
                           bool leaves_nulls) {
  json::value rest = object_in(object);
  (void)Pruning(gone, kept, leaves_nulls).goes("", rest, {});
  return json::serialize(rest);
}

api::Result<void> check_keys(const std::string& configuration) {
  const json::value value = object_in(configuration);
  if (const std::optional<std::string> repeated = repeated_key({"", "", &value}, {})) {
    api::Status status;
    status.code = 500;
    status.message = "failed to create typed patch object: " + *repeated;
    return api::error_from(std::move(status));
  }
  return {};
}

}  // namespace watchlab::sim
