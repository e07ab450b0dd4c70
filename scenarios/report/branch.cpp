#include "scenarios/report/branch.hpp"

#include <fmt/format.h>

#include <charconv>
#include <functional>
#include <optional>
#include <stdexcept>
#include <utility>

#include "sim/explain/wording.hpp"
#include "sim/explore/replay_strategy.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::scenarios {
namespace {

using sim::ReplayStrategy;

/// Follows a schedule up to a decision, counted as `sim::Witness` does, and the default order from
/// then on.
class BranchStrategy final : public sim::Strategy {
 public:
  BranchStrategy(const sim::Schedule& schedule, BranchPoint point)
      : followed_(schedule, ReplayStrategy::Mode::Strict), point_(point) {}

  void begin(const sim::Scheduler& scheduler) override {
    met_ = 0;
    followed_.begin(scheduler);
  }
  [[nodiscard]] std::uint32_t choose(const sim::Choice& choice) override {
    met_ += choice.options > 1 ? 1 : 0;
    if (met_ > point_.decision) {
      return 0;
    }
    if (met_ < point_.decision) {
      return followed_.choose(choice);
    }
    if (point_.alternative >= choice.options) {
      refusal_ = fmt::format("decision {} has alternatives 0 to {}, and no {}", point_.decision,
                             choice.options - 1, point_.alternative);
      return kAbandon;
    }
    return point_.alternative;
  }

  /// Why there is no such run; nothing when there is one.
  [[nodiscard]] std::optional<std::string> refusal() const {
    if (refusal_ || followed_.divergence()) {
      return refusal_ ? refusal_ : followed_.divergence();
    }
    return met_ >= point_.decision
               ? std::nullopt
               : std::optional(fmt::format("the run has {}, and no number {}",
                                           sim::counted(met_, "decision"), point_.decision));
  }

 private:
  ReplayStrategy followed_;
  BranchPoint point_;
  std::size_t met_ = 0;
  std::optional<std::string> refusal_;
};

}  // namespace

BranchPoint branch_point_from(std::string_view text) {
  const std::size_t sign = text.find('=');
  const auto number = [&](std::string_view part, auto& value) {
    const auto [end, failure] = std::from_chars(part.data(), part.data() + part.size(), value);
    return failure == std::errc() && end == part.data() + part.size();
  };
  BranchPoint point;
  if (sign == std::string_view::npos || !number(text.substr(0, sign), point.decision) ||
      !number(text.substr(sign + 1), point.alternative) || point.decision == 0) {
    throw std::invalid_argument(
        fmt::format("'{}' is no decision and its answer; expected something like 17=2, decision "
                    "17 and its alternative 2, as the page of `report` shows them",
                    text.substr(0, 40)));
  }
  return point;
}

std::string branch_schedule(const Scenario& scenario, const std::string& schedule,
                            BranchPoint point) {
  const sim::Schedule parsed = sim::Schedule::parse(schedule);
  sim::WorldOptions options = sim::options_of(parsed);
  options.record = true;
  sim::World world(options);
  BranchStrategy strategy(parsed, point);
  (void)world.run(strategy, body_of(scenario, Scope::AnyOrder));
  if (const std::optional<std::string> refusal = strategy.refusal()) {
    throw std::invalid_argument(*refusal);
  }
  return world.schedule().to_string();
}

std::size_t step_before(const SeenRun& seen, std::size_t decision) {
  const auto& decisions = seen.witness.decisions;
  return decision == 0 || decision > decisions.size() ? 0 : decisions[decision - 1].steps_before;
}

boost::json::array choices_of(const SeenRun& seen) {
  boost::json::array choices;
  if (seen.witness.result.steps > kBranchStepsMax) {
    return choices;
  }
  for (const sim::WitnessedDecision& decision : seen.witness.decisions) {
    boost::json::array tasks;
    for (const std::uint32_t actor : decision.actors) {
      tasks.emplace_back(actor);
    }
    choices.push_back(boost::json::array{decision.steps_before, sim::to_string(decision.kind),
                                         decision.what, decision.index, decision.options,
                                         std::move(tasks)});
  }
  return choices;
}

}  // namespace watchlab::scenarios
