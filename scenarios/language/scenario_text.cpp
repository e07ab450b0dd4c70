#include "scenarios/language/scenario_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/story/client_kinds.hpp"

namespace watchlab::scenarios {
namespace {

/// Whether YAML reads the text as that text without quotes.
bool is_plain(const std::string& text) {
  constexpr std::array<std::string_view, 8> words{"null", "true", "false", "yes",
                                                  "no",   "on",   "off",   "y"};
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) != 0 &&
         std::find(words.begin(), words.end(), text) == words.end() &&
         std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; });
}

std::string scalar(const std::string& text) {
  if (is_plain(text)) {
    return text;
  }
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c;
    if (c == '\'') {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string scalar(std::int64_t number) { return std::to_string(number); }
std::string scalar(bool fact) { return fact ? "true" : "false"; }
std::string scalar(runtime::Duration duration) {
  const auto microseconds = duration.count() / 1000;
  return microseconds % 1000 == 0 ? fmt::format("{}ms", microseconds / 1000)
                                  : fmt::format("{}us", microseconds);
}

/// A mapping on one line, made key by key; what has its default value is left out.
class Flow {
 public:
  void put(std::string_view key, const std::string& text) {
    text_ += fmt::format("{}{}: {}", text_.empty() ? "" : ", ", key, text);
  }
  template <typename T>
  void say(std::string_view key, const T& value, const T& usual) {
    if (value != usual) {
      put(key, scalar(value));
    }
  }
  void say(std::string_view key, const api::Labels& pairs) {
    if (!pairs.empty()) {
      Flow inner;
      for (const auto& [name, value] : pairs) {
        inner.put(scalar(name), scalar(value));
      }
      put(key, inner.text());
    }
  }
  [[nodiscard]] std::string text() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

std::string object_text(const sim::ObjectSketch& object) {
  if (object == sim::ObjectSketch{.name = object.name}) {
    return scalar(object.name);
  }
  Flow flow;
  flow.put("name", scalar(object.name));
  flow.say("namespace", object.namespace_, std::string("default"));
  flow.say("labels", object.labels);
  flow.say("annotations", object.annotations);
  flow.say("data", object.data);
  flow.say("rv_as", object.rv_as, std::string());
  flow.say("uid_as", object.uid_as, std::string());
  return flow.text();
}

std::string fault_text(const sim::FaultSketch& fault) {
  Flow flow;
  for (const auto& [name, value] : fault.parameters) {
    flow.put(name, std::visit([](const auto& each) { return scalar(each); }, value));
  }
  flow.say("as", fault.as, std::string());
  flow.say("of", fault.of, std::string());
  if (fault.verb) {
    flow.put("verb", std::string(name_of(*fault.verb)));
  }
  flow.say("times", fault.times, std::int64_t{0});
  flow.say("choice", fault.choice, false);
  if (flow.text() == "{}") {
    return fault.name;
  }
  return fmt::format("{{{}: {}}}", fault.name, flow.text());
}

std::string client_text(const sim::StoryClientOptions& client) {
  const sim::StoryClientOptions usual;
  Flow flow;
  flow.put("name", scalar(client.name));
  flow.put("kind", std::string(traits_of(client.kind).name));
  flow.say("resync", client.resync, usual.resync);
  flow.say("namespace", client.namespace_, usual.namespace_);
  flow.say("labels", client.label_selector, usual.label_selector);
  flow.say("fields", client.field_selector, usual.field_selector);
  std::string handlers;
  for (const sim::StoryHandlerOptions& handler : client.handlers) {
    Flow inner;
    inner.put("name", scalar(handler.name));
    inner.say("takes", handler.takes, sim::StoryHandlerOptions().takes);
    if (handler.resync) {
      inner.put("resync", scalar(*handler.resync));
    }
    inner.say("starts", std::string(handler.starts_later ? "later" : ""), std::string());
    inner.say("panics", handler.panics, std::int64_t{0});
    inner.say("adds", handler.adds, std::string());
    inner.say("removes", handler.removes, std::string());
    handlers += (handlers.empty() ? "" : ", ") + inner.text();
  }
  if (!handlers.empty()) {
    flow.put("handlers", "[" + handlers + "]");
  }
  flow.say("pause", client.pause, usual.pause);
  flow.say("reconcile", client.reconcile, usual.reconcile);
  flow.say("workers", client.workers, usual.workers);
  flow.say("takes", client.takes, usual.takes);
  flow.say("failures", client.failures, usual.failures);
  flow.say("refuses", client.refuses, usual.refuses);
  flow.say("drains", client.drains, usual.drains);
  flow.say("runs", std::string(client.runs_twice ? "twice" : "once"), std::string("once"));
  flow.say("replica", client.replica, usual.replica);
  flow.say("starts", std::string(client.starts_later ? "later" : ""), std::string());
  return flow.text();
}

/// An action as a key with its value.
struct ActionText {
  std::string operator()(const CreateAction& action) const {
    return "create: " + object_text(action.object);
  }
  std::string operator()(const UpdateAction& action) const {
    return "update: " + object_text(action.object);
  }
  std::string operator()(const DeleteAction& action) const {
    return "delete: " + object_text(action.object);
  }
  std::string operator()(const FaultAction& action) const {
    return "fault: " + fault_text(action.fault);
  }
  std::string operator()(const HealAction& action) const { return "heal: " + scalar(action.name); }
  std::string operator()(const StartAction& action) const {
    return "start: " + scalar(action.client);
  }
  std::string operator()(const StopAction& action) const {
    return "stop: " + scalar(action.client);
  }
  std::string operator()(const AddHandlerAction& action) const {
    return "add_handler: " + scalar(action.handler);
  }
  std::string operator()(const RemoveHandlerAction& action) const {
    return "remove_handler: " + scalar(action.handler);
  }
  std::string operator()(const MoveAction& action) const {
    Flow flow;
    flow.put("client", scalar(action.client));
    flow.put("to", scalar(action.replica));
    return "move: " + flow.text();
  }
  std::string operator()(const WaitAction& action) const {
    return "wait: " + scalar(action.duration);
  }
};

std::string step_text(const Step& step) {
  std::string text;
  if (step.at) {
    text += fmt::format("at: {}, ", scalar(*step.at));
  }
  if (step.after) {
    text += fmt::format("after: {}, ", scalar(*step.after));
  }
  if (step.actions.size() == 1) {
    return fmt::format("  - {{{}{}}}\n", text, std::visit(ActionText(), step.actions.front()));
  }
  text.resize(text.empty() ? 0 : text.size() - 2);
  text = text.empty() ? "  - atomic:\n" : fmt::format("  - {}\n    atomic:\n", text);
  for (const Action& action : step.actions) {
    text += fmt::format("      - {}\n", std::visit(ActionText(), action));
  }
  return text;
}

std::string server_text(const sim::StoryServerOptions& server) {
  std::string objects;
  for (const sim::ObjectSketch& object : server.objects) {
    objects += (objects.empty() ? "" : ", ") + object_text(object);
  }
  std::string replicas;
  for (const sim::StoryReplicaOptions& replica : server.replicas) {
    Flow flow;
    flow.say("lag", replica.lag, runtime::Duration::zero());
    replicas += (replicas.empty() ? "" : ", ") + flow.text();
  }
  Flow flow;
  if (!server.namespaces.empty()) {
    std::string names;
    for (const std::string& name : server.namespaces) {
      names += (names.empty() ? "" : ", ") + scalar(name);
    }
    flow.put("namespaces", "[" + names + "]");
  }
  if (!objects.empty()) {
    flow.put("objects", "[" + objects + "]");
  }
  flow.say("crowd", server.crowd, std::int64_t{0});
  flow.say("rv_as", server.rv_as, std::string());
  flow.say("watch_window", server.watch_window, sim::StoryServerOptions().watch_window);
  if (!replicas.empty()) {
    flow.put("replicas", "[" + replicas + "]");
  }
  return flow.text() == "{}" ? "" : "server: " + flow.text() + "\n";
}

std::string ending_text(const Ending& ending) {
  switch (ending.kind) {
    case Ending::Kind::Scripted:
      return "until: scripted\n";
    case Ending::Kind::At:
      return fmt::format("until: {}\n", scalar(ending.at));
    case Ending::Kind::Quiet:
    case Ending::Kind::Condition:
      break;
  }
  return "";
}

std::string exploration_text(const Exploration& explore) {
  const Exploration usual;
  Flow flow;
  flow.say("strategy", explore.strategy, usual.strategy);
  flow.say("schedules", explore.schedules, usual.schedules);
  flow.say("seed", explore.seed, usual.seed);
  flow.say("steps", explore.steps, usual.steps);
  flow.say("preemptions", explore.preemptions, usual.preemptions);
  flow.say("early_advances", explore.early_advances, usual.early_advances);
  return flow.text() == "{}" ? "" : "explore: " + flow.text() + "\n";
}

/// Each line of `text` after `prefix`.
std::string lines_after(std::string_view prefix, const std::string& text) {
  std::istringstream lines(text);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    out += fmt::format("{}{}{}\n", prefix, line.empty() ? "" : " ", line);
  }
  return out;
}

}  // namespace

std::string scenario_text(const Scenario& scenario, const std::string& comment) {
  std::string text = lines_after("#", comment);
  text += fmt::format("apiVersion: watchlab/v1\nname: {}\nstory: |\n{}", scenario.name,
                      lines_after(" ", scenario.story));
  if (scenario.transport) {
    const bool wire = *scenario.transport == sim::Transport::Wire;
    text += fmt::format("transport: {}\n", wire ? "wire" : "direct");
  }
  text += server_text(scenario.server) + "clients:\n";
  for (const sim::StoryClientOptions& client : scenario.clients) {
    text += fmt::format("  - {}\n", client_text(client));
  }
  text += scenario.script.empty() ? "" : "script:\n";
  for (const Step& step : scenario.script) {
    text += step_text(step);
  }
  text += ending_text(scenario.until);
  if (scenario.within != Scenario().within) {
    text += fmt::format("within: {}\n", scalar(scenario.within));
  }
  for (const sim::Waiver& waiver : scenario.waived) {
    text += fmt::format("{}  - {{invariant: {}, because: {}}}\n",
                        &waiver == scenario.waived.data() ? "waived:\n" : "", waiver.invariant,
                        scalar(waiver.because));
  }
  text += exploration_text(scenario.explore);
  if (!scenario.schedule.empty()) {
    text += fmt::format("schedule: {}\n", scalar(scenario.schedule));
  }
  return text;
}

}  // namespace watchlab::scenarios
