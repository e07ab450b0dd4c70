#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "sim/invariants/properties.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
namespace {

bool is_told_of(const watch::Event& event) {
  return event.object != nullptr &&
         (event.type == watch::EventType::Added || event.type == watch::EventType::Modified ||
          event.type == watch::EventType::Deleted);
}

/// "default/demo at 7", with a mark for deletions: what is looked for among what was told.
using Told = std::set<std::string>;

std::string told_name(const std::string& key, const api::ObjectPtr& object, bool deleted) {
  return fmt::format("{} {} {}", key, revision_of(object), deleted ? "deleted" : "");
}

Told popped_by(const Record& record, const std::string& client) {
  Told told;
  for (const DeltaRecord* delta : deltas_of(record, client)) {
    if (!delta->tombstone) {
      told.insert(told_name(delta->key, delta->object, delta->type == "Deleted"));
    }
  }
  return told;
}

Told heard_by(const std::vector<const CallRecord*>& calls) {
  Told told;
  for (const CallRecord* call : calls) {
    if (!call->tombstone) {
      told.insert(told_name(call->key, call->object, call->type == "delete"));
    }
  }
  return told;
}

/// Who listens, and from when on. With `until` only what arrived earlier counts: the client was
/// told to end then.
struct Span {
  runtime::TimePoint since;
  std::optional<runtime::TimePoint> until;
};

/// The changes that arrived at the client within the span, but not on a watch that it gave up
/// itself: what arrives while it does so it may leave unread.
std::vector<const FrameRecord*> arrivals(const Record& record, const std::string& client,
                                         const Span& span) {
  std::vector<const FrameRecord*> arrived;
  for (std::size_t i = 0; i < record.requests.size() && i < record.answers.size(); ++i) {
    const RequestRecord& request = record.requests[i];
    const bool given_up = request.end == "stopped" && !span.until;
    if (request.client != client || request.verb != "WATCH" || given_up) {
      continue;
    }
    for (const FrameRecord& frame : record.answers[i].frames) {
      if (is_told_of(frame.event) && frame.at > span.since &&
          (!span.until || frame.at < *span.until)) {
        arrived.push_back(&frame);
      }
    }
  }
  return arrived;
}

/// When a client whose queue the record shows was told to end, if it has come to its end since.
/// Informers do not count: their handlers may keep the reflector from the queue for long.
std::optional<runtime::TimePoint> finished(const Record& record, const ClientRecord& client) {
  const auto stopped = record.stopped.find(client.name);
  const bool ended = std::any_of(record.ends.begin(), record.ends.end(), [&](const EndRecord& end) {
    return end.client == client.name && end.cause == "closed";
  });
  return ended && !client.informer && stopped != record.stopped.end()
             ? std::optional(stopped->second)
             : std::nullopt;
}

std::optional<std::string> untold(const std::vector<const FrameRecord*>& arrived, const Told& told,
                                  const std::string& listener) {
  for (const FrameRecord* frame : arrived) {
    const std::string key = api::key_of(frame->event.object->metadata);
    const bool deleted = frame->event.type == watch::EventType::Deleted;
    if (!told.contains(told_name(key, frame->event.object, deleted))) {
      return fmt::format("{} {} has arrived, and {} was not told",
                         watch::name_of(frame->event.type),
                         words_for_state(key, revision_of(frame->event.object)), listener);
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> broken_arrivals_are_told(const Record& record) {
  if (!record.quiet) {
    return std::nullopt;
  }
  const auto calls = calls_by_handler(record);
  for (const ClientRecord& client : record.clients) {
    const std::optional<runtime::TimePoint> until = finished(record, client);
    if (!is_running(record, client) && !until) {
      continue;
    }
    if (client.keeps_deltas) {
      const Span span{.since = runtime::TimePoint::min(), .until = until};
      const auto wrong =
          untold(arrivals(record, client.name, span), popped_by(record, client.name), client.name);
      if (wrong) {
        return wrong;
      }
    }
    for (const HandlerRecord& handler : record.handlers) {
      if (handler.client != client.name || handler.left) {
        continue;
      }
      const auto heard = calls.find({handler.client, handler.name});
      const Told told = heard == calls.end() ? Told() : heard_by(heard->second);
      const auto wrong =
          untold(arrivals(record, client.name, {.since = handler.joined}), told, handler.name);
      if (wrong) {
        return wrong;
      }
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
