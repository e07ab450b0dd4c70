#include "scenarios/language/schema.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <string>
#include <vector>

#include "scenarios/language/grammar.hpp"

namespace watchlab::scenarios {
namespace {

namespace json = boost::json;

/// Builds the schema of a tree of shapes. A mapping that comes up in several places is written down
/// once, among the definitions.
class Builder {
 public:
  json::object of(const Schema& schema) {
    switch (schema.kind) {
      case Schema::Kind::Text:
        return {{"type", "string"}};
      case Schema::Kind::Choice:
        return {{"enum", strings(schema.choices)}};
      case Schema::Kind::Integer:
        return {{"type", "integer"}, {"minimum", *schema.minimum}, {"maximum", *schema.maximum}};
      case Schema::Kind::Boolean:
        return {{"type", "boolean"}};
      case Schema::Kind::Duration:
        return {{"type", "string"}, {"pattern", "^[0-9]+(\\.[0-9]+)?(ns|us|ms|s|m|h|d)$"}};
      case Schema::Kind::TextMap:
        return {{"type", "object"}, {"additionalProperties", json::object{{"type", "string"}}}};
      case Schema::Kind::AnyMapping:
        return {{"type", "object"}};
      case Schema::Kind::AnyList:
        return {{"type", "array"}};
      case Schema::Kind::List:
        return {{"type", "array"}, {"items", of(*schema.item)}};
      case Schema::Kind::Mapping:
        return referred(schema.title, mapping(schema));
      case Schema::Kind::Either:
        break;
    }
    return either(schema);
  }

  json::object mapping(const Schema& schema) {
    json::object properties;
    json::array required;
    json::array alternatives;
    for (const FieldSchema& field : schema.fields) {
      json::object value = of(*field.value);
      value["description"] = field.doc;
      properties[field.name] = std::move(value);
      if (field.presence == Presence::Required) {
        required.emplace_back(field.name);
      } else if (field.presence == Presence::OneOf) {
        alternatives.push_back(json::object{{"required", {field.name}}});
      }
    }
    json::object text{{"type", "object"}, {"additionalProperties", false}};
    text["properties"] = std::move(properties);
    if (!required.empty()) {
      text["required"] = std::move(required);
    }
    if (!alternatives.empty()) {
      text["oneOf"] = std::move(alternatives);
    }
    return text;
  }

  [[nodiscard]] json::object take_definitions() { return std::move(definitions_); }

 private:
  static json::array strings(const std::vector<std::string>& texts) {
    json::array all;
    for (const std::string& text : texts) {
      all.emplace_back(text);
    }
    return all;
  }

  json::object either(const Schema& schema) {
    json::array alternatives;
    for (const SchemaPtr& alternative : schema.alternatives) {
      alternatives.push_back(of(*alternative));
    }
    return {{"anyOf", std::move(alternatives)}};
  }

  /// A reference to the definition of that title, or of the title and a number where another
  /// mapping has the same title.
  json::object referred(const std::string& title, json::object schema) {
    std::string slug = title;
    std::replace(slug.begin(), slug.end(), ' ', '_');
    std::string name = slug;
    for (int i = 2; definitions_.contains(name) && definitions_[name] != schema; ++i) {
      name = slug + "_" + std::to_string(i);
    }
    definitions_[name] = std::move(schema);
    return {{"$ref", "#/$defs/" + name}};
  }

  json::object definitions_;
};

/// JSON with two spaces a level; what fits on a line stays on it.
class Indented {
 public:
  [[nodiscard]] static std::string text(const json::value& value) {
    Indented writer;
    writer.write(value, 0);
    return writer.text_ + "\n";
  }

 private:
  static constexpr std::size_t kWidth = 96;

  void write(const json::value& value, std::size_t depth) {
    const std::string flat = json::serialize(value);
    const bool container = value.is_object() || value.is_array();
    if (!container || 2 * depth + flat.size() <= kWidth) {
      text_ += flat;
      return;
    }
    text_ += value.is_object() ? "{" : "[";
    bool first = true;
    const auto next_line = [&] {
      text_ += first ? "\n" : ",\n";
      text_.append(2 * (depth + 1), ' ');
      first = false;
    };
    if (const json::object* object = value.if_object()) {
      for (const auto& [key, member] : *object) {
        next_line();
        text_ += json::serialize(key) + ": ";
        write(member, depth + 1);
      }
    } else {
      for (const json::value& item : value.get_array()) {
        next_line();
        write(item, depth + 1);
      }
    }
    text_ += "\n";
    text_.append(2 * depth, ' ');
    text_ += value.is_object() ? "}" : "]";
  }

  std::string text_;
};

}  // namespace

std::string schema_text(const Schema& schema) {
  json::object text{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                    {"title", "watchlab scenario"},
                    {"description", schema.doc}};
  Builder builder;
  for (const auto& [key, value] : builder.mapping(schema)) {
    text[key] = value;
  }
  text["$defs"] = builder.take_definitions();
  return Indented::text(text);
}

std::string scenario_schema_text() { return schema_text(*scenario_grammar().schema); }

}  // namespace watchlab::scenarios
