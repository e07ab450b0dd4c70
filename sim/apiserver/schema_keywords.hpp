#pragma once

#include <string_view>

namespace boost::json {
class array;
class object;
class value;
}  // namespace boost::json

/// The keywords of a schema.
namespace watchlab::sim {

/// A schema by its place in memory. Maps of such keys are looked into, and never visited in their
/// order, which differs between runs.
using SchemaKey = const boost::json::object*;

/// Null when there is none, or null in its place.
[[nodiscard]] const boost::json::value* member_of(const boost::json::object& object,
                                                  std::string_view name);
[[nodiscard]] const boost::json::object* object_of(const boost::json::object& schema,
                                                   std::string_view name);
[[nodiscard]] const boost::json::array* array_of(const boost::json::object& schema,
                                                 std::string_view name);
/// "" when there is none.
[[nodiscard]] std::string_view text_member(const boost::json::object& schema,
                                           std::string_view name);
[[nodiscard]] bool says(const boost::json::object& schema, std::string_view name);
/// The schema of a member, among those that are named or of all others; null for none.
[[nodiscard]] const boost::json::object* schema_of(const boost::json::object& schema,
                                                   std::string_view name);

}  // namespace watchlab::sim
