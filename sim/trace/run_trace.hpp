#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/explain/witness.hpp"

namespace watchlab::sim {

/// One step of a run, in words.
struct TraceStep {
  std::size_t step = 0;
  std::int64_t at = 0;  ///< nanoseconds of virtual time since the start
  std::string task;
  std::string does;      ///< "locks mutex 'queue'"
  std::string place;     ///< "queue.cpp:12"; "" for none
  std::string handover;  ///< why another task continues here; "" if the same one does
};

/// Something that was noted after a step.
struct TraceNote {
  std::size_t step = 0;
  std::int64_t at = 0;
  std::string task;
  std::string kind;  ///< "handler", "delta", "send" …
  std::string subject;
  std::string text;
  std::string by{};  ///< for a call: the name of the handler, if it has one
};

/// A run as values that can be stored, read and compared.
struct RunTrace {
  std::string name;
  std::string schedule;
  std::string digest;
  std::string outcome = "held";  ///< or the kind of the failure and its message
  std::vector<TraceStep> steps;
  std::vector<TraceNote> notes;

  /// JSON Lines: a header, then steps and notes in order.
  [[nodiscard]] std::string to_lines() const;
  /// Parses the output of `to_lines`. Throws `std::invalid_argument`, with the line, for anything
  /// else.
  [[nodiscard]] static RunTrace parse(std::string_view lines);
};

[[nodiscard]] RunTrace trace_of(const Witness& witness, std::string name);

}  // namespace watchlab::sim
