// What is made of a story that is drawn: the same about other kinds of objects, or in bytes.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "scenarios/fuzz/story_generator.hpp"
#include "scenarios/fuzz/swarm_faults.hpp"
#include "sim/explore/random_numbers.hpp"

namespace watchlab::scenarios {
namespace {

/// The last one lives in no namespace.
constexpr std::array<const char*, 5> kOtherKinds{"Secret", "Pod", "Deployment", "Widget", "Node"};
constexpr std::uint32_t kNamespacedKinds = 4;

/// The same write as a merge patch.
PatchAction patch_for(const sim::ObjectSketch& object) {
  boost::json::object data;
  for (const auto& [key, value] : object.data) {
    data[key] = value;
  }
  const boost::json::object members{{"data", std::move(data)}};
  return {{.object = {.name = object.name, .namespace_ = object.namespace_, .kind = object.kind},
           .merge = boost::json::serialize(members)}};
}

/// Some updates become patches, or are applied by a manager whom no other one keeps from it.
void vary_writes(Scenario& story, sim::RandomNumbers& numbers) {
  for (Step& step : story.script) {
    for (Action& action : step.actions) {
      const auto* update = std::get_if<UpdateAction>(&action);
      const std::uint32_t form = update != nullptr ? numbers.below(3) : 0;
      if (form == 1) {
        action = patch_for(update->object);
      } else if (form == 2) {
        action = ApplyAction{{.object = update->object, .force = true}};
      }
    }
  }
}

/// All objects are of that kind, all clients look at it, and faults concern it.
void turn_into(const std::string& kind, Scenario& story) {
  const auto turn = [&kind](sim::ObjectSketch& object) { object.kind = kind; };
  if (kind == "Widget") {
    story.server.resources.push_back({.kind = kind, .plural = "widgets"});
  }
  const std::string resource = types_of(story.server).find_kind(kind)->resource.resource;
  std::for_each(story.server.objects.begin(), story.server.objects.end(), turn);
  for (sim::StoryClientOptions& client : story.clients) {
    client.watches = kind;
  }
  for (Step& step : story.script) {
    for (Action& action : step.actions) {
      if (sim::ObjectSketch* object = object_of(action)) {
        turn(*object);
      } else if (auto* fault = std::get_if<FaultAction>(&action)) {
        const auto found = fault->fault.parameters.find("resource");
        if (found != fault->fault.parameters.end()) {
          found->second = resource;
        }
      }
    }
  }
}

/// The labels of an object as one of its writes says them: none to four, so that they grow and
/// shrink from write to write. Clients that select by colour see what they saw.
void draw_labels(sim::ObjectSketch& object, sim::RandomNumbers& numbers) {
  constexpr std::array<const char*, 4> kKeys{"shape", "size", "team", "zone"};
  constexpr std::array<const char*, 3> kValues{"a", "b", "c"};
  for (std::uint32_t i = numbers.below(kKeys.size() + 1); i > 0; --i) {
    object.labels[kKeys.at(i - 1)] = kValues.at(numbers.below(kValues.size()));
  }
  if (object.labels.empty()) {
    object.emptied.insert("labels");
  }
}

/// An informer becomes a store that is read while it is filled.
void turn_into_store(sim::StoryClientOptions& client, sim::RandomNumbers& numbers) {
  client.kind = sim::ClientKind::Store;
  client.handlers.clear();
  client.failures = 0;
  client.pause = std::chrono::milliseconds(100 + numbers.below(900));
}

}  // namespace

Scenario labelled_story(Scenario story, std::uint64_t seed) {
  sim::RandomNumbers numbers(seed * 4 + 3);
  for (sim::ObjectSketch& object : story.server.objects) {
    draw_labels(object, numbers);
  }
  for (Step& step : story.script) {
    for (Action& action : step.actions) {
      if (std::holds_alternative<CreateAction>(action) ||
          std::holds_alternative<UpdateAction>(action)) {
        draw_labels(*object_of(action), numbers);
      }
    }
  }
  return story;
}

Scenario with_stores(Scenario story, std::uint64_t seed) {
  constexpr std::uint32_t kOneIn = 3;
  sim::RandomNumbers numbers(seed * 4 + 2);
  const bool has_stores = numbers.below(kOneIn) == 0;
  for (sim::StoryClientOptions& client : story.clients) {
    if (has_stores && client.kind == sim::ClientKind::Informer) {
      turn_into_store(client, numbers);
    }
  }
  return story;
}

Scenario with_long_outage(Scenario story, std::uint64_t seed) {
  // Longer than a lease lasts, and than most backoffs are at first.
  sim::RandomNumbers numbers(seed * 4 + 1);
  const runtime::Duration lasts = std::chrono::milliseconds(16'000 + numbers.below(44'000));
  const auto place = numbers.below(static_cast<std::uint32_t>(story.script.size()) + 1);
  const Step begins{.after = std::chrono::milliseconds(1 + numbers.below(3'000)),
                    .actions = {FaultAction{{.name = "refuse_connections", .as = "outage"}},
                                FaultAction{{.name = "cut_watch"}}}};
  const Step ends{.after = lasts, .actions = {HealAction{"outage"}}};
  const auto at = story.script.insert(story.script.begin() + place, begins);
  story.script.insert(at + 1, ends);
  const runtime::Duration longer = *begins.after + *ends.after;
  story.within += longer;
  if (story.until.kind == Ending::Kind::At) {
    story.until.at += longer;
  }
  return story;
}

bool has_long_outage(std::uint64_t seed) {
  // Storms among them, but no floods, which are the seeds that 4 divides.
  constexpr std::array<std::uint64_t, 6> kOfSixty{7, 17, 22, 33, 43, 54};
  return std::ranges::count(kOfSixty, seed % 60) > 0;
}

Scenario varied_story(Scenario story, std::uint64_t seed) {
  sim::RandomNumbers numbers(seed * 2 + 1);
  if (story.server.bulk_objects == 0) {  // these are ConfigMaps
    const auto choices = static_cast<std::uint32_t>(
        story.server.namespaces.empty() ? kOtherKinds.size() : kNamespacedKinds);
    turn_into(kOtherKinds.at(numbers.below(choices)), story);
  }
  vary_writes(story, numbers);
  return story;
}

Scenario over_the_wire(Scenario story, std::uint64_t seed) {
  sim::RandomNumbers numbers(seed * 2 + 1);
  story.transport = sim::Transport::Wire;
  std::vector<Action> heals;
  for (std::size_t i = 0; i + 1 < story.script.size(); ++i) {
    if (numbers.below(3) == 0) {
      sim::FaultSketch fault = draw_wire_fault(numbers);
      fault.as = fmt::format("bytes{}", heals.size());
      heals.emplace_back(HealAction{fault.as});
      story.script[i].actions.emplace_back(FaultAction{std::move(fault)});
    }
  }
  // The last step heals.
  std::vector<Action>& last = story.script.back().actions;
  last.insert(last.end(), heals.begin(), heals.end());
  return story;
}

}  // namespace watchlab::scenarios
