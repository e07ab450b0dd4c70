#include "sim/apiserver/field_shapes.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <optional>

namespace watchlab::sim {

namespace {

namespace json = boost::json;

constexpr std::string_view kOwner = "ownerReference";

bool all_have(const json::array& list, std::string_view key) {
  return std::all_of(list.begin(), list.end(), [key](const json::value& each) {
    return each.is_object() && each.get_object().contains(key);
  });
}

bool all_strings(const json::array& list) {
  return std::all_of(list.begin(), list.end(),
                     [](const json::value& each) { return each.is_string(); });
}

std::string step_to(const json::value& element, std::string_view key) {
  return "k:" + json::serialize(json::object{{key, element.get_object().at(key)}});
}

}  // namespace

Shape shape_of(std::string_view name, const json::value& value) {
  if (value.is_object()) {
    const bool whole = value.get_object().empty() || is_atomic_object(name) || name == kOwner;
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
        parts.push_back({step_to(element, *merge_key_of(name)), name_of_elements(name), &element});
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

bool is_list_of_none(const Part& part) {
  const bool by_elements = merge_key_of(part.name).has_value() || is_set_of_strings(part.name);
  return by_elements && part.value->is_array() && part.value->get_array().empty();
}

bool is_element(const FieldPath& path) { return !path.empty() && path.back().starts_with("k:"); }

std::string_view name_of_elements(std::string_view list) {
  return list == "ownerReferences" ? kOwner : "";
}

bool is_item(const FieldPath& path, bool custom) {
  return is_element(path) || (custom && !path.empty() && path.front() != "f:metadata");
}

}  // namespace watchlab::sim
