#include "sim/invariants/invariant_catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

#include "sim/invariants/families.hpp"

namespace watchlab::sim {
namespace {

/// 7 of "I7".
int number_of(std::string_view clause) { return std::stoi(std::string(clause.substr(1))); }

/// The contract (C) comes before the properties (I) and the guarantees (W).
std::tuple<char, int, int> place_of(const Invariant& invariant) {
  const std::string_view place =
      invariant.listed_after.empty() ? invariant.clause : invariant.listed_after;
  return {place.front(), number_of(place), number_of(invariant.clause)};
}

std::vector<Invariant> all_families() {
  std::vector<Invariant> all;
  for (const auto& family :
       {invariants::of_stores, invariants::of_handlers, invariants::of_deliveries,
        invariants::of_first_lists, invariants::of_resyncs, invariants::of_newest_queues,
        invariants::of_work_queues, invariants::of_requests, invariants::of_failures,
        invariants::of_ends, invariants::of_watches}) {
    std::ranges::move(family(), std::back_inserter(all));
  }
  std::ranges::sort(all, {}, place_of);
  return all;
}

bool is_waived(const Invariant& invariant, std::span<const Waiver> waived) {
  return std::ranges::find(waived, invariant.name, &Waiver::invariant) != waived.end();
}

std::string message_of(const Invariant& invariant, const std::string& finding) {
  return fmt::format("{} {}: {}", invariant.clause, invariant.name, finding);
}

bool is_suspended(const Invariant& invariant, const Record& record) {
  const auto& faults = invariant.suspended_by;
  return std::ranges::any_of(record.faults, [&](const FaultRecord& fault) {
    return (invariant.needs_legal_world && !fault.legal) ||
           std::ranges::find(faults, fault.name) != faults.end();
  });
}

}  // namespace

const std::vector<Invariant>& invariant_catalogue() {
  static const std::vector<Invariant> all = all_families();
  return all;
}

std::vector<std::string> broken_invariants(const Record& record, std::span<const Waiver> waived) {
  std::vector<std::string> messages;
  std::vector<std::string_view> out;  // waived or broken
  const auto is_out = [&](std::string_view name) {
    return std::ranges::find(out, name) != out.end();
  };
  for (const Invariant& invariant : invariant_catalogue()) {
    if (std::ranges::any_of(invariant.extends, is_out)) {
      continue;
    }
    if (is_waived(invariant, waived)) {
      out.push_back(invariant.name);
      continue;
    }
    if (is_suspended(invariant, record)) {
      continue;
    }
    if (const Finding finding = invariant.check(record)) {
      out.push_back(invariant.name);
      messages.push_back(message_of(invariant, *finding));
    }
  }
  return messages;
}

std::vector<std::string> broken_outside(const Record& record, std::span<const Waiver> waived) {
  std::vector<std::string> messages;
  for (const Invariant& invariant : invariant_catalogue()) {
    if (invariant.check_outside == nullptr || is_waived(invariant, waived) ||
        is_suspended(invariant, record)) {
      continue;
    }
    if (const Finding finding = invariant.check_outside(record)) {
      messages.push_back(message_of(invariant, *finding));
    }
  }
  return messages;
}

}  // namespace watchlab::sim
