#include "sim/invariants/reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "core/api/label_selector.hpp"
#include "sim/apiserver/object_filter.hpp"

namespace watchlab::sim::invariants {
namespace {

bool is_held_back(const FaultRecord& fault) {
  return fault.in_place && (fault.name == "freeze_server" || fault.name == "lag_server");
}

}  // namespace

bool is_earlier(std::string_view a, std::string_view b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

bool has_fault_in_place(const Record& record) {
  return std::ranges::any_of(record.faults, &FaultRecord::in_place);
}

bool watch_is_open(const Record& record, const std::string& client, runtime::TimePoint since) {
  return std::ranges::any_of(record.requests, [&](const RequestRecord& request) {
    return request.client == client && request.end == StreamEnd::Open && request.at <= since;
  });
}

bool has_lost_events(const Record& record, const std::string& client) {
  return std::ranges::find(record.lost_events, client) != record.lost_events.end();
}

bool is_running(const Record& record, const ClientRecord& client) {
  return client.started && !client.stopped &&
         std::ranges::find(record.ends, client.name, &EndRecord::client) == record.ends.end();
}

bool knows_everything(const Record& record, const ClientRecord& client) {
  return record.quiet && std::ranges::none_of(record.faults, is_held_back) &&
         is_running(record, client) && watch_is_open(record, client.name) &&
         !has_lost_events(record, client.name);
}

std::vector<const ClientRecord*> clients_at_rest(const Record& record) {
  std::vector<const ClientRecord*> resting;
  for (const ClientRecord& client : record.clients) {
    if (record.quiet && is_running(record, client)) {
      resting.push_back(&client);
    }
  }
  return resting;
}

std::vector<const ClientRecord*> informed_clients(const Record& record) {
  std::vector<const ClientRecord*> informed;
  for (const ClientRecord& client : record.clients) {
    if (client.keeps_store && knows_everything(record, client)) {
      informed.push_back(&client);
    }
  }
  return informed;
}

std::function<bool(const api::Object&)> selection_of(const ClientRecord& client) {
  // A scenario with a selector that cannot be read never gets as far as a quiet end with a watch.
  return [namespace_ = client.namespace_, labels = api::LabelSelector::parse(client.label_selector),
          fields = FieldQuery::parse(client.field_selector)](const api::Object& object) {
    return (namespace_.empty() || object.metadata.namespace_ == namespace_) && labels &&
           labels->matches(object.metadata.labels) && fields && fields->matches(object);
  };
}

Revisions truth_for(const Record& record, const ClientRecord& client) {
  const auto is_meant = selection_of(client);
  Revisions truth;
  for (const WriteRecord& write : record.writes) {
    if (write.resource != client.resource) {
      continue;
    }
    if (write.object && is_meant(*write.object)) {
      truth[write.key] = write.object->metadata.resource_version;
    } else {
      truth.erase(write.key);
    }
  }
  return truth;
}

Revisions stored_by(const Record& record, const std::string& client) {
  Revisions stored;
  if (const auto found = record.stores.find(client); found != record.stores.end()) {
    for (const api::ObjectPtr& object : found->second) {
      stored[api::key_of(object->metadata)] = object->metadata.resource_version;
    }
  }
  return stored;
}

std::int64_t successes_of(const Record& record, const std::string& client, Verb verb) {
  return std::ranges::count_if(record.requests, [&](const RequestRecord& request) {
    return request.client == client && request.verb == verb && request.answer == AnswerKind::Ok;
  });
}

bool streams_a_list(const RequestRecord& request) {
  return request.verb == Verb::Watch && request.options.send_initial_events.value_or(false);
}

std::span<const FrameRecord> from_the_mark(const AnswerRecord& answer) {
  const auto mark = std::ranges::find_if(answer.frames, [](const FrameRecord& frame) {
    return frame.event.type == watch::EventType::Bookmark && frame.event.object &&
           frame.event.object->metadata.annotations.contains(std::string(api::kInitialEventsEnd));
  });
  return {mark, answer.frames.end()};
}

std::int64_t lists_of(const Record& record, const std::string& client) {
  return successes_of(record, client, Verb::List) +
         std::ranges::count_if(answered_requests(record, client), [](const Answered& each) {
           return streams_a_list(each.request) && !from_the_mark(each.answer).empty();
         });
}

const AnswerRecord* first_list_of(const Record& record, const std::string& client) {
  for (const auto& [request, answer] : answered_requests(record, client)) {
    if (streams_a_list(request) && !from_the_mark(answer).empty()) {
      return nullptr;
    }
    if (request.verb == Verb::List && request.answer == AnswerKind::Ok) {
      return answer.list.continue_token.empty() ? &answer : nullptr;
    }
  }
  return nullptr;
}

std::string_view outcome_of(const RequestRecord& request) {
  return request.answer == AnswerKind::Ok ? to_string(request.end) : to_string(request.answer);
}

bool stream_has_ended(const RequestRecord& request) {
  return request.end == StreamEnd::Closed || request.end == StreamEnd::Cut;
}

bool is_change(const watch::Event& event) {
  return event.object && event.type != watch::EventType::Bookmark &&
         event.type != watch::EventType::Error;
}

bool is_refused_its_revision(const RequestRecord& request) {
  return request.answer == AnswerKind::Expired || request.answer == AnswerKind::Gone ||
         request.answer == AnswerKind::TooLargeRevision;
}

std::map<HandlerName, Calls> calls_by_handler(const Record& record) {
  std::map<HandlerName, Calls> calls;
  for (const CallRecord& call : record.calls) {
    calls[{call.client, call.handler}].push_back(&call);
  }
  return calls;
}

Calls calls_of(const Record& record, const HandlerName& handler) {
  Calls calls = entries_of(record.calls, handler.first);
  std::erase_if(calls, [&](const CallRecord* call) { return call->handler != handler.second; });
  return calls;
}

const ClientRecord* client_named(const Record& record, const std::string& client) {
  const auto found = std::ranges::find(record.clients, client, &ClientRecord::name);
  return found == record.clients.end() ? nullptr : &*found;
}

bool has_left(const Record& record, const HandlerName& handler) {
  return std::ranges::any_of(record.handlers, [&](const HandlerRecord& each) {
    return HandlerName(each.client, each.name) == handler && each.left;
  });
}

const std::string& revision_of(const api::ObjectPtr& object) {
  static const std::string kNone;
  return object ? object->metadata.resource_version : kNone;
}

std::string describe_state(const std::string& key, const std::string& revision) {
  return revision.empty() ? key : fmt::format("{} at {}", key, revision);
}

std::string describe_state(const api::Object& object) {
  return describe_state(api::key_of(object.metadata), object.metadata.resource_version);
}

std::optional<std::string> first_difference(const Revisions& found, const Revisions& expected) {
  for (const auto& [key, revision] : expected) {
    const auto there = found.find(key);
    if (there == found.end()) {
      return fmt::format("{} is missing", describe_state(key, revision));
    }
    if (there->second != revision) {
      return fmt::format("{} is at {} instead of {}", key, there->second, revision);
    }
  }
  for (const auto& [key, revision] : found) {
    if (!expected.contains(key)) {
      return fmt::format("{} is too much", describe_state(key, revision));
    }
  }
  return std::nullopt;
}

std::int64_t milliseconds_in(runtime::Duration time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
}

}  // namespace watchlab::sim::invariants
