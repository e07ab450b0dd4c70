#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/record/record.hpp"
#include "sim/story/pattern.hpp"

namespace watchlab::sim {

/// How a list of patterns is compared with the record.
enum class Mode : std::uint8_t {
  Exactly,     ///< these and no others, in this order
  InAnyOrder,  ///< these and no others, in any order
  InOrder,     ///< these in this order; others may come in between
  AtLeast,     ///< these, in any order; there may be others
  AtMost,      ///< each of these as many `times` altogether, and no more; there may be others
  Never,       ///< none of these; with `times`, not that many in a row
};

/// A list of patterns for one layer.
template <typename Pattern>
struct Expected {
  Mode mode = Mode::Exactly;
  std::vector<Pattern> entries;

  bool operator==(const Expected&) const = default;
};

/// The contents of a client's store at the end. Order does not matter: Exactly means InAnyOrder.
struct ExpectedStore {
  Mode mode = Mode::Exactly;
  std::vector<ObjectPattern> entries;

  bool operator==(const ExpectedStore&) const = default;
};

/// The server's objects of one kind at the end, whoever wrote them. Order does not matter.
struct ExpectedObjects {
  std::string kind = "ConfigMap";
  Mode mode = Mode::Exactly;
  std::vector<ObjectPattern> entries;

  bool operator==(const ExpectedObjects&) const = default;
};

/// How a client ended.
struct ExpectedEnd {
  EndCause cause = EndCause::Running;

  bool operator==(const ExpectedEnd&) const = default;
};

/// A statement about a run, which is true or false.
struct Expectation {
  /// The client that the statement is about; "" if the story has only one.
  std::string of;
  std::variant<Expected<RequestPattern>, Expected<DeltaPattern>, Expected<CallPattern>,
               ExpectedStore, ExpectedEnd, Expected<ServedPattern>, ExpectedObjects,
               Expected<NotePattern>>
      layer;
  /// Why this is true only under the story's default schedule; "" if it is true under all. An
  /// exploration does not check it.
  std::string depends_on_order;
  int line = 0;  ///< its line in the scenario file; 0 if there is none
  /// For handler calls: which handler; "" for all handlers of the client.
  std::string to = {};

  bool operator==(const Expectation&) const = default;
};

/// The objects that the expectation names.
[[nodiscard]] std::vector<ObjectPattern*> objects_in(Expectation& expectation);

/// Adds a tolerance to all delays in the expectation, for a story in real time.
void tolerate(Expectation& expectation, runtime::Duration tolerance);

/// What kind of entry breaks an expectation.
enum class EntryKind : std::uint8_t {
  Request,
  Listed,  ///< an object of a list that the server sent
  Sent,    ///< an event of a watch that the server sent
  Delta,
  Call,
  Note,
  Written,  ///< an object that the server has at the end
  Stored,   ///< an object that a store has at the end
  End,
};

/// A recorded entry that the message of a broken expectation names.
struct NamedEntry {
  EntryKind kind = EntryKind::Note;
  runtime::TimePoint at{};
  std::string client = {};  ///< "" for the server
  std::string key = {};     ///< of the object that it is about; "" for none
  std::string words = {};   ///< as in the message, in one line
  /// How the trace of a run writes it: `DELETE default/demo`, `ADDED default/demo rv=3`, the type
  /// of a delta, the note of a call.
  std::string trace = {};
  std::string by = {};  ///< of a call: the handler, if it has a name
  /// When its request was sent: of a request, and of what the server sent.
  std::optional<runtime::TimePoint> sent{};

  bool operator==(const NamedEntry&) const = default;
};

/// The entry with which an expectation is broken, whatever comes after it. Nothing if it is met, or
/// if something is missing.
[[nodiscard]] std::optional<NamedEntry> breaking_entry(const Expectation& expectation,
                                                       const Record& record,
                                                       const Symbols& symbols);

/// What is wrong, in one message; nothing if the expectation is met.
[[nodiscard]] std::optional<std::string> broken_by(const Expectation& expectation,
                                                   const Record& record, const Symbols& symbols);

}  // namespace watchlab::sim
