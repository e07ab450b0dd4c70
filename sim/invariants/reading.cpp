#include "sim/invariants/reading.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/api/field_selector.hpp"
#include "core/api/label_selector.hpp"

namespace watchlab::sim::invariants {
namespace {

bool is_held_back(const FaultRecord& fault) {
  return fault.in_place && (fault.name == "freeze_server" || fault.name == "lag_server");
}

/// A scenario with a selector that cannot be read never gets as far as a quiet end with a watch.
bool is_meant_for(const api::Object& object, const ClientRecord& client) {
  const auto labels = api::LabelSelector::parse(client.label_selector);
  const auto fields = api::FieldSelector::parse(client.field_selector);
  return (client.namespace_.empty() || object.metadata.namespace_ == client.namespace_) && labels &&
         labels.value().matches(object.metadata.labels) && fields &&
         fields.value().matches(object.metadata);
}

/// Whether it is about all namespaces.
bool looks_everywhere(const Record& record, const std::string& client) {
  return std::none_of(record.clients.begin(), record.clients.end(), [&](const ClientRecord& each) {
    return each.name == client && !each.namespace_.empty();
  });
}

}  // namespace

bool is_earlier(std::string_view a, std::string_view b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

bool watch_is_open(const Record& record, const std::string& client) {
  return std::any_of(record.requests.begin(), record.requests.end(), [&](const auto& request) {
    return request.client == client && request.end == "open";
  });
}

bool is_robbed(const Record& record, const std::string& client) {
  return std::find(record.robbed.begin(), record.robbed.end(), client) != record.robbed.end();
}

bool is_running(const Record& record, const ClientRecord& client) {
  return client.started && !client.stopped &&
         std::none_of(record.ends.begin(), record.ends.end(),
                      [&](const EndRecord& end) { return end.client == client.name; });
}

bool knows_everything(const Record& record, const ClientRecord& client) {
  return record.quiet && std::none_of(record.faults.begin(), record.faults.end(), is_held_back) &&
         is_running(record, client) && watch_is_open(record, client.name) &&
         !is_robbed(record, client.name);
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

Revisions truth_for(const Record& record, const ClientRecord& client) {
  Revisions truth;
  for (const WriteRecord& write : record.writes) {
    if (write.object && is_meant_for(*write.object, client)) {
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

std::map<HandlerName, std::vector<const CallRecord*>> calls_by_handler(const Record& record) {
  std::map<HandlerName, std::vector<const CallRecord*>> calls;
  for (const CallRecord& call : record.calls) {
    calls[{call.client, call.handler}].push_back(&call);
  }
  return calls;
}

const ClientRecord* client_named(const Record& record, const std::string& client) {
  const auto found = std::find_if(record.clients.begin(), record.clients.end(),
                                  [&](const ClientRecord& each) { return each.name == client; });
  return found == record.clients.end() ? nullptr : &*found;
}

bool has_left(const Record& record, const HandlerName& handler) {
  return std::any_of(record.handlers.begin(), record.handlers.end(), [&](const auto& each) {
    return HandlerName(each.client, each.name) == handler && each.left;
  });
}

Revisions told_last(const std::vector<const CallRecord*>& calls) {
  Revisions told;
  for (const CallRecord* call : calls) {
    if (call->type == "delete") {
      told.erase(call->key);
    } else {
      told[call->key] = revision_of(call->object);
    }
  }
  return told;
}

std::vector<WatchReading> watches_in(const Record& record) {
  std::vector<WatchReading> watches;
  for (std::size_t i = 0; i < record.requests.size() && i < record.answers.size(); ++i) {
    const RequestRecord& request = record.requests[i];
    if (request.verb != "WATCH" || record.answers[i].frames.empty()) {
      continue;
    }
    WatchReading watch{.client = request.client, .from = request.options.resource_version};
    const bool has_first_state = watch.from.empty() || watch.from == "0";
    bool is_first_state = has_first_state;
    for (const FrameRecord& frame : record.answers[i].frames) {
      if (frame.event.type == watch::EventType::Error || !frame.event.object) {
        continue;
      }
      watch.frames.push_back(&frame);
      is_first_state = is_first_state && frame.event.type == watch::EventType::Added;
      if (frame.event.type != watch::EventType::Bookmark && !is_first_state) {
        watch.changes.push_back(&frame);
      }
    }
    watch.tells_everything = !has_first_state && looks_everywhere(record, watch.client) &&
                             request.options.label_selector.empty() &&
                             request.options.field_selector.empty() && request.lost == 0;
    watches.push_back(std::move(watch));
  }
  return watches;
}

const WriteRecord* write_after(const Record& record, const std::string& revision) {
  const auto found = std::partition_point(
      record.writes.begin(), record.writes.end(),
      [&](const WriteRecord& write) { return !is_earlier(revision, write.revision); });
  return found == record.writes.end() ? nullptr : &*found;
}

std::string last_frame_revision(const AnswerRecord& answer, std::string newest) {
  for (const FrameRecord& frame : answer.frames) {
    const std::string revision = revision_of(frame.event.object);
    if (frame.event.type != watch::EventType::Error && is_earlier(newest, revision)) {
      newest = revision;
    }
  }
  return newest;
}

std::vector<const DeltaRecord*> deltas_of(const Record& record, const std::string& client) {
  std::vector<const DeltaRecord*> deltas;
  for (const DeltaRecord& delta : record.deltas) {
    if (delta.client == client) {
      deltas.push_back(&delta);
    }
  }
  return deltas;
}

std::string revision_of(const api::ObjectPtr& object) {
  return object ? object->metadata.resource_version : "";
}

std::string words_for_state(const std::string& key, const std::string& revision) {
  return revision.empty() ? key : fmt::format("{} at {}", key, revision);
}

std::string first_difference(const Revisions& found, const Revisions& expected) {
  for (const auto& [key, revision] : expected) {
    const auto there = found.find(key);
    if (there == found.end()) {
      return fmt::format("{} is missing", words_for_state(key, revision));
    }
    if (there->second != revision) {
      return fmt::format("{} is at {} instead of {}", key, there->second, revision);
    }
  }
  for (const auto& [key, revision] : found) {
    if (!expected.contains(key)) {
      return fmt::format("{} is too much", words_for_state(key, revision));
    }
  }
  return "";
}

}  // namespace watchlab::sim::invariants
