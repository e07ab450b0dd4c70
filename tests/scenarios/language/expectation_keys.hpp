#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/language/grammar.hpp"

/// The keys of an expectation, as the language's own tables have them.
namespace watchlab::scenarios::tests {

/// An expectation, as the language has it.
inline const Schema& language() {
  static const Codec<sim::Expectation> grammar = expectation_grammar();
  return *grammar.schema;
}

inline const FieldSchema* field_of(const Schema& schema, const std::string& name) {
  for (const FieldSchema& field : schema.fields) {
    if (field.name == name) {
      return &field;
    }
  }
  return nullptr;
}

/// The mapping in a value that may be written in short.
inline const Schema& mapping_in(const Schema& schema) {
  for (const SchemaPtr& each : schema.alternatives) {
    if (each->kind == Schema::Kind::Mapping) {
      return *each;
    }
  }
  return schema;
}

/// A key of an entry: where it stands, and what its value looks like.
struct Key {
  std::string layer;
  std::string type;                ///< "LIST", "Added" …; "" for the store, which has none
  std::vector<std::string> names;  ///< of the mappings that lead to it, and its own
  SchemaPtr schema;

  [[nodiscard]] std::string path(const std::string& type_as) const {
    std::string text = layer + (type.empty() ? "" : "." + type_as);
    for (const std::string& name : names) {
      text += "." + name;
    }
    return text;
  }
  [[nodiscard]] std::string exact() const { return path(type); }
  [[nodiscard]] std::string general() const { return path("*"); }

  /// An entry that says this of the key, and the least beside it.
  [[nodiscard]] std::string entry(const std::string& value) const {
    std::string text = names.back() + ": " + value;
    for (std::size_t i = names.size() - 1; i > 0; --i) {
      text = names[i - 1] + ": {" + text + "}";
    }
    const std::string least = layer == "notes" ? "text" : "name";
    const bool is_named = layer == "requests" || names.front() == least;
    text = is_named ? "{" + text + "}" : "{" + least + ": demo, " + text + "}";
    return type.empty() ? text : "{" + type + ": " + text + "}";
  }
};

inline void collect(const Key& at, const Schema& schema, std::vector<Key>& keys) {
  for (const FieldSchema& field : mapping_in(schema).fields) {
    Key key = at;
    key.names.push_back(field.name);
    key.schema = field.value;
    const Schema& inner = mapping_in(*field.value);
    // What may be a word or a duration too is one key; its mapping is another way to say it.
    if (inner.kind == Schema::Kind::Mapping && field.value->kind == Schema::Kind::Mapping) {
      collect(key, inner, keys);
    } else {
      keys.push_back(std::move(key));
    }
  }
}

/// Every key of an entry, as the language has them.
inline std::vector<Key> all_keys() {
  std::vector<Key> keys;
  for (const FieldSchema& layer : language().fields) {
    const FieldSchema* exactly = field_of(*layer.value, "exactly");
    if (exactly == nullptr) {
      continue;
    }
    const Schema& entry = mapping_in(*exactly->value->item);
    if (std::none_of(entry.fields.begin(), entry.fields.end(),
                     [](const auto& field) { return field.presence == Presence::OneOf; })) {
      collect({.layer = layer.name}, entry, keys);
      continue;
    }
    for (const FieldSchema& type : entry.fields) {
      collect({.layer = layer.name, .type = type.name}, *type.value, keys);
    }
  }
  return keys;
}

}  // namespace watchlab::scenarios::tests
