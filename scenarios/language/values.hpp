#pragma once

#include <charconv>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/api/object.hpp"
#include "core/runtime/time.hpp"
#include "scenarios/language/document.hpp"
#include "scenarios/language/schema.hpp"

namespace watchlab::scenarios {

/// A name that a file gives to something, or by which it calls something.
struct NameUse {
  std::string kind;  ///< "client", "object", "revision", …
  std::string name;
  Place place;
  std::string of{};  ///< of a symbol: what it must stand for, "revision" or "uid"
};

/// What one pass over a file collects beside the values: problems, and all names with their places.
class ParseContext {
 public:
  Problems problems;
  std::vector<Renaming> renamings;  ///< what is read, and is called otherwise now
  /// Values whose keys stand in another mapping by mistake, which is a problem already: what is
  /// missing in them is none of its own.
  std::set<const Node*> excused;
  /// Clients and handlers about which a problem was put: what follows from it is none.
  std::set<std::string> blamed;
  /// How many objects the server has that are named by their number.
  std::int64_t bulk_objects = 0;
  /// The mappings around the value that is being read, the outermost first.
  std::vector<const Schema*> around;

  void defines(const std::string& kind, std::string name, Place place);
  void uses(std::string kind, std::string name, Place place);
  /// A symbol stands for a revision or a uid. Both share one set of names.
  void defines_symbol(std::string name, std::string of, Place place);
  void uses_symbol(std::string name, std::string of, Place place);
  /// Puts a problem for each name that is used but not defined, but for objects that may come
  /// without the file's doing. Call it once, after the pass.
  void check_names(const std::function<bool(const std::string& object)>& may_come);

 private:
  /// Those of one kind, with the place of the first that has each.
  struct Names {
    std::vector<std::string> in_order;
    std::map<std::string, Place> places;
  };

  void check_meaning(const NameUse& use);

  std::map<std::string, Names> defined_;
  std::map<std::string, std::string> meanings_;  ///< what symbols stand for
  std::vector<NameUse> used_;
};

/// Where a text is rather several, without the comma between: what to write instead; "" when one of
/// its words is not right by itself, or there is but one.
[[nodiscard]] std::string with_commas(const std::string& text,
                                      const std::function<bool(const std::string&)>& is_right);

/// A piece of the language: what a value looks like, how to read it and how to write it. `read`
/// never throws: it puts what is wrong into the `ParseContext` and returns a default value. What
/// `write` gives, `read` makes the same value of; it gives nothing for a value that cannot be said
/// in this form.
template <typename T>
struct Codec {
  SchemaPtr schema;
  std::function<T(const Node&, ParseContext&)> read;
  std::function<std::optional<Node>(const T&)> write;
};

/// Any text; `title` says what it is, with its article: "a name".
[[nodiscard]] Codec<std::string> text(std::string title);
/// A name that this value gives to something of that kind, "client" or "symbol".
[[nodiscard]] Codec<std::string> new_name(std::string kind);
/// The name of a new symbol for a "revision" or a "uid".
[[nodiscard]] Codec<std::string> new_symbol(std::string of);
/// A name that something of that kind must have somewhere in the file.
[[nodiscard]] Codec<std::string> known_name(std::string kind);
/// A "revision" or "uid": its text, or `$name` for one that the file has named; `title` with its
/// article.
[[nodiscard]] Codec<std::string> symbol(std::string title, std::string of);
/// The same for a revision, of which the text is a number.
[[nodiscard]] Codec<std::string> revision();
/// One of several words.
[[nodiscard]] Codec<std::string> word(std::string title, std::vector<std::string> choices);
/// A whole number from `minimum` to `maximum`, written without quotes.
[[nodiscard]] Codec<std::int64_t> integer(std::string title, std::int64_t minimum,
                                          std::int64_t maximum);
/// `true` or `false`, written without quotes.
[[nodiscard]] Codec<bool> boolean();
/// A number and a unit: `250us`, `1500ms`, `1.5s`, `5m`, `2h`, `7d`. Never negative.
[[nodiscard]] Codec<runtime::Duration> duration();
/// A mapping from text to text.
[[nodiscard]] Codec<api::Labels> text_map(std::string title);

/// A mapping, or if `kind` says so a list, with anything in it: JSON text. Scalars without quotes
/// are numbers, `true`, `false`, `null` or, if none of these, texts.
[[nodiscard]] Codec<std::string> json_text(std::string title, Node::Kind kind);

/// The key with a value that it may have, for a message that it is missing: "by: 5s".
[[nodiscard]] std::string example_of(const FieldSchema& field);

/// "kind: informer" for a text like "kind informer", "kind=informer" or "kind:informer" that begins
/// with one of these names; nothing for all else.
[[nodiscard]] std::optional<std::string> key_without_colon(const std::string& text,
                                                           std::span<const std::string> names);

/// A problem with a value of the wrong kind: "a list where a duration belongs".
void put_wrong_kind(const Node& node, const Schema& schema, ParseContext& context);

/// A problem with a text that the schema does not allow: "'5 minutes' is not a duration".
void put_wrong_text(const Node& node, const Schema& schema, ParseContext& context);

/// Whether two words in a list of mappings are one mistake: [create, x] for [{create: x}], [a, b]
/// for
/// [{name: a}, {name: b}].
[[nodiscard]] bool continues_mistake(const Node& before, const Node& element, const Schema& item);

/// The duration that somebody probably means who writes no unit, a longer word for it, or the
/// number otherwise than it is read: "5s" for "5 sec", "1.5s" for "1,5s"; "" for no idea.
[[nodiscard]] std::string nearest_duration(const std::string& given);

/// Reads the number that a text begins with, as `std::from_chars` does; libc++ has it for double
/// from 20 on.
[[nodiscard]] std::from_chars_result read_number(const std::string& text, double& number,
                                                 std::chars_format format);
/// "1h30m" for "1h30", and for itself: several numbers with units, of which the last may lack its
/// own; "" for all else.
[[nodiscard]] std::string compound_duration(const std::string& given);

/// What a number and a unit come to, however much that is; nothing for all else.
[[nodiscard]] std::optional<double> nanoseconds_in(const std::string& text);

inline constexpr std::chrono::hours longest_duration(24 * 366 * 10);  // ten years

/// The whole text as a duration; nothing when it is none, or longer than ten years.
[[nodiscard]] bool parse_duration(const std::string& text, runtime::Duration& out);

}  // namespace watchlab::scenarios
