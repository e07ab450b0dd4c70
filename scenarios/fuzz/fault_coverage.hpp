#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/record/record.hpp"

namespace watchlab::scenarios {

/// What a client's reflector was doing when a fault was injected.
enum class ReflectorState : std::uint8_t {
  Away,      ///< not started, or ended
  Listing,   ///< its list has no answer yet
  Opening,   ///< its watch has no answer yet
  Watching,  ///< its watch is open
  Pausing,   ///< between two requests: it backs off
};
/// What had arrived at the client but had not been delivered yet.
enum class QueueState : std::uint8_t {
  Unfilled,  ///< nothing has arrived yet
  Empty,     ///< everything had been delivered
  One,       ///< changes to one object had not
  Several,   ///< changes to several objects had not
};

/// Which faults have hit which states of reflectors and queues. The order of additions does not
/// matter.
class FaultCoverage {
 public:
  static constexpr std::size_t kReflectorStates = 5;
  static constexpr std::size_t kQueueStates = 4;

  /// A run, recorded with all answers. Every fault hits every client that it may affect.
  void add(const sim::Record& record);
  void merge(const FaultCoverage& other);

  [[nodiscard]] std::size_t hits(const std::string& fault, ReflectorState reflector,
                                 QueueState queue) const;
  /// One row per fault, one column per state of the reflector; a cell has the letters of the queue
  /// states that were hit, and `.` for the others. `faults` names the rows.
  [[nodiscard]] std::string table(const std::vector<std::string_view>& faults) const;
  /// For another process: one line per fault.
  [[nodiscard]] std::string to_string() const;
  /// Throws `std::invalid_argument` for text that is not from `to_string`.
  [[nodiscard]] static FaultCoverage from_text(const std::string& text);
  /// How many of all combinations were hit, for the named faults.
  [[nodiscard]] std::size_t cells_hit(const std::vector<std::string_view>& faults) const;

 private:
  using Cells = std::array<std::array<std::size_t, kQueueStates>, kReflectorStates>;
  std::map<std::string, Cells, std::less<>> hits_;
};

/// The state of a client just before a moment, according to the record.
[[nodiscard]] ReflectorState reflector_state(const sim::Record& record, const std::string& client,
                                             runtime::TimePoint at);
[[nodiscard]] QueueState queue_state(const sim::Record& record, const std::string& client,
                                     runtime::TimePoint at);

}  // namespace watchlab::scenarios
