#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/record/record.hpp"

namespace watchlab::scenarios {

/// What a client's reflector was doing when a fault came.
enum class ReflectorState : std::uint8_t {
  Away,      ///< not started, or ended
  Listing,   ///< its list has no answer yet
  Opening,   ///< its watch has no answer yet
  Watching,  ///< its watch is open
  Pausing,   ///< between two requests: it backs off
};
/// What lay between what had arrived at the client and what had been delivered of it.
enum class QueueState : std::uint8_t {
  Unfilled,  ///< nothing has arrived yet
  Empty,     ///< everything was delivered
  One,       ///< of one object not
  Several,   ///< of several objects not
};

/// Which faults have met which states of reflectors and queues. Order of adding does not matter.
class FaultCoverage {
 public:
  static constexpr std::size_t kReflectorStates = 5;
  static constexpr std::size_t kQueueStates = 4;

  /// A run, recorded with all answers. Every fault meets every client that it may hit.
  void add(const sim::Record& record);
  void merge(const FaultCoverage& other);

  [[nodiscard]] std::size_t met(const std::string& fault, ReflectorState reflector,
                                QueueState queue) const;
  /// A line a fault, a column a state of the reflector; in it the letters of the states of the
  /// queue that were met, `.` for those that were not. `faults` names the lines.
  [[nodiscard]] std::string table(const std::vector<std::string_view>& faults) const;
  /// For another process to read: a line a fault.
  [[nodiscard]] std::string to_string() const;
  /// Throws `std::invalid_argument` for what `to_string` has not written.
  [[nodiscard]] static FaultCoverage from_text(const std::string& text);
  /// How many of all combinations were met, for the faults named.
  [[nodiscard]] std::size_t cells_met(const std::vector<std::string_view>& faults) const;

 private:
  using Cells = std::array<std::array<std::size_t, kQueueStates>, kReflectorStates>;
  std::map<std::string, Cells, std::less<>> met_;
};

/// The state of a client right before a moment, by the record.
[[nodiscard]] ReflectorState reflector_state(const sim::Record& record, const std::string& client,
                                             runtime::TimePoint at);
[[nodiscard]] QueueState queue_state(const sim::Record& record, const std::string& client,
                                     runtime::TimePoint at);

}  // namespace watchlab::scenarios
