#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/story/options.hpp"
#include "sim/story/record.hpp"

namespace watchlab::sim {

/// A sentence about every story that can be true or false.
struct Invariant {
  std::string_view clause;  ///< "C4", for tests, exercises and reports
  std::string_view name;    ///< "deletions_arrive"
  std::string_view doc;     ///< the sentence
  /// Whether it is promised only where server and network do what correct ones may do. It is not
  /// looked at in a story that injects an illegal fault.
  bool needs_legal_world = false;
  std::optional<std::string> (*broken)(const Record&) = nullptr;
  /// The illegal faults under which it is not promised, one by one; for those that do not simply
  /// need a legal world.
  std::vector<std::string_view> suspended_by;
  /// Invariants of which it says more: it is left out when one of them is waived or broken.
  std::vector<std::string_view> extends;
};

/// All of them: the contract C1 to C17, the properties of `property_catalogue`, and the guarantees
/// of `watch_guarantee_catalogue`. Adding one means adding one file and its line in the source of
/// one of the three.
[[nodiscard]] std::vector<Invariant> invariant_catalogue();
/// I1 to I34, but for those that the world itself watches over.
[[nodiscard]] std::vector<Invariant> property_catalogue();
/// W1 to W6, about the server.
[[nodiscard]] std::vector<Invariant> watch_guarantee_catalogue();

/// What is wrong with the record, a sentence each with the clause and the name before it; those
/// that were waived are not looked at.
[[nodiscard]] std::vector<std::string> broken_invariants(const Record& record,
                                                         std::span<const Waiver> waived);

}  // namespace watchlab::sim
