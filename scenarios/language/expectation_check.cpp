// Expectations that could neither hold nor fail are mistakes of their author.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "scenarios/language/grammar.hpp"
#include "sim/kernel/article.hpp"
#include "sim/story/client_kinds.hpp"

namespace watchlab::scenarios {
namespace {

using sim::ClientTraits;
using sim::Expectation;
using sim::StoryClientOptions;
using sim::StoryHandlerOptions;

/// What is written down of a kind of client, by the keys of an expectation.
std::vector<std::string> recorded_layers(const ClientTraits& kind) {
  std::vector<std::string> layers{"requests", "served"};
  if (kind.keeps_deltas) {
    layers.emplace_back("deltas");
  }
  if (kind.handlers != sim::HandlerCount::None) {
    layers.emplace_back("handler");
  }
  if (kind.keeps_store) {
    layers.emplace_back("store");
  }
  if (kind.in_lockstep) {
    layers.emplace_back("notes");
  }
  if (kind.ends_by_itself) {
    layers.emplace_back("ended");
  }
  return layers;
}

template <typename T>
bool does(const Scenario& scenario, const std::function<bool(const T&)>& is_meant) {
  return std::any_of(scenario.script.begin(), scenario.script.end(), [&](const Step& step) {
    return std::any_of(step.actions.begin(), step.actions.end(), [&](const Action& action) {
      const T* found = std::get_if<T>(&action);
      return found != nullptr && is_meant(*found);
    });
  });
}

const StoryHandlerOptions* handler_named(const StoryClientOptions& client,
                                         const std::string& name) {
  const auto found =
      std::find_if(client.handlers.begin(), client.handlers.end(),
                   [&](const StoryHandlerOptions& handler) { return handler.name == name; });
  return found == client.handlers.end() ? nullptr : &*found;
}

bool is_added(const Scenario& scenario, const StoryClientOptions& client, const std::string& name) {
  const bool by_a_call =
      std::any_of(client.handlers.begin(), client.handlers.end(),
                  [&](const StoryHandlerOptions& each) { return each.adds == name; });
  return by_a_call || does<AddHandlerAction>(scenario, [&](const AddHandlerAction& action) {
           return action.handler == name;
         });
}

/// A client that is ours sends what its kind sends, and nothing else.
void check_verbs(const StoryClientOptions& client, const Expectation& expectation, const Node& node,
                 ParseContext& context) {
  const auto* requests = std::get_if<sim::Expected<sim::RequestPattern>>(&expectation.layer);
  if (requests == nullptr) {
    return;
  }
  for (const sim::RequestPattern& each : requests->entries) {
    if (!sends(client, each.verb)) {
      context.problems.add({node.place,
                            fmt::format("{} of '{}', which never sends one",
                                        sim::with_article(to_string(each.verb)), client.name),
                            "LIST or WATCH, a controller that does more, or an external client",
                            ""});
    }
  }
}

void check_expectation(const Scenario& scenario, const Expectation& expectation, const Node& node,
                       ParseContext& context) {
  const auto put = [&context](Place place, std::string what, std::string expected) {
    context.problems.add({place, std::move(what), std::move(expected), ""});
  };
  const StoryClientOptions* client = client_of(scenario, expectation);
  if (client == nullptr) {
    if (!expectation.of.empty() && !expectation.to.empty()) {
      put(node.place,
          fmt::format("the handler '{}' of the client '{}', which has no such handler",
                      expectation.to, expectation.of),
          "'of' or 'to'");
    }
    return;
  }
  const std::vector<std::string> recorded = recorded_layers(traits_of(client->kind));
  for (const Node::Entry& entry : node.entries) {
    const bool is_layer = entry.key != "of" && entry.key != "to" && entry.key != "depends_on_order";
    if (entry.key == "objects") {
      if (!expectation.of.empty()) {
        put(entry.place, "'objects' of a client", "no 'of': they are the server's");
      }
      continue;
    }
    if (is_layer && std::find(recorded.begin(), recorded.end(), entry.key) == recorded.end()) {
      put(entry.place,
          fmt::format("'{}' of the {} '{}', of which nothing like that is recorded", entry.key,
                      traits_of(client->kind).name, client->name),
          one_of(recorded));
    }
    if (is_layer && entry.key != "handler" && !expectation.to.empty()) {
      put(entry.place, fmt::format("'{}' of a handler", entry.key),
          "'of' with the name of a client");
    }
  }
  check_verbs(*client, expectation, node, context);
  const auto starts = [&](const StartAction& action) { return action.client == client->name; };
  if (client->starts_later && !does<StartAction>(scenario, starts) &&
      context.blamed.insert(client->name).second) {
    put(node.place, fmt::format("an expectation about '{}', which never starts", client->name),
        fmt::format("a step with 'start: {}'", client->name));
  }
  const StoryHandlerOptions* handler = handler_named(*client, expectation.to);
  if (handler != nullptr && handler->starts_later && !is_added(scenario, *client, handler->name) &&
      context.blamed.insert(handler->name).second) {
    put(node.place, fmt::format("an expectation about '{}', which nothing adds", handler->name),
        fmt::format("a step with 'add_handler: {}'", handler->name));
  }
}

}  // namespace

const StoryClientOptions* client_of(const Scenario& scenario, const Expectation& expectation) {
  for (const StoryClientOptions& client : scenario.clients) {
    const bool is_named = expectation.of.empty() || client.name == expectation.of;
    if (is_named && (expectation.to.empty() || handler_named(client, expectation.to) != nullptr)) {
      return &client;
    }
  }
  return nullptr;
}

void check_expectations(const Scenario& scenario, const Node& root, ParseContext& context) {
  const Node* list = root.find("expect");
  for (std::size_t i = 0; i < scenario.expectations.size(); ++i) {
    const Expectation& expectation = scenario.expectations[i];
    const bool of_server = std::holds_alternative<sim::ExpectedObjects>(expectation.layer);
    if (!of_server && expectation.of.empty() && expectation.to.empty() &&
        scenario.clients.size() > 1) {
      context.problems.add({list != nullptr && i < list->items.size() ? list->items[i].place
                                                                      : Place{expectation.line, 1},
                            "an expectation that could be about several clients",
                            "'of' with the name of a client", ""});
    } else if (list != nullptr && i < list->items.size()) {
      check_expectation(scenario, expectation, list->items[i], context);
    }
  }
}

}  // namespace watchlab::scenarios
