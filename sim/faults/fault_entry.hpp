#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "sim/faults/fault.hpp"
#include "sim/faults/fault_parameters.hpp"

namespace watchlab::sim {

/// Whether a correct server behind a correct network may do this. Invariants about the client hold
/// under legal faults only.
enum class Legality : std::uint8_t { Legal, Illegal };

/// What a fault's trigger is matched against; what a user can ask for beside its own parameters.
enum class FaultScope : std::uint8_t {
  Messages,  ///< requests, answers and frames: the whole trigger applies
  Streams,   ///< open streams: only the client and the resource of the trigger make sense
  Servers,   ///< the servers themselves, at once: no trigger applies
};

/// One row of the catalogue of faults.
struct FaultEntry {
  std::string_view name;     ///< "close_watch"
  std::vector<int> numbers;  ///< rows of docs/faults.md that it plays
  std::string_view doc;      ///< what the world does, in a sentence
  Legality legality = Legality::Legal;
  bool wire_only = false;  ///< it is about bytes: on the direct transport it does nothing
  FaultScope scope = FaultScope::Messages;
  std::vector<FaultParameter> parameters;
  std::unique_ptr<Fault> (*make)(const FaultParameters&) = nullptr;
};

}  // namespace watchlab::sim
