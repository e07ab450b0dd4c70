#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/record/record.hpp"

namespace watchlab::sim {

/// An invariant that a story does not check, and why not.
struct Waiver {
  std::string invariant;  ///< by its name: "stores_converge"
  std::string because;

  bool operator==(const Waiver&) const = default;
};

/// What is wrong with a record, in one message; nothing when an invariant holds.
using Finding = std::optional<std::string>;

/// A sentence about every story that can be true or false.
struct Invariant {
  std::string_view clause;  ///< "C4", for tests, exercises and reports
  std::string_view name;    ///< "deletions_arrive"
  std::string_view doc;     ///< the sentence
  /// Looks at a record that is closed. It is pure, and any task may call it.
  Finding (*check)(const Record&) = nullptr;
  /// Whether it is promised only where server and network do what correct ones may do. It is not
  /// looked at in a story that injects an illegal fault.
  bool needs_legal_world = false;
  /// The illegal faults under which it is not promised, one by one; for those that do not simply
  /// need a legal world.
  std::vector<std::string_view> suspended_by = {};
  /// Invariants of which it says more: it is left out when one of them is waived or broken.
  std::vector<std::string_view> extends = {};
  /// What of it holds for a program that runs outside on the story's clock, and of which only the
  /// requests are known. Looks at a record that has these alone; null for nothing.
  Finding (*check_outside)(const Record&) = nullptr;
  /// The clause after which it is listed, where that is not the one before its own.
  std::string_view listed_after = "";
};

/// All of them, whatever their family: the contract (C), the properties (I), and the guarantees of
/// a server (W). I9 (no deadlock), I10 (no panic) and I13 (no data race) are missing, as the world
/// itself reports them of a run. Each is listed after those it extends. They are put in order once,
/// since every run asks for them.
[[nodiscard]] const std::vector<Invariant>& invariant_catalogue();

/// What is wrong with the record, a message each with the clause and the name before it; those
/// that were waived are not looked at.
[[nodiscard]] std::vector<std::string> broken_invariants(const Record& record,
                                                         std::span<const Waiver> waived);
/// The same of what holds for programs outside.
[[nodiscard]] std::vector<std::string> broken_outside(const Record& record,
                                                      std::span<const Waiver> waived);

}  // namespace watchlab::sim
