#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "scenarios/report/lanes.hpp"
#include "sim/kernel/plain_text.hpp"
#include "sim/story/pattern.hpp"

namespace watchlab::scenarios {
namespace {

/// How long each call of a handler takes, as the scenario says.
runtime::Duration time_of(const Scenario& scenario, const sim::CallRecord& call) {
  for (const sim::StoryClientOptions& client : scenario.clients) {
    for (const sim::StoryHandlerOptions& handler : client.handlers) {
      if (client.name == call.client && handler.name == call.handler) {
        return handler.takes;
      }
    }
  }
  return runtime::Duration::zero();
}

/// Whether what the record says of its store is what was there when the call began: a shared
/// informer's handler has to ask, and the store may change before it calls.
bool keeps_watch_of_store(const Scenario& scenario, const std::string& name) {
  const auto client = std::ranges::find(scenario.clients, name, &sim::StoryClientOptions::name);
  return client != scenario.clients.end() && client->kind == sim::ClientKind::Informer;
}

std::string flags_of(const sim::CallRecord& call) {
  std::string flags;
  flags += call.initial ? " initial" : "";
  flags += call.tombstone ? " tombstone" : "";
  flags += call.overlaps ? " overlaps" : "";
  flags += call.panics ? " panics" : "";
  return flags.empty() ? flags : flags.substr(1);
}

}  // namespace

bool HandlerLane::take(const sim::NoteRecord& note) {
  if (note.kind == "handler") {
    call(note);
  } else if (note.kind == "goroutine") {
    swap(note);
  } else if (note.kind == "print") {
    PageEvent& event =
        context_.event(note, {"handlers", note.subject},
                       fmt::format("{} prints: {}", note.subject, shortened(note.text)));
    context_.log.set(event, {"clients", note.subject, "prints",
                             std::to_string(prints_[note.subject]++), shortened(note.text)});
  } else {
    return false;
  }
  return true;
}

/// A row for each of the two goroutines: "1.1 of x.go:7 waits, and then 1.2 of x.go:8 starts".
void HandlerLane::swap(const sim::NoteRecord& note) {
  constexpr std::array<std::string_view, 6> kDeeds{" stops ",  " waits",  " has ended",
                                                   " goes on", " starts", " takes "};
  constexpr std::string_view kBetween = ", and ";
  PageEvent& event = context_.event(note, {"goroutines", note.subject},
                                    fmt::format("{}: {}", note.subject, note.by));
  for (std::string_view rest = note.by; !rest.empty();) {
    const std::size_t end = std::min(rest.find(kBetween), rest.size());
    std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + kBetween.size(), rest.size()));
    for (const std::string_view word : {"then ", "goroutine "}) {
      part.remove_prefix(part.starts_with(word) ? word.size() : 0);
    }
    std::size_t deed = std::string_view::npos;
    for (const std::string_view each : kDeeds) {
      deed = std::min(deed, part.find(each));
    }
    if (deed != std::string_view::npos) {
      context_.log.set(event, {"clients", note.subject, "goroutines", part.substr(0, deed),
                               part.substr(deed + 1)});
    }
  }
}

/// The record knows more of a call than its note; the two are written one after the other.
void HandlerLane::call(const sim::NoteRecord& note) {
  const std::vector<sim::CallRecord>& calls = context_.seen.live.calls;
  called_.resize(calls.size());
  const sim::CallRecord* found = nullptr;
  for (std::size_t i = 0; i < calls.size() && found == nullptr; ++i) {
    if (!called_[i] && calls[i].client == note.subject &&
        sim::given_name(calls[i].handler) == note.by &&
        sim::visible_line(note_of(calls[i])) == note.text) {
      called_[i] = true;
      found = &calls[i];
    }
  }
  const std::string& client = note.subject;
  if (found == nullptr) {
    call_behind_the_record(note);
    return;
  }
  if (keeps_watch_of_store(context_.scenario, client)) {
    queues_.correct(note, client, found->key, found->cached);
  }
  EventLog& log = context_.log;
  PageEvent& event =
      context_.event(note, {"handlers", client, found->key},
                     fmt::format("{} calls {}: {}{}", client, found->handler, shortened(note.text),
                                 shortened(metadata_of(*found))));
  const std::string revision = found->object ? found->object->metadata.resource_version : "";
  const std::string before = found->before ? found->before->metadata.resource_version : "";
  const std::int64_t ends =
      event.at + std::chrono::nanoseconds(time_of(context_.scenario, *found)).count();
  const std::string type(to_string(found->type));
  log.set(event, {"clients", client, "calls", std::to_string(calls_[client]++),
                  boost::json::array{found->handler, type, event.keys.front(), revision, before,
                                     event.at, ends, flags_of(*found)}});
  log.set(event, {"clients", client, "delivered", found->handler, log.key_name(found->key),
                  boost::json::array{type, revision}});
}

/// The story was over by then. Where the run fails after that, the call still matters: the lane has
/// what the note says of it, "add: demo rv \"3\" …".
void HandlerLane::call_behind_the_record(const sim::NoteRecord& note) {
  const std::string& client = note.subject;
  PageEvent& event =
      context_.event(note, {"handlers", client},
                     fmt::format("{} calls {}: {}", client, note.by.empty() ? "a handler" : note.by,
                                 shortened(note.text)));
  const std::size_t colon = note.text.find(": ");
  if (context_.seen.last_step() <= context_.seen.story_end() || colon == std::string::npos) {
    return;
  }
  const std::string rest = note.text.substr(colon + 2);
  const std::string name = rest.substr(0, rest.find(' '));
  EventLog& log = context_.log;
  const boost::json::array& keys = log.keys().texts();
  for (std::size_t key = 0; key < keys.size(); ++key) {
    const std::string_view text = keys[key].as_string();
    if (text == name || text.ends_with("/" + name)) {
      const std::size_t quote = rest.find("rv \"");
      const std::string revision =
          quote == std::string::npos
              ? ""
              : rest.substr(quote + 4, rest.find('"', quote + 4) - quote - 4);
      event.keys = {key};
      log.set(event, {"clients", client, "calls", std::to_string(calls_[client]++),
                      boost::json::array{note.by, note.text.substr(0, colon), key, revision, "",
                                         event.at, event.at, ""}});
      return;
    }
  }
}

PageEvent& HandlerLane::event(const Growth& growth, runtime::TimePoint at,
                              const std::string& client, std::string text) {
  return context_.log.add({.step = growth.step,
                           .at = context_.since_start(at),
                           .task = "",
                           .lane = "handlers",
                           .client = client,
                           .text = std::move(text)});
}

void HandlerLane::take(const Growth& growth) {
  const sim::Record& record = context_.seen.live;
  switch (growth.list) {
    case RecordKind::Work:
      work(growth);
      break;
    case RecordKind::Handlers: {
      const sim::HandlerRecord& handler = record.handlers[growth.index];
      PageEvent& made = event(growth, handler.joined, handler.client,
                              fmt::format("Handler {} joins {}", handler.name, handler.client));
      context_.log.set(
          made, {"clients", handler.client, "delivered", handler.name, boost::json::object()});
      break;
    }
    case RecordKind::Ends: {
      const sim::EndRecord& end = record.ends[growth.index];
      PageEvent& made =
          event(growth, end.at, end.client,
                fmt::format("{} ends by itself: {}", end.client, to_string(end.cause)));
      context_.log.set(made, {"clients", end.client, "ended", to_string(end.cause)});
      break;
    }
    case RecordKind::Requests:
    case RecordKind::Asked:
    case RecordKind::Deltas:
    case RecordKind::Calls:
    case RecordKind::Notes:
      break;  // notes are about these
  }
}

/// A key that is added while a worker has it waits until that worker is done with it.
void HandlerLane::work(const Growth& growth) {
  const sim::WorkRecord& work = context_.seen.live.work[growth.index];
  const std::string words =
      work.type == sim::WorkType::Added
          ? fmt::format("Work queue of {}: {} is added", work.client, shortened(work.key))
      : work.type == sim::WorkType::Taken
          ? fmt::format("Worker {} takes {}", work.worker, shortened(work.key))
          : fmt::format("Worker {} is done with {}", work.worker, shortened(work.key));
  PageEvent& made = event(growth, work.at, work.client, words);
  made.lane = "work";
  EventLog& log = context_.log;
  made.keys.push_back(log.keys().number_of(work.key));
  const std::string key = log.key_name(work.key);
  if (work.type == sim::WorkType::Added) {
    log.set(made, {"clients", work.client, "work", key, "waits", 1});
  } else if (work.type == sim::WorkType::Taken) {
    log.set(made, {"clients", work.client, "work", key, "waits", 0});
    log.set(made, {"clients", work.client, "work", key, "worker", work.worker});
  } else {
    const auto& queue =
        log.state().at("clients").as_object().at(work.client).as_object().at("work").as_object();
    const auto* const item = queue.if_contains(key);
    const auto* const waits = item == nullptr ? nullptr : item->as_object().if_contains("waits");
    if (waits != nullptr && waits->to_number<int>() == 1) {
      log.set(made, {"clients", work.client, "work", key, "worker", nullptr});
    } else {
      log.set(made, {"clients", work.client, "work", key, nullptr});
    }
  }
}

}  // namespace watchlab::scenarios
