// Who and what is there when a step is played: what waits for, or is done to, somebody who cannot
// be there is a mistake of its author.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "scenarios/language/grammar.hpp"
#include "sim/faults/fault_catalogue.hpp"
#include "sim/kernel/article.hpp"
#include "sim/story/client_kinds.hpp"

namespace watchlab::scenarios {
namespace {

using sim::Condition;
using sim::HandlerCount;
using sim::StoryClientOptions;
using sim::StoryHandlerOptions;
using sim::with_article;
using Kind = Condition::Kind;

enum class Life : std::uint8_t { Waits, Runs, Stopped, Crashed };

/// Why something can never come, and what to do about it; "" when it can.
struct Never {
  std::string why;
  std::string cure = "something that the client does";
};

/// What a handler is, and whose.
struct Part {
  const StoryClientOptions* client = nullptr;
  const StoryHandlerOptions* handler = nullptr;
  bool joined = false;   ///< now or before
  bool removed = false;  ///< by the script
};

/// A fault with a name from `as`, until it is healed.
struct Named {
  Place place;
  bool ends = false;  ///< on its own, perhaps before the next step
  std::size_t step = 0;
};

/// A client that runs by itself, which no script starts or stops.
bool is_outside(const StoryClientOptions& client) {
  const sim::ClientTraits& kind = traits_of(client.kind);
  return kind.external && !kind.in_lockstep;
}

/// Whether a call of another handler may add it.
bool may_be_added_by_a_call(const Part& part) {
  return std::ranges::count(part.client->handlers, part.handler->name, &StoryHandlerOptions::adds) >
         0;
}

/// What the actions of a script have come to, one after another.
class Cast {
 public:
  Cast(const Scenario& scenario, ParseContext& context) : scenario_(scenario), context_(context) {
    for (const StoryClientOptions& client : scenario.clients) {
      lives_[client.name] = client.starts_later ? Life::Waits : Life::Runs;
      clients_[client.name] = &client;
      for (const StoryHandlerOptions& handler : client.handlers) {
        parts_[handler.name] = {&client, &handler, !handler.starts_later};
      }
    }
  }

  /// `step` is the number of the action's step.
  void take(const Action& action, const Node& node, std::size_t step) {
    step_ = step;
    std::visit([&](const auto& each) { take(each, node); }, action);
  }

  /// Puts a problem for what is done to a client that never starts.
  void check_never_started(const Action& action, const Node& node) {
    const auto* const act = std::get_if<FaultAction>(&action);
    const auto* const move = std::get_if<MoveAction>(&action);
    const std::string name = act != nullptr ? act->fault.of : move != nullptr ? move->client : "";
    if (const auto found = lives_.find(name);
        found != lives_.end() && found->second == Life::Waits) {
      put(name, place_of_key(node, act != nullptr ? "of" : "client"),
          fmt::format("a {} of '{}', which never starts", act != nullptr ? "fault" : "move", name),
          fmt::format("a step with 'start: {}'", name));
    }
  }

  /// Puts a problem for a condition that no client can meet. What is said of clients outside is
  /// checked elsewhere: see `check_externals`.
  void check(const Condition& condition, Place place) {
    Never never;
    std::string whom;
    for (const StoryClientOptions& client : scenario_.clients) {
      const bool is_said_elsewhere =
          traits_of(client.kind).external && condition.of == client.name &&
          (condition.kind == Kind::Synced || condition.kind == Kind::Popped ||
           (condition.kind == Kind::Ended && is_outside(client)));
      if (is_said_elsewhere || !is_meant(condition, client) ||
          (condition.kind == Kind::Noted && !traits_of(client.kind).in_lockstep)) {
        continue;
      }
      const Never found = never_of(condition, client);
      if (found.why.empty()) {
        return;
      }
      if (never.why.empty()) {
        whom = client.name;
        never = {fmt::format("'{}' {}", client.name, found.why), found.cure};
      }
    }
    if (!never.why.empty() && !context_.blamed.contains(whom)) {
      put(condition.of.empty() ? whom : condition.of, place,
          fmt::format("waiting for {}, which can never come: {}", describe(condition), never.why),
          never.cure);
    }
  }

 private:
  /// One problem for each client or handler: what comes behind it follows from it.
  void put(const std::string& whom, Place place, std::string what, std::string expected) {
    if (context_.blamed.insert(whom).second) {
      context_.problems.add({place, std::move(what), std::move(expected), ""});
    }
  }

  void take(const StartAction& start, const Node& node) {
    if (is_outside(*clients_.at(start.client))) {
      return;
    }
    Life& life = lives_.at(start.client);
    if (life == Life::Runs) {
      put(start.client, node.place,
          fmt::format("a start of '{}', which runs already", start.client),
          started_.contains(start.client) ? "one start; only a client that has crashed starts again"
                                          : "'starts: later' for the client, or no start");
    } else if (life == Life::Stopped) {
      put(start.client, node.place,
          fmt::format("a start of '{}', which was stopped before", start.client),
          "another client with 'starts: later'; what was stopped stays so");
    } else {
      life = Life::Runs;
      started_.insert(start.client);
    }
  }

  void take(const StopAction& stop, const Node& node) {
    if (is_outside(*clients_.at(stop.client))) {
      return;
    }
    Life& life = lives_.at(stop.client);
    if (life == Life::Stopped) {
      put(stop.client, node.place,
          fmt::format("a stop of '{}', which was stopped before", stop.client), "one stop");
    } else if (life != Life::Runs) {
      put(stop.client, node.place, fmt::format("a stop of '{}', which does not run", stop.client),
          "a start before it");
    } else {
      life = Life::Stopped;
    }
  }

  void take(const CrashAction& crash, const Node& node) {
    if (!traits_of(clients_.at(crash.client)->kind).in_lockstep) {
      return;
    }
    Life& life = lives_.at(crash.client);
    if (life != Life::Runs) {
      put(crash.client, node.place,
          fmt::format("a crash of '{}', which does not run", crash.client), "a start before it");
    } else {
      life = Life::Crashed;
    }
  }

  void take(const MoveAction& move, const Node& node) {
    const std::int64_t servers = servers_of(scenario_);
    if (is_outside(*clients_.at(move.client))) {
      return;
    }
    if (move.replica >= servers) {
      put(move.client, place_of_key(node, "to"),
          fmt::format("a move of '{}' to the replica {}", move.client, move.replica),
          servers == 1 ? "'server: {replicas: [{}, {lag: 5s}]}', for there is only one server"
                       : fmt::format("a replica from 0 to {}", servers - 1));
    } else if (lives_.at(move.client) == Life::Stopped) {
      put(move.client, place_of_key(node, "client"),
          fmt::format("a move of '{}', which was stopped before", move.client),
          "the move before the stop");
    }
  }

  /// Whether it is a handler that may come and go.
  bool may_come_and_go(const Part& part, const Node& node) {
    const sim::ClientTraits& kind = traits_of(part.client->kind);
    if (kind.handlers != HandlerCount::AnyNumber) {
      put(part.handler->name, node.place,
          fmt::format("'{}', a handler of {}, which keeps it", part.handler->name,
                      with_article(kind.title)),
          "a handler of a client of the kind shared");
    }
    return kind.handlers == HandlerCount::AnyNumber;
  }

  void take(const AddHandlerAction& add, const Node& node) {
    Part& part = parts_.at(add.handler);
    if (!may_come_and_go(part, node)) {
      return;
    }
    if (part.removed) {
      put(add.handler, node.place, fmt::format("'{}', which was removed before", add.handler),
          "another handler with 'starts: later'; what was removed does not come back");
    } else if (part.joined) {
      put(add.handler, node.place, fmt::format("'{}', which is there already", add.handler),
          part.handler->starts_later ? "one add_handler"
                                     : "'starts: later' for the handler, or no add_handler");
    }
    part.joined = true;
  }

  void take(const RemoveHandlerAction& remove, const Node& node) {
    Part& part = parts_.at(remove.handler);
    if (!may_come_and_go(part, node)) {
      return;
    }
    if (part.removed) {
      put(remove.handler, node.place, fmt::format("'{}', which was removed before", remove.handler),
          "one remove_handler");
    } else if (!part.joined && !may_be_added_by_a_call(part)) {
      put(remove.handler, node.place,
          fmt::format("'{}', which is not there at this step", remove.handler),
          fmt::format("a step with 'add_handler: {}' before it", remove.handler));
    }
    part.removed = true;
  }

  void take(const FaultAction& act, const Node& node) {
    const std::string& name = act.fault.as.empty() ? act.fault.name : act.fault.as;
    const Place place = place_of_key(node, "as");
    const auto first = named_.find(name);
    if (first != named_.end() && (!first->second.ends || first->second.step == step_)) {
      put("fault " + name, place,
          fmt::format("the name '{}', which the fault at {}:{} still has", name,
                      first->second.place.line, first->second.place.column),
          fmt::format("another name, or 'heal: {}' before it", name));
    }
    if (!act.fault.as.empty()) {
      named_.insert_or_assign(name, Named{place, act.fault.times > 0, step_});
    }
    (act.fault.choice && sim::is_instant(act.fault.name) ? perhaps_ : faults_).insert(name);
    healed_.erase(name);
  }

  void take(const HealAction& heal, const Node& node) {
    named_.erase(heal.name);
    if (perhaps_.contains(heal.name)) {
      return;
    }
    if (faults_.erase(heal.name) == 0) {
      const bool again = healed_.contains(heal.name);
      put("fault " + heal.name, node.place,
          fmt::format("a heal of '{}', which {}", heal.name,
                      again ? "was healed before" : "no step before it injects"),
          again ? "one heal for each time that it is injected"
                : fmt::format("a step with the fault '{}' before it", heal.name));
    }
    healed_.insert(heal.name);
  }

  void take(const auto& /*about_the_server*/, const Node& /*node*/) {}

  static bool is_meant(const Condition& condition, const StoryClientOptions& client) {
    return condition.of.empty() || client.name == condition.of ||
           std::ranges::count(client.handlers, condition.of, &StoryHandlerOptions::name) > 0;
  }

  /// Whether the client has one of the handlers that are meant, or may have it by now.
  [[nodiscard]] bool has_handler(const Condition& condition,
                                 const StoryClientOptions& client) const {
    return client.handlers.empty() ||
           std::ranges::any_of(client.handlers, [&](const StoryHandlerOptions& handler) {
             const Part& part = parts_.at(handler.name);
             return (condition.of.empty() || condition.of == client.name ||
                     condition.of == handler.name) &&
                    !part.removed && (part.joined || may_be_added_by_a_call(part));
           });
  }

  /// Whether a handler that is meant was removed.
  [[nodiscard]] bool has_lost(const Condition& condition, const StoryClientOptions& client) const {
    return std::ranges::any_of(client.handlers, [&](const StoryHandlerOptions& handler) {
      return (condition.of.empty() || condition.of == client.name ||
              condition.of == handler.name) &&
             parts_.at(handler.name).removed;
    });
  }

  [[nodiscard]] Never never_of(const Condition& condition, const StoryClientOptions& client) const {
    const sim::ClientTraits& kind = traits_of(client.kind);
    const Life life = lives_.at(client.name);
    if (life == Life::Waits) {
      return {"is not started before", fmt::format("'start: {}' in a step before", client.name)};
    }
    const std::string article = with_article(kind.name);
    switch (condition.kind) {
      case Kind::Watching:
        if (life == Life::Stopped) {
          return {"was stopped before", "the condition before the stop, or another client"};
        }
        return life == Life::Crashed
                   ? Never{"has crashed before", fmt::format("'start: {}' in between", client.name)}
                   : Never{};
      case Kind::Popped:
        return kind.keeps_deltas
                   ? Never{}
                   : Never{fmt::format("is {}, of which no deltas are recorded", article)};
      case Kind::Ended:
        return kind.ends_by_itself
                   ? Never{}
                   : Never{fmt::format("is {}, which never ends by itself", article)};
      case Kind::Handled:
        if (kind.handlers == HandlerCount::None) {
          return {fmt::format(
              "is {}, {}", article,
              kind.external ? "of which no handler calls are known" : "which has no handlers")};
        }
        if (has_handler(condition, client)) {
          return {};
        }
        return has_lost(condition, client)
                   ? Never{"has not got that handler any more",
                           "the condition before the remove_handler, or another handler"}
                   : Never{"has not got that handler by then", "a step with 'add_handler' before"};
      case Kind::Requested:
        return !condition.verb || sends(client, *condition.verb)
                   ? Never{}
                   : Never{fmt::format("never sends {}", with_article(to_string(*condition.verb)))};
      default:
        return {};
    }
  }

  const Scenario& scenario_;
  ParseContext& context_;
  std::map<std::string, const StoryClientOptions*> clients_;
  std::map<std::string, Life> lives_;
  std::map<std::string, Part> parts_;
  std::set<std::string> started_;  ///< by the script
  std::set<std::string> faults_;   ///< that are in place
  std::set<std::string> perhaps_;  ///< that are in place, or were not chosen
  std::set<std::string> healed_;
  std::map<std::string, Named> named_;  ///< by `as`
  std::size_t step_ = 0;
};

}  // namespace

void check_cast(const Scenario& scenario, const Node& root, ParseContext& context) {
  Cast cast(scenario, context);
  const Node* const script = root.find("script");
  for (std::size_t i = 0; script != nullptr && i < scenario.script.size(); ++i) {
    const Step& step = scenario.script[i];
    const Node& item = script->items.at(i);
    if (step.when) {
      cast.check(*step.when, item.find("when")->place);
    }
    for (std::size_t j = 0; j < step.actions.size(); ++j) {
      cast.take(step.actions[j], action_node(item, j), i);
    }
  }
  if (scenario.until.kind == Ending::Kind::Condition) {
    cast.check(scenario.until.condition, root.find("until")->place);
  }
  each_action(scenario, root, [&](const Action& action, const Node& node) {
    cast.check_never_started(action, node);
  });
}

}  // namespace watchlab::scenarios
