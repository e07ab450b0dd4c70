#include "sim/apiserver/schema_keywords.hpp"

#include <boost/json.hpp>

namespace watchlab::sim {

namespace json = boost::json;

const json::value* member_of(const json::object& object, std::string_view name) {
  const json::value* const found = object.if_contains(name);
  return found == nullptr || found->is_null() ? nullptr : found;
}

const json::object* object_of(const json::object& schema, std::string_view name) {
  const json::value* const found = member_of(schema, name);
  return found == nullptr ? nullptr : found->if_object();
}

const json::array* array_of(const json::object& schema, std::string_view name) {
  const json::value* const found = member_of(schema, name);
  return found == nullptr ? nullptr : found->if_array();
}

std::string_view text_member(const json::object& schema, std::string_view name) {
  const json::value* const found = member_of(schema, name);
  return found != nullptr && found->is_string() ? std::string_view(found->get_string()) : "";
}

bool says(const json::object& schema, std::string_view name) {
  const json::value* const found = member_of(schema, name);
  return found != nullptr && found->is_bool() && found->get_bool();
}

const json::object* schema_of(const json::object& schema, std::string_view name) {
  if (const json::object* const named = object_of(schema, "properties")) {
    if (const json::object* const found = object_of(*named, name)) {
      return found;
    }
  }
  return object_of(schema, "additionalProperties");
}

}  // namespace watchlab::sim
