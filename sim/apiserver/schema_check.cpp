#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "sim/apiserver/linear_pattern.hpp"
#include "sim/apiserver/schema_keywords.hpp"
#include "sim/apiserver/structural_schema.hpp"
#include "sim/kinds/value_place.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;

/// How many values, words, characters and instructions of patterns the check of one object may look
/// at. A real server has no such limit, but serves others meanwhile.
constexpr std::size_t kStepsMax = 20'000'000;
/// A byte of a message is written, copied and sent.
constexpr std::size_t kStepsOfByte = 10;

std::optional<double> number_member(const json::object& schema, std::string_view name) {
  const json::value* const found = member_of(schema, name);
  return found != nullptr && found->is_number() ? std::optional(found->to_number<double>())
                                                : std::nullopt;
}

/// What the check of one object shares, with all the schemas that are tried on parts of it.
struct Effort {
  std::size_t steps = kStepsMax;
  std::map<SchemaKey, LinearPattern> patterns;            ///< by the schema that has it
  std::map<SchemaKey, std::set<std::string_view>> words;  ///< the texts of an enum

  /// False when the steps have run out.
  bool take(std::size_t count) {
    steps -= std::min(steps, count);
    return steps > 0;
  }
};

/// Collects what is wrong with a value and all that is in it.
class SchemaCheck {
 public:
  explicit SchemaCheck(Effort& effort) : effort_(effort) {}

  void check(const json::value& value, const json::object& schema, const Place& place) {
    if (!effort_.take(1)) {
      return;
    }
    if (value.is_null()) {
      if (!says(schema, "nullable")) {
        add_type(place, "null", text_member(schema, "type"), "null");
      }
      return;
    }
    if (!check_type(value, schema, place)) {
      return;
    }
    check_words(value, schema, place);
    if (value.is_number()) {
      check_number(value, schema, place);
    } else if (const json::string* const text = value.if_string()) {
      check_text(*text, schema, place);
    } else if (const json::array* const array = value.if_array()) {
      check_array(*array, schema, place);
    } else if (const json::object* const object = value.if_object()) {
      check_object(*object, schema, place);
    }
    check_combinations(value, schema, place);
  }

  [[nodiscard]] std::vector<api::StatusCause> take() { return std::move(causes_); }

 private:
  void add(std::string_view reason, const Place& place, std::string message) {
    std::string path = place.text();
    (void)effort_.take((message.size() + path.size()) * kStepsOfByte);
    causes_.push_back({std::string(reason), std::move(message), std::move(path)});
  }
  void add_invalid(const Place& place, const std::string& shown, const std::string& rule) {
    add("FieldValueInvalid", place,
        fmt::format("Invalid value: {}: {} in body {}", shown, place.text(), rule));
  }
  void add_type(const Place& place, std::string_view found, std::string_view wanted,
                std::string_view shown) {
    add("FieldValueTypeInvalid", place,
        fmt::format("Invalid value: \"{}\": {} in body must be of type {}: \"{}\"", found,
                    place.text(), wanted, shown));
  }

  static std::string_view type_of(const json::value& value) {
    return value.is_object()   ? "object"
           : value.is_array()  ? "array"
           : value.is_string() ? "string"
           : value.is_bool()   ? "boolean"
           : value.is_double() ? "number"
                               : "integer";
  }

  bool check_type(const json::value& value, const json::object& schema, const Place& place) {
    const std::string_view wanted = text_member(schema, "type");
    const std::string_view found = type_of(value);
    if (says(schema, "x-kubernetes-int-or-string")) {
      const bool fits = found == "integer" || found == "string";
      if (!fits) {
        add_type(place, found, "integer,string", found);
      }
      return fits;
    }
    const bool is_whole = value.is_double() && std::floor(value.get_double()) == value.get_double();
    const bool fits = wanted.empty() || wanted == found ||
                      (wanted == "number" && found == "integer") ||
                      (wanted == "integer" && is_whole);
    if (!fits) {
      add_type(place, found, wanted, found);
    }
    return fits;
  }

  void check_words(const json::value& value, const json::object& schema, const Place& place) {
    const json::array* const words = array_of(schema, "enum");
    if (words == nullptr || is_word(value, schema, *words)) {
      return;
    }
    std::vector<std::string> shown;
    for (const json::value& each : *words) {
      shown.push_back(json::serialize(each));
    }
    add("FieldValueNotSupported", place,
        fmt::format("Unsupported value: {}: supported values: {}", json::serialize(value),
                    fmt::join(shown, ", ")));
  }

  bool is_word(const json::value& value, const json::object& schema, const json::array& words) {
    if (!value.is_string()) {
      (void)effort_.take(words.size());
      return std::ranges::find(words, value) != words.end();
    }
    const auto [known, is_new] = effort_.words.try_emplace(&schema);
    for (const json::value& each : words) {
      if (!is_new) {
        break;
      }
      if (each.is_string()) {
        known->second.insert(each.get_string());
      }
    }
    return known->second.contains(value.get_string());
  }

  void check_number(const json::value& value, const json::object& schema, const Place& place) {
    const double number = value.to_number<double>();
    const std::string shown = json::serialize(value);
    if (const auto most = number_member(schema, "maximum")) {
      const bool open = says(schema, "exclusiveMaximum");
      if (number > *most || (open && number == *most)) {
        add_invalid(place, shown,
                    fmt::format("should be less than {}{}", open ? "" : "or equal to ", *most));
      }
    }
    if (const auto least = number_member(schema, "minimum")) {
      const bool open = says(schema, "exclusiveMinimum");
      if (number < *least || (open && number == *least)) {
        add_invalid(place, shown,
                    fmt::format("should be greater than {}{}", open ? "" : "or equal to ", *least));
      }
    }
    const auto step = number_member(schema, "multipleOf");
    if (step && *step > 0 && std::fmod(number, *step) != 0) {
      add_invalid(place, shown, fmt::format("should be a multiple of {}", *step));
    }
  }

  void check_text(const json::string& text, const json::object& schema, const Place& place) {
    const auto most = number_member(schema, "maxLength");
    const auto least = number_member(schema, "minLength");
    if (most || least) {
      (void)effort_.take(text.size() / kBytesOfStep);
      // Characters, not bytes.
      const auto length = static_cast<double>(std::ranges::count_if(
          text, [](char each) { return (static_cast<unsigned char>(each) & 0xC0U) != 0x80U; }));
      if (most && length > *most) {
        add("FieldValueTooLong", place,
            fmt::format("Too long: may not be more than {} bytes", *most));
      }
      if (least && length < *least) {
        add_invalid(place, json::serialize(text),
                    fmt::format("should be at least {} chars long", *least));
      }
    }
    const std::string_view pattern = text_member(schema, "pattern");
    if (!pattern.empty() && !matches(text, pattern, schema)) {
      add_invalid(place, json::serialize(text), fmt::format("should match '{}'", pattern));
    }
  }

  /// A pattern that is none was refused with its definition; a story's counts as not matched.
  bool matches(std::string_view text, std::string_view pattern, const json::object& schema) {
    auto known = effort_.patterns.find(&schema);
    if (known == effort_.patterns.end()) {
      known = effort_.patterns.emplace(&schema, LinearPattern(pattern)).first;
      (void)effort_.take(pattern.size() + known->second.size());
    }
    return known->second.is_found_in(text, effort_.steps).value_or(false);
  }

  void check_array(const json::array& array, const json::object& schema, const Place& place) {
    const auto size = static_cast<double>(array.size());
    if (const auto most = number_member(schema, "maxItems"); most && size > *most) {
      add("FieldValueTooMany", place,
          fmt::format("Too many: {}: must have at most {} items", size, *most));
    }
    if (const auto least = number_member(schema, "minItems"); least && size < *least) {
      add_invalid(place, fmt::format("{}", size),
                  fmt::format("should have at least {} items", *least));
    }
    check_unique(array, schema, place);
    if (const json::object* const items = object_of(schema, "items")) {
      for (std::size_t i = 0; i < array.size(); ++i) {
        check(array.at(i), *items, {place, i});
      }
    }
  }

  void check_unique(const json::array& array, const json::object& schema, const Place& place) {
    const std::string_view type = text_member(schema, "x-kubernetes-list-type");
    if (type != "set" && type != "map") {
      return;
    }
    std::set<std::string> seen;
    for (std::size_t i = 0; i < array.size() && effort_.steps > 0; ++i) {
      std::string key =
          json::serialize(type == "set" ? array.at(i) : json::value(keys_of(array.at(i), schema)));
      (void)effort_.take(1 + key.size() / kBytesOfStep);
      if (seen.contains(key)) {
        add("FieldValueDuplicate", {place, i}, fmt::format("Duplicate value: {}", key));
      } else {
        seen.insert(std::move(key));
      }
    }
  }

  json::object keys_of(const json::value& value, const json::object& schema) {
    json::object keys;
    const json::array* const names = array_of(schema, "x-kubernetes-list-map-keys");
    (void)effort_.take(names == nullptr ? 0 : names->size());
    for (const json::value& each : names != nullptr ? *names : json::array()) {
      const std::string_view name = each.is_string() ? std::string_view(each.get_string()) : "";
      const json::value* const found =
          value.is_object() ? value.get_object().if_contains(name) : nullptr;
      keys[name] = found == nullptr ? json::value() : *found;
    }
    return keys;
  }

  void check_object(const json::object& object, const json::object& schema, const Place& place) {
    const json::array* const required = array_of(schema, "required");
    (void)effort_.take(object.size() + (required == nullptr ? 0 : required->size()));
    for (const json::value& each : required != nullptr ? *required : json::array()) {
      const std::string_view name = each.is_string() ? std::string_view(each.get_string()) : "";
      if (object.if_contains(name) == nullptr) {
        add("FieldValueRequired", {place, name}, "Required value");
      }
    }
    const auto size = static_cast<double>(object.size());
    if (const auto least = number_member(schema, "minProperties"); least && size < *least) {
      add_invalid(place, fmt::format("{}", size),
                  fmt::format("should have at least {} properties", *least));
    }
    if (const auto most = number_member(schema, "maxProperties"); most && size > *most) {
      add("FieldValueTooMany", place,
          fmt::format("Too many: {}: must have at most {} items", size, *most));
    }
    const json::object* const properties = object_of(schema, "properties");
    for (const auto& [name, value] : object) {
      const bool is_named = properties != nullptr && object_of(*properties, name) != nullptr;
      if (const json::object* const known = schema_of(schema, name)) {
        check(value, *known, {place, name, is_named});
      }
    }
  }

  [[nodiscard]] bool fits(const json::value& value, const json::value& schema, const Place& place) {
    SchemaCheck other(effort_);
    if (const json::object* const part = schema.if_object()) {
      other.check(value, *part, place);
    }
    return other.causes_.empty();
  }

  void check_combinations(const json::value& value, const json::object& schema,
                          const Place& place) {
    const auto count = [&](std::string_view name) -> std::optional<std::ptrdiff_t> {
      const json::array* const parts = array_of(schema, name);
      if (parts == nullptr) {
        return std::nullopt;
      }
      return std::ranges::count_if(
          *parts, [&](const json::value& part) { return fits(value, part, place); });
    };
    if (const json::array* const all = array_of(schema, "allOf")) {
      for (const json::value& part : *all) {
        if (const json::object* const each = part.if_object()) {
          check(value, *each, place);
        }
      }
    }
    if (count("anyOf") == 0) {
      add_invalid(place, json::serialize(value), "must validate at least one schema (anyOf)");
    }
    if (const auto found = count("oneOf"); found && *found != 1) {
      add_invalid(place, json::serialize(value), "must validate one and only one schema (oneOf)");
    }
    if (const json::value* const other = member_of(schema, "not");
        other != nullptr && fits(value, *other, place)) {
      add_invalid(place, json::serialize(value), "must not validate the schema (not)");
    }
  }

  static constexpr std::size_t kBytesOfStep = 16;  // that are only read

  Effort& effort_;
  std::vector<api::StatusCause> causes_;
};

/// The schema without what the server adds, and is not asked of the client.
json::object schema_of_client(const json::object& schema) {
  json::object rest = schema;
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
  return rest;
}

/// Looks for patterns in a schema, and in those below it.
class PatternCheck {
 public:
  void check(const json::object& schema, const Place& place) {
    const std::string_view pattern = text_member(schema, "pattern");
    if (!pattern.empty()) {
      check_pattern(pattern, {place, "pattern"});
    }
    constexpr std::array<std::string_view, 3> kOne{"items", "additionalProperties", "not"};
    for (const std::string_view keyword : kOne) {
      if (const json::object* const part = object_of(schema, keyword)) {
        check(*part, {place, keyword});
      }
    }
    constexpr std::array<std::string_view, 3> kLists{"allOf", "anyOf", "oneOf"};
    for (const std::string_view keyword : kLists) {
      const json::array* const parts = array_of(schema, keyword);
      for (std::size_t i = 0; parts != nullptr && i < parts->size(); ++i) {
        if (const json::object* const part = parts->at(i).if_object()) {
          check(*part, {Place(place, keyword), i});
        }
      }
    }
    if (const json::object* const named = object_of(schema, "properties")) {
      for (const auto& [name, value] : *named) {
        if (const json::object* const part = value.if_object()) {
          const std::string step = fmt::format("properties[{}]", std::string_view(name));
          check(*part, {place, step});
        }
      }
    }
  }

  [[nodiscard]] std::vector<api::StatusCause> take() { return std::move(causes_); }

 private:
  void check_pattern(std::string_view pattern, const Place& place) {
    if (steps_ == 0) {
      return;
    }
    const LinearPattern read(pattern);
    steps_ -= std::min(steps_, pattern.size() + read.size());
    const std::string why =
        steps_ == 0 ? "the patterns of this definition are too large together" : read.mistake();
    if (!why.empty()) {
      std::string message =
          fmt::format("Invalid value: {}: must be a valid regular expression, but isn't: {}",
                      json::serialize(json::string(pattern)), why);
      steps_ -= std::min(steps_, message.size() * kStepsOfByte);
      causes_.push_back({"FieldValueInvalid", std::move(message), place.text()});
    }
  }

  std::size_t steps_ = kStepsMax;
  std::vector<api::StatusCause> causes_;
};

}  // namespace

std::vector<api::StatusCause> mistakes_in(const json::object& object, const json::object& schema,
                                          bool status) {
  Effort effort;
  SchemaCheck check(effort);
  if (!status) {
    json::object looked_at = object;
    looked_at.erase("status");
    check.check(looked_at, schema_of_client(schema), {});
  } else if (const json::value* const value = member_of(object, "status")) {
    if (const json::object* const known = schema_of(schema, "status")) {
      check.check(*value, *known, Place("status"));
    }
  }
  if (effort.steps == 0) {
    return {{"FieldValueInvalid",
             fmt::format("Invalid value: to check it takes more than {} steps", kStepsMax),
             status ? "status" : "spec"}};
  }
  return check.take();
}

std::vector<api::StatusCause> pattern_mistakes_in(const json::object& schema,
                                                  std::string_view path) {
  PatternCheck check;
  check.check(schema, Place(path));
  return check.take();
}

}  // namespace watchlab::sim
