#include "scenarios/report/page_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "scenarios/report/lanes.hpp"
#include "sim/explain/wording.hpp"
#include "sim/invariants/invariant_catalogue.hpp"
#include "sim/kernel/path_text.hpp"
#include "sim/story/client_kinds.hpp"

namespace watchlab::scenarios {
namespace {

namespace json = boost::json;

/// The state of the page before anything has happened.
json::object nothing_yet(const Scenario& scenario) {
  json::object clients;
  for (const sim::StoryClientOptions& client : scenario.clients) {
    clients[client.name] = {{"phase", "not started"},      {"queue", json::object()},
                            {"cache", json::object()},     {"calls", json::object()},
                            {"delivered", json::object()}, {"work", json::object()},
                            {"requests", json::object()},  {"prints", json::object()}};
  }
  json::object server{
      {"rv", ""}, {"log", json::object()}, {"objects", json::object()}, {"faults", json::object()}};
  return {{"server", std::move(server)},   {"wire", json::object()},
          {"clients", std::move(clients)}, {"tasks", json::object()},
          {"clauses", json::object()},     {"story", "plays"}};
}

json::array selectors_of(const sim::StoryClientOptions& client) {
  json::array selectors;
  for (const auto& [name, value] :
       {std::pair{"namespace", client.namespace_}, std::pair{"labels", client.label_selector},
        std::pair{"fields", client.field_selector}}) {
    if (!value.empty()) {
      selectors.emplace_back(fmt::format("{} {}", name, value));
    }
  }
  return selectors;
}

/// Places without their folders, and tasks by their names.
std::string readable_message(std::string_view message) {
  return sim::with_readable_tasks(sim::with_short_places(message));
}

/// Whether a message has that name, and not only as a part of a longer one.
bool names(std::string_view message, std::string_view name) {
  const auto of_name = [&](std::size_t at) {
    const bool is_inside = at < message.size();
    const auto letter = is_inside ? static_cast<unsigned char>(message[at]) : ' ';
    return std::isalnum(letter) != 0 || letter == '-' || letter == '_' || letter == '/';
  };
  for (std::size_t at = message.find(name); at != std::string_view::npos && !name.empty();
       at = message.find(name, at + 1)) {
    if ((at == 0 || !of_name(at - 1)) && !of_name(at + name.size())) {
      return true;
    }
  }
  return false;
}

/// The keys that a message is about, by their whole name or the last part of it.
std::vector<std::size_t> keys_in(EventLog& log, std::string_view message) {
  std::vector<std::size_t> keys;
  const json::array& texts = log.keys().texts();
  for (std::size_t key = 0; key < texts.size(); ++key) {
    const std::string_view name = texts[key].as_string();
    if (names(message, name) || names(message, name.substr(name.rfind('/') + 1))) {
      keys.push_back(key);
    }
  }
  return keys;
}

/// "configmaps" of "ConfigMap" and "deployments" of "deployments.apps": as notes name it.
std::string resource_of(const Scenario& scenario, const sim::StoryClientOptions& client) {
  const sim::ResourceTypes types = sim::types_of(scenario.server);
  const sim::ResourceType* const type = types.find_kind(client.watches);
  return type == nullptr ? "" : type->resource.resource;
}

}  // namespace

std::string readable_task(std::string_view path) {
  const std::string text = sim::with_readable_tasks(path);
  return text.starts_with("main/") ? text.substr(5) : text;
}

PageData::PageData(const Scenario& scenario, const SeenRun& seen, PageFacts facts)
    : scenario_(scenario), seen_(seen), facts_(std::move(facts)), initial_(nothing_yet(scenario)) {
  list_tasks();
  list_clients();
  list_clauses();
  play_lanes();
}

/// What the record says of all stores as they were when the story ended.
void PageData::settle_stores(const sim::NoteRecord& end, QueueLane& queue) const {
  for (const sim::StoryClientOptions& client : scenario_.clients) {
    if (!seen_.record || client.kind == sim::ClientKind::Fifo) {
      continue;
    }
    std::map<std::string, std::string> stored;
    for (const api::ObjectPtr& object : seen_.record->stores.at(client.name)) {
      stored[api::key_of(object->metadata)] = object->metadata.resource_version;
    }
    queue.settle(end, client.name, stored);
  }
}

/// Each lane takes what it knows, step by step: first what the step itself did, then what was noted
/// after it, then what the record got.
void PageData::play_lanes() {
  EventLog log(initial_);
  LaneContext context(scenario_, seen_, log);
  ServerLane server(context);
  ReflectorLane reflector(context);
  QueueLane queue(context);
  HandlerLane handlers(context, queue);
  const sim::RunResult& result = seen_.witness.result;
  std::size_t note = 0;
  std::size_t growth = 0;
  const auto take_until = [&](std::size_t step) {
    for (; note < result.notes.size() && result.notes[note].step <= step; ++note) {
      const sim::NoteRecord& taken = result.notes[note];
      const std::size_t made = log.events().size();
      bool known = server.take(taken);
      known = reflector.take(taken) || known;
      known = queue.take(taken) || known;
      known = handlers.take(taken) || known;
      if (taken.kind == "story") {
        settle_stores(taken, queue);
        PageEvent& end = context.event(taken, {"story", ""},
                                       "The story ends; from here on the clients are stopped");
        log.set(end, {"story", "ended"});
        if (seen_.last_step() == seen_.story_end()) {
          note_failure(log);
        }
      } else if (!known) {
        context.event(
            taken, {"log", context.client_of(taken.task)},
            fmt::format("{} {}: {}", taken.kind, shortened(taken.subject), shortened(taken.text)));
      }
      for (std::size_t i = made; i < log.events().size(); ++i) {
        log.events()[i].note = note;
      }
    }
    for (; growth < seen_.growth.size() && seen_.growth[growth].step <= step; ++growth) {
      handlers.take(seen_.growth[growth]);
    }
  };
  for (const sim::WitnessedStep& step : seen_.witness.steps) {
    take_until(step.step - 1);
    queue.take(step);
    take_until(step.step);
  }
  take_until(result.steps);
  if (log.state().at("clauses").as_object().empty()) {
    note_failure(log);
  }
  corrected_ = queue.corrected();
  head_["keys"] = log.keys().texts();
  events_ = std::move(log.events());
}

/// One for each thing that is broken: each begins with the file and the line, and may go over
/// several lines. Without the file; of an invariant, which no line says, without the line.
std::vector<std::string> PageData::broken_messages() const {
  std::vector<std::string> messages;
  const auto& failure = seen_.witness.result.failure;
  const std::string file = (scenario_.path.empty() ? scenario_.name : scenario_.path) + ":";
  const std::string text = failure ? readable_message(failure->sentence) : "";
  for (const std::string_view each : sim::lines_in(text)) {
    const std::string line(each);
    if (line.starts_with(file)) {
      const std::string place = line.substr(file.size());
      const bool of_story = place.starts_with("1: ");
      messages.push_back(of_story ? place.substr(3) : "line " + place);
    } else if (messages.empty()) {
      messages.push_back(line);
    } else {
      messages.back() += "\n" + line;
    }
  }
  return messages;
}
/// The same, with the objects that the message lists as seen if they are few: the unexpected ones
/// are often the cause.
std::vector<std::size_t> keys_of(EventLog& log, std::string_view message) {
  constexpr std::size_t kSeenMax = 5;
  const std::vector<std::size_t> all = keys_in(log, message);
  const std::vector<std::size_t> named = keys_in(log, message.substr(0, message.find("seen:")));
  return named.empty() || all.size() - named.size() <= kSeenMax ? all : named;
}

/// A violation of what is looked at when the story is over stands there; any other failure where it
/// happened. What the record shows before stands where it first does.
void PageData::note_failure(EventLog& log) {
  const auto& failure = seen_.witness.result.failure;
  if (!failure) {
    return;
  }
  const std::int64_t at = log.events().empty() ? 0 : log.events().back().at;
  const std::vector<std::string> messages = broken_messages();
  std::size_t number = 0;
  for (const std::string& message : messages) {
    PageEvent& event = log.add({.step = seen_.last_step(),
                                .at = at,
                                .task = "",
                                .lane = "clauses",
                                .client = "",
                                .text = message.starts_with(failure->kind)
                                            ? message
                                            : fmt::format("{}: {}", failure->kind, message)});
    event.keys = keys_of(log, message);
    log.set(event, {"clauses", std::to_string(number++), message});
  }
}

void PageData::list_clauses() {
  json::array clauses;
  const std::vector<std::string> broken = broken_messages();
  for (const sim::Invariant& invariant : sim::invariant_catalogue()) {
    json::object row{
        {"clause", invariant.clause}, {"name", invariant.name}, {"doc", invariant.doc}};
    for (const sim::Waiver& waiver : scenario_.waived) {
      if (waiver.invariant == invariant.name) {
        row["waived"] = waiver.because;
      }
    }
    const std::string head = fmt::format("{} {}: ", invariant.clause, invariant.name);
    for (const std::string& message : broken) {
      if (message.find(head) != std::string::npos) {
        row["broken"] = message.substr(message.find(head) + head.size());
        const auto shown = std::ranges::find_if(seen_.shown_at, [&](const auto& entry) {
          return message.ends_with(readable_message(entry.first));
        });
        row["step"] = shown == seen_.shown_at.end() ? seen_.story_end() : shown->second;
      }
    }
    clauses.push_back(std::move(row));
  }
  head_["clauses"] = std::move(clauses);
  head_["has_story"] = scenario_.program.empty();
  if (std::ranges::any_of(scenario_.clients, [](const sim::StoryClientOptions& client) {
        return traits_of(client.kind).in_lockstep && !client.run.empty();
      })) {
    head_["starts_programs"] = true;  // for the lines to paste
  }
}

void PageData::list_clients() {
  json::array clients;
  for (const sim::StoryClientOptions& client : scenario_.clients) {
    json::array handlers;
    for (const sim::StoryHandlerOptions& handler : client.handlers) {
      handlers.emplace_back(handler.name);
    }
    clients.push_back({{"name", client.name},
                       {"kind", traits_of(client.kind).title},
                       {"machine", client.machine},
                       {"resource", resource_of(scenario_, client)},
                       {"selects", selectors_of(client)},
                       {"handlers", std::move(handlers)}});
  }
  head_["clients"] = std::move(clients);
}

void PageData::list_tasks() {
  json::array tasks;
  for (const sim::WitnessedActor& actor : seen_.witness.actors) {
    task_numbers_[actor.path] = static_cast<std::int64_t>(tasks.size());
    tasks.emplace_back(readable_task(actor.path));
  }
  head_["tasks"] = std::move(tasks);
  for (const TaskMoment& moment : seen_.tasks) {
    const std::string name = std::to_string(moment.task);
    if (moment.state == TaskMoment::State::Ended) {
      task_patches_.emplace_back(moment.step, Patch{"tasks", name, nullptr});
      continue;
    }
    const bool waits = moment.state == TaskMoment::State::Waits;
    task_patches_.emplace_back(
        moment.step,
        Patch{"tasks", name,
              json::array{waits ? "waits" : "ready", words_.number_of(moment.next),
                          words_.number_of(moment.because), json::value_from(moment.releasers)}});
  }
}

}  // namespace watchlab::scenarios
