#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/record/record.hpp"

/// What a story says about one thing that it expects: a pattern. What a pattern leaves out matches
/// anything. Revisions and uids may be symbols, `$name`, that the story's own writes gave names to.
namespace watchlab::sim {

/// What the symbols of one run stand for: "born" → "17".
using Symbols = std::map<std::string, std::string>;

/// How long a client waits before a request, as a class: the exact time is often drawn by chance.
struct DelayClass {
  enum class Kind : std::uint8_t { Immediate, Backoff, Fixed };

  Kind kind = Kind::Immediate;
  int step = 1;                  ///< the k-th delay of a fresh backoff, from 1
  runtime::Duration exactly{0};  ///< for Fixed
  /// By how much it may be missed, where time is real; a scenario cannot say it.
  runtime::Duration tolerance{0};

  bool operator==(const DelayClass&) const = default;
};

/// Whether a delay belongs to the class. Backoff step k is in [d, 2d) with d = 800 ms doubled k-1
/// times, at most 30 s: the constants of the client-go reflector.
[[nodiscard]] bool belongs(runtime::Duration delay, const DelayClass& delay_class);

/// One version of an object.
struct StatePattern {
  std::optional<std::string> rv;
  std::optional<std::string> uid;
  std::optional<api::Labels> labels;
  std::optional<api::Labels> data;

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
  std::optional<std::string> name;        ///< of the object that it is about
  std::optional<std::string> namespace_;  ///< likewise
  int times = 1;

  bool operator==(const RequestPattern&) const = default;
};

/// A state of an object as the server served it to a client.
struct ServedRecord {
  ServedType type = ServedType::Listed;
  api::ObjectPtr object;
};
/// All that were served to a client, in the order of its requests; "" for all clients.
[[nodiscard]] std::vector<ServedRecord> served_to(const Record& record, const std::string& client);
/// What the server holds of a kind at the end, in the order of keys.
[[nodiscard]] std::vector<api::ObjectPtr> held_at_the_end(const Record& record,
                                                          const std::string& kind);

/// All requests of a client, those about one object too, in the order in which they were sent; ""
/// for all clients.
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

/// A note: its text, in which `*` stands for anything.
struct NotePattern {
  std::string text;
  int times = 1;

  bool operator==(const NotePattern&) const = default;
};

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

/// A pattern or a record in few words, for the message of a broken expectation.
[[nodiscard]] std::string describe(const RequestPattern& pattern, const Symbols& symbols);
[[nodiscard]] std::string describe(const DeltaPattern& pattern, const Symbols& symbols);
[[nodiscard]] std::string describe(const NotePattern& pattern, const Symbols& symbols);
[[nodiscard]] std::string describe(const CallPattern& pattern, const Symbols& symbols);
[[nodiscard]] std::string describe(const ServedPattern& pattern, const Symbols& symbols);
[[nodiscard]] std::string describe(const ObjectPattern& pattern, const Symbols& symbols);
[[nodiscard]] std::string describe(const RequestRecord& record);
[[nodiscard]] std::string describe(const DeltaRecord& record);
[[nodiscard]] std::string describe(const SaidRecord& record);
[[nodiscard]] std::string describe(const CallRecord& record);
[[nodiscard]] std::string describe(const ServedRecord& record);
/// The same of a call with less of its objects: what the note in a trace says, and a digest holds.
[[nodiscard]] std::string note_of(const CallRecord& record);
/// What the note leaves out, for people: the labels, annotations, finalizers, owners and deletion
/// timestamp of an object that was added, " labels {a=b}"; of one that was updated those that
/// changed, " labels {a=b} → none". "" for nothing.
[[nodiscard]] std::string metadata_of(const CallRecord& record);
[[nodiscard]] std::string describe(const api::Object& object);
/// "1.5s", "800ms".
[[nodiscard]] std::string describe(runtime::Duration duration);

}  // namespace watchlab::sim
