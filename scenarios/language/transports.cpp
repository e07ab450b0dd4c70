#include "scenarios/language/transports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "scenarios/language/transcript.hpp"
#include "sim/kernel/schedule.hpp"
#include "sim/story/pattern.hpp"

namespace watchlab::scenarios {
namespace {

constexpr std::uint64_t kOverAnother = 0x9e3779b97f4a7c15ULL;

/// What somebody observed, in its order: "requests of a" and so on.
using Layers = std::map<std::string, std::vector<std::string>>;

/// Every option counts, also those that every client asks for alike.
std::string words_for_request(const sim::RequestRecord& record) {
  const api::ListOptions& asked = record.options;
  sim::RequestRecord timeless = record;
  timeless.delay.reset();
  return fmt::format("{} timeout={} bookmarks={} then '{}' after {} events, {} lost",
                     sim::words_for(timeless), asked.timeout_seconds, asked.allow_watch_bookmarks,
                     record.end, record.events, record.lost);
}

Layers layers_of(const sim::Record& record) {
  Layers layers;
  for (const sim::RequestRecord& request : record.requests) {
    layers["requests of " + request.client].push_back(words_for_request(request));
  }
  for (const sim::DeltaRecord& delta : record.deltas) {
    layers["deltas of " + delta.client].push_back(sim::words_for(delta));
  }
  for (const sim::CallRecord& call : record.calls) {
    layers["calls of " + call.handler + " of " + call.client].push_back(sim::words_for(call));
  }
  for (const sim::EndRecord& end : record.ends) {
    layers["ends of " + end.client].push_back(end.cause);
  }
  for (const auto& [client, objects] : record.stores) {
    for (const api::ObjectPtr& object : objects) {
      layers["store of " + client].push_back(sim::words_for(*object));
    }
  }
  return layers;
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
  scenario.hash ^= kOverAnother;
  if (!scenario.schedule.empty()) {
    scenario.schedule.clear();
    std::erase_if(scenario.expectations,
                  [](const sim::Expectation& each) { return !each.depends_on_order.empty(); });
  }
  return scenario;
}

Scenario as_scheduled(const Scenario& scenario, std::string_view schedule) {
  const bool is_wire = scenario.transport == sim::Transport::Wire;
  Scenario other = over(is_wire ? sim::Transport::Direct : sim::Transport::Wire, scenario);
  try {
    const std::uint64_t made_for = sim::Schedule::parse(schedule).scenario;
    return made_for == other.hash ? other : scenario;
  } catch (const sim::InvalidSchedule&) {
    return scenario;
  }
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

}  // namespace watchlab::scenarios
