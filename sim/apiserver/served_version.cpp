#include "sim/apiserver/served_version.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>

#include "sim/apiserver/managed_fields.hpp"
#include "sim/apiserver/status_bodies.hpp"
#include "sim/apiserver/structural_schema.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;

enum class Defaults : std::uint8_t { Added, Left };

void follow(api::Object& object, const json::object* schema, Defaults defaults) {
  if (schema == nullptr) {
    return;
  }
  json::object body = object_in(object.body);
  (void)prune(body, *schema);
  if (defaults == Defaults::Added) {
    add_defaults(body, *schema);
  }
  object.body = json::serialize(body);
}

bool has_defaults(const json::object& schema) {
  const auto has_below = [&](std::string_view part) {
    const json::value* const found = schema.if_contains(part);
    return found != nullptr && found->is_object() && has_defaults(found->get_object());
  };
  const json::value* const named = schema.if_contains("properties");
  return schema.contains("default") || has_below("items") || has_below("additionalProperties") ||
         (named != nullptr && named->is_object() &&
          std::ranges::any_of(named->get_object(), [](const auto& member) {
            return member.value().is_object() && has_defaults(member.value().get_object());
          }));
}

/// Adds the defaults of the current schema: the object may have been written under an earlier one.
api::ObjectPtr with_defaults(const ResourceType& type, const api::ObjectPtr& object) {
  const json::object before = object_in(object->body);
  json::object body = before;
  add_defaults(body, *type.schema);
  if (body == before) {
    return object;
  }
  auto shown = std::make_shared<api::Object>(*object);
  shown->body = json::serialize(body);
  return shown;
}

}  // namespace

bool changes_answers(const ResourceType& type) {
  return type.kept != nullptr || (type.schema != nullptr && has_defaults(*type.schema));
}

void follow_schema(const ResourceType& type, api::Object& object) {
  follow(object, type.schema.get(), Defaults::Added);
}

void make_kept(const ResourceType& type, api::Object& object) {
  if (!type.is_stored_version()) {
    object.api_version = api_version_of({type.resource.group, type.kept->version, ""});
    follow(object, type.kept->schema.get(), Defaults::Added);
  }
}

api::ObjectPtr as_served(const ResourceType& type, const api::ObjectPtr& object) {
  if (object == nullptr || !changes_answers(type)) {
    return object;
  }
  std::string version = api_version_of(type.resource);
  if (type.kept == nullptr || object->api_version == version) {
    return type.schema == nullptr ? object : with_defaults(type, object);
  }
  auto shown = std::make_shared<api::Object>(*object);
  shown->api_version = std::move(version);
  follow(*shown, type.schema.get(), Defaults::Left);
  return shown;
}

void show_as_served(const ResourceType& type, Response& response) {
  if (!changes_answers(type)) {
    return;
  }
  if (auto* const object = std::get_if<api::ObjectPtr>(&response.answer)) {
    *object = as_served(type, *object);
  } else if (auto* const list = std::get_if<api::ObjectList>(&response.answer)) {
    for (api::ObjectPtr& each : list->items) {
      each = as_served(type, each);
    }
  }
}

std::vector<api::StatusCause> schema_mistakes(const ResourceType& type, const api::Object* before,
                                              const api::Object& next) {
  std::vector<api::StatusCause> mistakes;
  if (type.schema == nullptr || (before != nullptr && same_body(before->body, next.body))) {
    return mistakes;
  }
  const json::object body = object_in(next.body);
  for (const bool status : {false, true}) {
    std::vector<api::StatusCause> found = mistakes_in(body, *type.schema, status);
    mistakes.insert(mistakes.end(), std::make_move_iterator(found.begin()),
                    std::make_move_iterator(found.end()));
  }
  return mistakes;
}

}  // namespace watchlab::sim
