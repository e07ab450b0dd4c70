#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace watchlab::scenarios {

/// A place in a scenario file; both count from one. Zero means the file as a whole.
struct Place {
  int line = 0;
  int column = 0;

  auto operator<=>(const Place&) const = default;
};

/// One thing that is wrong with a scenario file, in words for its author.
struct Problem {
  Place place;
  std::string what;            ///< "unknown key 'nmae' in a client"
  std::string expected;        ///< "name, kind or machine"; may be empty
  std::string nearest;         ///< the valid name that was probably meant; may be empty
  bool nearest_first = false;  ///< what is expected says less than the nearest name
  std::string output = {};     ///< lines of another program that say why; may be empty

  bool operator==(const Problem&) const = default;
};

/// `file:line:column: what; expected …; did you mean "…"?`, the form that editors can jump to. One
/// line, whatever the file is called and says: see `visible_line`; below it the output.
[[nodiscard]] std::string describe(const std::string& file, const Problem& problem);

/// A word of a file that has another name now: it is read, and `migrated` replaces it.
struct Renaming {
  Place place;
  std::string old;
  std::string now;
  std::string within;  ///< "a server"

  bool operator==(const Renaming&) const = default;
};

/// "'old' in a server is called 'now' now", with its place.
[[nodiscard]] Problem note_of(const Renaming& renaming);

/// Where the readers of a file put what they find wrong. Reading continues after a problem, so one
/// pass reports several; a reader that cannot continue returns a default value.
class Problems {
 public:
  /// More than this many are not kept: the rest would be noise.
  static constexpr std::size_t kKeptMax = 20;

  void add(Problem problem);
  /// While it is muted nothing is added: what would be said follows from what was said.
  void mute(bool is_muted) { is_muted_ = is_muted; }
  [[nodiscard]] bool empty() const { return found_.empty(); }
  [[nodiscard]] std::size_t count() const { return found_.size(); }
  /// In the order of the file.
  [[nodiscard]] std::vector<Problem> take();

 private:
  std::vector<Problem> found_;
  bool is_muted_ = false;
};

/// The candidate that `word` is probably a misspelling of: the one with the smallest edit distance,
/// if that is at most a third of the word's length, rounded up; else one of the same parts, as
/// "cut_watch" is of "watch_cut"; else the first that begins with the word. "" when there is none.
[[nodiscard]] std::string nearest_name(std::string_view word,
                                       std::span<const std::string> candidates);

/// The names of a catalogue's entries, in its order.
template <typename Entries>
[[nodiscard]] std::vector<std::string> names_of(Entries&& entries) {
  std::vector<std::string> names;
  for (const auto& entry : entries) {
    names.emplace_back(entry.name);
  }
  return names;
}

/// "a", "a or b", "a, b or c".
[[nodiscard]] std::string one_of(std::span<const std::string> words);

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
  bool in_brackets = false;    ///< [ ] or { } around a list or mapping

  /// The value of a key, or null.
  [[nodiscard]] const Node* find(std::string_view key) const;
  /// Where the first of these keys stands that is there; the place of the mapping for none.
  [[nodiscard]] Place place_of(std::initializer_list<std::string_view> keys) const;
  /// The same tree, wherever it stands.
  [[nodiscard]] bool operator==(const Node& other) const;
};

struct Node::Entry {
  std::string key;
  Place place;
  Node value;

  [[nodiscard]] bool operator==(const Entry& other) const {
    return key == other.key && value == other.value;
  }
};

/// Bounds that keep a hostile file from costing time or memory.
inline constexpr std::size_t kFileBytesMax = 1024 * 1024;
inline constexpr int kDepthMax = 32;
inline constexpr std::size_t kNodesMax = 100'000;
inline constexpr std::size_t kKeysMax = 1000;  ///< of one mapping

/// Parses one YAML document whose root is a mapping. Puts a problem and returns an empty mapping
/// when the text is empty, binary, too large, no YAML, more than one document, or uses what this
/// language leaves out: anchors, aliases, tags, a key twice, a key that is no plain text.
[[nodiscard]] Node parse_document(const std::string& text, Problems& problems);

/// Reads a file of at most `kFileBytesMax` bytes; its size is looked at before its content.
[[nodiscard]] std::string read_text_file(const std::string& path, Problems& problems);

/// The text with each of these words replaced, and nothing else: comments and layout stay.
[[nodiscard]] std::string migrated(const std::string& text, std::vector<Renaming> renamings);

/// A document as YAML, from which `parse_document` reads the same tree again, but for the places.
/// Small values stand on one line, as do the entries of long lists. `comment` goes before
/// everything else, a `#` before each of its lines; "" for none.
[[nodiscard]] std::string document_text(const Node& root, const std::string& comment = "");

}  // namespace watchlab::scenarios
