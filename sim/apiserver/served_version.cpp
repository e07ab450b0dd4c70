#include "sim/apiserver/served_version.hpp"

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

}  // namespace

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
  if (type.kept == nullptr || object == nullptr) {
    return object;
  }
  std::string version = api_version_of(type.resource);
  if (object->api_version == version) {
    return object;
  }
  auto shown = std::make_shared<api::Object>(*object);
  shown->api_version = std::move(version);
  follow(*shown, type.schema.get(), Defaults::Left);
  return shown;
}

void show_as_served(const ResourceType& type, Response& response) {
  if (type.kept == nullptr) {
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
