#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/record/record.hpp"
#include "sim/story/pattern.hpp"

namespace watchlab::sim {

/// How a list of patterns is compared with what was recorded.
enum class Mode : std::uint8_t {
  Exactly,     ///< these and no others, in this order
  InAnyOrder,  ///< these and no others, in whatever order
  InOrder,     ///< these in this order; others may come between
  AtLeast,     ///< these, in whatever order, among others
  Never,       ///< none of these; with `times` not so many in a row
};

/// A list of patterns for one layer.
template <typename Pattern>
struct Expected {
  Mode mode = Mode::Exactly;
  std::vector<Pattern> entries;

  bool operator==(const Expected&) const = default;
};

/// What a client's store holds at the end. Its order means nothing: Exactly reads as InAnyOrder.
struct ExpectedStore {
  Mode mode = Mode::Exactly;
  std::vector<ObjectPattern> entries;

  bool operator==(const ExpectedStore&) const = default;
};

/// What the server holds of one kind at the end, whichever client wrote it. Its order means
/// nothing.
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

/// A statement about a run that holds or does not.
struct Expectation {
  /// Whose layer: a client. "" when the story has only one.
  std::string of;
  std::variant<Expected<RequestPattern>, Expected<DeltaPattern>, Expected<CallPattern>,
               ExpectedStore, ExpectedEnd, Expected<ServedPattern>, ExpectedObjects,
               Expected<NotePattern>>
      layer;
  /// Why this is true only for the schedule that the story runs under by default; "" when it is
  /// true for all. An exploration does not check it.
  std::string depends_on_order;
  int line = 0;  ///< where a scenario file says it; 0 when none does
  /// Of handler calls: whose; "" for all handlers of the client.
  std::string to = {};

  bool operator==(const Expectation&) const = default;
};

/// The objects that it names.
[[nodiscard]] std::vector<ObjectPattern*> objects_in(Expectation& expectation);

/// Lets all delays that it names be missed by that much, for a story in real time.
void tolerate(Expectation& expectation, runtime::Duration tolerance);

/// What is wrong, in one message; nothing when the expectation holds.
[[nodiscard]] std::optional<std::string> broken_by(const Expectation& expectation,
                                                   const Record& record, const Symbols& symbols);

}  // namespace watchlab::sim
