#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/record/record.hpp"

namespace watchlab::sim {

/// An invariant that a story does not check, and why.
struct Waiver {
  std::string invariant;  ///< its name: "stores_converge"
  std::string because;

  bool operator==(const Waiver&) const = default;
};

/// What is wrong with a record, in one message; nothing if the invariant holds.
using Finding = std::optional<std::string>;

/// A claim about every story, which can be true or false.
struct Invariant {
  std::string_view clause;  ///< "C4", for tests, exercises and reports
  std::string_view name;    ///< "deletions_arrive"
  std::string_view doc;     ///< the claim in one sentence
  /// Checks a closed record. Pure; any task may call it.
  Finding (*check)(const Record&) = nullptr;
  /// Whether it is promised only if servers and network behave correctly. It is not checked in a
  /// story that injects an illegal fault.
  bool needs_legal_world = false;
  /// The illegal faults under which it is not promised, if it does not need a fully legal world.
  std::vector<std::string_view> suspended_by = {};
  /// Invariants that this one extends: it is not checked if one of them is waived or broken.
  std::vector<std::string_view> extends = {};
  /// The part of it that can be checked for an external program on the story's clock, of which only
  /// the requests are known. Gets a record of just those; null if there is no such part.
  Finding (*check_outside)(const Record&) = nullptr;
  /// The clause after which it is listed, if that is not its predecessor by number.
  std::string_view listed_after = "";
};

/// All invariants: the contract (C), the properties (I), and the guarantees of a server (W). I9 (no
/// deadlock), I10 (no panic) and I13 (no data race) are missing, because the world itself reports
/// them. Each invariant comes after those it extends. Sorted once, because every run asks for the
/// list.
[[nodiscard]] const std::vector<Invariant>& invariant_catalogue();

/// What is wrong with the record: one message per broken invariant, with its clause and name.
/// Waived invariants are not checked.
[[nodiscard]] std::vector<std::string> broken_invariants(const Record& record,
                                                         std::span<const Waiver> waived);
/// The same for what can be checked of external programs.
[[nodiscard]] std::vector<std::string> broken_outside(const Record& record,
                                                      std::span<const Waiver> waived);

}  // namespace watchlab::sim
