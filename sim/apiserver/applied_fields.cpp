#include "sim/apiserver/applied_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "sim/apiserver/element_index.hpp"
#include "sim/apiserver/field_shapes.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;

/// Collects the fields of one object.
class Collector {
 public:
  Collector(FieldSet& fields, bool custom) : fields_(fields), custom_(custom) {}

  void collect(const Part& part, const FieldPath& path) {
    const std::vector<Part> parts = parts_of(part.name, *part.value);
    const bool is_leaf = parts.empty() && !is_list_of_none(part);
    const bool is_map = part.value->is_object() && is_item(path, custom_);
    // The path to the whole object is no field, also when the object is empty.
    if (!path.empty() && (is_leaf || is_map)) {
      fields_.insert(path);
    }
    for (const Part& each : parts) {
      collect(each, longer(path, each.step));
    }
  }

 private:
  FieldSet& fields_;
  bool custom_;
};

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

/// Compares two states of one object.
class Comparison {
 public:
  explicit Comparison(bool custom) : custom_(custom) {}

  void compare(const Part& before, const Part& after, const FieldPath& path) {
    const Shape shape = shape_of(after.name, *after.value);
    const bool same_shape = shape == shape_of(before.name, *before.value);
    if (!same_shape && !differ_in_parts_alone(*before.value, *after.value)) {
      removed(before, path);
      Collector(changes_.changed, custom_).collect(after, path);
    } else if (same_shape && shape == Shape::Whole) {
      if (*before.value != *after.value) {
        changes_.changed.insert(path);
      }
    } else {
      compare_parts(before, after, path);
    }
  }

  FieldChanges changes() && { return std::move(changes_); }

 private:
  void compare_parts(const Part& before, const Part& after, const FieldPath& path) {
    const std::vector<Part> parts = parts_of(before.name, *before.value);
    std::multimap<std::string_view, const Part*> old_parts;  // a list may have an element twice
    for (const Part& part : parts) {
      old_parts.emplace(part.step, &part);
    }
    for (const Part& part : parts_of(after.name, *after.value)) {
      const FieldPath below = longer(path, part.step);
      const auto old = old_parts.lower_bound(part.step);
      if (old == old_parts.end() || old->first != part.step) {
        Collector(changes_.changed, custom_).collect(part, below);
        collect_begun(part, below, changes_.begun);
      } else {
        compare(*old->second, part, below);
        old_parts.erase(old);
      }
    }
    for (const auto& [step, part] : old_parts) {
      removed(*part, longer(path, part->step));
    }
  }

  void removed(const Part& part, const FieldPath& path) {
    Collector(changes_.removed, custom_).collect(part, path);
  }

  FieldChanges changes_;
  bool custom_;
};

/// An empty object or list asks for something to be there, not for what is there to go; so does
/// null.
bool asks_for_no_more(std::string_view name, const json::value& target, const json::value& wanted) {
  const bool is_none = is_empty(wanted) && wanted.kind() == target.kind();
  return (is_none || wanted.is_null()) && shape_of(name, target) != Shape::Whole;
}

void merge_configuration(std::string_view name, json::value& target, const json::value& wanted);

/// Elements that both have stand as the wanted list has them. What only one has comes as soon as it
/// is its turn, that of the target first.
void merge_elements(std::string_view name, json::array& target, const json::array& wanted) {
  const std::optional<std::string_view> key = merge_key_of(name);
  const auto same = [&key](const json::value& a, const json::value& b) {
    return key ? a.get_object().at(*key) == b.get_object().at(*key) : a == b;
  };
  const ElementIndex in_target(target, key);
  const ElementIndex in_wanted(wanted, key);
  json::array merged;
  const auto* live = target.begin();
  const auto* next = wanted.begin();
  while (live != target.end() || next != wanted.end()) {
    if (live != target.end() && !in_wanted.contains(*live)) {
      merged.push_back(*live++);
    } else if (next == wanted.end()) {
      ++live;
    } else if (const auto present = in_target.find(*next); !present) {
      merged.push_back(*next++);
    } else if (live != target.end() && !same(*live, *next)) {
      ++live;
    } else {
      merged.push_back(target[*present]);
      merge_configuration(name_of_elements(name), merged.back(), *next++);
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
  Pruning(const FieldSet& gone, const FieldSet& kept, bool custom)
      : gone_(gone), kept_(kept), custom_(custom) {}

  /// Prunes a value. True when it shall go as a whole.
  bool goes(std::string_view name, json::value& value, const FieldPath& path) const {
    if (gone_.contains(path) && !keeps(path)) {
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
        return value.get_array().empty();
    }
    return false;
  }

 private:
  /// An item is kept by who owns itself, and what a schema names also by who owns a part of it.
  bool keeps(const FieldPath& path) const {
    return is_item(path, custom_) ? kept_.contains(path) : kept_.reaches(path);
  }

  void prune_members(json::object& members, const FieldPath& path) const {
    std::vector<std::string> doomed;
    for (auto& [member, value] : members) {
      const FieldPath below = longer(path, "f:" + std::string(member));
      if (goes(member, value, below)) {
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
      if (!goes(name_of_elements(name), element, longer(path, parts[i].step))) {
        rest.push_back(std::move(element));
      }
    }
    list = std::move(rest);
  }

  /// Whether a map that has become empty goes. One that no schema names stays, as null.
  bool goes_empty(json::value& map, const FieldPath& path) const {
    if (is_item(path, custom_) && !is_element(path)) {
      map = nullptr;
      return false;
    }
    return !kept_.reaches(path);
  }

  const FieldSet& gone_;
  const FieldSet& kept_;
  bool custom_;
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

/// Reads nulls as a type does: a text of a map that is null is empty, other members are left out.
void read_nulls(json::object& members, bool holds_texts) {
  std::vector<std::string> nulls;
  for (auto& [name, value] : members) {
    if (value.is_null() && holds_texts) {
      value = "";
    } else if (value.is_null()) {
      nulls.emplace_back(name);
    } else if (value.is_object()) {
      read_nulls(value.get_object(), name == "labels" || name == "annotations" || name == "data");
    }
  }
  for (const std::string& name : nulls) {
    members.erase(name);
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

/// The length of the paths to all that is in a part, where `length` is that of its own.
std::size_t path_lengths(const Part& part, std::size_t length) {
  std::size_t all = length;
  for (const Part& each : parts_of(part.name, *part.value)) {
    all += path_lengths(each, length + each.step.size());
  }
  return all;
}

}  // namespace

api::Result<void> check_paths(const std::string& object) {
  constexpr std::size_t kPathsMax = std::size_t{64} << 20;
  const json::value value = owned_part(object);
  if (path_lengths({"", "", &value}, 0) > kPathsMax) {
    return api::error_from(api::failure(
        api::StatusReason::RequestEntityTooLarge,
        "the paths of the object's fields are too long together to keep who owns them"));
  }
  return {};
}

FieldSet fields_in(const std::string& object, bool custom) {
  const json::value value = owned_part(object);
  FieldSet fields;
  Collector(fields, custom).collect({"", "", &value}, {});
  return fields;
}

FieldChanges field_changes(const std::string& before, const std::string& after, bool custom) {
  const json::value old_value = owned_part(before);
  const json::value new_value = owned_part(after);
  Comparison comparison(custom);
  comparison.compare({"", "", &old_value}, {"", "", &new_value}, {});
  return std::move(comparison).changes();
}

std::string with_configuration(const std::string& object, const std::string& configuration) {
  json::value merged = object_in(object);
  const json::value wanted = object_in(configuration);
  merge_configuration("", merged, wanted);
  return json::serialize(merged);
}

std::string without_fields(const std::string& object, const FieldSet& gone, const FieldSet& kept,
                           bool custom) {
  json::value rest = object_in(object);
  (void)Pruning(gone, kept, custom).goes("", rest, {});
  return json::serialize(rest);
}

std::string without_nulls(const std::string& object, bool custom) {
  if (object.find("null") == std::string::npos) {
    return object;
  }
  json::object members = object_in(object);
  json::value* const metadata = members.if_contains("metadata");
  if (!custom) {
    read_nulls(members, false);
  } else if (metadata != nullptr && metadata->is_object()) {
    read_nulls(metadata->get_object(), false);
  }
  return json::serialize(members);
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
