#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/language/problem.hpp"

namespace watchlab::scenarios {

/// One value of a YAML document, with its place. A tree of values, without references: YAML's
/// anchors, aliases and tags are refused, so the tree is never larger than the text.
struct Node {
  enum class Kind : std::uint8_t { Scalar, Sequence, Mapping };

  struct Entry;

  Kind kind = Kind::Scalar;
  Place place;
  std::string text;            ///< of a scalar; "" for null
  bool quoted = false;         ///< a scalar in quotes or a block: always text, never a number
  std::vector<Node> items;     ///< of a sequence
  std::vector<Entry> entries;  ///< of a mapping, in the order of the file, each key once

  /// The value of a key, or null.
  [[nodiscard]] const Node* find(std::string_view key) const;
};

struct Node::Entry {
  std::string key;
  Place place;
  Node value;
};

/// Bounds that keep a hostile file from costing time or memory.
inline constexpr std::size_t file_bytes_max = 1024 * 1024;
inline constexpr int depth_max = 32;
inline constexpr std::size_t nodes_max = 100'000;
inline constexpr std::size_t keys_max = 1000;  ///< of one mapping

/// Parses one YAML document whose root is a mapping. Puts a problem and returns an empty mapping
/// when the text is empty, binary, too large, no YAML, more than one document, or uses what this
/// language leaves out: anchors, aliases, tags, a key twice, a key that is no plain text.
[[nodiscard]] Node parse_document(const std::string& text, Problems& problems);

/// Reads a file of at most `file_bytes_max` bytes; its size is looked at before its content.
[[nodiscard]] std::string read_text_file(const std::string& path, Problems& problems);

}  // namespace watchlab::scenarios
