#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "scenarios/fuzz/story_generator.hpp"
#include "scenarios/fuzz/story_shrinker.hpp"

namespace watchlab::scenarios {
namespace {

using std::chrono::seconds;

template <typename Predicate>
void remove_actions(Scenario& scenario, Predicate goes) {
  for (Step& step : scenario.script) {
    std::erase_if(step.actions, goes);
  }
}

/// A step without actions goes; its time is given to the next one.
void drop_empty_steps(Scenario& scenario) {
  runtime::Duration owed{0};
  std::vector<Step> kept;
  for (Step& step : scenario.script) {
    if (step.actions.empty()) {
      owed += step.after.value_or(runtime::Duration::zero());
      continue;
    }
    if (owed > runtime::Duration::zero()) {
      step.after = step.after.value_or(runtime::Duration::zero()) + owed;
      owed = runtime::Duration::zero();
    }
    kept.push_back(std::move(step));
  }
  scenario.script = std::move(kept);
}

std::string healed_as(const sim::FaultSketch& fault) {
  return fault.as.empty() ? fault.name : fault.as;
}

void remove_heals(Scenario& scenario, const std::string& name) {
  remove_actions(scenario, [&](const Action& action) {
    const auto* heal = std::get_if<HealAction>(&action);
    return heal != nullptr && heal->name == name;
  });
}

/// Which client or handler an action is about; "" for none.
std::string person_of(const Action& action) {
  if (const auto* start = std::get_if<StartAction>(&action)) {
    return start->client;
  }
  if (const auto* stop = std::get_if<StopAction>(&action)) {
    return stop->client;
  }
  if (const auto* join = std::get_if<AddHandlerAction>(&action)) {
    return join->handler;
  }
  if (const auto* move = std::get_if<MoveAction>(&action)) {
    return move->client;
  }
  const auto* leave = std::get_if<RemoveHandlerAction>(&action);
  return leave != nullptr ? leave->handler : "";
}

void remove_handler(Scenario& scenario, const std::string& name) {
  for (sim::StoryClientOptions& client : scenario.clients) {
    std::erase_if(client.handlers, [&](const auto& handler) { return handler.name == name; });
  }
  remove_actions(scenario, [&](const Action& action) { return person_of(action) == name; });
}

void remove_client(Scenario& scenario, std::size_t which) {
  const sim::StoryClientOptions client = scenario.clients[which];
  for (const sim::StoryHandlerOptions& handler : client.handlers) {
    remove_handler(scenario, handler.name);
  }
  remove_actions(scenario, [&](const Action& action) { return person_of(action) == client.name; });
  std::vector<std::string> heals;
  remove_actions(scenario, [&](const Action& action) {
    const auto* fault = std::get_if<FaultAction>(&action);
    const bool goes = fault != nullptr && fault->fault.of == client.name;
    if (goes) {
      heals.push_back(healed_as(fault->fault));
    }
    return goes;
  });
  for (const std::string& heal : heals) {
    remove_heals(scenario, heal);
  }
  scenario.clients.erase(scenario.clients.begin() + static_cast<std::ptrdiff_t>(which));
}

void remove_object(Scenario& scenario, const std::string& name) {
  std::erase_if(scenario.server.objects, [&](const auto& object) { return object.name == name; });
  remove_actions(scenario, [&](const Action& action) {
    const sim::ObjectSketch* object = object_of(action);
    return object != nullptr && object->name == name;
  });
}

/// Then clients learn of it by the timeout of their watch only, which has to be waited for.
bool has_black_hole(const Scenario& scenario) {
  for (const Step& step : scenario.script) {
    for (const Action& action : step.actions) {
      const auto* fault = std::get_if<FaultAction>(&action);
      if (fault != nullptr && fault->fault.name == "black_hole") {
        return true;
      }
    }
  }
  return false;
}

/// One action of a step, a fault with its healing. A heal alone stays.
void remove_action(Scenario& scenario, std::size_t step, std::size_t which) {
  std::vector<Action>& actions = scenario.script[step].actions;
  const Action action = actions[which];
  const bool waits_out_a_fault =
      std::holds_alternative<WaitAction>(action) && has_black_hole(scenario);
  if (std::holds_alternative<HealAction>(action) || waits_out_a_fault) {
    return;
  }
  actions.erase(actions.begin() + static_cast<std::ptrdiff_t>(which));
  if (const auto* fault = std::get_if<FaultAction>(&action)) {
    remove_heals(scenario, healed_as(fault->fault));
  }
}

/// All actions of some steps, except heals of faults that stay.
void remove_steps(Scenario& scenario, std::size_t from, std::size_t count) {
  for (std::size_t step = from; step < std::min(from + count, scenario.script.size()); ++step) {
    for (std::size_t i = scenario.script[step].actions.size(); i > 0; --i) {
      if (i <= scenario.script[step].actions.size()) {
        remove_action(scenario, step, i - 1);
      }
    }
  }
}

void add_cuts_of_the_script(const Scenario& scenario, std::vector<Cut>& cuts) {
  const std::size_t steps = scenario.script.size();
  for (std::size_t size = std::max<std::size_t>(steps / 2, 1); size > 0; size /= 2) {
    for (std::size_t from = 0; from < steps; from += size) {
      cuts.emplace_back([from, size](Scenario& story) { remove_steps(story, from, size); });
    }
  }
  for (std::size_t step = 0; step < steps; ++step) {
    for (std::size_t i = 0; i < scenario.script[step].actions.size(); ++i) {
      cuts.emplace_back([step, i](Scenario& story) { remove_action(story, step, i); });
    }
  }
}

void add_cuts_of_the_cast(const Scenario& scenario, std::vector<Cut>& cuts) {
  for (std::size_t i = 0; i < scenario.clients.size() && scenario.clients.size() > 1; ++i) {
    cuts.emplace_back([i](Scenario& story) { remove_client(story, i); });
  }
  std::set<std::string> objects;
  for (const sim::ObjectSketch& object : scenario.server.objects) {
    objects.insert(object.name);
  }
  for (const Step& step : scenario.script) {
    for (const Action& action : step.actions) {
      if (const sim::ObjectSketch* object = object_of(action)) {
        objects.insert(object->name);
      }
    }
  }
  for (const std::string& name : objects) {
    cuts.emplace_back([name](Scenario& story) { remove_object(story, name); });
  }
  for (const sim::StoryClientOptions& client : scenario.clients) {
    for (const sim::StoryHandlerOptions& handler : client.handlers) {
      cuts.emplace_back([name = handler.name](Scenario& story) { remove_handler(story, name); });
    }
  }
}

/// Messages as values again, and nothing that is about bytes.
void leave_the_wire(Scenario& story) {
  story.transport.reset();
  const std::vector<std::string_view> names = wire_fault_names();
  std::vector<std::string> heals;
  remove_actions(story, [&](const Action& action) {
    const auto* fault = std::get_if<FaultAction>(&action);
    const bool goes =
        fault != nullptr && std::find(names.begin(), names.end(), fault->fault.name) != names.end();
    if (goes) {
      heals.push_back(healed_as(fault->fault));
    }
    return goes;
  });
  for (const std::string& heal : heals) {
    remove_heals(story, heal);
  }
}

void add_cuts_of_options(const Scenario& scenario, std::vector<Cut>& cuts) {
  const auto each_client = [&cuts](auto simplify) {
    cuts.emplace_back([simplify](Scenario& story) {
      for (sim::StoryClientOptions& client : story.clients) {
        simplify(client);
      }
    });
  };
  each_client([](auto& client) { client.resync = {}; });
  each_client([](auto& client) { client.takes = client.pause = {}; });
  each_client([](auto& client) { client.failures = 0; });
  each_client([](auto& client) { client.workers = 1; });
  each_client([](auto& client) { client.label_selector.clear(); });
  each_client([](auto& client) { client.replica = 0; });
  each_client([](auto& client) {
    for (sim::StoryHandlerOptions& handler : client.handlers) {
      handler.takes = {};
    }
  });
  for (std::size_t i = 0; i < scenario.clients.size(); ++i) {
    cuts.emplace_back([i](Scenario& story) {
      sim::StoryClientOptions& client = story.clients[i];
      client.starts_later = false;
      remove_actions(story, [&](const Action& action) {
        const auto* start = std::get_if<StartAction>(&action);
        return start != nullptr && start->client == client.name;
      });
    });
  }
  cuts.emplace_back([](Scenario& story) { story.server.watch_window = 100; });
  cuts.emplace_back([](Scenario& story) { story.server.replicas.clear(); });
}

void add_cuts_of_details(const Scenario& scenario, std::vector<Cut>& cuts) {
  for (std::size_t step = 0; step < scenario.script.size(); ++step) {
    for (std::size_t i = 0; i < scenario.script[step].actions.size(); ++i) {
      const auto* fault = std::get_if<FaultAction>(&scenario.script[step].actions[i]);
      if (fault == nullptr) {
        continue;
      }
      const auto change = [&cuts, step, i](auto simplify) {
        cuts.emplace_back([step, i, simplify](Scenario& story) {
          simplify(std::get<FaultAction>(story.script[step].actions[i]).fault);
        });
      };
      for (const auto& [name, value] : fault->fault.parameters) {
        change([key = name](sim::FaultSketch& sketch) { sketch.parameters.erase(key); });
      }
      change([](sim::FaultSketch& sketch) { sketch.of.clear(); });
      change([](sim::FaultSketch& sketch) { sketch.times = sketch.times > 1 ? 1 : sketch.times; });
    }
  }
  cuts.emplace_back([](Scenario& story) {
    const auto bare = [](sim::ObjectSketch& object) {
      object.labels.clear();
      object.data.erase("turn");
    };
    std::for_each(story.server.objects.begin(), story.server.objects.end(), bare);
    for (Step& step : story.script) {
      for (Action& action : step.actions) {
        if (auto* create = std::get_if<CreateAction>(&action)) {
          bare(create->object);
        } else if (auto* update = std::get_if<UpdateAction>(&action)) {
          update->object.labels.clear();
        }
      }
    }
  });
  for (std::size_t step = 0; step < scenario.script.size(); ++step) {
    for (const runtime::Duration time :
         {runtime::Duration(0), runtime::Duration(seconds(1)), runtime::Duration(seconds(10))}) {
      cuts.emplace_back([step, time](Scenario& story) {
        std::optional<runtime::Duration>& after = story.script[step].after;
        if (after && *after > time) {
          after = time > runtime::Duration::zero() ? std::optional(time) : std::nullopt;
        }
      });
    }
  }
}

}  // namespace

std::vector<Cut> cuts_of(const Scenario& scenario) {
  std::vector<Cut> cuts;
  if (scenario.transport) {
    cuts.emplace_back(leave_the_wire);
  }
  add_cuts_of_the_script(scenario, cuts);
  add_cuts_of_the_cast(scenario, cuts);
  add_cuts_of_options(scenario, cuts);
  add_cuts_of_details(scenario, cuts);
  for (Cut& cut : cuts) {
    cut = [inner = std::move(cut)](Scenario& story) {
      inner(story);
      drop_empty_steps(story);
    };
  }
  return cuts;
}

std::size_t actions_of(const Scenario& scenario) {
  std::size_t count = 0;
  for (const Step& step : scenario.script) {
    count += step.actions.size();
  }
  return count;
}

}  // namespace watchlab::scenarios
