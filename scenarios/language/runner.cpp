#include "scenarios/language/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/features/release_profile.hpp"
#include "scenarios/language/transcript.hpp"
#include "sim/explore/replay_strategy.hpp"
#include "sim/kernel/schedule.hpp"
#include "sim/kernel/world.hpp"
#include "sim/story/pattern.hpp"

namespace watchlab::scenarios {
namespace {

constexpr std::uint64_t kOverAnother = 0x9e3779b97f4a7c15ULL;
constexpr std::uint64_t kOnAnother = 0xc2b2ae3d27d4eb4fULL;  ///< times the machine's place

/// What was observed, in its order: "requests of a" and so on.
using Layers = std::map<std::string, std::vector<std::string>>;

/// Every option counts, also those that every client asks for alike.
std::string words_for_request(const sim::RequestRecord& record) {
  const api::ListOptions& asked = record.options;
  sim::RequestRecord timeless = record;
  timeless.delay.reset();
  return fmt::format("{} timeout={} bookmarks={} then '{}' after {} events, {} lost",
                     sim::describe(timeless), asked.timeout_seconds, asked.allow_watch_bookmarks,
                     to_string(record.end), record.events, record.lost);
}

Layers layers_of(const sim::Record& record) {
  Layers layers;
  for (const sim::RequestRecord& request : record.requests) {
    layers["requests of " + request.client].push_back(words_for_request(request));
  }
  for (const sim::DeltaRecord& delta : record.deltas) {
    layers["deltas of " + delta.client].push_back(sim::describe(delta));
  }
  for (const sim::CallRecord& call : record.calls) {
    layers["calls of " + call.handler + " of " + call.client].push_back(sim::describe(call));
  }
  for (const sim::EndRecord& end : record.ends) {
    layers["ends of " + end.client].emplace_back(to_string(end.cause));
  }
  for (const auto& [client, objects] : record.stores) {
    for (const api::ObjectPtr& object : objects) {
      layers["store of " + client].push_back(sim::describe(*object));
    }
  }
  return layers;
}

/// No stored schedule fits any more, and nothing that is expected of its order.
Scenario played_otherwise(Scenario scenario, std::uint64_t word) {
  scenario.hash ^= word;
  if (!scenario.schedule.empty()) {
    scenario.schedule.clear();
    std::erase_if(scenario.expectations,
                  [](const sim::Expectation& each) { return !each.depends_on_order.empty(); });
  }
  return scenario;
}

std::string entry_at(const std::vector<std::string>& entries, std::size_t place) {
  return place < entries.size() ? entries[place] : "nothing";
}

}  // namespace

Scenario over(sim::Transport transport, Scenario scenario) {
  if (scenario.transport.value_or(sim::Transport::Direct) == transport) {
    return scenario;
  }
  scenario.transport = transport;
  return played_otherwise(std::move(scenario), kOverAnother);
}

Scenario on_machine(const std::string& machine, Scenario scenario) {
  const std::vector<std::string> names = features::machine_names();
  const auto place = std::ranges::find(names, machine) - names.begin();
  bool changes = false;
  for (sim::StoryClientOptions& client : scenario.clients) {
    changes = changes || client.machine != machine;
    client.machine = machine;
  }
  const std::uint64_t word = kOnAnother * (static_cast<std::uint64_t>(place) + 1);
  return changes ? played_otherwise(std::move(scenario), word) : scenario;
}

namespace {

/// A streamed list that is refused its revision, or ends before its mark, is asked for again
/// without a pause, as in the original (docs/known_live.md): what does that for ever makes it ask
/// for ever, in no time. So such a fault ends after some times.
void end_what_ends_streams(Scenario& story) {
  constexpr std::int64_t kTimes = 5;
  for (Step& step : story.script) {
    for (Action& action : step.actions) {
      auto* const fault = std::get_if<FaultAction>(&action);
      if (fault != nullptr && fault->fault.times == 0 && fault->fault.name.starts_with("fail_")) {
        fault->fault.times = kTimes;
      }
    }
  }
}

}  // namespace

/// A queue that takes nothing back has nothing to try again.
Scenario playable_on(const std::string& machine, Scenario scenario) {
  scenario = on_machine(machine, std::move(scenario));
  if (features::find_machine(machine)->streams_lists) {
    end_what_ends_streams(scenario);
  }
  for (sim::StoryClientOptions& client : scenario.clients) {
    client.failures = machine_problem(client).empty() ? client.failures : 0;
  }
  return scenario;
}

Scenario as_scheduled(const Scenario& scenario, std::string_view schedule) {
  std::uint64_t made_for = 0;
  try {
    made_for = sim::Schedule::parse(schedule).scenario;
  } catch (const sim::InvalidSchedule&) {
    return scenario;
  }
  std::vector<Scenario> candidates{scenario};
  for (const std::string& machine : features::machine_names()) {
    candidates.push_back(on_machine(machine, scenario));
  }
  const bool is_wire = scenario.transport == sim::Transport::Wire;
  for (const Scenario& candidate : candidates) {
    const Scenario other = over(is_wire ? sim::Transport::Direct : sim::Transport::Wire, candidate);
    for (const Scenario& each : {candidate, other}) {
      if (each.hash == made_for) {
        return each;
      }
    }
  }
  return scenario;
}

bool plays_on_both(const Scenario& scenario) {
  return scenario.program.empty() && !scenario.transport;
}

std::vector<std::string> differences(const sim::Record& direct, const sim::Record& wire) {
  const Layers left = layers_of(direct);
  Layers right = layers_of(wire);
  for (const auto& [layer, entries] : left) {
    right.try_emplace(layer);
  }
  std::vector<std::string> found;
  for (const auto& [layer, entries] : right) {
    const auto same = left.find(layer);
    const std::vector<std::string> none;
    const std::vector<std::string>& others = same == left.end() ? none : same->second;
    const auto first = std::mismatch(entries.begin(), entries.end(), others.begin(), others.end());
    const auto place = static_cast<std::size_t>(first.first - entries.begin());
    if (first.first != entries.end() || first.second != others.end()) {
      found.push_back(fmt::format("{}, number {}: direct: {}; wire: {}", layer, place + 1,
                                  entry_at(others, place), entry_at(entries, place)));
    }
  }
  return found;
}

std::vector<std::string> compare_transports(const Scenario& scenario) {
  const Transcript direct = play_undisturbed(over(sim::Transport::Direct, scenario));
  const Transcript wire = play_undisturbed(over(sim::Transport::Wire, scenario));
  std::vector<std::string> found;
  if (direct.problem != wire.problem) {
    found.push_back(fmt::format("direct: {}; wire: {}",
                                direct.problem.empty() ? "held" : direct.problem,
                                wire.problem.empty() ? "held" : wire.problem));
  }
  if (direct.record && wire.record) {
    const std::vector<std::string> more = differences(*direct.record, *wire.record);
    found.insert(found.end(), more.begin(), more.end());
  }
  return found;
}

namespace {

using sim::ReplayStrategy;
using sim::Schedule;

/// The schedule of a default run.
Schedule default_schedule(const Scenario& scenario) {
  if (!scenario.schedule.empty()) {
    return schedule_for(scenario, scenario.schedule);
  }
  return {.scenario = scenario.hash,
          .seed = static_cast<std::uint64_t>(scenario.explore.seed),
          .steps_max = static_cast<std::size_t>(scenario.explore.steps)};
}

sim::WorldOptions options_for(const Scenario& scenario, const Schedule& schedule) {
  return {.seed = schedule.seed,
          .steps_max = schedule.steps_max,
          .early_advances_max = schedule.early_advances_max,
          .memory = schedule.memory,
          .record = true,
          .scenario = scenario.hash};
}

}  // namespace

std::vector<std::string> unfired_faults_in(const Scenario& scenario, const sim::Record& record) {
  std::vector<std::string> lines;
  for (const sim::FaultRecord& fault : record.faults) {
    if (fault.acted == 0 && !fault.choice) {
      const std::string as = fault.as == fault.name ? "" : fmt::format(" ({})", fault.as);
      lines.push_back(fmt::format("{}:{}: the fault '{}'{} never fired",
                                  scenario.path.empty() ? scenario.name : scenario.path, fault.line,
                                  fault.name, as));
    }
  }
  return lines;
}

Schedule schedule_for(const Scenario& scenario, std::string_view text) {
  Schedule schedule = Schedule::parse(text);
  if (schedule.scenario != scenario.hash) {
    throw sim::InvalidSchedule(
        fmt::format("the schedule was made for another scenario, or for this one before its "
                    "clients, server or script changed: it carries {:x}, '{}' has {:x}",
                    schedule.scenario, scenario.name, scenario.hash));
  }
  if (schedule.memory != sim::Memory::SequentiallyConsistent) {
    throw sim::InvalidSchedule(
        fmt::format("the schedule asks for weak memory (+{}), which no story has: that is of C++ "
                    "programs that use watchlab/std",
                    sim::to_string(schedule.memory)));
  }
  return schedule;
}

Played replay_scenario(const Scenario& scenario, const Schedule& schedule, bool guided) {
  sim::World world(options_for(scenario, schedule));
  ReplayStrategy strategy(schedule,
                          guided ? ReplayStrategy::Mode::Guided : ReplayStrategy::Mode::Strict);
  const bool is_default = schedule == default_schedule(scenario);
  const Scope scope = is_default ? Scope::StoredOrder : Scope::AnyOrder;
  sim::Record record;
  Played played{.result = world.run(strategy, [&](runtime::Runtime& runtime) {
    play(scenario, scope, runtime, {.record = &record});
  })};
  played.unfired_faults = unfired_faults_in(scenario, record);
  played.divergence = strategy.divergence();
  played.record = std::move(record);
  return played;
}

Played run_scenario(const Scenario& scenario) {
  const Schedule schedule = default_schedule(scenario);
  Played played = replay_scenario(scenario, schedule, false);
  if (played.result.failure && played.result.failure->slow) {
    return played;
  }
  const Played again = replay_scenario(scenario, schedule, false);
  if (again.result.digest != played.result.digest) {
    played.divergence = "the same schedule gave two different runs: the digests differ";
  }
  return played;
}

}  // namespace watchlab::scenarios
