#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/record/record.hpp"

/// Patterns for what a story expects. A field that a pattern omits matches anything. Revisions and
/// uids may be symbols, `$name`, for names that the story's own writes have defined.
namespace watchlab::sim {

/// The values of a run's symbols: "born" → "17".
using Symbols = std::map<std::string, std::string>;

/// How long a client waits before a request, as a class, because the exact time is often random.
struct DelayClass {
  enum class Kind : std::uint8_t { Immediate, Backoff, Fixed };

  Kind kind = Kind::Immediate;
  int step = 1;                  ///< the k-th delay of a fresh backoff, from 1
  runtime::Duration exactly{0};  ///< for Fixed
  /// The allowed difference in real time; a scenario cannot set it.
  runtime::Duration tolerance{0};

  bool operator==(const DelayClass&) const = default;
};

/// Whether a delay belongs to the class. Backoff step k is in [d, 2d), where d is 800 ms doubled
/// k-1 times, at most 30 s: the constants of client-go's reflector.
[[nodiscard]] bool belongs(runtime::Duration delay, const DelayClass& delay_class);

/// One version of an object.
struct StatePattern {
  std::optional<std::string> rv;
  std::optional<std::string> uid;
  std::optional<api::Labels> labels;
  std::optional<api::Labels> data;
  /// Of an object at the end: JSON of members that its body has, as `fits_body` reads it.
  std::optional<std::string> body = std::nullopt;

  bool operator==(const StatePattern&) const = default;
};

struct ObjectPattern {
  std::string name;
  std::string namespace_ = "default";
  StatePattern state;

  bool operator==(const ObjectPattern&) const = default;
};

struct RequestPattern {
  Verb verb = Verb::List;
  std::optional<std::string> rv;
  std::optional<AnswerKind> answer;
  std::optional<StreamEnd> end;
  std::optional<DelayClass> delay;
  std::optional<std::int64_t> limit;
  std::optional<std::string> label_selector;
  std::optional<std::string> field_selector;
  std::optional<std::string> name;        ///< the name of the object that it is about
  std::optional<std::string> namespace_;  ///< likewise
  int times = 1;

  bool operator==(const RequestPattern&) const = default;
};

/// A state of an object, as the server sent it to a client.
struct ServedRecord {
  ServedType type = ServedType::Listed;
  api::ObjectPtr object;
  runtime::TimePoint at;    ///< when it arrived
  std::size_t request = 0;  ///< the request of the record that it answers
};
/// All states sent to a client, in the order of its requests; "" for all clients.
[[nodiscard]] std::vector<ServedRecord> served_to(const Record& record, const std::string& client);
/// The server's objects of a kind at the end, in key order.
[[nodiscard]] std::vector<api::ObjectPtr> held_at_the_end(const Record& record,
                                                          const std::string& kind);

/// Whether it is a LIST or a WATCH, or deletes a collection: no request about one object.
[[nodiscard]] bool is_about_a_collection(Verb verb);

/// All requests of a client, including those about one object, in the order in which they were
/// sent; "" for all clients.
[[nodiscard]] std::vector<RequestRecord> sent_by(const Record& record, const std::string& client);

struct ServedPattern {
  ServedType type = ServedType::Listed;
  ObjectPattern object;
  int times = 1;

  bool operator==(const ServedPattern&) const = default;
};

struct DeltaPattern {
  DeltaType type = DeltaType::Added;
  ObjectPattern object;
  std::optional<bool> tombstone;
  std::optional<bool> initial;
  int times = 1;

  bool operator==(const DeltaPattern&) const = default;
};

struct CallPattern {
  CallType type = CallType::Add;
  ObjectPattern object;
  std::optional<StatePattern> from;  ///< the old object of an update
  std::optional<StatePattern> to;    ///< the new one
  std::optional<bool> tombstone;
  std::optional<bool> initial;
  int times = 1;

  bool operator==(const CallPattern&) const = default;
};

/// A note's text, in which `*` matches anything.
struct NotePattern {
  std::string text;
  int times = 1;

  bool operator==(const NotePattern&) const = default;
};

/// Whether a body has what a JSON object asks of it: an object has at least those members, a list
/// those elements and no others, and a text fits a pattern, in which `*` matches anything. What is
/// null must not be there.
[[nodiscard]] bool fits_body(const std::string& wanted, const std::string& body);

[[nodiscard]] bool matches(const NotePattern& pattern, const SaidRecord& record,
                           const Symbols& symbols);
[[nodiscard]] bool matches(const RequestPattern& pattern, const RequestRecord& record,
                           const Symbols& symbols);
[[nodiscard]] bool matches(const DeltaPattern& pattern, const DeltaRecord& record,
                           const Symbols& symbols);
[[nodiscard]] bool matches(const CallPattern& pattern, const CallRecord& record,
                           const Symbols& symbols);
[[nodiscard]] bool matches(const ServedPattern& pattern, const ServedRecord& record,
                           const Symbols& symbols);
[[nodiscard]] bool matches(const ObjectPattern& pattern, const api::Object& object,
                           const Symbols& symbols);

/// A short description of a pattern or a record, for the message of a broken expectation.
[[nodiscard]] std::string describe(const RequestPattern& pattern, const Symbols& symbols);
[[nodiscard]] std::string describe(const DeltaPattern& pattern, const Symbols& symbols);
[[nodiscard]] std::string describe(const NotePattern& pattern, const Symbols& symbols);
[[nodiscard]] std::string describe(const CallPattern& pattern, const Symbols& symbols);
[[nodiscard]] std::string describe(const ServedPattern& pattern, const Symbols& symbols);
[[nodiscard]] std::string describe(const ObjectPattern& pattern, const Symbols& symbols);
// Of what was recorded each is one line, see `visible_line`.
[[nodiscard]] std::string describe(const RequestRecord& record);
[[nodiscard]] std::string describe(const DeltaRecord& record);
[[nodiscard]] std::string describe(const SaidRecord& record);
[[nodiscard]] std::string describe(const CallRecord& record);
[[nodiscard]] std::string describe(const ServedRecord& record);
/// The same for a call, with less about its objects: the text of the note in a trace, which is part
/// of the digest.
[[nodiscard]] std::string note_of(const CallRecord& record);
/// What the note omits, for people: the labels, annotations, finalizers, owners and deletion
/// timestamp of an added object, such as " labels {a=b}"; for an updated object only those that
/// changed, such as " labels {a=b} → none". "" if there is nothing.
[[nodiscard]] std::string metadata_of(const CallRecord& record);
[[nodiscard]] std::string describe(const api::Object& object);
/// "1.5s", "800ms".
[[nodiscard]] std::string describe(runtime::Duration duration);

}  // namespace watchlab::sim
