#include "sim/apiserver/structural_schema.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/json.hpp>
#include <boost/regex.hpp>
#include <cmath>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>

namespace watchlab::sim {

namespace {

namespace json = boost::json;

const json::value* member_of(const json::object& object, std::string_view name) {
  const json::value* const found = object.if_contains(name);
  return found == nullptr || found->is_null() ? nullptr : found;
}

const json::object* object_of(const json::object& schema, std::string_view name) {
  const json::value* const found = member_of(schema, name);
  return found == nullptr ? nullptr : found->if_object();
}

std::string text_member(const json::object& schema, std::string_view name) {
  const json::value* const found = member_of(schema, name);
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : "";
}

bool says(const json::object& schema, std::string_view name) {
  const json::value* const found = member_of(schema, name);
  return found != nullptr && found->is_bool() && found->get_bool();
}

std::optional<double> number_member(const json::object& schema, std::string_view name) {
  const json::value* const found = member_of(schema, name);
  return found != nullptr && found->is_number() ? std::optional(found->to_number<double>())
                                                : std::nullopt;
}

std::string below(const std::string& path, std::string_view name) {
  return path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
}

std::string element(const std::string& path, std::size_t i) {
  return fmt::format("{}[{}]", path, i);
}

bool is_of_every_object(std::string_view name) {
  return name == "apiVersion" || name == "kind" || name == "metadata";
}

/// The schema of a member, among those that are named or of all others; null for none.
const json::object* schema_of(const json::object& schema, std::string_view name) {
  if (const json::object* const named = object_of(schema, "properties")) {
    if (const json::object* const found = object_of(*named, name)) {
      return found;
    }
  }
  return object_of(schema, "additionalProperties");
}

/// Whether it takes members that have no schema.
bool takes_any(const json::object& schema) {
  return says(schema, "x-kubernetes-preserve-unknown-fields") ||
         says(schema, "additionalProperties");
}

void prune_value(json::value& value, const json::object& schema, const std::string& path,
                 bool is_root, std::vector<std::string>& gone);

void prune_members(json::object& object, const json::object& schema, const std::string& path,
                   bool is_root, std::vector<std::string>& gone) {
  const bool is_whole = is_root || says(schema, "x-kubernetes-embedded-resource");
  std::vector<std::string> unknown;
  for (auto& [name, value] : object) {
    if (is_whole && is_of_every_object(name)) {
      continue;
    }
    if (const json::object* const known = schema_of(schema, name)) {
      prune_value(value, *known, below(path, name), false, gone);
    } else if (!takes_any(schema)) {
      unknown.emplace_back(name);
    }
  }
  for (const std::string& name : unknown) {
    object.erase(name);
    gone.push_back(below(path, name));
  }
}

void prune_value(json::value& value, const json::object& schema, const std::string& path,
                 bool is_root, std::vector<std::string>& gone) {
  if (json::object* const object = value.if_object()) {
    prune_members(*object, schema, path, is_root, gone);
  } else if (json::array* const array = value.if_array()) {
    const json::object* const items = object_of(schema, "items");
    for (std::size_t i = 0; items != nullptr && i < array->size(); ++i) {
      prune_value(array->at(i), *items, element(path, i), false, gone);
    }
  }
}

void default_value(json::value& value, const json::object& schema);

void default_members(json::object& object, const json::object& schema) {
  if (const json::object* const named = object_of(schema, "properties")) {
    for (const auto& [name, each] : *named) {
      const json::object* const of_member = each.if_object();
      const json::value* const wanted =
          of_member == nullptr ? nullptr : of_member->if_contains("default");
      if (wanted == nullptr) {
        continue;
      }
      json::value* const found = object.if_contains(name);
      if (found == nullptr || (found->is_null() && !says(*of_member, "nullable"))) {
        object[name] = *wanted;
      }
    }
  }
  for (auto& [name, value] : object) {
    if (const json::object* const known = schema_of(schema, name)) {
      default_value(value, *known);
    }
  }
}

void default_value(json::value& value, const json::object& schema) {
  if (json::object* const object = value.if_object()) {
    default_members(*object, schema);
  } else if (json::array* const array = value.if_array()) {
    if (const json::object* const items = object_of(schema, "items")) {
      for (json::value& each : *array) {
        default_value(each, *items);
      }
    }
  }
}

/// Collects what is wrong with a value and all that is in it.
class SchemaCheck {
 public:
  void check(const json::value& value, const json::object& schema, const std::string& path) {
    if (value.is_null()) {
      if (!says(schema, "nullable")) {
        add_type(path, "null", text_member(schema, "type"), "null");
      }
      return;
    }
    if (!check_type(value, schema, path)) {
      return;
    }
    check_words(value, schema, path);
    if (value.is_number()) {
      check_number(value, schema, path);
    } else if (const json::string* const text = value.if_string()) {
      check_text(*text, schema, path);
    } else if (const json::array* const array = value.if_array()) {
      check_array(*array, schema, path);
    } else if (const json::object* const object = value.if_object()) {
      check_object(*object, schema, path);
    }
    check_combinations(value, schema, path);
  }

  [[nodiscard]] std::vector<api::StatusCause> take() { return std::move(causes_); }

 private:
  void add(std::string_view reason, const std::string& path, std::string message) {
    causes_.push_back({std::string(reason), std::move(message), path});
  }
  void add_invalid(const std::string& path, const std::string& shown, const std::string& rule) {
    add("FieldValueInvalid", path,
        fmt::format("Invalid value: {}: {} in body {}", shown, path, rule));
  }
  void add_type(const std::string& path, const std::string& found, const std::string& wanted,
                const std::string& shown) {
    add("FieldValueTypeInvalid", path,
        fmt::format("Invalid value: \"{}\": {} in body must be of type {}: \"{}\"", found, path,
                    wanted, shown));
  }

  static std::string type_of(const json::value& value) {
    return value.is_object()   ? "object"
           : value.is_array()  ? "array"
           : value.is_string() ? "string"
           : value.is_bool()   ? "boolean"
           : value.is_double() ? "number"
                               : "integer";
  }

  bool check_type(const json::value& value, const json::object& schema, const std::string& path) {
    const std::string wanted = text_member(schema, "type");
    const std::string found = type_of(value);
    if (says(schema, "x-kubernetes-int-or-string")) {
      const bool fits = found == "integer" || found == "string";
      if (!fits) {
        add_type(path, found, "integer,string", found);
      }
      return fits;
    }
    const bool is_whole = value.is_double() && std::floor(value.get_double()) == value.get_double();
    const bool fits = wanted.empty() || wanted == found ||
                      (wanted == "number" && found == "integer") ||
                      (wanted == "integer" && is_whole);
    if (!fits) {
      add_type(path, found, wanted, found);
    }
    return fits;
  }

  void check_words(const json::value& value, const json::object& schema, const std::string& path) {
    const json::value* const listed = member_of(schema, "enum");
    if (listed == nullptr || !listed->is_array()) {
      return;
    }
    const json::array& words = listed->get_array();
    if (std::ranges::find(words, value) == words.end()) {
      std::vector<std::string> shown;
      for (const json::value& each : words) {
        shown.push_back(json::serialize(each));
      }
      add("FieldValueNotSupported", path,
          fmt::format("Unsupported value: {}: supported values: {}", json::serialize(value),
                      fmt::join(shown, ", ")));
    }
  }

  void check_number(const json::value& value, const json::object& schema, const std::string& path) {
    const double number = value.to_number<double>();
    const std::string shown = json::serialize(value);
    if (const auto most = number_member(schema, "maximum")) {
      const bool open = says(schema, "exclusiveMaximum");
      if (number > *most || (open && number == *most)) {
        add_invalid(path, shown,
                    fmt::format("should be less than {}{}", open ? "" : "or equal to ", *most));
      }
    }
    if (const auto least = number_member(schema, "minimum")) {
      const bool open = says(schema, "exclusiveMinimum");
      if (number < *least || (open && number == *least)) {
        add_invalid(path, shown,
                    fmt::format("should be greater than {}{}", open ? "" : "or equal to ", *least));
      }
    }
    const auto step = number_member(schema, "multipleOf");
    if (step && *step > 0 && std::fmod(number, *step) != 0) {
      add_invalid(path, shown, fmt::format("should be a multiple of {}", *step));
    }
  }

  void check_text(const json::string& text, const json::object& schema, const std::string& path) {
    // Characters, not bytes.
    const auto length = static_cast<double>(std::ranges::count_if(
        text, [](char each) { return (static_cast<unsigned char>(each) & 0xC0U) != 0x80U; }));
    if (const auto most = number_member(schema, "maxLength"); most && length > *most) {
      add("FieldValueTooLong", path, fmt::format("Too long: may not be more than {} bytes", *most));
    }
    if (const auto least = number_member(schema, "minLength"); least && length < *least) {
      add_invalid(path, json::serialize(text),
                  fmt::format("should be at least {} chars long", *least));
    }
    const std::string pattern = text_member(schema, "pattern");
    if (!pattern.empty() && !matches(text, pattern)) {
      add_invalid(path, json::serialize(text), fmt::format("should match '{}'", pattern));
    }
  }

  /// A pattern that this library does not read, or that takes it too long, counts as matched.
  static bool matches(std::string_view text, const std::string& pattern) {
    try {
      return boost::regex_search(text.begin(), text.end(), boost::regex(pattern));
    } catch (const std::runtime_error&) {
      return true;
    }
  }

  void check_array(const json::array& array, const json::object& schema, const std::string& path) {
    const auto size = static_cast<double>(array.size());
    if (const auto most = number_member(schema, "maxItems"); most && size > *most) {
      add("FieldValueTooMany", path,
          fmt::format("Too many: {}: must have at most {} items", size, *most));
    }
    if (const auto least = number_member(schema, "minItems"); least && size < *least) {
      add_invalid(path, fmt::format("{}", size),
                  fmt::format("should have at least {} items", *least));
    }
    check_unique(array, schema, path);
    if (const json::object* const items = object_of(schema, "items")) {
      for (std::size_t i = 0; i < array.size(); ++i) {
        check(array.at(i), *items, element(path, i));
      }
    }
  }

  void check_unique(const json::array& array, const json::object& schema, const std::string& path) {
    const std::string type = text_member(schema, "x-kubernetes-list-type");
    if (type != "set" && type != "map") {
      return;
    }
    std::set<std::string> seen;
    for (std::size_t i = 0; i < array.size(); ++i) {
      const std::string key =
          json::serialize(type == "set" ? array.at(i) : json::value(keys_of(array.at(i), schema)));
      if (!seen.insert(key).second) {
        add("FieldValueDuplicate", element(path, i), fmt::format("Duplicate value: {}", key));
      }
    }
  }

  static json::object keys_of(const json::value& value, const json::object& schema) {
    json::object keys;
    const json::value* const names = member_of(schema, "x-kubernetes-list-map-keys");
    for (const json::value& each :
         names != nullptr && names->is_array() ? names->get_array() : json::array()) {
      const std::string_view name = each.is_string() ? std::string_view(each.get_string()) : "";
      const json::value* const found =
          value.is_object() ? value.get_object().if_contains(name) : nullptr;
      keys[name] = found == nullptr ? json::value() : *found;
    }
    return keys;
  }

  void check_object(const json::object& object, const json::object& schema,
                    const std::string& path) {
    const json::value* const required = member_of(schema, "required");
    for (const json::value& each :
         required != nullptr && required->is_array() ? required->get_array() : json::array()) {
      const std::string_view name = each.is_string() ? std::string_view(each.get_string()) : "";
      if (object.if_contains(name) == nullptr) {
        add("FieldValueRequired", below(path, name), "Required value");
      }
    }
    const auto size = static_cast<double>(object.size());
    if (const auto least = number_member(schema, "minProperties"); least && size < *least) {
      add_invalid(path, fmt::format("{}", size),
                  fmt::format("should have at least {} properties", *least));
    }
    if (const auto most = number_member(schema, "maxProperties"); most && size > *most) {
      add("FieldValueTooMany", path,
          fmt::format("Too many: {}: must have at most {} items", size, *most));
    }
    for (const auto& [name, value] : object) {
      const bool is_named = object_of(schema, "properties") != nullptr &&
                            object_of(*object_of(schema, "properties"), name) != nullptr;
      if (const json::object* const known = schema_of(schema, name)) {
        check(value, *known,
              is_named ? below(path, name) : fmt::format("{}.{}", path, std::string_view(name)));
      }
    }
  }

  [[nodiscard]] static bool fits(const json::value& value, const json::value& schema,
                                 const std::string& path) {
    SchemaCheck other;
    if (const json::object* const part = schema.if_object()) {
      other.check(value, *part, path);
    }
    return other.causes_.empty();
  }

  void check_combinations(const json::value& value, const json::object& schema,
                          const std::string& path) {
    const auto count = [&](std::string_view name) -> std::optional<std::ptrdiff_t> {
      const json::value* const parts = member_of(schema, name);
      if (parts == nullptr || !parts->is_array()) {
        return std::nullopt;
      }
      return std::ranges::count_if(
          parts->get_array(), [&](const json::value& part) { return fits(value, part, path); });
    };
    const std::string shown = json::serialize(value);
    if (const json::value* const all = member_of(schema, "allOf");
        all != nullptr && all->is_array()) {
      for (const json::value& part : all->get_array()) {
        if (const json::object* const each = part.if_object()) {
          check(value, *each, path);
        }
      }
    }
    if (count("anyOf") == 0) {
      add_invalid(path, shown, "must validate at least one schema (anyOf)");
    }
    if (const auto found = count("oneOf"); found && *found != 1) {
      add_invalid(path, shown, "must validate one and only one schema (oneOf)");
    }
    if (const json::value* const other = member_of(schema, "not");
        other != nullptr && fits(value, *other, path)) {
      add_invalid(path, shown, "must not validate the schema (not)");
    }
  }

  std::vector<api::StatusCause> causes_;
};

}  // namespace

std::vector<std::string> prune(json::object& object, const json::object& schema) {
  std::vector<std::string> gone;
  prune_members(object, schema, "", true, gone);
  return gone;
}

void add_defaults(json::object& object, const json::object& schema) {
  default_members(object, schema);
}

std::vector<api::StatusCause> mistakes_in(const json::object& object, const json::object& schema,
                                          bool status) {
  SchemaCheck check;
  if (!status) {
    json::object looked_at = object;
    looked_at.erase("status");
    json::object rest = schema;  // what the server adds is not asked of the client
    if (json::value* const required = rest.if_contains("required");
        required != nullptr && required->is_array()) {
      json::array asked;
      for (const json::value& each : required->get_array()) {
        if (each != "status" && each != "metadata" && each != "apiVersion" && each != "kind") {
          asked.push_back(each);
        }
      }
      *required = std::move(asked);
    }
    if (json::value* const named = rest.if_contains("properties");
        named != nullptr && named->is_object()) {
      for (const char* name : {"apiVersion", "kind", "metadata", "status"}) {
        named->get_object().erase(name);
      }
    }
    check.check(looked_at, rest, "");
  } else if (const json::value* const value = member_of(object, "status")) {
    if (const json::object* const known = schema_of(schema, "status")) {
      check.check(*value, *known, "status");
    }
  }
  return check.take();
}

}  // namespace watchlab::sim
