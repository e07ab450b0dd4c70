#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/apiserver/managed_fields.hpp"

namespace boost::json {
class value;
}  // namespace boost::json

/// The structure of an object's values, as far as their parts can belong to different writers.
/// There are no schemas: lists are known by their names, and members that a schema would name by
/// the object that they stand in.
namespace watchlab::sim {

enum class Shape : std::uint8_t { Whole, Members, KeyedElements, SetElements };

/// The shape of a value that has this name in its object. An empty value has no parts.
[[nodiscard]] Shape shape_of(std::string_view name, const boost::json::value& value);

/// A part of a value: the step of its path, its name if it has one, and the part itself.
struct Part {
  std::string step;
  std::string_view name;
  const boost::json::value* value = nullptr;
};

/// The members or elements of a value; none if it has no parts.
[[nodiscard]] std::vector<Part> parts_of(std::string_view name, const boost::json::value& value);

/// The name that all elements of a list have; "" for most. An owner reference is one value by it.
[[nodiscard]] std::string_view name_of_elements(std::string_view list);

/// Whether it is a list whose elements have owners, without any: nothing that could be owned.
[[nodiscard]] bool is_list_of_none(const Part& part);

/// The path to a part of what is at `path`.
[[nodiscard]] FieldPath longer(FieldPath path, const std::string& step);

/// Whether the path leads to an element of a list by its key.
[[nodiscard]] bool is_element(const FieldPath& path);

/// Whether the path leads to what no schema names: an element, or a member of a custom resource
/// beside its metadata. It is a field itself, whatever it holds, and goes with all that it holds.
[[nodiscard]] bool is_item(const FieldPath& path, bool custom);

}  // namespace watchlab::sim
