#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace watchlab::scenarios {

struct Schema;
using SchemaPtr = std::shared_ptr<const Schema>;

/// Whether a key of a mapping is required.
enum class Presence : std::uint8_t {
  Optional,
  Required,
  OneOf,  ///< exactly one of the mapping's keys of this kind
};

/// One key of a mapping.
struct FieldSchema {
  std::string name;
  std::string doc;  ///< one sentence, for the schema and for editors
  Presence presence = Presence::Optional;
  SchemaPtr value = nullptr;
  std::string former = {};   ///< an older name that is still accepted; "" for none
  std::string example = {};  ///< the key with a value, for messages that it is missing; "" for none

  [[nodiscard]] bool is_called(const std::string& key) const {
    return key == name || (!former.empty() && key == former);
  }
};

/// What a value in a scenario file may look like. The language is one tree of schemas. The same
/// tables (`table.hpp`) make the schemas and the parsers, so checks, hints and the JSON Schema
/// cannot disagree.
struct Schema {
  enum class Kind : std::uint8_t {
    Text,
    Choice,   ///< one of `choices`
    Integer,  ///< from `minimum` to `maximum`
    Boolean,
    Duration,    ///< a number and a unit
    TextMap,     ///< a mapping from text to text
    AnyMapping,  ///< a mapping with any content
    AnyList,     ///< a list with any content
    List,        ///< of `item`
    Mapping,     ///< of `fields`
    Either,      ///< one of `alternatives`, which differ in being a scalar, a list or a mapping
  };

  Kind kind = Kind::Text;
  std::string title;  ///< its name in messages, with an article: "a client"
  std::string doc;
  std::vector<std::string> choices;
  std::optional<std::int64_t> minimum;
  std::optional<std::int64_t> maximum;
  SchemaPtr item;
  std::vector<FieldSchema> fields;
  std::vector<SchemaPtr> alternatives;
};

/// The JSON Schema (draft 2020-12) of a mapping, indented. It accepts what the readers of the same
/// schema accept, except for what no schema can express: that names exist.
[[nodiscard]] std::string schema_text(const Schema& schema);

/// The schema of a whole scenario file: the output of `watchlab schema`.
[[nodiscard]] std::string scenario_schema_text();

}  // namespace watchlab::scenarios
