#include "sim/explain/data_race.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "sim/explain/lock_order.hpp"
#include "sim/explain/wording.hpp"
#include "sim/kernel/path_text.hpp"

namespace watchlab::sim {
namespace {

/// More than that would hide the accesses.
constexpr std::size_t kBetweenMax = 2;

WitnessedStep row_of(const Witness& witness, const std::string& data,
                     const DataRace::Access& access) {
  const auto actor = std::ranges::find(witness.actors, access.task, &WitnessedActor::path);
  WitnessedStep row{.step = access.step};
  row.done = {.actor = static_cast<std::uint32_t>(actor - witness.actors.begin()),
              .kind = access.writes ? OperationKind::AtomicWrite : OperationKind::AtomicRead,
              .object = data,
              .here = access.here};
  return row;
}

/// "mutex 'queue' (queue.cpp:12)".
std::string lock_text(const WitnessedOperation& taken) {
  const bool tried =
      taken.kind == OperationKind::TryLock || taken.kind == OperationKind::GateChange;
  return fmt::format("{}{} ({})", tried ? "what it tried to take, " : "", taken.object,
                     place_text(taken.here));
}

std::string locks_text(const std::vector<WitnessedOperation>& held) {
  std::vector<std::string> names;
  std::ranges::transform(held, std::back_inserter(names), lock_text);
  return names.empty() ? "no lock" : listed(names);
}

std::vector<std::pair<WitnessedOperation, WitnessedOperation>> done_between(
    const Witness& witness, const WitnessedStep& first, const WitnessedStep& second) {
  std::vector<std::pair<WitnessedOperation, WitnessedOperation>> pairs;
  std::vector<WitnessedOperation> left;  // by the first task, to objects
  for (const WitnessedStep& step : witness.steps) {
    const WitnessedOperation& done = step.done;
    if (step.step <= first.step || step.step > second.step || done.object_id == 0) {
      continue;
    }
    if (done.actor == first.done.actor) {
      left.push_back(done);
      continue;
    }
    const auto same = std::ranges::find(left, done.object_id, &WitnessedOperation::object_id);
    if (done.actor == second.done.actor && same != left.end()) {
      std::erase_if(pairs, [&](const auto& pair) {  // the last one counts
        return pair.first.object_id == done.object_id;
      });
      pairs.emplace_back(*same, done);
    }
  }
  pairs.resize(std::min(pairs.size(), kBetweenMax));
  return pairs;
}

/// A lock that both hold, if there is one: then one of them holds it for reading only.
const WitnessedOperation* common_lock(const RacingAccess& one, const RacingAccess& other) {
  const auto found = std::ranges::find_first_of(
      one.held, other.held, {}, &WitnessedOperation::object_id, &WitnessedOperation::object_id);
  return found == one.held.end() ? nullptr : &*found;
}

/// What of the locks would order the accesses.
std::string remedy(const RacingAccess& first, const RacingAccess& second, const Witness& witness) {
  if (const WitnessedOperation* const common = common_lock(first, second)) {
    return fmt::format(
        "Both hold {}, which does not keep them apart: who writes must hold it alone",
        common->object);
  }
  if (first.held.empty() && second.held.empty()) {
    return "A lock that is held at both lines would order them";
  }
  if (!first.held.empty() && !second.held.empty()) {
    return "They hold different locks: one that is held at both lines would order them";
  }
  const RacingAccess& without = first.held.empty() ? first : second;
  const RacingAccess& with = first.held.empty() ? second : first;
  return fmt::format("If {} held {}, too, that would order them",
                     witness.name(without.row.done.actor), with.held.back().object);
}

}  // namespace

std::vector<WitnessedStep> racing_accesses(const Witness& witness) {
  const auto& failure = witness.result.failure;
  if (!failure || !failure->race) {
    return {};
  }
  return {row_of(witness, failure->race->data, failure->race->first),
          row_of(witness, failure->race->data, failure->race->second)};
}

std::optional<RaceExplanation> find_data_race(const Witness& witness) {
  const std::vector<WitnessedStep> rows = racing_accesses(witness);
  if (rows.empty()) {
    return std::nullopt;
  }
  RaceExplanation race{.accesses = {RacingAccess{.row = rows[0]}, RacingAccess{.row = rows[1]}},
                       .between = done_between(witness, rows[0], rows[1])};
  for (RacingAccess& access : race.accesses) {
    access.held = locks_held(witness, access.row.done.actor, access.row.step);
  }
  return race;
}

std::string RaceExplanation::to_string(const Witness& witness) const {
  std::string text;
  for (const RacingAccess& access : accesses) {
    text += fmt::format("after step {}: {}; it holds {}.\n", access.row.step,
                        describe(witness, access.row.done), locks_text(access.held));
  }
  for (const auto& [first, second] : between) {
    text += fmt::format("In between {}, and then {}: done so, that orders nothing.\n",
                        describe(witness, first), describe(witness, second));
  }
  return text + remedy(accesses[0], accesses[1], witness) +
         "; so would an operation by which the one task hands over to the other between the two: "
         "on "
         "a channel, a wait group or an atomic, or a join.";
}

}  // namespace watchlab::sim
