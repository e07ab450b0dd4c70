#include "scenarios/language/parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <set>
#include <utility>

#include "scenarios/language/document.hpp"
#include "scenarios/language/grammar.hpp"
#include "sim/apiserver/object_filter.hpp"
#include "sim/faults/fault_catalogue.hpp"
#include "sim/story/client_kinds.hpp"

namespace watchlab::scenarios {
namespace {

/// A program is a story by itself: it has no server, and nothing that could be expected of one.
void check_program(const Scenario& scenario, const Node& root, ParseContext& context) {
  if (scenario.program.empty()) {
    return;
  }
  std::string beside;
  Place first;
  for (const Node::Entry& entry : root.entries) {
    if (std::ranges::count(std::array{"clients", "server", "script", "until", "expect", "waived"},
                           entry.key) > 0) {
      first = beside.empty() ? entry.value.place : first;
      beside += fmt::format("{}'{}'", beside.empty() ? "" : " and ", entry.key);
    }
  }
  if (!beside.empty()) {
    context.problems.add({first, fmt::format("{} beside a program", beside),
                          "a program, or a server with clients", ""});
  }
}

bool is_external(const sim::StoryClientOptions& client) { return traits_of(client.kind).external; }

const sim::StoryClientOptions* external_client(const Scenario& scenario, const std::string& name) {
  const auto found = std::ranges::find(scenario.clients, name, &sim::StoryClientOptions::name);
  return found != scenario.clients.end() && is_external(*found) ? &*found : nullptr;
}

/// Whether a fault meets only clients that come over real sockets, which have bytes.
bool hits_sockets(const sim::FaultSketch& fault, const Scenario& scenario) {
  return fault.of.empty()
             ? !scenario.clients.empty() && std::ranges::all_of(scenario.clients, is_external)
             : external_client(scenario, fault.of) != nullptr;
}

/// What a condition waits for of an external client, whose requests alone are known; "" for what
/// may be waited for.
std::string unknown_of_external(const sim::Condition& condition, const Scenario& scenario) {
  using Kind = sim::Condition::Kind;
  const sim::StoryClientOptions* client = external_client(scenario, condition.of);
  const bool is_program = client != nullptr && traits_of(client->kind).in_lockstep;
  const bool is_known =
      condition.kind == Kind::Watching || condition.kind == Kind::Requested ||
      (is_program && (condition.kind == Kind::Noted || condition.kind == Kind::Ended));
  return is_known || client == nullptr
             ? ""
             : fmt::format("{}, {} of which only requests{} are known", describe(condition),
                           is_program ? "a program" : "an external client",
                           is_program ? ", notes and the end" : "");
}

/// A script does nothing to a program that is not ours, and knows only what it asks.
void check_externals(const Scenario& scenario, const Node& root, ParseContext& context) {
  const auto check = [&](const sim::Condition& condition, Place place) {
    if (const std::string unknown = unknown_of_external(condition, scenario); !unknown.empty()) {
      context.problems.add({place, "waiting for " + unknown, "watching or requested", ""});
    }
    if (condition.kind == sim::Condition::Kind::Noted &&
        std::ranges::none_of(scenario.clients, [&](const sim::StoryClientOptions& client) {
          return traits_of(client.kind).in_lockstep &&
                 (condition.of.empty() || client.name == condition.of);
        })) {
      context.problems.add({place, "waiting for notes, which no client can say",
                            "a client of the kind go, which can", ""});
    }
  };
  const Node* const script = root.find("script");
  for (std::size_t i = 0; i < scenario.script.size(); ++i) {
    if (scenario.script[i].when) {
      check(*scenario.script[i].when, script->items.at(i).find("when")->place);
    }
  }
  each_action(scenario, root, [&](const Action& action, const Node& node) {
    std::string client;
    if (const auto* start = std::get_if<StartAction>(&action)) {
      client = start->client;
    } else if (const auto* stop = std::get_if<StopAction>(&action)) {
      client = stop->client;
    } else if (const auto* move = std::get_if<MoveAction>(&action)) {
      client = move->client;
    } else if (const auto* crash = std::get_if<CrashAction>(&action)) {
      client = crash->client;
    }
    const sim::StoryClientOptions* external = external_client(scenario, client);
    if (external != nullptr && !traits_of(external->kind).in_lockstep &&
        context.blamed.insert(client).second) {
      context.problems.add(
          {node.place,
           fmt::format("a start, stop, crash or move of the external client '{}'", client),
           "these only of clients that the story runs", ""});
    }
  });
  if (scenario.until.kind == Ending::Kind::Condition) {
    const Node* const until = root.find("until");
    check(scenario.until.condition, until != nullptr ? until->place : Place{1, 1});
  }
}

/// Whether the fault is about bytes, where messages have none.
bool lacks_bytes(const sim::FaultSketch& fault, const Scenario& scenario) {
  const std::vector<sim::FaultEntry>& catalogue = sim::fault_catalogue();
  const bool needs_wire = std::any_of(
      catalogue.begin(), catalogue.end(),
      [&](const sim::FaultEntry& entry) { return entry.wire_only && entry.name == fault.name; });
  return needs_wire && scenario.transport != sim::Transport::Wire && !hits_sockets(fault, scenario);
}

std::string no_bytes_for(const sim::FaultSketch& fault) {
  return fmt::format("the fault '{}' on the direct transport, which has no bytes", fault.name);
}

/// Faults about bytes need bytes, and those about a server need that server.
void check_fault(const sim::FaultSketch& fault, const Node& node, const Scenario& scenario,
                 ParseContext& context) {
  if (lacks_bytes(fault, scenario)) {
    context.problems.add(
        {node.place, no_bytes_for(fault), "'transport: wire' for the scenario", ""});
  }
  const auto server = fault.parameters.find("server");
  if (server != fault.parameters.end() &&
      std::get<std::int64_t>(server->second) >= servers_of(scenario)) {
    context.problems.add({place_of_key(node, "server"),
                          fmt::format("the fault '{}' of server {}", fault.name,
                                      std::get<std::int64_t>(server->second)),
                          servers_of(scenario) == 1
                              ? "server 0, the only one"
                              : fmt::format("a server from 0 to {}", servers_of(scenario) - 1),
                          ""});
  }
  const auto resource = fault.parameters.find("resource");
  const std::string named =
      resource == fault.parameters.end() ? fault.resource : std::get<std::string>(resource->second);
  const auto may_send = [&](const sim::StoryClientOptions& client) {
    return (fault.of.empty() || client.name == fault.of) && sends(client, *fault.verb);
  };
  if (fault.verb && std::ranges::none_of(scenario.clients, may_send)) {
    context.problems.add(
        {place_of_key(node, "verb"),
         fmt::format("the fault '{}' of {} requests, which {}", fault.name, to_string(*fault.verb),
                     fault.of.empty() ? "no client sends" : "'" + fault.of + "' never sends"),
         "the verb of a request that a client sends", ""});
  }
  const sim::ResourceTypes types = types_of(scenario.server);
  if (!named.empty() && types.find_named(named) == nullptr) {
    std::vector<std::string> plurals;
    for (const auto& [served, type] : types.all()) {
      plurals.push_back(served.resource);
    }
    context.problems.add(
        {place_of_key(node, "resource"),
         fmt::format("the fault '{}' of '{}', which no server serves", fault.name, named),
         "the plural name of a resource, as configmaps or pods", nearest_name(named, plurals)});
  }
}

void check_faults(const Scenario& scenario, const Node& root, ParseContext& context) {
  each_action(scenario, root, [&](const Action& action, const Node& node) {
    if (const auto* act = std::get_if<FaultAction>(&action)) {
      check_fault(act->fault, node, scenario, context);
    }
  });
}

/// Whether a time is one that the story may take, if it says how long that is.
bool is_within(runtime::Duration time, std::string_view what, Place place, const Scenario& scenario,
               const Node& root, ParseContext& context) {
  if (root.find("within") == nullptr || time <= scenario.within) {
    return true;
  }
  context.problems.add({place,
                        fmt::format("{} at {} in a story that takes at most {}", what,
                                    sim::describe(time), sim::describe(scenario.within)),
                        fmt::format("'within: {}' or more", sim::describe(time)), ""});
  return false;
}

/// Steps come in their order, so that one for an earlier time than those above would come late.
void check_times(const Scenario& scenario, const Node& root, ParseContext& context) {
  runtime::Duration least{0};
  const Node* const script = root.find("script");
  for (std::size_t i = 0; i < scenario.script.size(); ++i) {
    const Step& step = scenario.script[i];
    const Node* const at = script != nullptr ? script->items.at(i).find("at") : nullptr;
    if (at != nullptr && step.at && *step.at < least) {
      context.problems.add({at->place,
                            fmt::format("a step at {} below one that is not done before {}",
                                        at->text, sim::describe(least)),
                            "a later time, or the step in its place: steps come in their order",
                            ""});
      return;
    }
    least = std::max(least, step.at.value_or(least)) + step.after.value_or(runtime::Duration(0));
    for (const Action& action : step.actions) {
      const auto* const wait = std::get_if<WaitAction>(&action);
      least += wait != nullptr ? wait->duration : runtime::Duration(0);
    }
    if (!is_within(least, "a step", script->items.at(i).place, scenario, root, context)) {
      return;
    }
  }
  if (scenario.until.kind == Ending::Kind::At) {
    (void)is_within(scenario.until.at, "an end", root.find("until")->place, scenario, root,
                    context);
  }
}

/// What lives in no namespace can be given none.
void check_namespace(const sim::ObjectSketch& object, const Node& node,
                     const sim::ResourceTypes& types, ParseContext& context) {
  const sim::ResourceType* type = types.find_kind(object.kind);
  if (type != nullptr && !type->namespaced && object.namespace_ != sim::ObjectSketch().namespace_) {
    context.problems.add(
        {place_of_key(node, "namespace"),
         fmt::format("a namespace of the {} '{}'", object.kind, object.name),
         fmt::format("none: objects of the kind {} live in no namespace", object.kind), ""});
  }
}

void check_namespaces(const Scenario& scenario, const Node& root, ParseContext& context) {
  const sim::ResourceTypes types = types_of(scenario.server);
  const Node* const server = root.find("server");
  const Node* const objects = server != nullptr ? server->find("objects") : nullptr;
  for (std::size_t i = 0; objects != nullptr && i < scenario.server.objects.size(); ++i) {
    check_namespace(scenario.server.objects[i], objects->items.at(i), types, context);
  }
  each_action(scenario, root, [&](const Action& action, const Node& node) {
    if (const sim::ObjectSketch* const object = object_of(action)) {
      check_namespace(*object, node, types, context);
    }
  });
}

/// What a server would answer 400.
void check_selectors(const Scenario& scenario, const Node& root, ParseContext& context) {
  const sim::ResourceTypes types = types_of(scenario.server);
  const Node* const clients = root.find("clients");
  for (std::size_t i = 0; clients != nullptr && i < scenario.clients.size(); ++i) {
    const sim::StoryClientOptions& client = scenario.clients[i];
    const sim::ResourceType* const type = types.find_kind(client.watches);
    for (const char* const key : {"labels", "fields"}) {
      const Node* const selector = clients->items.at(i).find(key);
      if (selector == nullptr || type == nullptr) {
        continue;
      }
      api::ListOptions options;
      const bool is_label = key == std::string_view("labels");
      (is_label ? options.label_selector : options.field_selector) = selector->text;
      if (const auto filter = sim::ObjectFilter::from(*type, "", options); !filter) {
        context.problems.add(
            {selector->place,
             fmt::format("a selector that a server refuses: {}", filter.error().message),
             is_label ? "one as in 'color=red,size in (s, m)'" : "one as in 'metadata.name=demo'",
             ""});
      }
    }
  }
}

/// Programs outside: there is one clock to share, and only they can crash.
void check_programs(const Scenario& scenario, const Node& root, ParseContext& context) {
  const auto is_program = [](const sim::StoryClientOptions& client) {
    return traits_of(client.kind).in_lockstep;
  };
  const Node* clients = root.find("clients");
  if (std::ranges::count_if(scenario.clients, is_program) > 1) {
    context.problems.add({clients != nullptr ? clients->place : Place{1, 1},
                          "several clients of the kind go, of which each would set the clock",
                          "one: a program can run several controllers", ""});
  }
  each_action(scenario, root, [&](const Action& action, const Node& node) {
    const auto* crash = std::get_if<CrashAction>(&action);
    const bool is_known =
        crash == nullptr ||
        std::ranges::none_of(scenario.clients, [&](const sim::StoryClientOptions& client) {
          return client.name == crash->client && !is_program(client);
        });
    if (!is_known && context.blamed.insert(crash->client).second) {
      context.problems.add({node.place,
                            fmt::format("a crash of '{}', which is no program", crash->client),
                            "one of a client of the kind go", ""});
    }
  });
}

/// What a file means beyond its shape and the names in it.
void check_meaning(const Scenario& scenario, const Node& root, ParseContext& context) {
  const Node* clients = root.find("clients");
  if (scenario.program.empty() && scenario.clients.empty()) {
    context.problems.add({clients != nullptr ? clients->place : Place{1, 1},
                          "a story without clients", "at least one client, or a program", ""});
  }
  check_program(scenario, root, context);
  check_faults(scenario, root, context);
  check_times(scenario, root, context);
  const std::int64_t replicas = servers_of(scenario);
  for (std::size_t i = 0; i < scenario.clients.size(); ++i) {
    const sim::StoryClientOptions& client = scenario.clients[i];
    if (clients != nullptr && client.replica >= replicas) {
      context.problems.add(
          {place_of_key(clients->items.at(i), "replica"),
           fmt::format("the client '{}' on replica {}", client.name, client.replica),
           fmt::format("a replica from 0 to {}", replicas - 1), ""});
    }
  }
  check_externals(scenario, root, context);
  check_programs(scenario, root, context);
  check_selectors(scenario, root, context);
  check_script(scenario, root, context);
  check_expectations(scenario, root, context);
}

/// Every bulk object costs each client and handler some steps, which are no sign of a
/// run without an end.
void allow_for_bulk_objects(Scenario& scenario, const Node& root) {
  constexpr std::int64_t steps_each = 100;
  const Node* explore = root.find("explore");
  if (explore != nullptr && explore->find("steps") != nullptr) {
    return;
  }
  std::size_t receivers = 0;
  for (const sim::StoryClientOptions& client : scenario.clients) {
    receivers += std::max<std::size_t>(client.handlers.size(), 1);
  }
  scenario.explore.steps =
      std::max(scenario.explore.steps,
               steps_each * scenario.server.bulk_objects * static_cast<std::int64_t>(receivers));
}

/// A program says and hears something at each instant at which it lives.
void allow_for_programs(Scenario& scenario, const Node& root) {
  constexpr std::int64_t steps_max = 5'000'000;
  const Node* explore = root.find("explore");
  const bool has_program = std::ranges::any_of(
      scenario.clients,
      [](const sim::StoryClientOptions& client) { return traits_of(client.kind).in_lockstep; });
  if (has_program && (explore == nullptr || explore->find("steps") == nullptr)) {
    scenario.explore.steps = std::max(scenario.explore.steps, steps_max);
  }
}

const Codec<Scenario>& language() {
  static const Codec<Scenario> kLanguage = scenario_grammar();
  return kLanguage;
}

/// The kinds of the types that every server serves can be used like those of the file. A resource
/// of the file takes the place of one of the same kind, unless that one is of the core group.
void define_kinds(ParseContext& context, const Node& root) {
  std::set<std::string> declared;
  const Node* const server = root.find("server");
  const Node* const resources = server != nullptr ? server->find("resources") : nullptr;
  if (resources != nullptr) {
    for (const Node& resource : resources->items) {
      if (const Node* const kind = resource.find("kind")) {
        declared.insert(kind->text);
      }
    }
  }
  std::set<std::string> kinds;
  for (const auto& [resource, type] : sim::ResourceTypes().all()) {
    if (resource.group.empty() || !declared.contains(type.kind)) {
      kinds.insert(type.kind);
    }
  }
  for (const std::string& kind : kinds) {
    context.defines("kind", kind, {});
  }
}

/// Expectations name the objects of a client without a namespace if these have none.
void drop_namespaces(Scenario& scenario) {
  const sim::ResourceTypes types = types_of(scenario.server);
  for (sim::Expectation& expectation : scenario.expectations) {
    const sim::StoryClientOptions* client = client_of(scenario, expectation);
    const auto* held = std::get_if<sim::ExpectedObjects>(&expectation.layer);
    const std::string kind = held != nullptr ? held->kind : client ? client->watches : "";
    const sim::ResourceType* type = types.find_kind(kind);
    if (type == nullptr || type->namespaced) {
      continue;
    }
    for (sim::ObjectPattern* object : objects_in(expectation)) {
      object->namespace_.clear();
    }
  }
}

Parsed read_root(const Node& root, ParseContext& context) {
  const Node* const kind = root.find("kind");
  if (kind != nullptr && root.find("metadata") != nullptr) {
    context.problems.add({kind->place, fmt::format("a manifest of the kind '{}'", kind->text),
                          "a scenario that begins with 'apiVersion: watchlab/v1'", ""});
    return {.scenario = std::nullopt, .problems = context.problems.take()};
  }
  define_kinds(context, root);
  Scenario scenario = language().read(root, context);
  if (context.problems.empty()) {
    check_namespaces(scenario, root, context);
    check_names_of_objects(scenario, root, context);  // one that no server takes is known to none
    check_fields(scenario, root, context);
  }
  if (scenario.until.kind == Ending::Kind::Condition) {
    scenario.until.line = root.find("until")->place.line;
  }
  if (context.problems.empty()) {
    context.check_names(
        [&](const std::string& object) { return may_come_by_others(scenario, object); });
  }
  if (context.problems.empty()) {  // what follows from a mistake is no mistake of its own
    check_meaning(scenario, root, context);
  }
  Parsed parsed{.scenario = std::nullopt,
                .problems = context.problems.take(),
                .renamings = context.renamings};
  std::ranges::transform(parsed.renamings, std::back_inserter(parsed.notes), note_of);
  if (parsed.problems.empty()) {
    allow_for_bulk_objects(scenario, root);
    allow_for_programs(scenario, root);
    drop_namespaces(scenario);
    scenario.hash = fingerprint_of(root);
    const Node* const server = root.find("server");
    for (std::string& remark : remarks_on(scenario)) {
      parsed.notes.push_back({server->place_of({"resources"}), std::move(remark), "", ""});
    }
    parsed.scenario = std::move(scenario);
  }
  return parsed;
}

}  // namespace

Place place_of_key(const Node& node, std::string_view key) {
  if (const Node* const found = node.find(key)) {
    return found->place;
  }
  for (const Node::Entry& entry : node.entries) {
    if (const Node* const found = entry.value.find(key)) {
      return found->place;
    }
  }
  return node.place;
}

std::int64_t servers_of(const Scenario& scenario) {
  return static_cast<std::int64_t>(std::max<std::size_t>(scenario.server.replicas.size(), 1));
}

Parsed parse_scenario(const std::string& text) {
  ParseContext context;
  const Node root = parse_document(text, context.problems);
  if (!context.problems.empty()) {
    return {std::nullopt, context.problems.take()};
  }
  return read_root(root, context);
}

Parsed load_scenario(const std::string& path) {
  Problems problems;
  const std::string text = read_text_file(path, problems);
  if (!problems.empty()) {
    return {std::nullopt, problems.take()};
  }
  Parsed parsed = parse_scenario(text);
  if (!parsed.scenario) {
    return parsed;
  }
  const std::string stem = std::filesystem::path(path).stem().string();
  if (stem != parsed.scenario->name && stem != "scenario") {
    Problems none;
    return {std::nullopt,
            {{parse_document(text, none).find("name")->place,
              fmt::format("the scenario '{}' in a file of another name", parsed.scenario->name),
              fmt::format("the file {}.yaml, or 'name: {}'", parsed.scenario->name, stem), ""}}};
  }
  parsed.scenario->path = path;
  return parsed;
}

std::string unplayable_without_bytes(const Scenario& scenario) {
  for (const Step& step : scenario.script) {
    for (const Action& action : step.actions) {
      const auto* const act = std::get_if<FaultAction>(&action);
      if (act != nullptr && lacks_bytes(act->fault, scenario)) {
        return fmt::format("{}:{}: {}; expected that it is played over the wire", scenario.path,
                           step.line, no_bytes_for(act->fault));
      }
    }
  }
  return "";
}

std::string scenario_text(const Scenario& scenario, const std::string& comment) {
  return document_text(language().write(scenario).value(), comment);
}

}  // namespace watchlab::scenarios
