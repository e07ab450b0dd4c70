#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace watchlab::scenarios {

struct Schema;
using SchemaPtr = std::shared_ptr<const Schema>;

/// Whether a key of a mapping has to be there.
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
  std::string former = {};   ///< its name of before, which is still read; "" for none
  std::string example = {};  ///< the key with a value, for who has left it out; "" for none

  [[nodiscard]] bool is_called(const std::string& key) const {
    return key == name || (!former.empty() && key == former);
  }
};

/// What a value in a scenario file may look like. The language is one tree of schemas, made
/// together with the parsers by the same tables (`table.hpp`), so that checks, hints and the JSON
/// Schema cannot disagree.
struct Schema {
  enum class Kind : std::uint8_t {
    Text,
    Choice,   ///< one of `choices`
    Integer,  ///< from `minimum` to `maximum`
    Boolean,
    Duration,    ///< a number and a unit
    TextMap,     ///< a mapping from text to text
    AnyMapping,  ///< a mapping with anything in it
    AnyList,     ///< a list with anything in it
    List,        ///< of `item`
    Mapping,     ///< of `fields`
    Either,      ///< one of `alternatives`; they differ in whether they are scalar, list or mapping
  };

  Kind kind = Kind::Text;
  std::string title;  ///< what it is called in messages, with its article: "a client"
  std::string doc;
  std::vector<std::string> choices;
  std::optional<std::int64_t> minimum;
  std::optional<std::int64_t> maximum;
  SchemaPtr item;
  std::vector<FieldSchema> fields;
  std::vector<SchemaPtr> alternatives;
};

/// The JSON Schema (draft 2020-12) of a mapping, indented. What it accepts is what the readers of
/// the same schema accept, except for what no schema can say: that names exist.
[[nodiscard]] std::string schema_text(const Schema& schema);

/// The schema of a whole scenario file: what `watchlab schema` prints.
[[nodiscard]] std::string scenario_schema_text();

}  // namespace watchlab::scenarios
