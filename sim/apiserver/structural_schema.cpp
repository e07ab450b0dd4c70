#include "sim/apiserver/structural_schema.hpp"

#include <boost/json.hpp>
#include <map>
#include <string_view>
#include <utility>

#include "sim/apiserver/json_patch.hpp"
#include "sim/apiserver/schema_keywords.hpp"
#include "sim/kinds/value_place.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;

bool is_of_every_object(std::string_view name) {
  return name == "apiVersion" || name == "kind" || name == "metadata";
}

/// Whether it takes members that have no schema.
bool takes_any(const json::object& schema) {
  return says(schema, "x-kubernetes-preserve-unknown-fields") ||
         says(schema, "additionalProperties");
}

/// Takes away what a schema does not know.
class Pruning {
 public:
  void prune_members(json::object& object, const json::object& schema, const Place& place,
                     bool is_root) {
    const bool is_whole = is_root || says(schema, "x-kubernetes-embedded-resource");
    std::vector<std::string> unknown;
    for (auto& [name, value] : object) {
      if (is_whole && is_of_every_object(name)) {
        continue;
      }
      if (const json::object* const known = schema_of(schema, name)) {
        prune_value(value, *known, {place, name});
      } else if (!takes_any(schema)) {
        unknown.emplace_back(name);
      }
    }
    for (const std::string& name : unknown) {
      object.erase(name);
      gone_.add({place, name});
    }
  }

  [[nodiscard]] std::vector<std::string> take() { return gone_.take(); }

 private:
  void prune_value(json::value& value, const json::object& schema, const Place& place) {
    if (json::object* const object = value.if_object()) {
      prune_members(*object, schema, place, false);
    } else if (json::array* const array = value.if_array()) {
      const json::object* const items = object_of(schema, "items");
      for (std::size_t i = 0; items != nullptr && i < array->size(); ++i) {
        prune_value(array->at(i), *items, {place, i});
      }
    }
  }

  NamedPlaces gone_;
};

/// Adds defaults, up to the size that no object may have.
class Defaulting {
 public:
  void add_to(json::object& object, const json::object& schema) {
    for (const Default& each : defaults_in(schema)) {
      json::value* const found = object.if_contains(each.name);
      const bool is_missing = found == nullptr || (found->is_null() && !each.nullable);
      if (is_missing && added_ <= kPatchedMax) {
        added_ += each.size;
        object[each.name] = *each.value;
      }
    }
    for (auto& [name, value] : object) {
      if (const json::object* const known = schema_of(schema, name)) {
        add_to(value, *known);
      }
    }
  }

 private:
  struct Default {
    std::string_view name;
    const json::value* value = nullptr;
    bool nullable = false;
    std::size_t size = 0;  ///< in bytes of JSON, with the name
  };

  void add_to(json::value& value, const json::object& schema) {
    if (json::object* const object = value.if_object()) {
      add_to(*object, schema);
    } else if (json::array* const array = value.if_array()) {
      const json::object* const items = object_of(schema, "items");
      for (std::size_t i = 0; items != nullptr && i < array->size(); ++i) {
        add_to(array->at(i), *items);
      }
    }
  }

  /// Those of its members, looked for once: objects may be many, and members without a default too.
  const std::vector<Default>& defaults_in(const json::object& schema) {
    const auto [place, is_new] = defaults_.try_emplace(&schema);
    const json::object* const named = object_of(schema, "properties");
    if (!is_new || named == nullptr) {
      return place->second;
    }
    for (const auto& [name, each] : *named) {
      const json::object* const member = each.if_object();
      const json::value* const wanted =
          member == nullptr ? nullptr : member->if_contains("default");
      if (wanted != nullptr) {
        place->second.push_back({name, wanted, says(*member, "nullable"),
                                 name.size() + json::serialize(*wanted).size()});
      }
    }
    return place->second;
  }

  std::map<SchemaKey, std::vector<Default>> defaults_;
  std::size_t added_ = 0;
};

}  // namespace

std::vector<std::string> prune(json::object& object, const json::object& schema) {
  Pruning pruning;
  pruning.prune_members(object, schema, {}, true);
  return pruning.take();
}

void add_defaults(json::object& object, const json::object& schema) {
  Defaulting().add_to(object, schema);
}

}  // namespace watchlab::sim
